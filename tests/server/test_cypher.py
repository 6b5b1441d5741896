"""`stemma cypher`, and the questions of docs/cypher.md and docs/neo4j.md."""

import json
import re
from pathlib import Path

import pytest

from command import refused, stemma
from stemma.graph import Selection, StoreError, open_store, trace
from stemma.graph.neo4j import cypher

ROOT = Path(__file__).parents[2]
_QUERY = re.compile(r"^```cypher\n(.+?)\n```$", re.MULTILINE | re.DOTALL)


def queries(page: str, start: str, end: str) -> list[str]:
    """Return the queries of a page between two headings."""
    text = (ROOT / "docs" / page).read_text("utf-8")
    return _QUERY.findall(text.partition(start)[2].partition(end)[0])


QUESTIONS = [
    *queries("cypher.md", "## Questions", "## Graph algorithms"),
    *queries("neo4j.md", "## Queries", "## Joining"),
]


def ask(url: str, query: str, write: bool = False, **parameters: object) -> cypher.CypherAnswer:
    with open_store(url) as store:
        return cypher.ask(store, query, parameters, write)


@pytest.fixture(scope="module")
def examples(pushed_alone, example_store) -> str:
    """The URL of a Neo4j database with the example papers."""
    return pushed_alone(example_store)


@pytest.mark.parametrize("query", QUESTIONS)
def test_each_question_has_an_answer(examples, query):
    assert ask(examples, query).rows


def test_a_lineage_is_that_of_the_store(examples, example_store):
    with open_store(example_store) as store, store.snapshot() as reader:
        lineage = trace(reader, "ZeRO-Infinity", Selection(max_depth=3))
    expected = [(node.work.id, node.work.name, node.depth) for node in lineage.nodes]
    rows = ask(examples, QUESTIONS[0]).rows
    assert sorted(map(tuple, rows)) == sorted(expected)


PATH = (
    "MATCH path = (x:Entity {name: $name})<-[r:DERIVES_FROM]-(y) "
    "RETURN y, r, path, y.aliases AS aliases, y.published AS date ORDER BY y.id LIMIT 1"
)


def test_values_are_printed_as_json_and_as_a_table(examples):
    command = ("cypher", PATH, "-p", "name=ZeRO-Infinity", "-s", examples)
    (row,) = json.loads(stemma(*command, "-f", "json").stdout)
    node, edge, path = row["y"], row["r"], row["path"]
    assert (node["labels"], node["properties"]["id"]) == (["Entity", "Framework"], "entity/fuyou")
    assert (edge["type"], edge["start"]) == ("DERIVES_FROM", node["id"])
    assert [each["id"] for each in path["nodes"]] == [edge["end"], edge["start"]]
    assert path["relationships"] == [edge]
    assert row["date"] == node["properties"]["published"]
    table = stemma(*command).stdout
    assert '(:Entity:Framework {"name": "Fuyou"})' in table
    assert "<-[:DERIVES_FROM]-" in table


@pytest.mark.parametrize(
    ("given", "value"),
    [
        ("x=2023", 2023),
        ('x=["a", "b"]', ["a", "b"]),
        (r'x="a \"b\" \\ \n"', 'a "b" \\ \n'),
        ("x=NaN", "NaN"),
        ('x="}) DETACH DELETE n //', '"}) DETACH DELETE n //'),
    ],
)
def test_parameters_are_json_where_they_parse(examples, given, value):
    done = stemma("cypher", "RETURN $x AS x", "-p", given, "-s", examples, "-f", "json")
    assert json.loads(done.stdout) == [{"x": value}]


def test_writing_needs_a_word(examples):
    assert "--write" in refused("cypher", "CREATE (:Mine {id: 1})", "--store", examples)
    assert ask(examples, "MATCH (n:Mine) RETURN count(n)").rows == [[0]]
    done = stemma("cypher", "CREATE (:Mine {id: 1})", "--write", "-s", examples)
    assert done.returncode == 0, done.stderr
    assert "1 nodes created" in done.stderr
    assert ask(examples, "MATCH (n:Mine) DELETE n", write=True).written == {"nodes_deleted": 1}


def test_what_the_server_does_not_understand_it_says_in_its_own_words(examples):
    assert "Invalid input" in refused("cypher", "MATCH (n RETURN n", "--store", examples)
    with pytest.raises(StoreError, match="64-bit"):
        ask(examples, "RETURN $x", x=2**64)


@pytest.mark.parametrize("value", ["\ud800", ["a", {"b": "\udfff"}]])
def test_what_is_no_text_is_refused(value):
    with pytest.raises(StoreError, match="not valid text"):
        ask("neo4j://localhost:1", "RETURN $x", x=value)


def test_a_store_in_a_file_says_where_to_ask(example_store):
    assert "push it to Neo4j" in refused("cypher", "RETURN 1", "--store", example_store)
