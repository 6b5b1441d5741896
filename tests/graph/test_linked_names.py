"""A store keeps what connects its names, and links only those that a change concerns."""

import sqlite3
from contextlib import closing
from io import BytesIO
from pathlib import Path

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from examples import scaled
from stemma.graph.export import ExportFormat, Portion, export_portion
from stemma.graph.linking import region, sense
from stemma.graph.sqlite import SqliteStore, writer
from stemma.schema import (
    EntityKind,
    Extraction,
    Field,
    FoundEntity,
    FoundRelation,
    Mention,
    Paper,
    RelationType,
)
from stemma.schema.decision import Merge, Reject, Rename


@pytest.fixture
def path(tmp_path: Path, quolls, catalogue) -> Path:
    put(tmp_path / "stemma.db", catalogue, *quolls[:-1])
    return tmp_path / "stemma.db"


@pytest.fixture
def whole(tmp_path: Path, quolls, catalogue) -> bytes:
    put(tmp_path / "whole.db", catalogue, *quolls)
    return exported(tmp_path / "whole.db", catalogue)


def put(path: Path, catalogue, *papers: Extraction) -> None:
    with SqliteStore(path, catalogue=catalogue) as store, store.writer() as opened:
        opened.put(papers, "hand")
        opened.commit()


def exported(path: Path, catalogue) -> bytes:
    out = BytesIO()
    with SqliteStore(path, catalogue=catalogue) as store, store.snapshot() as reader:
        export_portion(Portion(reader), ExportFormat.NQUADS, out)
    return out.getvalue()


@pytest.fixture
def all_linked(monkeypatch: pytest.MonkeyPatch) -> list[int]:
    """How many papers were linked whenever all of them were."""
    calls: list[int] = []
    link = writer.link

    def recorded(names, *rest):
        calls.append(len(names))
        return link(names, *rest)

    monkeypatch.setattr(writer, "link", recorded)
    return calls


def test_one_more_paper_is_linked_with_few(path, quolls, catalogue, whole, all_linked) -> None:
    put(path, catalogue, quolls[-1])
    assert not all_linked
    assert exported(path, catalogue) == whole
    with SqliteStore(path, catalogue=catalogue) as store:
        assert not list(store.check())


def test_taking_it_out_again_leaves_what_was(path, quolls, catalogue, all_linked) -> None:
    before = exported(path, catalogue)
    put(path, catalogue, quolls[-1])
    with SqliteStore(path, catalogue=catalogue) as store, store.writer() as opened:
        opened.drop([quolls[-1].paper.id])
        opened.commit()
    assert not all_linked
    assert exported(path, catalogue) == before


def test_a_store_without_the_names_gets_them(path, quolls, catalogue, whole, all_linked) -> None:
    with sqlite3.connect(path) as db:
        db.execute("DROP TABLE name_use")
        db.execute("DELETE FROM meta WHERE key = 'names'")
    put(path, catalogue, quolls[-1])
    assert all_linked == [13]
    assert exported(path, catalogue) == whole
    put(path, catalogue, quolls[0], quolls[-1])
    with SqliteStore(path, catalogue=catalogue) as store, store.writer() as opened:
        opened.drop([quolls[-1].paper.id])
        opened.commit()
    assert all_linked == [13]


def test_with_decisions_as_well_one_more_paper_is_linked_with_few(
    tmp_path, path, quolls, catalogue, all_linked
) -> None:
    decisions = [
        Rename("Quoll3", "Quoll Three"),
        Merge(("CUDA", "Quoll5")),
        Reject(quolls[4].paper.id, RelationType.USES, "CUDA"),
        Merge(("Quoll7", "Numbat")),
    ]
    with SqliteStore(path, catalogue=catalogue) as store, store.writer() as opened:
        for each in decisions:
            opened.decide(each)
        opened.commit()
        assert set(store.unapplied()) == {4}
        assert not [each for each in store.check() if each.fault]
    put(path, catalogue, quolls[-1])
    assert not all_linked
    with SqliteStore(path, catalogue=catalogue) as store, store.snapshot() as reader:
        assert "Quoll Three" in {each.name for each in reader.works(["entity/quoll3"]).values()}
        assert reader.resolve("Quoll7") == reader.resolve("Numbat")
        assert not store.unapplied()
        assert not list(store.check())
    whole = tmp_path / "whole.db"
    with SqliteStore(whole, catalogue=catalogue) as store, store.writer() as opened:
        for each in decisions:
            opened.decide(each)
        opened.put(quolls, "hand")
        opened.commit()
    assert exported(path, catalogue) == exported(whole, catalogue)


