"""The script for cypher-shell makes the graph that the loader makes."""

import pytest

from stemma.graph import open_store
from stemma.graph.export import ExportFormat, export


@pytest.mark.long
def test_a_script_makes_the_graph_that_the_loader_makes(
    filled, loaded, neo4j_url, catalogue, answers, cypher, cypher_shell, everything, tmp_path
):
    cypher("MATCH (n) DETACH DELETE n")
    script = tmp_path / "graph.cypher"
    with filled.snapshot() as reader:
        export(reader, ExportFormat.CYPHER, script)
        told = answers(reader)
    cypher_shell(neo4j_url, script)
    assert everything(neo4j_url) == loaded
    # Once more, as one would after an interruption.
    cypher_shell(neo4j_url, script)
    assert everything(neo4j_url) == loaded
    with open_store(neo4j_url, catalogue=catalogue) as store:
        with store.snapshot() as reader:
            assert answers(reader) == told
        with store.writer() as writer:
            assert not writer.commit()


def test_a_script_is_plain_ascii(filled, tmp_path):
    script = tmp_path / "graph.cypher"
    with filled.snapshot() as reader:
        export(reader, ExportFormat.CYPHER, script)
    assert script.read_bytes().isascii()
