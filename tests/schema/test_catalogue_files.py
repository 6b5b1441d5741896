"""The shipped catalogue, read as plain RDF: what anyone who edits the Turtle files may rely on.

The files are queried with SPARQL, not read with our own reader, so that the two check each other.
"""

import re
from collections import defaultdict
from pathlib import Path

import pyoxigraph as ox
import pytest

import stemma.schema.catalogue
from stemma.schema.name import match_key, slug

FILES = sorted(Path(stemma.schema.catalogue.__file__).parent.glob("*.ttl"))
KINDS_BY_FILE = {
    "hardware": "Hardware",
    "frameworks": "Framework",
    "techniques": "Technique",
    "models": "Model",
    "datasets": "Dataset",
}
PREFIXES = """
BASE <https://example.org/files/>
PREFIX dcterms: <http://purl.org/dc/terms/>
PREFIX skos: <http://www.w3.org/2004/02/skos/core#>
PREFIX stemma: <https://w3id.org/stemma/ontology#>
"""
IDS = "https://w3id.org/stemma/id/entity/"
SCHEME = "<https://w3id.org/stemma/catalogue>"
OF_FILES = " ".join(f"(<{file}> stemma:{kind})" for file, kind in KINDS_BY_FILE.items())
LINEAGE = "(stemma:buildsOn|stemma:improvesOn)"

# Names that two well-known things truly share. Whoever adds one to the catalogue adds it here.
AMBIGUOUS = "ANN BNN DDP GAE HMC LDA LNS MKL MPC Orca PRM SMC ST-GCN Triton YARN"


@pytest.fixture(scope="module")
def catalogue() -> ox.Store:
    """All files, each a graph."""
    store = ox.Store()
    for file in FILES:
        graph = ox.NamedNode(f"https://example.org/files/{file.stem}")
        store.load(path=file, format=ox.RdfFormat.TURTLE, to_graph=graph)
    return store


def found(catalogue: ox.Store, query: str) -> list[list[str]]:
    rows = catalogue.query(PREFIXES + query, use_default_graph_as_union=True)
    assert isinstance(rows, ox.QuerySolutions)
    return [[cell.value for cell in row] for row in rows]  # type: ignore[union-attr]


@pytest.fixture(scope="module")
def names(catalogue: ox.Store) -> dict[str, list[str]]:
    """The names of each concept, the preferred one first."""
    named: defaultdict[str, list[str]] = defaultdict(list)
    for label in ("prefLabel", "altLabel", "hiddenLabel"):
        for concept, name in found(catalogue, f"SELECT ?c ?n {{ ?c skos:{label} ?n }}"):
            named[concept.removeprefix(IDS)].append(name)
    return named


def test_there_is_a_file_for_each_kind_one_for_lineage_and_one_for_the_scheme() -> None:
    assert {file.stem for file in FILES} == {*KINDS_BY_FILE, "lineage", "scheme"}


def test_the_scheme_says_what_it_is_and_under_which_licence(catalogue: ox.Store) -> None:
    query = f"SELECT ?l {{ {SCHEME} a skos:ConceptScheme ; dcterms:title ?t ; "
    query += "dcterms:description ?d ; dcterms:license ?l }"
    assert found(catalogue, query) == [["https://www.apache.org/licenses/LICENSE-2.0"]]


RULES = {
    "every concept is in the scheme": f"""
        ?x a skos:Concept FILTER NOT EXISTS {{ ?x skos:inScheme {SCHEME} }}""",
    "no concept is in another scheme": f"?x skos:inScheme ?other FILTER (?other != {SCHEME})",
    "every concept has a preferred label": """
        ?x a skos:Concept FILTER NOT EXISTS { ?x skos:prefLabel ?label }""",
    "no concept has two of them": "?x skos:prefLabel ?a, ?b FILTER (?a != ?b)",
    "preferred labels have no language, as in the graph": """
        ?x skos:prefLabel ?label FILTER (lang(?label) != "")""",
    "every concept has the kind of its file": f"""
        VALUES (?file ?kind) {{ {OF_FILES} }} GRAPH ?file {{ ?x a skos:Concept }}
        FILTER NOT EXISTS {{ ?x a ?kind }}""",
    "no concept has another kind": f"""
        VALUES (?file ?kind) {{ {OF_FILES} }} GRAPH ?file {{ ?x a ?kind }}
        VALUES (?any ?other) {{ {OF_FILES} }} ?x a ?other FILTER (?other != ?kind)""",
    "no concept is described in two files": """
        GRAPH ?a { ?x a skos:Concept } GRAPH ?b { ?x a skos:Concept } FILTER (?a != ?b)""",
    "every broader concept exists": """
        ?x skos:broader ?above FILTER NOT EXISTS { ?x a skos:Concept . ?above a skos:Concept }""",
    "broader never leads back": "?x skos:broader+ ?x",
    "lineage joins concepts of the catalogue": f"""
        ?x {LINEAGE} ?y FILTER NOT EXISTS {{ ?x a skos:Concept . ?y a skos:Concept }}""",
    "its file has nothing but lineage": f"""
        GRAPH <lineage> {{ ?x ?p ?y }} FILTER NOT EXISTS {{ ?x {LINEAGE} ?y }}""",
    "facts of lineage are in no other file": f"""
        GRAPH ?file {{ ?x {LINEAGE} ?y }} FILTER (?file != <lineage>)""",
    "nothing builds or improves on itself": f"?x {LINEAGE} ?x",
    "building on never leads back": "?x stemma:buildsOn+ ?x",
}
"""Patterns of what breaks each rule."""


@pytest.mark.parametrize("rule", RULES)
def test_nothing_breaks_a_rule(catalogue: ox.Store, rule: str) -> None:
    assert found(catalogue, f"SELECT DISTINCT ?x {{ {RULES[rule]} }}") == []


def test_a_local_name_is_the_slug_of_the_preferred_label(names: dict[str, list[str]]) -> None:
    assert {id_ for id_, own in names.items() if id_ != slug(own[0])} == set()


def test_no_name_is_repeated_within_a_concept(names: dict[str, list[str]]) -> None:
    # Texts are searched for "SQuADv1.1" as well as for "SQuAD 1.1".
    for concept, own in names.items():
        spellings = [(match_key(each), bool(re.search(r"(?i)v\d", each))) for each in own]
        assert len(spellings) == len(set(spellings)), concept


def test_two_concepts_share_a_name_only_where_it_is_truly_ambiguous(names):
    senses: defaultdict[str, set[str]] = defaultdict(set)
    for concept, own in names.items():
        for name in own:
            senses[match_key(name)].add(concept)
    deliberate = {match_key(name) for name in AMBIGUOUS.split()}
    shared = {name: ids for name, ids in senses.items() if len(ids) > 1}
    assert {name: ids for name, ids in shared.items() if name not in deliberate} == {}
