"""Networks and tables are the same from every kind of store; RDF comes from one in a folder."""

import pytest

from stemma.graph import StoreError
from stemma.graph.export import ExportFormat, Portion, copied, export_portion
from stemma.graph.export.portion import no_progress
from stemma.graph.neo4j import Neo4jStore
from stemma.graph.sqlite import SqliteStore


def test_whatever_keeps_the_graph(any_store, describe, catalogue, tmp_path):
    papers = [
        describe("Quill: “a” <Store>", "Quill extends ZeRO on A100.", "framework Quill: INTRODUCES",
                 "technique ZeRO: BUILDS_ON 0.25", "hardware A100: RUNS_ON", published="2021-04"),
        describe("Reed", "Reed extends Quill.", "framework Reed: INTRODUCES",
                 "framework Quill: BUILDS_ON", "framework ZeRO-Infinity: COMPARES_WITH"),
    ]  # fmt: skip
    with SqliteStore(tmp_path / "beside.db", catalogue=catalogue) as beside:
        for store in (any_store, beside):
            with store.writer() as writer:
                writer.put(papers, "hand")
                writer.commit()
        for each in (ExportFormat.GRAPHML, ExportFormat.GEXF, ExportFormat.CSV):
            written = []
            for name, store in (("one", any_store), ("other", beside)):
                with store.snapshot() as reader:
                    paths = export_portion(Portion(reader), each, tmp_path / f"{name}.{each}")
                written.append([path.read_bytes() for path in paths])
            assert written[0] == written[1]
    if isinstance(any_store, Neo4jStore):
        with (
            pytest.raises(StoreError, match="a catalogue of its own"),
            copied(any_store, no_progress),
        ):
            pass
