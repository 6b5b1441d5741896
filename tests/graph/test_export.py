"""What is exported is what the store holds, in every format of RDF."""

import gzip
import json
import subprocess
import sys
from io import BytesIO

import pyoxigraph as ox
import pytest
import rdflib
from rdflib.namespace import RDF, SKOS

from stemma.graph.export import ExportFormat, export
from stemma.graph.oxigraph import OxigraphStore

# rdflib's own parsers use what it has deprecated.
pytestmark = pytest.mark.filterwarnings("ignore::DeprecationWarning:rdflib")
_PARSERS = {
    ExportFormat.TURTLE: "turtle",
    ExportFormat.NTRIPLES: "nt",
    ExportFormat.NQUADS: "nquads",
    ExportFormat.TRIG: "trig",
    ExportFormat.JSONLD: "json-ld",
    ExportFormat.RDFXML: "xml",
}
_WITH_GRAPHS = {ExportFormat.NQUADS, ExportFormat.TRIG, ExportFormat.JSONLD}
_BASE = "https://w3id.org/stemma/id/"
_STEMMA = rdflib.Namespace("https://w3id.org/stemma/ontology#")


@pytest.fixture
def graph(store: OxigraphStore, describe) -> OxigraphStore:
    with store.writer() as writer:
        writer.put(
            [
                describe("Quill: “a” <Store> & more", 'It\\extends "ZeRO" on A100.\nMélange δ 🦊.',
                         "framework Quill: INTRODUCES", "technique ZeRO: BUILDS_ON 0.25",
                         "hardware A100: RUNS_ON", published="2021-04"),
                describe("Nib", "Nib: ZeRO-Infinity extends ZeRO, as Quill does.",
                         "framework ZeRO-Infinity: INTRODUCES", "technique ZeRO: BUILDS_ON",
                         "framework Quill: COMPARES_WITH", published="XXXX-05-06"),
            ],
            "hand",
        )  # fmt: skip
        writer.commit()
    return store


def exported(store: OxigraphStore, format: ExportFormat) -> bytes:
    out = BytesIO()
    with store.snapshot() as reader:
        export(reader, format, out)
    return out.getvalue()


def parsed(store: OxigraphStore, format: ExportFormat) -> rdflib.Dataset:
    dataset = rdflib.Dataset(default_union=True)
    dataset.parse(data=exported(store, format), format=_PARSERS[format])
    return dataset


@pytest.mark.parametrize("format", ExportFormat)
def test_rdflib_reads_as_much_as_the_store_holds(graph, format):
    with graph.snapshot() as reader:
        quads = list(reader.rdf)
    if format in _WITH_GRAPHS:
        found = {(s, p, o, g) for s, p, o, g in parsed(graph, format).quads()}
        assert len(found) == len(quads)
    else:
        assert len(parsed(graph, format)) == len({quad.triple for quad in quads})


@pytest.mark.parametrize(
    ("format", "syntax"),
    [
        (ExportFormat.NQUADS, ox.RdfFormat.N_QUADS),
        (ExportFormat.TRIG, ox.RdfFormat.TRIG),
        (ExportFormat.JSONLD, ox.RdfFormat.JSON_LD),
    ],
)
def test_what_is_read_back_is_the_same_graph(graph, format, syntax):
    with graph.snapshot() as reader:
        assert set(ox.parse(exported(graph, format), syntax)) == set(reader.rdf)


@pytest.mark.parametrize("format", ExportFormat)
def test_other_processes_write_the_same_bytes(graph, format):
    """Where hashes of strings have other values."""
    code = (
        "import sys; from stemma.graph import open_store; "
        "from stemma.graph.export import ExportFormat, export; "
        "context = open_store(sys.argv[1]).snapshot(); "
        "export(context.__enter__(), ExportFormat(sys.argv[2]), sys.stdout.buffer)"
    )
    first, second = (
        subprocess.run(
            [sys.executable, "-c", code, graph.url, format.value],
            capture_output=True,
            check=True,
        ).stdout
        for _ in range(2)
    )
    assert first == second == exported(graph, format)


def test_line_formats_are_sorted(graph):
    lines = exported(graph, ExportFormat.NQUADS).splitlines()
    graphs = [line.rsplit(b" ", 2)[1] for line in lines]
    assert graphs == sorted(graphs)
    for name in set(graphs):
        own = [line for line, of in zip(lines, graphs, strict=True) if of == name]
        assert own == sorted(own)


