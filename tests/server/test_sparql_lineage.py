"""The lineage that SPARQL finds is the one that all interfaces trace."""

from collections import defaultdict

import pytest

from stemma import Stemma
from stemma.graph import LineageDirection, WorkType
from stemma.graph.rdf.vocabulary import PREFIXES

ALL = """
SELECT DISTINCT ?child ?parent ?subject ?relation ?confidence ?sentence WHERE {
  ?child stemma:derivesFrom ?parent .
  ?statement stemma:child ?child ; rdf:object ?parent ; rdf:subject ?subject ;
    rdf:predicate ?relation ; stemma:confidence ?confidence .
  OPTIONAL { ?statement stemma:evidence/oa:exact ?sentence }
}
"""


@pytest.mark.parametrize(
    "store",
    ["example_store", pytest.param("seed_store", marks=[pytest.mark.slow, pytest.mark.long])],
)
def test_every_edge_has_its_statements_and_their_sentences(store, request):
    with Stemma(request.getfixturevalue(store)) as graph, graph.store.snapshot() as reader:

        def rows(query):
            options = {"base_iri": reader.base, "use_default_graph_as_union": True}
            found = reader.dataset.rdf.query(query, prefixes=PREFIXES, **options)
            return [[each.value.removeprefix(reader.base) if each else "" for each in row]
                    for row in found]  # fmt: skip

        # Two names of one paper may make one statement of two resources: the surest counts.
        sure, sentences = defaultdict(float), defaultdict(set)
        for child, parent, subject, relation, confidence, sentence in rows(ALL):
            key = (child, parent, subject, relation.rpartition("#")[2])
            sure[key] = max(sure[key], float(confidence))
            sentences[key] |= {sentence} - {""}
        ids = [work.id for type_ in WorkType for work in reader.page(type_, first=100_000).works]
        edges = reader.lineage_edges(ids, LineageDirection.ANCESTORS)
        triples = {tuple(row) for row in rows("SELECT ?c ?p { ?c stemma:derivesFrom ?p }")}
    relations = {"BUILDS_ON": "buildsOn", "IMPROVES_ON": "improvesOn"}
    traced = {
        (edge.child, edge.parent, said.subject, relations[said.relation]): said
        for own in edges.values()
        for edge in own
        for said in edge.statements
    }
    assert triples == {key[:2] for key in traced}
    assert {key: said.confidence for key, said in traced.items()} == sure
    assert {key: {each.text for each in said.evidence} for key, said in traced.items()} == sentences
