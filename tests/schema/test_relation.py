"""Each relation is known wherever one has to be named: see "a relation" in CONTRIBUTING.md."""

import json
import re
from pathlib import Path

import pytest

from stemma.graph.rdf.vocabulary import RELATIONS, expanded
from stemma.schema import EntityKind, RelationType, interchange
from stemma.schema.namespace import ONTOLOGY
from stemma.schema.ontology_files import ONTOLOGY_FILE
from stemma.server.graphql.schema import StemmaSchema

ROOT = Path(__file__).resolve().parents[2]
INTERCHANGE = json.loads(Path(interchange.__file__).with_suffix(".schema.json").read_text("utf-8"))
CONTEXT = json.loads(ONTOLOGY_FILE.with_name("context.jsonld").read_text("utf-8"))["@context"]


def test_the_interchange_format_has_relations_and_kinds() -> None:
    enumerations = re.findall(r'"enum": (\[[^]]*\])', json.dumps(INTERCHANGE))
    assert list(RelationType) in map(json.loads, enumerations)
    assert list(EntityKind) in map(json.loads, enumerations)


@pytest.mark.parametrize("relation", RelationType)
def test_a_relation_has_a_term(relation: RelationType) -> None:
    first, *others = relation.words.split()
    term = first + "".join(map(str.capitalize, others))
    assert expanded(RELATIONS[relation]) == ONTOLOGY + term
    assert CONTEXT[term]["@id"] == f"stemma:{term}"
    assert re.search(rf"^stemma:{term} a owl:ObjectProperty", ONTOLOGY_FILE.read_text(), re.M)


@pytest.mark.parametrize("relation", RelationType)
def test_a_relation_is_described(relation: RelationType) -> None:
    assert re.search(rf'"""\n  {relation.value}\n', StemmaSchema().as_str())
    assert f"| {relation.value} |" in (ROOT / "docs" / "graph.md").read_text("utf-8")
