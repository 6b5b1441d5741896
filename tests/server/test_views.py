"""Views: one shape of each answer, whatever interface gives it."""

import asyncio
import json
import sys
from collections.abc import Callable, Iterator
from dataclasses import fields
from typing import Any

import httpx
import jsonschema
import pytest
from mcp import Client

from command import answer
from requested import requested_fields
from stemma import Stemma
from stemma.graph import open_store
from stemma.server.mcp.server import make_server
from stemma.server.views.analysis import AnalysisView
from stemma.server.views.answer import AnswerView
from stemma.server.views.build import BuildView, StatisticsView
from stemma.server.views.comparison import ComparisonOfWorks
from stemma.server.views.describing import json_schema
from stemma.server.views.lineage import LineageView
from stemma.server.views.page import PageView
from stemma.server.views.path import PathView
from stemma.server.views.profile import ProfileView
from stemma.server.views.statement import StatementView
from stemma.server.views.view import View, documented_fields

ANSWERS: dict[type[View], Callable[[Stemma], View]] = {
    LineageView: lambda graph: graph.lineage("ZeRO-Infinity", max_depth=2, first=3),
    PathView: lambda graph: graph.path("Fuyou", "ZeRO"),
    ComparisonOfWorks: lambda graph: graph.compare("Punica", "S-LoRA"),
    AnswerView: lambda graph: graph.ask("what compares with vLLM?"),
    StatisticsView: lambda graph: graph.statistics(),
    BuildView: lambda graph: graph.changes()[0],
    StatementView: lambda graph: graph.statements("LoRA")[0],
}


def all_views(of: type[View] = View) -> Iterator[type[View]]:
    for each in of.__subclasses__():
        # A class with slots is made twice; the module has one.
        if getattr(sys.modules[each.__module__], each.__name__, None) is each:
            yield each
        yield from all_views(each)


def by_graphql(url: str, query: str, view: type[View]) -> Any:
    query = f"{{ found: {query} {requested_fields(view)} }}"
    got = httpx.post(f"{url}/graphql", json={"query": query}).json()
    assert "errors" not in got, got
    return got["data"]["found"]


def by_assistant(store: str, tool: str, **arguments: object) -> dict[str, Any]:
    async def ask() -> Any:
        async with Client(make_server(open_store(store), 30)) as client:
            return (await client.call_tool(tool, arguments)).structured_content

    found: dict[str, Any] = asyncio.run(ask())
    return found


def test_every_field_is_described_or_private() -> None:
    private = {"model", "works", "filter", "named", "dates", "alike", "item"}
    for view in all_views():
        for each in fields(view):
            assert each.metadata.get("help") or each.name in private, (view, each.name)
        assert view.__doc__


@pytest.mark.parametrize("view", ANSWERS, ids=lambda view: view.__name__)
def test_json_is_as_its_schema_says(example_store: str, view: type[View]) -> None:
    with Stemma(example_store) as graph:
        found = ANSWERS[view](graph)
    assert type(found) is view
    jsonschema.validate(found.to_json(), json_schema(view))
    json.dumps(found.to_json())


@pytest.mark.parametrize("view", ANSWERS, ids=lambda view: view.__name__)
def test_rows_have_the_columns_of_their_view(example_store: str, view: type[View]) -> None:
    with Stemma(example_store) as graph:
        found = ANSWERS[view](graph)
    for row in found.to_rows():
        assert list(row) == list(view.columns())
        assert all(not isinstance(cell, list | dict | tuple) for cell in row.values())


@pytest.mark.parametrize(
    ("view", "query"),
    [
        (LineageView, 'lineage(of: "ZeRO-Infinity", maxDepth: 2, first: 3)'),
        (ComparisonOfWorks, 'compare(left: "Punica", right: "S-LoRA")'),
        (AnswerView, 'ask(question: "what compares with vLLM?")'),
        (StatisticsView, "statistics"),
    ],
    ids=lambda given: given if isinstance(given, str) else given.__name__,
)
def test_graphql_answers_the_same(
    example_store: str, server_url: str, view: type[View], query: str
) -> None:
    with Stemma(example_store) as graph:
        assert by_graphql(server_url, query, view) == ANSWERS[view](graph).to_json()


@pytest.mark.parametrize(
    ("view", "command"),
    [
        (LineageView, ["lineage", "ZeRO-Infinity", "--depth", "2", "--first", "3"]),
        (PathView, ["path", "Fuyou", "ZeRO"]),
        (ComparisonOfWorks, ["compare", "Punica", "S-LoRA"]),
        (AnswerView, ["ask", "what compares with vLLM?"]),
        (StatisticsView, ["show"]),
    ],
    ids=lambda given: given[0] if isinstance(given, list) else given.__name__,
)
def test_the_command_line_answers_the_same(
    example_store: str, view: type[View], command: list[str]
) -> None:
    with Stemma(example_store) as graph:
        expected = ANSWERS[view](graph).to_json()
    assert json.loads(answer(*command, "--format", "json", "--store", example_store)) == expected


def test_a_lineage_document_is_the_same_in_one_page(example_store: str, server_url: str) -> None:
    document = httpx.get(f"{server_url}/lineage/entity/zero-infinity.json?maxDepth=2").json()
    with Stemma(example_store) as graph:
        expected = graph.lineage("ZeRO-Infinity", max_depth=2, first=1000).to_json()
    del document["generation"]
    in_order = sorted(expected["edges"], key=lambda e: (e["child"]["id"], e["parent"]["id"]))
    assert document == {**expected, "edges": in_order, "endCursor": None}


@pytest.mark.parametrize(
    ("view", "tool", "arguments"),
    [
        (LineageView, "lineage", {"of": "ZeRO-Infinity", "max_depth": 2, "first": 3, "quotes": 20}),
        (PathView, "path", {"start": "Fuyou", "goal": "ZeRO", "quotes": 20}),
    ],
    ids=["lineage", "path"],
)
def test_assistants_get_the_same_without_what_is_not_known(
    example_store: str, view: type[View], tool: str, arguments: dict[str, object]
) -> None:
    def known(value: Any) -> Any:
        if isinstance(value, dict):
            offsets = ("start", "end") if "field" in value else ()
            shown = {k: v for k, v in value.items() if v is not None and k not in offsets}
            return {name: known(each) for name, each in shown.items()}
        return [known(each) for each in value] if isinstance(value, list) else value

    found = by_assistant(example_store, tool, **arguments)
    assert found.pop("notice") and found.pop("coverage")["papers"] > 0
    with Stemma(example_store) as graph:
        assert found == known(ANSWERS[view](graph).to_json())


def test_views_have_no_public_name_twice() -> None:
    names = [each.__name__ for each in all_views()]
    assert len(set(names)) == len(set(all_views()))
    assert {AnalysisView, ProfileView, PageView} <= set(all_views())
    assert all(list(documented_fields(each)) for each in all_views())
