"""The terms that graphs use are those of the ontology, and hold by its axioms."""

import pyoxigraph as ox
import pytest
import rdflib
from owlrl import DeductiveClosure, OWLRL_Semantics
from rdflib import OWL, RDF, RDFS, URIRef

from described import describe, described
from filled import put
from stemma.graph.sqlite import SqliteStore
from stemma.schema.namespace import ONTOLOGY_FILE

STEMMA = "https://w3id.org/stemma/ontology#"
BASE = "https://w3id.org/stemma/id/"
ABSTRACT = {"Work", "Entity", "Claim"}
"""Classes that others are cases of."""


@pytest.fixture(scope="module")
def quads(everything: SqliteStore) -> list[ox.Quad]:
    with everything.snapshot() as reader:
        return list(reader.dataset.rdf)


@pytest.fixture
def ontology() -> rdflib.Graph:
    return rdflib.Graph().parse(ONTOLOGY_FILE)


def used(quads: list[ox.Quad]) -> set[str]:
    terms = {quad.predicate.value for quad in quads}
    return terms | {
        each.object.value for each in quads
        if isinstance(each.object, ox.NamedNode) and not each.object.value.startswith(BASE)
    }  # fmt: skip


def test_every_term_that_is_used_is_explained(quads, ontology):
    declared = {str(each) for each in ontology.subjects(RDFS.label, None)}
    members = {term for term in used(quads) if term.startswith(f"{RDF}_")}
    named = {
        str(each)
        for quad in quads
        for each in (quad.object.value,)
        if quad.predicate.value.endswith(
            ("inScheme", "Match", "vocabulary", "wasAssociatedWith", "class", "sameAs")
        )
    }
    assert members, "the order of several pieces of evidence"
    assert used(quads) - members - named - declared == {str(RDF.type)}


def test_every_term_of_the_ontology_is_used_or_stated_not_to_be_stored(quads, ontology):
    own = {
        str(each) for each in ontology.subjects(RDF.type, None) if str(each).startswith(STEMMA)
    } - {STEMMA + name for name in ABSTRACT}
    told = ontology.subject_objects(URIRef("http://www.w3.org/2004/02/skos/core#scopeNote"))
    external = {str(term) for term, note in told if "not stored" not in note}
    assert own | external <= used(quads)


@pytest.mark.long
def test_the_graph_does_not_contradict_the_ontology(quads, ontology):
    """By the rules of OWL 2 RL, after all that follows has been added."""
    for quad in quads:
        ontology.add(tuple(_term(each) for each in (quad.subject, quad.predicate, quad.object)))
    DeductiveClosure(OWLRL_Semantics).expand(ontology)
    error = URIRef("http://www.daml.org/2002/03/agents/agent-ont#error")
    assert list(ontology.subject_objects(error)) == []
    assert not list(ontology.subjects(RDF.type, OWL.Nothing))
    quill = URIRef(f"{BASE}paper/quill-a-store")
    assert (quill, RDF.type, URIRef(f"{STEMMA}Work")) in ontology, "something followed"


def _term(term: object) -> rdflib.term.Node:
    if isinstance(term, ox.Literal):
        datatype = None if term.language else URIRef(term.datatype.value)
        return rdflib.Literal(term.value, lang=term.language, datatype=datatype)
    return URIRef(term.value)


def test_citations_follow_from_what_papers_say_of_each_others_contributions(quads):
    cited = {
        (quad.subject.value.removeprefix(f"{BASE}paper/"),
         quad.predicate.value.rpartition("/")[2],
         quad.object.value.removeprefix(f"{BASE}paper/"))
        for quad in quads if quad.graph_name.value == f"{BASE}citations"
    }  # fmt: skip
    assert cited == {
        ("quill-a-store", "cites", "ink"),
        ("quill-a-store", "extends", "ink"),
        ("quill-a-store", "discusses", "ink"),
        ("ink", "cites", "nib-and-zero-infinity"),
        ("ink", "discusses", "nib-and-zero-infinity"),
        ("ink", "cites", "blot"),
        ("ink", "usesDataFrom", "blot"),
        ("blot", "cites", "ink"),
        ("blot", "usesMethodIn", "ink"),
    }, "Nib and Blot are not dated; bottles are ink; what is rejected cites nothing"


def test_nothing_cites_what_appeared_after_it(store):
    put(store, *described("""
        Early (2020-05) | We use Late. | framework Late: USES
        Late (2020-06-01) | Late is here. | framework Late: INTRODUCES
        Same (2020) | We use Late. | framework Late: USES | framework Late: EVALUATED_ON
    """))  # fmt: skip
    with store.snapshot() as reader:
        graph = ox.NamedNode(f"{BASE}citations")
        citing = {
            (quad.subject.value.rpartition("/")[2], quad.predicate.value.rpartition("/")[2])
            for quad in reader.dataset.rdf.quads_for_pattern(None, None, None, graph)
        }
    assert citing == {("same", "cites"), ("same", "usesMethodIn")}, "it may be of the same year"


def test_concepts_are_linked_to_their_vocabularies(tmp_path, own_catalogue):
    """Those of the shipped catalogue where it has another base."""
    with SqliteStore(tmp_path / "own.db", "http://a.example/", own_catalogue) as own:
        put(own, describe("Nib", "We use Feder and Adam.", "technique Feder: USES",
                          "technique Adam: USES"))  # fmt: skip
        with own.snapshot() as reader:
            told = {
                (quad.subject.value.rpartition("/")[2],
                 quad.predicate.value.rpartition("#")[2], str(quad.object))
                for quad in reader.dataset.rdf
            }  # fmt: skip
    assert {each for each in told if each[1].endswith(("Match", "inScheme", "label"))} >= {
        ("feder", "label", '"Feder"@de'),
        ("feder", "inScheme", "<https://example.org/terms/pens>"),
        ("feder", "exactMatch", "<https://example.org/terms/pen>"),
        ("feder", "exactMatch", "<https://example.org/other/pen>"),
        ("adam", "label", '"Adam"@en'),
        ("adam", "inScheme", "<https://w3id.org/stemma/catalogue>"),
        ("adam", "exactMatch", f"<{BASE}entity/adam>"),
        ("adam", "exactMatch", "<https://example.org/terms/adam>"),
        ("adam", "closeMatch", "<https://example.org/other/adam>"),
    }
    assert ("feder", "inScheme", "<https://w3id.org/stemma/catalogue>") not in told


def test_several_names_of_an_entity_make_one_statement(store):
    put(store, *described("""
        Nib | Nib uses ZeRO, an Optimizer of States. | technique ZeRO: USES 0.5 [entity/zero]
            | technique Optimizer: USES 0.9 [entity/zero]
            | technique States: MENTIONS 0.9 [entity/zero]
    """))  # fmt: skip
    with store.snapshot() as reader:
        confidence = ox.NamedNode(f"{STEMMA}confidence")
        stated = reader.dataset.rdf.quads_for_pattern(None, confidence, None)
        told = {each.subject.value.rpartition("#")[2]: each.object.value for each in stated}
        assert len(reader.statements(["paper/nib"])["paper/nib"]) == len(told)
    assert told == {"uses-optimizer": "0.9"}, "the surest, and no mention beside it"
