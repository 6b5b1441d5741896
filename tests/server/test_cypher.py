"""`stemma cypher`, and the questions of docs/cypher.md where they say that they run."""

import json
import re
from collections.abc import Iterator
from pathlib import Path

import pytest

from command import refused, stemma
from described import describe
from filled import stored
from stemma.graph import StoreError
from stemma.graph.cypher import CypherAnswer, Node, ask, embedded
from stemma.graph.cypher import Path as Way
from stemma.schema import Extraction

ROOT = Path(__file__).parents[2]
_PARTS = re.compile(
    r"^### (?P<title>[^\n]+)$|^Runs on: (?P<stores>[^\n]+)\n\n```cypher\n(?P<query>.+?)\n```$",
    re.MULTILINE | re.DOTALL,
)
NEO4J, FILES = "Neo4j", "files"


def _questions() -> Iterator[tuple[str, str, set[str]]]:
    title = ""
    pages = ((ROOT / "docs" / f"{name}.md").read_text("utf-8") for name in ("cypher", "neo4j"))
    for found in _PARTS.finditer("\n".join(pages)):
        title = found["title"] or title
        if found["query"]:
            yield title, found["query"], set(found["stores"].split(", "))


QUESTIONS = list(_questions())
"""Titles, questions, and where they run."""


@pytest.fixture(scope="module")
def neo4j_examples(pushed_alone, example_store) -> str:
    """The URL of a Neo4j database with the example papers."""
    return pushed_alone(example_store)


@pytest.fixture(scope="module")
def folder(example_store) -> str:
    """The path of a store with the example papers, where ladybug is installed."""
    pytest.importorskip("ladybug")
    return example_store


def comparable(answer: CypherAnswer) -> list[str]:
    """Return the rows, nodes by their ids in the graph."""

    def of(value):
        match value:
            case Node():
                return value.properties["id"]
            case Way():
                return [of(each) for each in value.nodes]
            case list():
                return sorted(map(str, map(of, value)))
        return value

    return [str([of(value) for value in row]) for row in answer.rows]


COUNT = "MATCH (e:Entity) WITH count(e) AS entities MATCH (p:Paper) RETURN entities, count(p)"


def papers(count: int) -> list[Extraction]:
    """Return papers that each name a model of their own."""
    names = [f"Kiln{number}" for number in range(count)]
    return [describe(f"{each}: hot", f"{each} runs.", f"model {each}: USES") for each in names]


def test_a_graph_is_copied_in_batches(tmp_path, monkeypatch):
    pytest.importorskip("ladybug")
    monkeypatch.setattr(embedded, "_BATCH", 3)
    assert ask(stored(tmp_path, *papers(7)), COUNT).rows == [[7, 7]]


@pytest.mark.parametrize(
    "query", [query for _, query, stores in QUESTIONS if stores == {NEO4J, FILES}]
)
def test_a_file_gives_the_answers_of_neo4j(neo4j_examples, folder, query):
    here, there = ask(folder, query), ask(neo4j_examples, query)
    assert here.rows
    assert list(here.columns) == list(there.columns)
    assert comparable(here) == comparable(there)


@pytest.mark.parametrize("query", [query for _, query, stores in QUESTIONS if stores == {NEO4J}])
def test_what_runs_on_neo4j_alone_is_refused_elsewhere_with_a_reason(neo4j_examples, folder, query):
    assert ask(neo4j_examples, query).rows
    with pytest.raises(StoreError, match=r"use Neo4j|labels Paper, Entity and Author"):
        ask(folder, query)


class TestTheCommand:
    QUERY = (
        "MATCH path = (x:Entity {name: $name})<-[r:DERIVES_FROM]-(y) "
        "RETURN y, r, path, y.aliases AS aliases ORDER BY y.id LIMIT 1"
    )

    def test_it_prints_json(self, folder):
        done = stemma("cypher", self.QUERY, "-p", "name=ZeRO-Infinity", "-s", folder, "-f", "json")
        (row,) = json.loads(done.stdout)
        node, edge = row["y"], row["r"]
        assert (node["labels"], node["properties"]["id"]) == (["Entity"], "entity/fuyou")
        assert (edge["type"], edge["start"]) == ("DERIVES_FROM", node["id"])

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
    def test_parameters_are_json_where_they_parse(self, folder, given, value):
        done = stemma("cypher", "RETURN $x AS x", "-p", given, "-s", folder, "-f", "json")
        assert json.loads(done.stdout) == [{"x": value}]

    def test_writing_needs_a_word(self, neo4j_examples):
        assert "--write" in refused("cypher", "CREATE (:Mine {id: 1})", "--store", neo4j_examples)
        assert ask(neo4j_examples, "MATCH (n:Mine) RETURN count(n)").rows == [[0]]
        done = stemma("cypher", "CREATE (:Mine {id: 1})", "--write", "-s", neo4j_examples)
        assert done.returncode == 0, done.stderr
        assert "1 nodes created" in done.stderr
        assert ask(neo4j_examples, "MATCH (n:Mine) DELETE n", write=True).written == {
            "nodes_deleted": 1
        }

    def test_what_the_server_does_not_understand_it_says_in_its_own_words(self, neo4j_examples):
        assert "Invalid input" in refused("cypher", "MATCH (n RETURN n", "--store", neo4j_examples)
        with pytest.raises(StoreError, match="64-bit"):
            ask(neo4j_examples, "RETURN $x", {"x": 2**64})


