"""The lineage that SPARQL finds is the one that all interfaces trace: every edge of every work."""

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


@pytest.mark.parametrize("direction", LineageDirection)
@pytest.mark.parametrize("depth", [1, 3])
def test_the_lineage_of_every_work(
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
