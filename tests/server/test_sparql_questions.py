"""The questions of docs/sparql.md, with a row of the answer to each; and all lineage, traced."""

import re
from collections import defaultdict
from pathlib import Path

import pytest

from stemma.graph import LineageDirection, Selection, WorkType
from stemma.graph.rdf.vocabulary import PREFIXES
from stemma.server.example import Example
from stemma.server.sparql import example_queries

PAGE = Path(__file__).parents[2] / "docs" / "sparql.md"
IRIS = re.compile("https://w3id.org/stemma/(id/|ontology#)")
EXAMPLES = [*map(Example.read, sorted(Path(example_queries.__file__).parent.glob("examples/*.rq")))]
FLASH = "FlashAttention: Fast and Memory-Efficient Exact Attention with IO-Awareness"
FUYOU = "Adding NVMe SSDs to Enable and Accelerate 100B Model Fine-tuning on a Single GPU"
PIPEDREAM = "PipeDream: Fast and Efficient Pipeline Parallel DNN Training"
ROWS = [
    {"work": "entity/fuyou", "name": "Fuyou"},
    {"work": "entity/fuyou", "title": FUYOU, "relation": "improvesOn"},
    {"child": "FlashAttention-2", "parent": "FlashAttention"},
    {"baseline": "Megatron-LM", "bound": "up_to", "factor": "10", "metric": "speed"},
    {"hardware": "NVIDIA A100"},
    {"date": "2025-03-03", "kind": "Technique", "name": "EAGLE-3"},
    {"title": PIPEDREAM, "dataset": "ImageNet"},
    {"kind": "Technique", "date": "2022-05-27", "broader": "attention mechanism"},
    {"name": "PyTorch"},
    {"title": FLASH, "citations": "4"},
]
"""Each is part of a row of the answer to the question of its number."""


def test_the_page_of_documentation_has_each_of_them():
    text = PAGE.read_text("utf-8")
    headings = re.findall(r"^### \d+\. (.*)$", text, re.MULTILINE)
    assert headings == [each.question for each in EXAMPLES]
    _, *queries = re.findall(r"```sparql\n(.*?)```", text, re.DOTALL)
    assert queries == [each.query.partition("\n")[2] for each in EXAMPLES]
    assert len(queries) == 10


@pytest.mark.parametrize(
    ("question", "expected"),
    [*zip(EXAMPLES, ROWS, strict=True)],
    ids=lambda each: getattr(each, "question", ""),
)
def test_the_answer_has_what_the_papers_say(client, question, expected):
    answer = client.get("/sparql", params={"query": question.query})
    assert answer.status_code == 200, answer.text
    rows = [
        {name: IRIS.sub("", cell["value"]) for name, cell in row.items()}
        for row in answer.json()["results"]["bindings"]
    ]
    assert any(expected.items() <= row.items() for row in rows), rows


ALL = """
SELECT DISTINCT ?child ?parent ?subject ?relation ?confidence ?sentence WHERE {
  ?child stemma:derivesFrom ?parent .
  ?statement stemma:child ?child ; rdf:object ?parent ; rdf:subject ?subject ;
    rdf:predicate ?relation ; stemma:confidence ?confidence .
  OPTIONAL { ?statement stemma:evidence/oa:exact ?sentence }
}
"""


def test_every_edge_has_its_statements_and_their_sentences(reader):
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
    ids = [id_ for type_ in WorkType for id_ in reader.ids(type_, Selection(first=100_000))]
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
