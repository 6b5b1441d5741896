"""The same papers give the same graph, in whatever order and in however many builds they came."""

import random
import sqlite3
from collections.abc import Iterator
from io import BytesIO
from pathlib import Path

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from examples import scaled
from latest import latest
from stemma.graph import batching_writer
from stemma.graph.export import ExportFormat, export
from stemma.graph.linked_extraction import canonical
from stemma.graph.sqlite import SqliteStore
from stemma.graph.sqlite.file import StoreFile
from stemma.schema import Extraction


def exported(store: SqliteStore) -> bytes:
    out = BytesIO()
    with store.snapshot() as reader:
        export(reader, ExportFormat.NQUADS, out)
        assert len(reader.rdf) == len(out.getvalue().splitlines())
    return out.getvalue()


def built(path: Path, catalogue, *batches: list[Extraction]) -> SqliteStore:
    store = SqliteStore(path, catalogue=catalogue)
    with store.writer() as writer:
        for batch in batches:
            writer.put(batch, "hand")
            writer.commit()
    return store


@pytest.fixture(
    params=[
        ("what changes", "kept"),
        ("all", "kept"),
        pytest.param(("what changes", "at the end"), marks=pytest.mark.long),
    ],
    ids=" ".join,
    autouse=True,
    scope="module",
)
def way(request: pytest.FixtureRequest) -> Iterator[None]:
    """Link either what changes or all papers, however many change; and ask for RDF after each
    commit, which then brings up to date that of the one before, or at the end."""
    linked, rdf = request.param
    tidy = StoreFile.tidy

    def tidy_and_project(file: StoreFile, connection: sqlite3.Connection) -> None:
        tidy(file, connection)
        with SqliteStore(file.path).snapshot() as reader:
            reader.project()

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(batching_writer, "MOST_CHANGED", 1000 if linked == "what changes" else 0)
        if rdf == "kept":
            patch.setattr(StoreFile, "tidy", tidy_and_project)
        yield


@pytest.fixture
def whole(papers, catalogue, tmp_path) -> bytes:
    return exported(built(tmp_path / "whole.db", catalogue, papers))


def test_in_any_order_and_in_any_number_of_builds(papers, catalogue, whole, tmp_path):
    for seed in range(4):
        shuffled = random.Random(seed).sample(papers, len(papers))
        cut = seed % len(papers)
        store = built(tmp_path / f"{seed}.db", catalogue, shuffled[:cut], shuffled[cut:])
        assert exported(store) == whole
    one_by_one = built(tmp_path / "single.db", catalogue, *([paper] for paper in papers))
    assert exported(one_by_one) == whole


def test_after_papers_were_taken_out_and_put_back(papers, catalogue, whole, tmp_path):
    store = built(tmp_path / "changed.db", catalogue, papers)
    with store.writer() as writer:
        writer.drop([paper.paper.id for paper in papers[1:5]])
        writer.commit()
        assert exported(store) != whole
        writer.put(papers, "hand")
        writer.commit()
    assert exported(store) == whole


def test_without_papers_that_were_taken_out(papers, catalogue, tmp_path):
    store = built(tmp_path / "more.db", catalogue, papers)
    with store.writer() as writer:
        writer.drop([papers[0].paper.id, papers[3].paper.id])
        writer.commit()
    fewer = [paper for number, paper in enumerate(papers) if number not in (0, 3)]
    assert exported(store) == exported(built(tmp_path / "fewer.db", catalogue, fewer))


def test_when_what_was_found_comes_in_another_order(papers, catalogue, whole, tmp_path):
    reversed_ = [
        Extraction(paper.paper, paper.entities[::-1], paper.relations[::-1]) for paper in papers
    ]
    assert exported(built(tmp_path / "reversed.db", catalogue, reversed_)) == whole


def test_index_and_graph_agree(papers, catalogue, tmp_path):
    store = built(tmp_path / "agree.db", catalogue, papers[3:], papers[:3])
    fresh = built(tmp_path / "fresh.db", catalogue, papers)
    assert store.statistics().by_relation == fresh.statistics().by_relation
    for paper in papers:
        id_ = paper.paper.id
        assert latest(store).works([id_]) == {id_: paper.paper}
        assert latest(store).statements([id_]) == latest(fresh).statements([id_])
        with store.snapshot() as reader:
            reading = reader.reading(id_)
        assert reading.extraction == canonical(paper)


@pytest.mark.slow
@settings(max_examples=scaled(10), suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(steps=st.data())
def test_whatever_was_done_before(steps, papers, catalogue, tmp_path_factory):
    """Put and drop at will; in the end the graph is that of the papers which are left."""
    folder = tmp_path_factory.mktemp("steps")
    store = SqliteStore(folder / "steps.db", catalogue=catalogue)
    held: dict[str, Extraction] = {}
    some = st.lists(
        st.sampled_from(papers), min_size=1, max_size=4, unique_by=lambda each: each.paper.id
    )
    with store.writer() as writer:
        writer.put(papers[:1], "hand")
        held[papers[0].paper.id] = papers[0]
        for _ in range(steps.draw(st.integers(1, 4))):
            chosen = steps.draw(some)
            if steps.draw(st.booleans()):
                writer.put(chosen, "hand")
                held.update((each.paper.id, each) for each in chosen)
            else:
                writer.drop([each.paper.id for each in chosen])
                for each in chosen:
                    held.pop(each.paper.id, None)
            if steps.draw(st.booleans()):
                writer.commit()
        writer.put(papers[-1:], "hand")
        held[papers[-1].paper.id] = papers[-1]
        writer.commit()
    assert exported(store) == exported(built(folder / "fresh.db", catalogue, list(held.values())))