class TestAFolder:
    @pytest.mark.parametrize(
        "query",
        [
            "CREATE (:Entity {id: 'entity/x'})",
            "MATCH (n:Entity) DETACH DELETE n",
            "CHECKPOINT",
            "/* MATCH */ // MATCH\n COPY (MATCH (e:Entity) RETURN e.id) TO 'stolen.csv'",
            "MATCH (n) RETURN n; COPY (MATCH (e:Entity) RETURN e.id) TO 'stolen.csv'",
            "EXPORT DATABASE 'stolen'",
        ],
    )
    def test_is_only_read(self, folder, query, tmp_path, monkeypatch):
        monkeypatch.chdir(tmp_path)
        count = "MATCH (n:Entity) RETURN count(n)"
        before = ask(folder, count).rows
        for write, said in ((False, "."), (True, "stemma build")):
            with pytest.raises(StoreError, match=said):
                ask(folder, query, write=write)
        assert ask(folder, count).rows == before
        assert not list(tmp_path.iterdir())

    @pytest.mark.parametrize(
        "query",
        [
            "UNWIND [1] AS x LOAD FROM '{file}' RETURN *",
            'UNWIND [1] AS x load\tfrom "{file}" RETURN *',
            "UNWIND [1] AS x LOAD/* */FROM '{file}' RETURN *",
            "UNWIND [1] AS `x`LOAD FROM '{file}' RETURN *",
            "WITH 1 AS x LIMIT 1e1LOAD FROM '{file}' RETURN *",
            "UNWIND ['\\''] AS x LOAD FROM '{file}' RETURN *",
            "RETURN 'a' AS x UNION ALL LOAD FROM '{file}' RETURN column0",
            "UNWIND [1] AS x /* **/ ' */ LOAD FROM '{file}' RETURN * //'",
            "UNWIND [1] AS x // '\nLOAD FROM '{file}' RETURN * //'",
            "UNWIND [1] AS x CALL show_tables() RETURN *",
            "UNWIND [1] AS x CALL read_csv_serial('{file}') RETURN *",
        ],
    )
    def test_reads_nothing_but_the_graph(self, folder, query, tmp_path):
        secret = tmp_path / "secret.csv"
        secret.write_text("a,b\n")
        with pytest.raises(StoreError):
            ask(folder, query.format(file=secret))

    @pytest.mark.parametrize(
        ("query", "found"),
        [
            ("RETURN 'CALL me \\' LOAD FROM' AS x", "CALL me ' LOAD FROM"),
            ('WITH "CALL" AS workload /* LOAD FROM */ RETURN workload // CALL', "CALL"),
            ("WITH 1 AS `load` RETURN `load`", 1),
            ("/* a\nb */ WITH 1 AS recall RETURN recall", 1),
        ],
    )
    def test_takes_words_that_only_look_dangerous(self, folder, query, found):
        assert ask(folder, query).rows == [[found]]

    @pytest.mark.parametrize(
        ("query", "advice"),
        [
            ("WITH 1 AS load RETURN load", r"`load`"),
            ("MATCH (h:Hardware) RETURN h", r'\(:Entity \{kind: "hardware"\}\)'),
        ],
    )
    def test_says_how_to_write_what_it_lacks_or_takes_for_dangerous(self, folder, query, advice):
        with pytest.raises(StoreError, match=advice):
            ask(folder, query)

    @pytest.mark.parametrize(
        ("value", "reason"),
        [
            *((each, "parameter x") for each in (2**64, [], [1, "a"], {"a": 1})),
            *((each, "not valid text") for each in ("\ud800", ["a", {"b": "\udfff"}])),
        ],
    )
    def test_says_which_parameters_it_takes(self, folder, value, reason):
        with pytest.raises(StoreError, match=reason):
            ask(folder, "RETURN $x", {"x": value})

    def test_a_file_that_is_damaged_or_of_fewer_papers_is_made_again(self, tmp_path):
        pytest.importorskip("ladybug")
        store = stored(tmp_path, *papers(2))
        assert ask(store, COUNT).rows == [[2, 2]]
        (made,) = tmp_path.glob("**/*.lbug")
        made.write_bytes(made.read_bytes()[:5000])
        made.with_name("cypher-of-a-killed-process.lbug.0f").write_bytes(b"")
        assert ask(store, COUNT).rows == [[2, 2]]
        assert list(made.parent.glob("cypher-*")) == [made]
        stored(tmp_path, *papers(4))
        assert ask(store, COUNT).rows == [[4, 4]]
