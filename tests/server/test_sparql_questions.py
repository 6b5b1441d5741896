"""The questions of docs/sparql.md: answered on the examples as GraphQL answers them."""

import re
from collections.abc import Iterator
from itertools import pairwise
from pathlib import Path
from typing import Any

import httpx
import pytest

from stemma.server.example import Example
from stemma.server.sparql import example

ROOT = Path(__file__).parents[2]
IDS = "https://w3id.org/stemma/id/"
ONTOLOGY = "https://w3id.org/stemma/ontology#"
Row = tuple[str | None, ...]
_FILES = Path(example.__file__).with_name("examples")
EXAMPLES = tuple(map(Example.read, sorted(_FILES.glob("*.rq"))))


class Service:
    """A running server, asked either way."""

    def __init__(self, url: str) -> None:
        self._url = url

    def sparql(self, question: int, *variables: str) -> list[Row]:
        """Answer a question, counted from 1, with the values of these variables."""
        parameters = {"query": EXAMPLES[question - 1].query}
        response = httpx.get(f"{self._url}/sparql", params=parameters)
        assert response.status_code == 200, response.text
        return [
            tuple(
                row[each]["value"].removeprefix(IDS) if each in row else None for each in variables
            )
            for row in response.json()["results"]["bindings"]
        ]

    def graphql(self, query: str, **variables: object) -> dict[str, Any]:
        asked = {"query": query, "variables": variables}
        found = httpx.post(f"{self._url}/graphql", json=asked).json()
        assert "errors" not in found, found["errors"]
        data: dict[str, Any] = found["data"]
        return data

    def lineage(self, of: str, direction: str = "DESCENDANTS") -> dict[str, Any]:
        query = """query ($of: String!, $direction: LineageDirection!) {
          lineage(of: $of, direction: $direction, maxDepth: 20, first: 2000) {
            nodes { work { id name } }
            edges { child { id name } parent { id name }
              statements { relation confidence paper { title } evidence { text } } }
            truncated
          } }"""
        found: dict[str, Any] = self.graphql(query, of=of, direction=direction)["lineage"]
        assert not found["truncated"]
        return found

    def papers(self, selection: str, **arguments: object) -> Iterator[dict[str, Any]]:
        """Yield all papers with what is selected of them."""
        given = "".join(f", {name}: {value}" for name, value in arguments.items())
        after = "null"
        while True:
            query = f"""{{ papers(first: 100, after: {after}{given}) {{
              nodes {{ id title {selection} }} pageInfo {{ hasNextPage endCursor }} }} }}"""
            page = self.graphql(query)["papers"]
            yield from page["nodes"]
            if not page["pageInfo"]["hasNextPage"]:
                return
            after = f'"{page["pageInfo"]["endCursor"]}"'


@pytest.fixture(scope="module")
def service(server_url: str) -> Service:
    return Service(server_url)


def test_the_page_of_documentation_has_each_of_them() -> None:
    text = (ROOT / "docs" / "sparql.md").read_text("utf-8")
    headings = re.findall(r"^### \d+\. (.*)$", text, re.MULTILINE)
    assert headings == [each.question for each in EXAMPLES]
    _, *queries = re.findall(r"```sparql\n(.*?)```", text, re.DOTALL)
    assert queries == [each.query.partition("\n")[2] for each in EXAMPLES]
    assert len(queries) == 10


def test_nothing_comes_after_what_is_optional() -> None:
    """Oxigraph joins in the order of the text then: minutes instead of a moment, of many papers."""
    for each in EXAMPLES:
        lines = [line.strip() for line in each.query.splitlines()]
        for line, following in pairwise(lines):
            if line.startswith("OPTIONAL"):
                assert following.startswith(("OPTIONAL", "}")), each.question


def test_what_builds_on_a_work(service: Service) -> None:
    found = service.sparql(1, "work", "name")
    nodes = service.lineage("ZeRO-Infinity")["nodes"]
    assert sorted(found) == sorted((each["work"]["id"], each["work"]["name"]) for each in nodes)
    assert "Fuyou" in [name for _, name in found]


def test_the_sentences_that_say_so(service: Service) -> None:
    said = {
        (
            edge["child"]["id"],
            statement["paper"]["title"],
            statement["relation"],
            statement["confidence"],
            each["text"],
        )
        for edge in service.lineage("ZeRO-Infinity")["edges"]
        if edge["parent"]["name"] == "ZeRO-Infinity"
        for statement in edge["statements"]
        if statement["paper"]
        for each in statement["evidence"]
    }
    names = {f"{ONTOLOGY}buildsOn": "BUILDS_ON", f"{ONTOLOGY}improvesOn": "IMPROVES_ON"}
    found = service.sparql(2, "work", "title", "relation", "confidence", "sentence")
    assert {(w, t, names[str(r)], float(c or 0), s) for w, t, r, c, s in found} == said
    assert said


