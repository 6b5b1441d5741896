"""A store keeps what connects its names, and links only those that a change concerns."""

import sqlite3
from contextlib import closing
from pathlib import Path

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from examples import scaled
from filled import drop, put
from latest import exported
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


@pytest.fixture
def held(store: SqliteStore, quolls) -> SqliteStore:
    """The store with all but the last of the papers."""
    put(store, *quolls[:-1])
    return store


@pytest.fixture
def other(tmp_path: Path, catalogue) -> SqliteStore:
    """A store to compare with, into which everything is put at once."""
    return SqliteStore(tmp_path / "other.db", catalogue=catalogue)


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


def test_one_more_paper_is_linked_with_few(held, other, quolls, all_linked) -> None:
    before = exported(held)
    put(held, quolls[-1])
    assert not list(held.check())
    added = exported(held)
    drop(held, quolls[-1].paper.id)
    assert exported(held) == before
    assert not all_linked
    put(other, *quolls)
    assert added == exported(other)


def test_a_store_without_the_names_gets_them(held, other, quolls, all_linked) -> None:
    with sqlite3.connect(held.url) as db:
        db.execute("DELETE FROM name_use")
        db.execute("UPDATE meta SET value = '0.0' WHERE key = 'linked_by'")
    put(held, quolls[-1])
    assert all_linked == [13]
    added = exported(held)
    put(held, quolls[0], quolls[-1])
    drop(held, quolls[-1].paper.id)
    assert all_linked == [13]
    put(other, *quolls)
    assert added == exported(other)


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
    whole = SqliteStore(folder / "whole.db", catalogue=catalogue)
    put(whole, *held.values())
    assert kept(folder / "steps.db") == kept(folder / "whole.db")
    assert exported(SqliteStore(folder / "steps.db", catalogue=catalogue)) == exported(whole)
