"""The ontology by itself: each term is explained, tied and used rightly, as each relation is."""

import json
import re
from pathlib import Path

import pytest
import rdflib
from rdflib import OWL, RDF, RDFS, URIRef
from rdflib.namespace import DCTERMS, SKOS

from stemma.graph.rdf.vocabulary import RELATIONS, expanded
from stemma.schema import EntityKind, RelationType, interchange, namespace
from stemma.schema.namespace import ONTOLOGY, ONTOLOGY_FILE, SHAPES_FILE

ROOT = Path(__file__).parents[2]
STEMMA = rdflib.Namespace("https://w3id.org/stemma/ontology#")
ITSELF = URIRef("https://w3id.org/stemma/ontology")
_LANGUAGES = (namespace.RDF, namespace.RDFS, namespace.OWL, namespace.XSD)
"""What a term may be used of without being declared."""


@pytest.fixture(scope="module")
def ontology() -> rdflib.Graph:
    return rdflib.Graph().parse(ONTOLOGY_FILE)


@pytest.fixture(scope="module")
def own(ontology) -> set[URIRef]:
    return {
        each
        for each in ontology.subjects(RDF.type, None)
        if isinstance(each, URIRef) and each.startswith(STEMMA)
    }


def test_it_has_a_version_a_licence_and_says_what_it_is(ontology):
    assert (ITSELF, RDF.type, OWL.Ontology) in ontology
    version = str(ontology.value(ITSELF, OWL.versionInfo))
    assert ontology.value(ITSELF, OWL.versionIRI) == URIRef(f"{ITSELF}/{version}")
    for name in ("title", "description", "license", "creator"):
        assert ontology.value(ITSELF, DCTERMS[name])


def test_each_term_has_one_label_one_definition_and_an_example(ontology, own):
    for term in own:
        for said in (RDFS.label, SKOS.definition):
            (text,) = ontology.objects(term, said)
            assert text.language == "en", term
        assert ontology.value(term, SKOS.example), term
        assert ontology.value(term, RDFS.isDefinedBy) == ITSELF


def test_domains_and_ranges_are_classes_or_datatypes_as_they_should_be(ontology, own):
    classes = {*ontology.subjects(RDF.type, OWL.Class), OWL.Thing}
    datatypes = set(ontology.subjects(RDF.type, RDFS.Datatype))
    for term in own - classes:
        for domain in ontology.objects(term, RDFS.domain):
            assert domain in classes, term
        assert ontology.value(term, RDFS.domain), term
        (range_,) = ontology.objects(term, RDFS.range)
        if (term, RDF.type, OWL.ObjectProperty) in ontology:
            assert range_ in classes, term
        else:
            assert range_ in datatypes or range_.startswith(rdflib.XSD), term


def test_no_term_is_used_that_is_not_declared(ontology, own):
    declared = set(ontology.subjects(RDF.type, None))
    shapes = rdflib.Graph().parse(SHAPES_FILE)
    used = {each for graph in (ontology, shapes) for triple in graph for each in triple}
    terms = {each for each in used if isinstance(each, URIRef) and each.startswith(STEMMA)}
    assert terms <= own | {URIRef(STEMMA)}
    predicates = {each for each in ontology.predicates() if not str(each).startswith(_LANGUAGES)}
    assert {predicate for predicate in predicates if predicate != RDFS.label} <= declared


def test_kinds_and_relations_of_the_model_are_there_and_nothing_is_both(ontology):
    kinds = {STEMMA[kind.value.capitalize()] for kind in EntityKind}
    assert set(ontology.subjects(RDFS.subClassOf, STEMMA.Entity)) == kinds
    union = ontology.value(STEMMA.Entity, OWL.disjointUnionOf)
    assert set(ontology.items(union)) == kinds
    relations = {URIRef(expanded(RELATIONS[relation])) for relation in RelationType}
    assert relations <= set(ontology.subjects(RDFS.range, STEMMA.Entity))


def test_what_improves_on_a_rival_derives_from_nothing(ontology):
    """Neither directly nor by what it is a case of, and so neither does an edge of lineage."""
    provenance = URIRef("http://www.w3.org/ns/prov#wasDerivedFrom")
    for term in (STEMMA.improvesOn, STEMMA.derivesFrom):
        above = set(ontology.transitive_objects(term, RDFS.subPropertyOf))
        assert above == {term}
        assert not set(ontology.objects(term, SKOS.closeMatch)) & {
            provenance, URIRef("http://purl.org/spar/cito/extends"),
        }  # fmt: skip
    assert provenance in ontology.transitive_objects(STEMMA.buildsOn, RDFS.subPropertyOf)


def test_the_documentation_names_terms_of_the_ontology(own):
    pages = (ROOT / "docs" / f"{name}.md" for name in ("rdf", "sparql"))
    named = {
        STEMMA[name]
        for page in pages
        for name in re.findall(r"stemma:(\w+)", page.read_text("utf-8"))
    }
    assert len(named) > 30
    assert named <= own


INTERCHANGE = json.loads(Path(interchange.__file__).with_suffix(".schema.json").read_text("utf-8"))


def test_the_interchange_format_and_the_index_of_neo4j_have_relations_and_kinds() -> None:
    assert f"[r:{'|'.join(RelationType)}]" in (ROOT / "schema" / "neo4j.cypher").read_text("utf-8")
    enumerations = re.findall(r'"enum": (\[[^]]*\])', json.dumps(INTERCHANGE))
    assert list(RelationType) in map(json.loads, enumerations)
    assert list(EntityKind) in map(json.loads, enumerations)


@pytest.mark.parametrize("relation", RelationType)
def test_a_relation_has_a_term(relation: RelationType) -> None:
    first, *others = relation.words.split()
    term = first + "".join(map(str.capitalize, others))
    assert expanded(RELATIONS[relation]) == ONTOLOGY + term
    assert re.search(rf"^stemma:{term} a owl:ObjectProperty", ONTOLOGY_FILE.read_text(), re.M)
