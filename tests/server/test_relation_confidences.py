"""An edge of several relations shows how sure each of them is."""

import pytest

from command import answer
from stemma import Stemma
from stemma.graph import LineageDirection, LineageEdge, WorkType


@pytest.fixture(scope="module")
def edge(example_store: str) -> LineageEdge:
    """An edge of two relations that are not equally sure."""
    with Stemma(example_store) as graph, graph.store.snapshot() as reader:
        ids = [work.id for work in reader.page(WorkType.ENTITY, first=10_000).works]
        found = reader.lineage_edges(ids, LineageDirection.ANCESTORS)
    return next(
        each for own in found.values() for each in own if len(set(each.confidences.values())) == 2
    )


@pytest.fixture(scope="module")
def said(edge: LineageEdge) -> str:
    """What is shown of it."""
    builds, improves = edge.confidences.values()
    return f"builds on ({builds:.2f}) and improves on ({improves:.2f})"


def test_on_the_command_line(edge: LineageEdge, said: str, example_store: str) -> None:
    def run(*arguments: str) -> str:
        return answer(*arguments, "--store", example_store)

    tree = run("lineage", edge.parent, "--depth", "1")
    assert f"{said}, {edge.confidence:.2f}" in " ".join(tree.replace("│", " ").split())
    turned = said.replace("builds on", "is the basis of").replace("improves on", "is improved by")
    assert said in run("path", edge.child, edge.parent)
    assert turned in run("path", edge.parent, edge.child)


def test_in_python(edge: LineageEdge, said: str, graph: Stemma) -> None:
    found = graph.lineage(edge.parent, max_depth=1).edges
    assert any(said in str(each) for each in found if each.child.id == edge.child)