def test_papers_of_an_author(service: Service) -> None:
    found = service.sparql(10, "title", "citations")
    asked = '{ papers(author: "Tri Dao") { nodes { title citedBy { totalCount } } } }'
    nodes = service.graphql(asked)["papers"]["nodes"]
    assert {(title, int(count or 0)) for title, count in found} == {
        (each["title"], each["citedBy"]["totalCount"]) for each in nodes
    }


def edges(lineage: dict[str, Any]) -> set[Row]:
    return {(each["child"]["name"], each["parent"]["name"]) for each in lineage["edges"]}


def test_where_an_idea_came_from(service: Service) -> None:
    found = service.sparql(3, "child", "parent")
    assert set(found) == edges(service.lineage("FlashAttention-3", "ANCESTORS"))
    assert ("FlashAttention-2", "FlashAttention") in found
    assert len(found) == len(set(found))


def test_how_comparisons_turn_out(service: Service) -> None:
    statements = """statements(relations: [COMPARES_WITH]) { nodes {
      entity { name } comparison { factor direction metric condition } } }"""
    said = {
        (
            paper["title"],
            each["entity"]["name"],
            each["comparison"]["factor"],
            each["comparison"]["metric"],
            each["comparison"]["condition"],
        )
        for paper in service.papers(statements)
        for each in paper["statements"]["nodes"]
        if each["comparison"]
        and each["comparison"]["factor"]
        and each["comparison"]["direction"] == "BETTER"
    }
    found = service.sparql(4, "title", "baseline", "factor", "metric", "condition")
    assert {(t, b, float(f or 0), m, c) for t, b, f, m, c in found} >= said
    assert said


def test_which_hardware_papers_run_on(service: Service) -> None:
    found = service.sparql(5, "hardware", "papers")
    query = """query ($name: String!) {
      entity(name: $name) { kind papers(relations: [RUNS_ON], first: 1) { totalCount } } }"""
    for name, papers in found:
        entity = service.graphql(query, name=name)["entity"]
        assert entity == {"kind": "HARDWARE", "papers": {"totalCount": int(papers or 0)}}
    assert len(found) > 5


def test_what_appeared_in_a_year(service: Service) -> None:
    found = service.sparql(6, "date", "kind", "name")
    said = {
        (entity["published"], f"{ONTOLOGY}{entity['kind'].capitalize()}", entity["name"])
        for paper in service.papers("introduces { published kind name }")
        for entity in paper["introduces"]
        if entity["published"].startswith("2023")
    }
    assert set(found) == said
    assert said


def test_what_is_evaluated_on_a_dataset_or_a_part_of_it(service: Service) -> None:
    query = "query ($id: ID!) { entity(id: $id) { name narrower { id } } }"
    waiting, names = ["entity/imagenet"], {}
    while waiting:
        id_ = waiting.pop()
        entity = service.graphql(query, id=id_)["entity"]
        names[id_] = entity["name"]
        waiting += [each["id"] for each in entity["narrower"] if each["id"] not in names]
    statements = "statements(relations: [EVALUATED_ON]) { nodes { entity { id } } }"
    said = {
        (paper["title"], names[each["entity"]["id"]])
        for paper in service.papers(statements)
        for each in paper["statements"]["nodes"]
        if each["entity"]["id"] in names
    }
    assert set(service.sparql(7, "title", "dataset")) == said
    assert said


def test_what_a_work_is(service: Service) -> None:
    query = '{ entity(name: "FlashAttention") { name kind published aliases broader { name } } }'
    entity = service.graphql(query)["entity"]
    found = service.sparql(8, "kind", "date", "name", "broader")
    kind, date, names, broader = map(set, zip(*found, strict=True))
    assert (kind, date) == ({f"{ONTOLOGY}Technique"}, {entity["published"]})
    assert names == {entity["name"], *entity["aliases"]}
    assert broader == {each["name"] for each in entity["broader"]}


def test_what_has_most_descendants(service: Service) -> None:
    found = service.sparql(9, "name", "descendants")
    for name, descendants in found:
        assert len(service.lineage(str(name))["nodes"]) == int(descendants or 0)
    assert len(found) == 10
