"""What is exported is what the store holds, in every format of RDF."""

import subprocess
import sys
from io import BytesIO

import pyoxigraph as ox
import pytest
import rdflib
from rdflib.namespace import SKOS, VOID

from described import describe
from filled import put
from stemma.graph.export import ExportFormat, Portion, export_portion
from stemma.graph.sqlite import SqliteStore

# rdflib's own parsers use what it has deprecated.
pytestmark = pytest.mark.filterwarnings("ignore::DeprecationWarning:rdflib")
_PARSERS = {
    ExportFormat.TURTLE: ox.RdfFormat.TURTLE,
    ExportFormat.NTRIPLES: ox.RdfFormat.N_TRIPLES,
    ExportFormat.NQUADS: ox.RdfFormat.N_QUADS,
    ExportFormat.TRIG: ox.RdfFormat.TRIG,
    ExportFormat.JSONLD: ox.RdfFormat.JSON_LD,
}
_WITH_GRAPHS = {ExportFormat.NQUADS, ExportFormat.TRIG, ExportFormat.JSONLD}
_BASE = "https://w3id.org/stemma/id/"
_STEMMA = rdflib.Namespace("https://w3id.org/stemma/ontology#")
formats = pytest.mark.parametrize("format", _PARSERS, ids=str)


def loaded(data: bytes, format: ExportFormat) -> set[ox.Quad]:
    """Return what a store holds that the data are loaded into."""
    store = ox.Store()
    store.load(data, _PARSERS[format])
    return set(store)


@formats
def test_loaded_again_it_is_the_same_graph(graph, exported, format):
    with graph.snapshot() as reader:
        quads = set(reader.dataset.rdf)
    if format not in _WITH_GRAPHS:
        quads = {ox.Quad(quad.subject, quad.predicate, quad.object) for quad in quads}
    assert loaded(exported(format), format) == quads


@pytest.mark.process
def test_another_process_writes_the_same_bytes(graph, exported, tmp_path):
    """Where hashes of strings have other values."""
    code = (
        "import sys; from pathlib import Path; from stemma.graph import open_store\n"
        "from stemma.graph.export import ExportFormat, Portion, export_portion\n"
        "with open_store(sys.argv[1]).snapshot() as reader:\n"
        "    for format in map(ExportFormat, sys.argv[2:]):\n"
        "        with Path(format.value).open('wb') as file:\n"
        "            export_portion(Portion(reader, full=True), format, file)\n"
    )
    names = [each.value for each in _PARSERS]
    subprocess.run([sys.executable, "-c", code, graph.url, *names], cwd=tmp_path, check=True)
    for each in _PARSERS:
        assert (tmp_path / each.value).read_bytes() == exported(each), each


@pytest.mark.parametrize("base", ["http://a.example/", "http://a.example/graph?id=", "urn:papers:"])
def test_with_any_base_it_is_the_same_graph(tmp_path, catalogue, base):
    with SqliteStore(tmp_path / "based.db", base, catalogue) as store:
        put(store, describe("Nib", "Nib extends ZeRO.", "technique ZeRO: BUILDS_ON"))
        with store.snapshot() as reader:
            named = {(str(quad.subject), str(quad.object)) for quad in reader.dataset.rdf}
            for each in _PARSERS:
                out = BytesIO()
                export_portion(Portion(reader, full=True), each, out)
                quads = loaded(out.getvalue(), each)
                assert {(str(quad.subject), str(quad.object)) for quad in quads} == named
                assert base.encode() in out.getvalue()


def test_line_formats_are_sorted(exported):
    lines = exported(ExportFormat.NQUADS).splitlines()
    graphs = [line.rsplit(b" ", 2)[1] for line in lines]
    assert graphs == sorted(graphs)
    for name in set(graphs):
        own = [line for line, of in zip(lines, graphs, strict=True) if of == name]
        assert own == sorted(own)


def test_what_two_graphs_state_stands_once_in_the_union(exported):
    edge = f"<{_BASE}entity/zero-infinity> <{_STEMMA.derivesFrom}> <{_BASE}entity/zero>".encode()
    assert exported(ExportFormat.NQUADS).count(edge) == 2
    assert exported(ExportFormat.NTRIPLES).count(edge) == 1


@formats
def test_the_plain_graph_leaves_out_how_papers_were_read(exported, format):
    plain, full = (loaded(exported(format, full=full), format) for full in (False, True))
    assert plain < full
    lacking = {quad.predicate.value.rpartition("/")[2] for quad in full - plain}
    assert {"source", "ontology#sha256", "ontology#denotes", "oa#start", "name"} <= lacking
    said = {quad.predicate.value.rpartition("/")[2] for quad in plain}
    assert {"ontology#derivesFrom", "ontology#uses", "ontology#confidence", "oa#exact"} <= said
    within = {each.object for each in plain if str(each.object).startswith(f"<{_BASE}")}
    assert within <= {each.subject for each in plain}, "no link leads out of it"


@pytest.mark.parametrize("full", [False, True])
def test_the_data_set_counts_the_triples_that_are_there(exported, full):
    graph = rdflib.Graph().parse(exported(ExportFormat.NTRIPLES, full=full), format="nt")
    counted = {
        graph.value(part, VOID.property): int(graph.value(part, VOID.triples))
        for part in graph.objects(None, VOID.propertyPartition)
    }
    assert counted == {term: len(list(graph.subject_objects(term))) for term in counted}
    assert (_STEMMA.mentions in counted) == full


class TestVocabulary:
    @pytest.fixture
    def dataset(self, exported) -> rdflib.Dataset:
        dataset = rdflib.Dataset(default_union=True)
        return dataset.parse(data=exported(ExportFormat.NQUADS), format="nquads")

    def test_dates_have_the_datatype_of_their_precision(self, dataset):
        published = rdflib.URIRef("https://schema.org/datePublished")
        dates = set(dataset.objects(None, published))
        assert {(str(date), date.datatype.fragment) for date in dates} == {
            ("2021-04", "gYearMonth"),
            ("--05-06", "gMonthDay"),
            ("2022-01-31", "date"),
            *((year, "gYear") for year in ("2014", "2020", "2021")),  # Of the catalogue.
        }

    def test_the_catalogue_is_distinguished_from_what_papers_say(self, dataset):
        catalogue = dataset.graph(rdflib.URIRef(f"{_BASE}catalogue"))
        entities = dataset.graph(rdflib.URIRef(f"{_BASE}entities"))
        assert {str(label) for label in catalogue.objects(None, SKOS.prefLabel)} == {
            "Adam", "GPU", "NVIDIA A100", "ZeRO", "ZeRO-Infinity",
        }  # fmt: skip
        assert {str(label) for label in entities.objects(None, SKOS.prefLabel)} == {"Quill", "Reed"}
