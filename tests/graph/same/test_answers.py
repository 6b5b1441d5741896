"""A graph in Neo4j answers as the default store does, whatever was done before."""

import random
from collections.abc import Callable
from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from examples import scaled
from stemma.graph import PageOrder, Store, WorkFilter, WorkType, open_store
from stemma.graph.provenance import Provenance
from stemma.graph.sqlite import SqliteStore
from stemma.schema import (
    Catalogue,
    ChangeKind,
    Confirm,
    Decision,
    EntityKind,
    Extraction,
    Merge,
    Reject,
    RelationType,
    Rename,
    Split,
)

DECISIONS: list[Decision] = [
    Merge(("entity/sparse-gate-routing", "entity/zero")),
    Reject("paper/users", RelationType.RUNS_ON, "entity/nvidia-a100"),
    Split("entity/cuda", ("paper/stripes-rings",), "Cuda of Stripes"),
    Rename("entity/zulu", "ZULU"),
    ChangeKind("entity/nvidia-a100", EntityKind.MODEL),
    Confirm("paper/zulu", RelationType.COMPARES_WITH, "entity/zero-infinity"),
    Reject("entity/zero-infinity", RelationType.BUILDS_ON, "entity/zero"),
]


@pytest.fixture
def told(answers) -> Callable[[Store], dict[str, Any]]:
    """All answers of a graph."""

    def _told(store: Store) -> dict[str, Any]:
        with store.snapshot() as reader:
            found: dict[str, Any] = answers(reader)
        return found

    return _told


@pytest.fixture
def make(tmp_path_factory, catalogue) -> Callable[..., Store]:
    """Make a new store of the default kind, with papers and decisions."""

    def _make(papers: list[Extraction], decisions: list[Decision]) -> Store:
        store = SqliteStore(tmp_path_factory.mktemp("fresh") / "fresh.db", catalogue=catalogue)
        for each in decisions:
            store.decisions.append(each)
        with store.writer() as writer:
            writer.put(papers, "hand")
            writer.commit()
        return store

    return _make


def opened(url: str, catalogue: Catalogue) -> Store:
    return open_store(url, catalogue=catalogue)


@pytest.mark.long  # The next test does the same and more, by chance.
@pytest.mark.parametrize("seed", range(3))
def test_in_any_order_and_in_any_number_of_builds(
    seed, papers, neo4j_url, catalogue, told, make
) -> None:
    shuffled = random.Random(seed).sample(papers, len(papers))
    with opened(neo4j_url, catalogue) as store, store.writer() as writer:
        for start in range(0, len(shuffled), seed + 1):
            writer.put(shuffled[start : start + seed + 1], "hand")
            writer.commit()
        assert told(store) == told(make(papers, []))


@settings(
    max_examples=scaled(8),
    derandomize=True,
    suppress_health_check=[HealthCheck.function_scoped_fixture],
)
@given(steps=st.data())
def test_whatever_was_done_before(steps, papers, neo4j_url, cypher, catalogue, told, make) -> None:
    """Put, drop, decide and take back at will; in the end it is the graph of what is left."""
    cypher("MATCH (n) DETACH DELETE n")
    held: dict[str, Extraction] = {papers[0].paper.id: papers[0]}
    left: list[Decision] = []
    some = st.lists(
        st.sampled_from(papers), min_size=1, max_size=4, unique_by=lambda each: each.paper.id
    )
    with opened(neo4j_url, catalogue) as store, store.writer() as writer:
        writer.put(papers[:1], "hand")
        for _ in range(steps.draw(st.integers(1, 5))):
            step = steps.draw(st.sampled_from(["put", "put", "drop", "decide", "undo"]))
            if step == "put":
                chosen = steps.draw(some)
                writer.put(chosen, "hand")
                held.update((each.paper.id, each) for each in chosen)
            elif step == "drop":
                chosen = steps.draw(some)
                writer.drop([each.paper.id for each in chosen])
                for each in chosen:
                    held.pop(each.paper.id, None)
            elif step == "decide":
                left.append(steps.draw(st.sampled_from(DECISIONS)))
                store.decisions.append(left[-1])
            elif left:
                left.remove(store.decisions.remove(len(left)))
            if steps.draw(st.booleans()):
                writer.commit()
        writer.put(papers[-1:], "hand")
        held[papers[-1].paper.id] = papers[-1]
        writer.commit()
        assert told(store) == told(make(list(held.values()), left))


def test_papers_by_what_their_records_say(papers, neo4j_url, catalogue, make) -> None:
    """Pages by author, organization, venue and citation, and people by name, are the same."""
    chosen = [
        Provenance(authors=("author/ada-quill--0000-0002-1825-0097", "author/bo-nib")),
        Provenance(organization="pen"),
        Provenance(organization="pe"),
        Provenance(venue="journal of PENS"),
        Provenance(cites=("paper/dropout",)),
        Provenance(cited_by=("paper/zulu",), venue="Pens"),
    ]
    with opened(neo4j_url, catalogue) as store:
        with store.writer() as writer:
            writer.put(papers, "hand")
            writer.commit()
        with store.snapshot() as found, make(papers, []).snapshot() as expected:
            counts = []
            for each in chosen:
                by = WorkFilter(provenance=each)
                page = expected.page(WorkType.PAPER, by, PageOrder.PUBLISHED)
                assert found.page(WorkType.PAPER, by, PageOrder.PUBLISHED) == page
                counts.append(page.total)
            assert counts == [3, 1, 0, 7, 1, 2]
            for name in ("ada  QUILL", "A. Quill", "0000-0002-1825-0097", "s2:5", "author/bo-nib"):
                people = expected.people_called(name)
                assert people
                assert found.people_called(name) == people
            assert [len(found.people_called(name)) for name in ("Ada Quill", "nobody")] == [4, 0]
