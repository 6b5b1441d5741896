"""Networks and tables: works as nodes, what is said of them as edges."""

import csv
from dataclasses import replace

import networkx as nx
import pytest

from described import describe
from filled import put
from stemma.graph.export import ExportFormat, Portion, export_portion
from stemma.schema.paper import Author, Reference


@pytest.fixture
def network(graph, tmp_path):
    """Write a network, and read it back with networkx."""

    def _network() -> nx.MultiDiGraph:
        with graph.snapshot() as reader:
            (path,) = export_portion(Portion(reader), ExportFormat.GRAPHML, tmp_path / "graph")
        return nx.read_graphml(path)

    return _network


@pytest.fixture
def tables(graph, tmp_path):
    with graph.snapshot() as reader:
        return export_portion(Portion(reader), ExportFormat.CSV, tmp_path / "tables")


def rows(path) -> list[dict[str, str]]:
    with path.open(encoding="utf-8", newline="") as file:
        return list(csv.DictReader(file, strict=True))


def test_nodes_tell_what_they_are(network):
    nodes = network().nodes
    assert nodes["entity/reed"]["kind"] == "framework"
    assert (nodes["entity/reed"]["label"], nodes["entity/reed"]["year"]) == ("Reed", 2022)
    paper = nodes["paper/quill-a-store-more"]
    assert (paper["kind"], paper["published"], paper["year"]) == ("paper", "2021-04", 2021)
    assert paper["label"] == "Quill: “a” <Store> & more"
    assert paper["abstract"] == 'It\\extends "ZeRO" on A100.\nMélange δ 🦊.'
    assert (nodes["entity/adam"]["published"], nodes["entity/adam"]["year"]) == ("2014", 2014)
    assert "year" not in nodes["entity/zero"]


def test_edges_tell_what_they_rest_on(network):
    found = network()
    said = {data["relation"]: data for data in found["paper/reed"]["entity/quill"].values()}
    assert said["BUILDS_ON"]["confidence"] == said["BUILDS_ON"]["weight"] == 0.5
    assert said["BUILDS_ON"]["evidence"] == "Reed extends Quill; Quill, again."
    (edge,) = found["entity/reed"]["entity/quill"].values()
    assert (edge["label"], edge["relations"]) == ("DERIVES_FROM", "BUILDS_ON")
    assert edge["confidence"] == edge["builds_on"] == 0.5
    assert "improves_on" not in edge
    fact = {each["relation"] for each in found["entity/zero-infinity"]["entity/zero"].values()}
    assert fact == {"BUILDS_ON", "DERIVES_FROM"}


def test_control_characters_are_replaced(network):
    assert "Control � and �." in network().nodes["paper/reeds-again"]["abstract"]


def test_papers_have_their_authors_and_records_and_cite_each_other(store, tmp_path):
    quill, nib = describe("Quill", "We present Quill."), describe("Nib", "We present Nib.")
    own = {"doi": "10.1000/quill", "arxiv_id": "2104.07857v2"}
    citing = {"authors": (Author("Ann Sand"), Author("Bo Clay")), "venue": "Kilns"}
    references = (Reference("doi:10.1000/quill", None),)
    put(
        store,
        replace(quill, paper=replace(quill.paper, **own)),
        replace(nib, paper=replace(nib.paper, **citing, references=references)),
    )
    with store.snapshot() as reader:
        (path,) = export_portion(Portion(reader), ExportFormat.GRAPHML, tmp_path / "graph")
    works = nx.read_graphml(path)
    node = works.nodes["paper/nib"]
    assert (node["author_names"], node["venue"]) == ("Ann Sand; Bo Clay", "Kilns")
    assert own.items() <= works.nodes["paper/quill"].items()
    relations = {(*ends, data["relation"]) for *ends, data in works.edges(data=True)}
    assert ("paper/nib", "paper/quill", "CITES") in relations


def test_tables_hold_the_same(tables, network):
    works = network()
    nodes, edges = map(rows, tables)
    labels = {data["label"] for _, data in works.nodes(data=True)}
    assert "=Reeds again" in labels  # which a spreadsheet would execute
    assert {(row["id"], row["label"].removeprefix("'"), row["kind"]) for row in nodes} == {
        (id_, data["label"], data["kind"]) for id_, data in works.nodes(data=True)
    }
    assert not any(row["label"].startswith("=") for row in nodes)
    assert sorted((row["source"], row["target"], row["relation"]) for row in edges) == sorted(
        (source, target, relation) for source, target, relation in works.edges(data="relation")
    )


def test_without_abstracts_there_is_no_column_for_them(graph, tmp_path, exported):
    with graph.snapshot() as reader:
        nodes, _ = export_portion(
            Portion(reader, abstracts=False), ExportFormat.CSV, tmp_path / "tables"
        )
    assert "abstract" not in rows(nodes)[0]
    assert b"Control" not in exported(ExportFormat.GRAPHML, abstracts=False)
