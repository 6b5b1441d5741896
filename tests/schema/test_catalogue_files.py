"""The shipped catalogue, read as plain RDF: what anyone who edits the Turtle files may rely on.

The files are read with rdflib, not with our own reader, so that the two check each other.
"""

import re
from collections import Counter, defaultdict
from pathlib import Path

import pytest
from rdflib import RDF, Graph, Literal, Namespace, URIRef
from rdflib.namespace import DCTERMS, SKOS

import stemma.schema.catalogue
from stemma.schema.name import match_key, slug

FOLDER = Path(stemma.schema.catalogue.__file__).parent
FILES = sorted(FOLDER.glob("*.ttl"))
STEMMA = Namespace("https://w3id.org/stemma/ontology#")
ENTITY = Namespace("https://w3id.org/stemma/id/entity/")
SCHEME = URIRef("https://w3id.org/stemma/catalogue")
KINDS_BY_FILE = {
    "hardware": STEMMA.Hardware,
    "frameworks": STEMMA.Framework,
    "techniques": STEMMA.Technique,
    "models": STEMMA.Model,
    "datasets": STEMMA.Dataset,
}
KINDS = set(KINDS_BY_FILE.values())
LINEAGE = (STEMMA.buildsOn, STEMMA.improvesOn)
LABELS = (SKOS.prefLabel, SKOS.altLabel, SKOS.hiddenLabel)

# Names that two well-known things truly share. Whoever adds one to the catalogue adds it here.
AMBIGUOUS = {
    "ANN": "artificial neural network, approximate nearest neighbour search",
    "BNN": "binary, Bayesian neural network",
    "DDP": "distributed data parallel, differential dynamic programming",
    "GAE": "graph autoencoder, generalized advantage estimation",
    "HMC": "Hybrid Memory Cube, Hamiltonian Monte Carlo",
    "LDA": "latent Dirichlet allocation, linear discriminant analysis",
    "LNS": "logarithmic number system, large neighbourhood search",
    "MKL": "Intel's library, multiple kernel learning",
    "MPC": "model predictive control, secure multi-party computation",
    "Orca": "the serving system, the language model",
    "PRM": "process reward model, probabilistic roadmap",
    "SMC": "sequential Monte Carlo, sliding mode control",
    "ST-GCN": "of skeletons, of traffic",
    "Triton": "the language, the inference server",
    "YARN": "the resource manager, the extension of RoPE",
}


def parsed(file: Path) -> Graph:
    return Graph().parse(file, format="turtle")


@pytest.fixture(scope="module")
def graphs() -> dict[str, Graph]:
    return {file.stem: parsed(file) for file in FILES}


@pytest.fixture(scope="module")
def catalogue(graphs: dict[str, Graph]) -> Graph:
    whole = Graph()
    for graph in graphs.values():
        whole += graph
    return whole


@pytest.fixture(scope="module")
def concepts(catalogue: Graph) -> list[URIRef]:
    return sorted(c for c in catalogue.subjects(RDF.type, SKOS.Concept) if isinstance(c, URIRef))


def names(catalogue: Graph, concept: URIRef) -> list[str]:
    return [str(label) for kind in LABELS for label in catalogue.objects(concept, kind)]


def test_there_is_a_file_for_each_kind_one_for_lineage_and_one_for_the_scheme() -> None:
    assert {file.stem for file in FILES} == {*KINDS_BY_FILE, "lineage", "scheme"}


def test_the_scheme_says_what_it_is_and_under_which_licence(catalogue: Graph) -> None:
    assert (SCHEME, RDF.type, SKOS.ConceptScheme) in catalogue
    assert catalogue.value(SCHEME, DCTERMS.title)
    assert catalogue.value(SCHEME, DCTERMS.description)
    assert catalogue.value(SCHEME, DCTERMS.license) == URIRef(
        "https://www.apache.org/licenses/LICENSE-2.0"
    )


def test_every_concept_belongs_to_the_scheme(catalogue: Graph, concepts: list[URIRef]) -> None:
    assert [c for c in concepts if list(catalogue.objects(c, SKOS.inScheme)) != [SCHEME]] == []


