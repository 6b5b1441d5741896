"""The perspective for Neo4j Bloom, compared with a real graph: Bloom itself is not available."""

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import neo4j
import pytest

import stemma.schema
from corpus import extracted
from stemma.graph import open_store
from stemma.graph.export import bloom
from stemma.server.build import load

ROOT = Path(__file__).parents[3]
FILE = Path(stemma.schema.__file__).with_name("bloom-perspective.json")
EXAMPLES = {"$work": "ZeRO", "$child": "Fuyou", "$parent": "ZeRO", "$hardware": "NVIDIA GPU",
            "$author": "Tri Dao"}  # fmt: skip
_PERSPECTIVE = bloom.perspective()
_CHECKS = {
    "string": lambda value: isinstance(value, str),
    "bigint": lambda value: isinstance(value, int),
    "number": lambda value: isinstance(value, float),
    "boolean": lambda value: isinstance(value, bool),
    "array": lambda value: isinstance(value, list),
}
pytestmark = pytest.mark.neo4j
IN_NEO4J = pytest.mark.long  # The file is made of the types of what the exports write.


@pytest.fixture(scope="module")
def cypher(neo4j_driver) -> Callable[..., list[neo4j.Record]]:
    """Queries of a database with the example papers."""
    url, driver = neo4j_driver
    driver.execute_query("MATCH (n) DETACH DELETE n")
    with open_store(url) as store:
        load(store, [extracted(ROOT / "examples", "examples")])
        store.keep_evidence_nodes(True)
    return lambda query, **values: driver.execute_query(query, values).records


def assert_typed(properties: list[dict[str, Any]], rows: list[neo4j.Record]) -> None:
    """Each public property has the type that is given for it, and none is left out."""
    types = {each.get("name", each.get("propertyKey")): each["dataType"] for each in properties}
    assert rows
    for (found,) in rows:
        public = {name: value for name, value in found.items() if not name.startswith("_")}
        for name, value in public.items():
            assert _CHECKS[types[name]](value), name


def test_the_file_is_up_to_date() -> None:
    assert json.loads(FILE.read_text("utf-8")) == _PERSPECTIVE, "Run `make schema`."


@IN_NEO4J
@pytest.mark.parametrize("category", _PERSPECTIVE["categories"], ids=lambda each: each["name"])
def test_a_category_describes_nodes_of_the_graph(category, cypher) -> None:
    (label,) = category["labels"]
    rows = cypher(f"MATCH (n:{label}) RETURN properties(n)")
    assert_typed(category["properties"], rows)
    assert_typed(_PERSPECTIVE["labels"][label], rows)
    (caption,) = category["captions"]
    assert all(caption["key"] in found for (found,) in rows)


@IN_NEO4J
def test_each_node_that_is_not_internal_has_one_category(cypher) -> None:
    labels = {label for each in _PERSPECTIVE["categories"] for label in each["labels"]}
    for (found,) in cypher("MATCH (n) RETURN DISTINCT labels(n)"):
        if not any(label.startswith("_") for label in found):
            assert len(labels & set(found)) == 1, found


@IN_NEO4J
def test_relationships_that_are_not_internal_are_described(cypher) -> None:
    described = {each["name"]: each for each in _PERSPECTIVE["relationshipTypes"]}
    rows = cypher("MATCH ()-[r]->() RETURN DISTINCT type(r)")
    types = {type_ for (type_,) in rows if not type_.startswith("_")}
    assert types <= described.keys()
    for each in types:
        rows = cypher(f"MATCH ()-[r:{each}]->() RETURN properties(r)")
        assert_typed(described[each]["properties"], rows)


@IN_NEO4J
@pytest.mark.parametrize("phrase", _PERSPECTIVE["templates"], ids=lambda each: each["text"])
def test_a_search_phrase_finds_what_it_promises(phrase, cypher) -> None:
    names = [each["name"] for each in phrase["params"]]
    assert names == [word for word in phrase["text"].split() if word.startswith("$")]
    rows = cypher(phrase["cypher"], **{name[1:]: EXAMPLES[name] for name in names})
    assert rows
    assert all(isinstance(value, neo4j.graph.Path) for row in rows for value in row)


@IN_NEO4J
@pytest.mark.parametrize("phrase", _PERSPECTIVE["templates"], ids=lambda each: each["text"])
def test_suggestions_are_names_of_nodes(phrase, cypher) -> None:
    for each in phrase["params"]:
        label, name = each["suggestionLabel"], EXAMPLES[each["name"]]
        query = f"MATCH (n:{label}) WHERE n.{each['suggestionProp']} = $name RETURN n"
        assert cypher(query, name=name)
