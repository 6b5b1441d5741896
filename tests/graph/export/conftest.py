"""A small graph with something of everything in it, and its exports."""

from io import BytesIO

import pytest

from described import describe
from filled import put
from stemma.graph.export import ExportFormat, Portion, export_portion
from stemma.graph.sqlite import SqliteStore

BASE = "https://w3id.org/stemma/id/"


@pytest.fixture
def graph(store: SqliteStore) -> SqliteStore:
    """Papers with marks of all sorts in their texts; one edge is also in the catalogue."""
    put(
        store,
        describe("Quill: “a” <Store> & more", 'It\\extends "ZeRO" on A100.\nMélange δ 🦊.',
                 "framework Quill: INTRODUCES", "technique ZeRO: BUILDS_ON 0.25",
                 "hardware A100: RUNS_ON", published="2021-04"),
        describe("Nib", "Nib: ZeRO-Infinity extends ZeRO, as Quill does.",
                 "framework ZeRO-Infinity: INTRODUCES", "technique ZeRO: BUILDS_ON",
                 "framework Quill: COMPARES_WITH", published="XXXX-05-06"),
        describe("Reed", "We present Reed, ten\rtimes as good. Reed extends Quill; Quill, "
                 "again. It leaves Adam alone .\n It ends <here> .",
                 "framework Reed: INTRODUCES", "framework Quill: BUILDS_ON 0.5",
                 "technique Adam: MENTIONS", published="2022-01-31"),
        describe("=Reeds again", "Reed extends Quill. Control \x07 and \x0b.",
                 "framework Reed: USES 0.4", "framework Quill: BUILDS_ON 0.75"),
    )  # fmt: skip
    return store


@pytest.fixture
def exported(graph):
    """Export the graph, or some of its works, to bytes."""

    def _exported(format: ExportFormat, works=None, abstracts=True, full=True) -> bytes:
        out = BytesIO()
        with graph.snapshot() as reader:
            export_portion(Portion(reader, works, abstracts, full=full), format, out)
        return out.getvalue()

    return _exported