def test_every_concept_has_one_preferred_label_without_a_language_as_in_the_graph(
    catalogue: Graph, concepts: list[URIRef]
) -> None:
    for concept in concepts:
        (label,) = catalogue.objects(concept, SKOS.prefLabel)
        assert isinstance(label, Literal) and label.language is None, concept


def test_every_concept_has_one_kind_that_of_its_file(graphs: dict[str, Graph]) -> None:
    for file, kind in KINDS_BY_FILE.items():
        for concept in graphs[file].subjects(RDF.type, SKOS.Concept):
            assert KINDS & set(graphs[file].objects(concept, RDF.type)) == {kind}, concept


def test_no_concept_is_described_in_two_files(graphs: dict[str, Graph]) -> None:
    described = Counter(
        concept for graph in graphs.values() for concept in graph.subjects(RDF.type, SKOS.Concept)
    )
    assert [concept for concept, files in described.items() if files > 1] == []


def test_a_local_name_is_the_slug_of_the_preferred_label(
    catalogue: Graph, concepts: list[URIRef]
) -> None:
    expected = {c: ENTITY[slug(str(catalogue.value(c, SKOS.prefLabel)))] for c in concepts}
    assert {c: iri for c, iri in expected.items() if c != iri} == {}


def test_no_name_is_repeated_within_a_concept(catalogue: Graph, concepts: list[URIRef]) -> None:
    # Texts are searched for "SQuADv1.1" as well as for "SQuAD 1.1".
    for concept in concepts:
        spellings = [
            (match_key(name), bool(re.search(r"v\d", name, re.IGNORECASE)))
            for name in names(catalogue, concept)
        ]
        assert len(spellings) == len(set(spellings)), concept


def test_two_concepts_share_a_name_only_where_it_is_truly_ambiguous(
    catalogue: Graph, concepts: list[URIRef]
) -> None:
    senses: defaultdict[str, set[str]] = defaultdict(set)
    for concept in concepts:
        for name in names(catalogue, concept):
            senses[match_key(name)].add(concept.removeprefix(str(ENTITY)))
    deliberate = {match_key(name) for name in AMBIGUOUS}
    shared = {name: found for name, found in senses.items() if len(found) > 1}
    assert {name: found for name, found in shared.items() if name not in deliberate} == {}


def test_every_broader_concept_exists(catalogue: Graph, concepts: list[URIRef]) -> None:
    assert set(catalogue.objects(None, SKOS.broader)) <= set(concepts)
    assert set(catalogue.subjects(SKOS.broader, None)) <= set(concepts)


def test_broader_never_leads_back(catalogue: Graph, concepts: list[URIRef]) -> None:
    for concept in concepts:
        above = {
            each
            for parent in catalogue.objects(concept, SKOS.broader)
            for each in catalogue.transitive_objects(parent, SKOS.broader)
        }
        assert concept not in above, concept


def test_lineage_joins_concepts_of_the_catalogue(
    graphs: dict[str, Graph], concepts: list[URIRef]
) -> None:
    known = set(concepts)
    for child, relation, parent in graphs["lineage"]:
        assert relation in LINEAGE
        assert child in known, child
        assert parent in known, parent


def test_nothing_builds_or_improves_on_itself(graphs: dict[str, Graph]) -> None:
    assert [child for child, _, parent in graphs["lineage"] if child == parent] == []


def test_facts_of_lineage_are_stated_in_their_own_file_alone(graphs: dict[str, Graph]) -> None:
    for file in KINDS_BY_FILE:
        assert set(graphs[file].predicates()).isdisjoint(LINEAGE)


def test_building_on_never_leads_back(graphs: dict[str, Graph]) -> None:
    lineage = graphs["lineage"]
    for child in set(lineage.subjects(STEMMA.buildsOn, None)):
        ancestors = {
            each
            for parent in lineage.objects(child, STEMMA.buildsOn)
            for each in lineage.transitive_objects(parent, STEMMA.buildsOn)
        }
        assert child not in ancestors, child
