"""JSON-LD: as pleasant as JSON, and the same triples to whatever processor reads it."""

import json
from dataclasses import replace

import pyoxigraph as ox
import pytest
from pyld import jsonld

from filled import put
from stemma.graph.export import ExportFormat
from stemma.graph.export.jsonld import FILE, Context, key_of
from stemma.graph.rdf.vocabulary import PREFIXES
from stemma.schema import Evidence, Field

pytestmark = pytest.mark.filterwarnings("ignore::DeprecationWarning:rdflib")
_DOUBLE = "http://www.w3.org/2001/XMLSchema#double"
_BASE = "https://w3id.org/stemma/id/"


@pytest.fixture
def document(exported):
    return json.loads(exported(ExportFormat.JSONLD))


@pytest.fixture
def nodes(document):
    """The nodes of each graph."""
    return {graph["id"]: graph["@graph"] for graph in document["@graph"]}


def by_value(quads) -> set[tuple[str, ...]]:
    """Quads, with doubles as their values: processors write them in several ways."""
    found = set()
    for quad in quads:
        value = quad.object
        if isinstance(value, ox.Literal) and value.datatype.value == _DOUBLE:
            value = ox.Literal(repr(float(value.value)), datatype=value.datatype)
        found.add((str(quad.subject), str(quad.predicate), str(value), str(quad.graph_name)))
    return found


def by_pyld(data: bytes) -> set[tuple[str, ...]]:
    nquads = jsonld.to_rdf(json.loads(data), {"format": "application/n-quads"})
    return by_value(ox.parse(nquads.encode(), ox.RdfFormat.N_QUADS))


def test_another_processor_reads_the_graph_of_the_store(graph, exported):
    """Beside pyoxigraph and rdflib, which read it as they do the other formats."""
    with graph.snapshot() as reader:
        assert by_pyld(exported(ExportFormat.JSONLD)) == by_value(reader.dataset.rdf)


def test_a_paper_has_its_statements_in_it_and_they_their_evidence(nodes):
    paper = nodes["paper/reed"][1]
    assert (paper["id"], paper["published"]) == ("paper/reed", "2022-01-31")
    assert paper["introduces"] == ["entity/reed"]
    said = next(each for each in paper["statements"] if each["predicate"] == "buildsOn")
    assert (said["object"], said["confidence"]) == ("entity/quill", 0.5)
    assert said["about"]["name"] == "Quill"
    (evidence,) = said["evidence"]
    assert evidence["text"] == "Reed extends Quill; Quill, again."
    assert paper["abstract"][evidence["start"] : evidence["end"]] == evidence["text"]


def test_several_values_are_always_a_list_and_single_ones_never(nodes):
    (quill,) = [each for each in nodes["entities"] if each["id"] == "entity/quill"]
    assert quill == {
        "id": "entity/quill",
        "type": ["Concept", "Framework"],
        "label": "Quill",
        "english": "Quill",
        "general": False,
        "inScheme": "entities",
        "published": {"@value": "2021-04", "@type": "xsd:gYearMonth"},
    }
    zero = next(each for each in nodes["catalogue"] if each["id"] == "entity/zero")
    assert zero["aliases"] == ["Zero Redundancy Optimizer"]


def test_the_strongest_sentence_comes_first(describe, exported, graph):
    extraction = describe("Nub", "Nub uses Adam. Adam again.", "technique Adam: USES")
    (claim,) = extraction.relations
    weaker = Evidence("Nub uses Adam.", Field.ABSTRACT, 0, 14)
    relation = replace(claim, evidence=(Evidence("Adam again.", Field.ABSTRACT, 15, 26), weaker))
    put(graph, replace(extraction, relations=(relation,)))
    document = json.loads(exported(ExportFormat.JSONLD))
    own = next(each for each in document["@graph"] if each["id"] == "paper/nub")["@graph"]
    (said,) = own[0]["statements"]
    assert [each["text"] for each in said["evidence"]] == ["Adam again.", "Nub uses Adam."]


def test_prefixes_are_those_of_the_other_formats():
    context = json.loads(FILE.read_text())["@context"]
    assert {name: context[name] for name in PREFIXES} == PREFIXES


class TestContext:
    def test_a_value_of_another_type_than_its_key_says_so(self):
        context = Context(_BASE)
        assert context.value("confidence", ox.Literal("0.5", datatype=ox.NamedNode(_DOUBLE))) == 0.5
        assert context.value("confidence", ox.Literal("high")) == {"@value": "high"}
        assert context.value("label", ox.Literal("Tinte", language="de")) == {
            "@value": "Tinte",
            "@language": "de",
        }
        assert context.value("label", ox.NamedNode(f"{_BASE}entity/x")) == {"id": "entity/x"}

    def test_unknown_terms_are_shortened_or_left_as_they_are(self):
        assert key_of("https://schema.org/editor") == "schema:editor"
        assert key_of("http://elsewhere.example/x") == "http://elsewhere.example/x"

    @pytest.mark.parametrize("rest", ["", "a:b", "//a.example/x", "../x", "entity/x?y", "a b"])
    def test_what_would_mean_something_else_is_no_relative_iri(self, rest):
        iri = _BASE + rest.replace(" ", "%20")
        assert Context(_BASE).reference(ox.NamedNode(iri)) == iri
