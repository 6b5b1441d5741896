"""The questions of docs/sparql.md: answered on the examples as GraphQL answers them."""

import re
from collections.abc import Iterator
from itertools import pairwise
from pathlib import Path
from typing import Any

import httpx
import pyoxigraph as ox
import pytest

from stemma.server.example import read_examples
from stemma.server.sparql import example

ROOT = Path(__file__).parents[2]
IDS = "https://w3id.org/stemma/id/"
ONTOLOGY = "https://w3id.org/stemma/ontology#"
Row = tuple[str | None, ...]
_FILES = Path(example.__file__).with_name("examples")
EXAMPLES = tuple(read_examples(_FILES, "rq").values())


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

    def construct(self, question: int) -> ox.Store:
        parameters = {"query": EXAMPLES[question - 1].query}
        accept = {"accept": "application/n-triples"}
        response = httpx.get(f"{self._url}/sparql", params=parameters, headers=accept)
        store = ox.Store()
        store.load(response.content, ox.RdfFormat.N_TRIPLES)
        return store

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
    queries = re.findall(r"```sparql\n(.*?)```", text, re.DOTALL)
    assert queries == [each.query.partition("\n")[2] for each in EXAMPLES]
    assert len(queries) >= 12


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
    found = service.sparql(14, "title", "citations")
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


def test_how_two_works_are_related(service: Service) -> None:
    below = {each["work"]["name"] for each in service.lineage("ZeRO")["nodes"]} | {"ZeRO"}
    above = edges(service.lineage("Fuyou", "ANCESTORS"))
    found = set(service.sparql(4, "child", "parent"))
    assert found == {(child, parent) for child, parent in above if parent in below}
    assert ("Fuyou", "ZeRO-Infinity") in found


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
    found = service.sparql(5, "title", "baseline", "factor", "metric", "condition")
    assert {(t, b, float(f or 0), m, c) for t, b, f, m, c in found} >= said
    assert said


def test_which_hardware_papers_run_on(service: Service) -> None:
    found = service.sparql(6, "hardware", "papers")
    query = """query ($name: String!) {
      entity(name: $name) { kind papers(relations: [RUNS_ON], first: 1) { totalCount } } }"""
    for name, papers in found:
        entity = service.graphql(query, name=name)["entity"]
        assert entity == {"kind": "HARDWARE", "papers": {"totalCount": int(papers or 0)}}
    assert len(found) > 5


def test_what_was_introduced_in_a_year(service: Service) -> None:
    found = service.sparql(7, "published", "name", "title")
    said = {
        (paper["published"], entity["name"], paper["title"])
        for paper in service.papers("published introduces { name }", since=2023, until=2023)
        for entity in paper["introduces"]
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
    assert set(service.sparql(8, "title", "dataset")) == said
    assert said


def test_by_which_names_it_is_known(service: Service) -> None:
    query = '{ entity(name: "FlashAttention") { name aliases broader { name } } }'
    entity = service.graphql(query)["entity"]
    found = service.sparql(9, "name", "broader")
    assert {name for name, _ in found} == {entity["name"], *entity["aliases"]}
    assert {each for _, each in found} == {each["name"] for each in entity["broader"]}


def test_what_has_most_descendants(service: Service) -> None:
    found = service.sparql(10, "name", "descendants")
    for name, descendants in found:
        assert len(service.lineage(str(name))["nodes"]) == int(descendants or 0)
    assert len(found) == 10


def test_what_papers_say_for_sure(service: Service) -> None:
    statements = "statements(relations: [BUILDS_ON]) { nodes { confidence entity { name } } }"
    said = {
        (paper["title"], each["entity"]["name"], each["confidence"])
        for paper in service.papers(statements)
        for each in paper["statements"]["nodes"]
        if each["confidence"] >= 0.5
    }
    found = service.sparql(11, "title", "parent", "confidence")
    assert {(title, parent, float(sure or 0)) for title, parent, sure in found} == said
    assert said


def test_which_papers_extend_which(service: Service) -> None:
    statements = (
        "statements(relations: [BUILDS_ON]) { nodes { entity { introducedBy { title } } } }"
    )
    said = {
        (paper["title"], each["title"])
        for paper in service.papers(statements)
        for statement in paper["statements"]["nodes"]
        for each in statement["entity"]["introducedBy"]
    }
    # A citation needs besides that the cited paper is not the younger one.
    found = set(service.sparql(12, "later", "earlier"))
    assert found
    assert found <= said


def test_the_graph_of_one_paper(service: Service) -> None:
    graph = service.construct(13)
    statements = "statements(first: 100) { nodes { relation entity { id } } } introduces { name }"
    (paper,) = (
        each
        for each in service.papers(statements)
        if "Fuyou" in [entity["name"] for entity in each["introduces"]]
    )
    for each in paper["statements"]["nodes"]:
        head, *tail = each["relation"].lower().split("_")
        term = ONTOLOGY + head + "".join(word.capitalize() for word in tail)
        about = ox.NamedNode(IDS + paper["id"]), ox.NamedNode(term)
        assert ox.Quad(*about, ox.NamedNode(IDS + each["entity"]["id"])) in graph
    assert paper["statements"]["nodes"]