def test_a_file_ending_in_gz_is_compressed_and_repeatable(graph, tmp_path):
    with graph.snapshot() as reader:
        for name in ("one.nq.gz", "two.nq.gz"):
            export(reader, ExportFormat.NQUADS, tmp_path / name)
    one, two = ((tmp_path / name).read_bytes() for name in ("one.nq.gz", "two.nq.gz"))
    assert one == two
    assert gzip.decompress(one) == exported(graph, ExportFormat.NQUADS)


def test_a_file_appears_whole_or_not_at_all(graph, tmp_path):
    def stop(done: int, total: int) -> None:
        raise KeyboardInterrupt

    with graph.snapshot() as reader, pytest.raises(KeyboardInterrupt):
        export(reader, ExportFormat.TURTLE, tmp_path / "graph.ttl", stop)
    assert list(tmp_path.glob("*.ttl*")) == list(tmp_path.glob(".*")) == []


def test_progress_is_told_by_graphs(graph):
    told = []
    with graph.snapshot() as reader:
        export(reader, ExportFormat.NTRIPLES, BytesIO(), lambda *each: told.append(each))
    assert told == [(number, 5) for number in range(1, 6)]


def test_json_ld_has_a_context_and_reads_like_json(graph):
    data = json.loads(exported(graph, ExportFormat.JSONLD))
    assert data["@context"]["schema"] == "https://schema.org/"
    entities = next(each for each in data["@graph"] if each["@id"].endswith("/entities"))
    quill = next(each for each in entities["@graph"] if each["@id"].endswith("entity/quill"))
    assert quill["skos:prefLabel"] == ["Quill"]


class TestVocabulary:
    def test_a_statement_is_a_triple_and_a_resource_with_its_evidence(self, graph):
        rdf = parsed(graph, ExportFormat.NQUADS)
        paper = rdf.value(None, rdflib.URIRef("https://schema.org/name"),
                          rdflib.Literal("Quill: “a” <Store> & more"))  # fmt: skip
        a100 = rdflib.URIRef(f"{_BASE}entity/nvidia-a100")
        assert (paper, _STEMMA.runsOn, a100) in rdf
        (statement,) = set(rdf.subjects(RDF.object, a100)) & set(rdf.subjects(RDF.subject, paper))
        assert rdf.value(statement, RDF.predicate) == _STEMMA.runsOn
        assert rdf.value(statement, _STEMMA.confidence).toPython() == 0.9
        (evidence,) = rdf.objects(statement, _STEMMA.evidence)
        oa = rdflib.Namespace("http://www.w3.org/ns/oa#")
        start, end = (rdf.value(evidence, term).toPython() for term in (oa.start, oa.end))
        abstract = rdf.value(paper, rdflib.URIRef("https://schema.org/abstract")).toPython()
        assert abstract[start:end] == rdf.value(evidence, oa.exact).toPython()

    def test_lineage_is_answered_by_a_path(self, graph):
        with graph.snapshot() as reader:
            rows = reader.rdf.query(
                f"PREFIX stemma: <{_STEMMA}> SELECT DISTINCT ?child "
                f"WHERE {{ ?child stemma:derivesFrom+ <{_BASE}entity/zero> }} ORDER BY ?child",
                use_default_graph_as_union=True,
            )
            assert [row["child"].value.removeprefix(_BASE) for row in rows] == [
                "entity/quill",
                "entity/zero-infinity",
            ]

    def test_dates_have_the_datatype_of_their_precision(self, graph):
        published = rdflib.URIRef("https://schema.org/datePublished")
        dates = set(parsed(graph, ExportFormat.NQUADS).objects(None, published))
        assert {(str(date), date.datatype.fragment) for date in dates} == {
            ("2021-04", "gYearMonth"),
            ("--05-06", "gMonthDay"),
        }

    def test_the_catalogue_is_told_apart_from_what_papers_say(self, graph):
        dataset = parsed(graph, ExportFormat.NQUADS)
        catalogue = dataset.graph(rdflib.URIRef(f"{_BASE}catalogue"))
        entities = dataset.graph(rdflib.URIRef(f"{_BASE}entities"))
        assert {str(label) for label in catalogue.objects(None, SKOS.prefLabel)} == {
            "GPU", "NVIDIA A100", "ZeRO", "ZeRO-Infinity",
        }  # fmt: skip
        assert {str(label) for label in entities.objects(None, SKOS.prefLabel)} == {"Quill"}

    def test_there_are_no_blank_nodes(self, graph):
        assert b"_:" not in exported(graph, ExportFormat.NQUADS)
