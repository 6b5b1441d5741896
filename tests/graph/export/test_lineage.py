"""One lineage of a graph: its works, what is said among them, nothing besides."""

import networkx as nx
import pytest

from stemma.graph import LineageDirection, StoreError
from stemma.graph.export import ExportFormat, works_of_lineage


@pytest.fixture
def works_of(graph):
    def _works_of(of: str, direction=LineageDirection.DESCENDANTS, depth=3) -> frozenset[str]:
        with graph.snapshot() as reader:
            return works_of_lineage(reader, of, direction, depth)

    return _works_of


def test_its_works_are_those_of_the_lineage_and_the_papers_that_tell_of_it(works_of):
    papers = {"paper/quill-a-store-more", "paper/reed", "paper/reeds-again"}
    assert works_of("Quill") == {"entity/quill", "entity/reed"} | papers
    assert works_of("Quill", LineageDirection.ANCESTORS) == {
        "entity/quill",
        "entity/zero",
        "entity/adam",
        "paper/quill-a-store-more",
    }
    assert "entity/reed" not in works_of("ZeRO", depth=1)
    assert "entity/reed" in works_of("ZeRO", depth=2)


def test_it_says_how_its_works_relate_and_nothing_leads_out_of_it(works_of, exported):
    network = nx.parse_graphml(exported(ExportFormat.GRAPHML, works_of("Quill")).decode())
    assert set(network) == works_of("Quill")
    ends = (
        (start.removeprefix("paper/"), data["relation"], end.removeprefix("entity/"))
        for start, end, data in network.edges(data=True)
        if start.startswith("paper/")
    )
    assert set(ends) == {
        *((each, "BUILDS_ON", "quill") for each in ("reed", "reeds-again")),
        *(("reed", "INTRODUCES", "reed"), ("reeds-again", "USES", "reed")),
        *(("quill-a-store-more", "INTRODUCES", "quill"), ("reeds-again", "DERIVES_FROM", "quill")),
    }
    assert (
        "Reed extends Quill; Quill, again." in nx.get_edge_attributes(network, "sentence").values()
    )


def test_only_networks_hold_a_part(works_of, exported):
    with pytest.raises(StoreError, match="whole graph"):
        exported(ExportFormat.TURTLE, works_of("Quill"))