def test_a_decision_is_applied_and_taken_back_with_few(path, catalogue, all_linked) -> None:
    before = exported(path, catalogue)
    with SqliteStore(path, catalogue=catalogue) as store, store.writer() as opened:
        opened.decide(Merge(("CUDA", "Quoll5")))
        opened.commit()
        assert not list(store.check())
    assert exported(path, catalogue) != before
    with SqliteStore(path, catalogue=catalogue) as store, store.writer() as opened:
        opened.undo(1)
        opened.commit()
    assert not all_linked
    assert exported(path, catalogue) == before


def of_cuda(number: int, form: str, certain: bool, introduced: bool) -> Extraction:
    """A paper that calls CUDA by this form."""
    name = "CUDA" if certain else form
    entity = FoundEntity(
        name,
        EntityKind.FRAMEWORK,
        "entity/cuda" if certain else None,
        (Mention(form, Field.TITLE, 0, len(form)),),
    )
    relation = FoundRelation(RelationType.INTRODUCES, name, 0.5, (), "hand")
    title = f"{form} of {number}"
    return Extraction(Paper(f"paper/{number}", title), (entity,), (relation,) if introduced else ())


some_of_cuda = st.lists(
    st.builds(
        of_cuda,
        st.integers(0, 9),
        st.sampled_from(["CUDA", "Cuda", "CUDA 11", "Compute Unified"]),
        st.booleans(),
        st.booleans(),
    ),
    max_size=5,
    unique_by=lambda each: each.paper.id,
)


def kept(path: Path) -> list[list[tuple]]:
    """What is kept for linking, by the ids of papers: their numbers hang on their order."""
    with closing(sqlite3.connect(path)) as db:
        return [
            db.execute(query).fetchall()
            for query in (
                "SELECT * FROM way_of_use ORDER BY code",
                "SELECT * FROM filed ORDER BY key, way",
                "SELECT way, p.id, e.id FROM name_use JOIN work p ON p.no = paper "
                "JOIN work e ON e.no = entity ORDER BY 1, 2",
            )
        ]


@settings(max_examples=scaled(20), suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(steps=st.lists(st.tuples(some_of_cuda, st.sets(st.integers(0, 9), max_size=4)), max_size=5))
def test_what_is_kept_is_the_same_whatever_was_done_before(
    steps, catalogue, tmp_path_factory, monkeypatch
) -> None:
    for module in (region, sense):
        monkeypatch.setattr(module, "TELLING_PAPERS", 2)
    monkeypatch.setattr(writer, "MOST_CHANGED", 1000)
    folder = tmp_path_factory.mktemp("stores")
    held: dict[str, Extraction] = {}
    for papers, left in [([of_cuda(10, "CUDA", True, False)], ()), *steps]:
        gone = {f"paper/{number}" for number in left} - {each.paper.id for each in papers}
        held = {id_: each for id_, each in held.items() if id_ not in gone}
        held |= {each.paper.id: each for each in papers}
        with SqliteStore(folder / "steps.db", catalogue=catalogue) as store, store.writer() as one:
            one.put(papers, "hand")
            one.drop(gone)
            one.commit()
    put(folder / "whole.db", catalogue, *held.values())
    assert kept(folder / "steps.db") == kept(folder / "whole.db")
    assert exported(folder / "steps.db", catalogue) == exported(folder / "whole.db", catalogue)
