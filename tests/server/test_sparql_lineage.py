"""The lineage that SPARQL finds is the one that GraphQL gives: every edge of every work."""

import asyncio
import os
from collections import defaultdict
from collections.abc import Iterator

import pyoxigraph as ox
import pytest

from stemma import Stemma
from stemma.graph import LineageDirection, WorkType, trace
from stemma.graph.rdf.vocabulary import PREFIXES
from stemma.graph.selection import Selection
from stemma.graph.sqlite.reader import SqliteReader
from stemma.schema import RelationType
from stemma.schema.namespace import ONTOLOGY
from stemma.server.graphql.context import Context
from stemma.server.graphql.schema import make_schema
from stemma.server.settings import DEFAULT_SETTINGS

Said = tuple[str, str, str, str, float, frozenset[str]]
"""Child, parent, subject and relation of a statement, its confidence, and its sentences."""
RELATIONS = {f"{ONTOLOGY}buildsOn": "BUILDS_ON", f"{ONTOLOGY}improvesOn": "IMPROVES_ON"}
ALL = """
SELECT DISTINCT ?child ?parent ?statement ?subject ?relation ?confidence ?sentence WHERE {
  ?child stemma:derivesFrom ?parent .
  ?statement stemma:child ?child ; rdf:object ?parent ; rdf:subject ?subject ;
    rdf:predicate ?relation ; stemma:confidence ?confidence .
  OPTIONAL { ?statement stemma:evidence/oa:exact ?sentence }
}
"""
REACHED = {
    LineageDirection.DESCENDANTS: "SELECT DISTINCT ?work { ?work stemma:derivesFrom* <%s> }",
    LineageDirection.ANCESTORS: "SELECT DISTINCT ?work { <%s> stemma:derivesFrom* ?work }",
}
EACH = 1 if os.environ.get("STEMMA_SOAK") else 5
"""Which of the works are asked about: in `make soak` all, else every fifth."""
SCHEMA = make_schema()
LINEAGE = """
query ($of: String!, $direction: LineageDirection!, $after: String) {
  lineage(of: $of, direction: $direction, maxDepth: 20, first: 100, after: $after) {
    root { id } nodes { work { id } } truncated endCursor
    edges { child { id } parent { id }
      statements { subject { id } relation confidence evidence { text } } }
  }
}
"""


@pytest.fixture(
    scope="module",
    params=[
        "example_store",
        pytest.param("seed_store", marks=[pytest.mark.slow, pytest.mark.long]),
    ],
)
def reader(request: pytest.FixtureRequest) -> Iterator[SqliteReader]:
    """The graph of the examples, and that of real listings where they are at hand."""
    with Stemma(request.getfixturevalue(request.param)) as graph, graph.store.snapshot() as reader:
        assert isinstance(reader, SqliteReader)
        yield reader


def rows(reader: SqliteReader, query: str) -> list[list[str]]:
    found = reader.dataset.rdf.query(
        query, base_iri=reader.base, prefixes=PREFIXES, use_default_graph_as_union=True
    )
    assert isinstance(found, ox.QuerySolutions)
    return [[each.value.removeprefix(reader.base) if each else "" for each in row] for row in found]


def by_sparql(reader: SqliteReader) -> set[Said]:
    """Return all edges; two names of one paper may make one statement of two resources."""
    found: dict[tuple[str, str, str, str], tuple[float, set[str]]] = {}
    for child, parent, _, subject, relation, confidence, sentence in rows(reader, ALL):
        key = (child, parent, subject, RELATIONS[relation])
        sure, sentences = found.setdefault(key, (0.0, set()))
        found[key] = (max(sure, float(confidence)), sentences | ({sentence} - {""}))
    return {(*key, sure, frozenset(told)) for key, (sure, told) in found.items()}


def by_graphql(
    reader: SqliteReader, of: str, direction: LineageDirection
) -> tuple[set[str], set[Said]]:
    """Return the works of a lineage, and what its edges say."""
    works, said, after = set(), set(), None
    while True:
        asked = {"of": of, "direction": direction.name, "after": after}
        answer = asyncio.run(SCHEMA.execute(LINEAGE, asked, Context(reader, DEFAULT_SETTINGS)))
        assert not answer.errors
        page = answer.data["lineage"]
        works |= {page["root"]["id"], *(node["work"]["id"] for node in page["nodes"])}
        said |= {
            (
                edge["child"]["id"],
                edge["parent"]["id"],
                each["subject"]["id"],
                each["relation"],
                each["confidence"],
                frozenset(evidence["text"] for evidence in each["evidence"]),
            )
            for edge in page["edges"]
            for each in edge["statements"]
        }
        if not page["truncated"]:
            return works, said
        after = page["endCursor"]


@pytest.mark.slow
@pytest.mark.soak
@pytest.mark.parametrize("direction", LineageDirection)
def test_the_lineage_of_works(reader: SqliteReader, direction: LineageDirection) -> None:
    edges = by_sparql(reader)
    works = sorted({end for child, parent, *_ in edges for end in (child, parent)})
    assert len(works) > 50
    for work in works[::EACH]:
        reached = {each for (each,) in rows(reader, REACHED[direction] % work)}
        expected = {each for each in edges if {each[0], each[1]} <= reached}
        assert by_graphql(reader, work, direction) == (reached, expected), work


@pytest.mark.parametrize("direction", LineageDirection)
@pytest.mark.parametrize("depth", [1, 3])
def test_the_lineage_of_every_work_in_python(
    reader: SqliteReader, direction: LineageDirection, depth: int
) -> None:
    edges = by_sparql(reader)
    near: dict[str, set[str]] = defaultdict(set)
    for child, parent, *_ in edges:
        down = direction is LineageDirection.DESCENDANTS
        here, there = (parent, child) if down else (child, parent)
        near[here].add(there)
    for work in sorted(near):
        found = trace(reader, work, Selection(direction=direction, max_depth=depth, first=10_000))
        reached = {work}
        for _ in range(depth):
            reached |= {there for here in reached for there in near.get(here, ())}
        assert {found.root.id, *(node.work.id for node in found.nodes)} == reached
        said = {
            (
                edge.child,
                edge.parent,
                each.subject,
                each.relation.value,
                each.confidence,
                frozenset(evidence.text for evidence in each.evidence),
            )
            for edge in found.edges
            for each in edge.statements
        }
        assert said == {each for each in edges if {each[0], each[1]} <= reached}, work


def test_every_edge_names_its_statements(reader: SqliteReader) -> None:
    triples = {tuple(row) for row in rows(reader, "SELECT ?c ?p { ?c stemma:derivesFrom ?p }")}
    edges = by_sparql(reader)
    assert triples == {(child, parent) for child, parent, *_ in edges}
    ids = [work.id for type_ in WorkType for work in reader.page(type_, first=100_000).works]
    stored = reader.neighbours(ids, LineageDirection.ANCESTORS)
    assert triples == {(child, parent) for child, own in stored.items() for parent in own}
    lineage = {RelationType.BUILDS_ON, RelationType.IMPROVES_ON}
    assert {relation for *_, relation, _, _ in edges} == lineage
