"""Views: one shape of each answer, whatever interface gives it."""

import json
import sys
from collections.abc import Callable, Iterator
from dataclasses import dataclass, fields
from typing import Any

import jsonschema
import pytest

from asked import by_assistant, by_graphql
from command import answer
from requested import requested_fields
from stemma import Stemma
from stemma.server.views.answer import AnswerView
from stemma.server.views.build import BuildView, StatisticsView
from stemma.server.views.describing import json_schema
from stemma.server.views.lineage import LineageView
from stemma.server.views.page import WorkPage
from stemma.server.views.path import PathView
from stemma.server.views.side_by_side import ComparisonOfWorks
from stemma.server.views.statement import EdgeView, StatementView
from stemma.server.views.view import View, documented_fields


@dataclass(frozen=True)
class Question:
    """A question in Python, and in the other interfaces that have it."""

    view: type[View[Any]]
    in_python: Callable[[Stemma], View[Any]]
    in_graphql: str = ""
    command: tuple[str, ...] = ()
    tool: str = ""
    arguments: tuple[tuple[str, object], ...] = ()


def lineage(in_graphql: str, *options: str, **chosen: Any) -> Question:
    """The lineage of ZeRO, of which something is chosen."""
    return Question(
        LineageView,
        lambda graph: graph.lineage("ZeRO", **chosen),
        f'lineage(of: "ZeRO", {in_graphql})',
        ("lineage", "ZeRO", *options),
        "lineage",
        (("of", "ZeRO"), ("first", 50), ("quotes", 20), *chosen.items()),
    )


QUESTIONS = {
    "lineage page by page": lineage(
        "maxDepth: 2, first: 3", "--depth", "2", "--first", "3", max_depth=2, first=3
    ),
    "ancestors": lineage("direction: ANCESTORS", "--direction", "ancestors", direction="ancestors"),
    "lineage as of a day": lineage(
        'asOf: "2021-04-15"', "--as-of", "2021-04-15", as_of="2021-04-15"
    ),
    "lineage by date": lineage("order: DATE", "--order", "date", order="DATE"),
    "lineage of what is sure": lineage(
        "minConfidence: 0.6", "--min-confidence", "0.6", min_confidence=0.6
    ),
    "lineage without the catalogue": lineage(
        "includeCatalogue: false", "--no-catalogue", include_catalogue=False
    ),
    "lineage by improvement": lineage(
        "relations: [IMPROVES_ON]", "--relation", "IMPROVES_ON", relations=["IMPROVES_ON"]
    ),
    "lineage of a kind": lineage("kinds: [TECHNIQUE]", "--kind", "technique", kinds=["technique"]),
    "lineage of some years": lineage(
        *("since: 2021, until: 2022", "--since", "2021", "--until", "2022"), since=2021, until=2022
    ),
    "path": Question(
        PathView,
        lambda graph: graph.path("Fuyou", "ZeRO"),
        command=("path", "Fuyou", "ZeRO"),
        tool="path",
        arguments=(("start", "Fuyou"), ("goal", "ZeRO"), ("quotes", 20)),
    ),
    "comparison": Question(
        ComparisonOfWorks,
        lambda graph: graph.compare("Fuyou", "ZeRO-Infinity"),
        'compare(left: "Fuyou", right: "ZeRO-Infinity")',
        ("compare", "Fuyou", "ZeRO-Infinity"),
        "compare",
        (("left", "Fuyou"), ("right", "ZeRO-Infinity")),
    ),
    "question in words": Question(
        AnswerView,
        lambda graph: graph.ask("what compares with vLLM?"),
        'ask(question: "what compares with vLLM?")',
        ("ask", "what compares with vLLM?"),
        "ask",
        (("question", "what compares with vLLM?"),),
    ),
    "papers of an author": Question(
        WorkPage,
        lambda graph: graph.papers(author="Tri Dao", first=3),
        command=("search", "--author", "Tri Dao", "--first", "3"),
    ),
    "search": Question(
        WorkPage,
        lambda graph: graph.search("infinity"),
        command=("search", "infinity"),
        tool="search",
        arguments=(("text", "infinity"),),
    ),
    "statistics": Question(
        StatisticsView, lambda graph: graph.statistics(), "statistics", ("show",)
    ),
    "first edge of a path": Question(
        EdgeView,
        lambda graph: graph.path("Fuyou", "ZeRO").edges[0],
        'path(from: "Fuyou", to: "ZeRO")',
    ),
    "builds": Question(BuildView, lambda graph: graph.changes()[0], "changes"),
    "statements": Question(StatementView, lambda graph: graph.statements("LoRA")[0]),
}


def those_with(interface: str) -> pytest.MarkDecorator:
    """The questions that an interface has."""
    found = {name: each for name, each in QUESTIONS.items() if getattr(each, interface)}
    return pytest.mark.parametrize("question", found.values(), ids=found)


def all_views(of: type[View[Any]] = View) -> Iterator[type[View[Any]]]:
    for each in of.__subclasses__():
        # A class with slots is made twice; the module has one.
        if getattr(sys.modules[each.__module__], each.__name__, None) is each:
            yield each
        yield from all_views(each)


def test_every_field_is_described_or_private():
    private = {"model", "selection", "named", "dates", "first", "cursors"}
    for view in all_views():
        assert view.__doc__
        assert list(documented_fields(view))
        for each in fields(view):
            assert each.metadata.get("help") or each.name in private, (view, each.name)
    names = [each.__name__ for each in all_views()]
    assert len(set(names)) == len(set(all_views())), "no two have one public name"


@those_with("in_python")
def test_json_and_rows_are_as_their_view_says(graph, question):
    found = question.in_python(graph)
    assert type(found) is question.view
    if question.view is LineageView:
        assert found.to_json() != graph.lineage("ZeRO").to_json(), "something is chosen"
    json.dumps(found.to_json())
    jsonschema.validate(found.to_json(), json_schema(question.view))
    for row in found.to_rows():
        assert list(row) == list(found.headings())
        assert all(not isinstance(cell, list | dict | tuple) for cell in row.values())


@those_with("in_graphql")
def test_graphql_answers_the_same(graph, client, question):
    asked = requested_fields(question.view)
    if is_page := question.view is BuildView:
        asked = f"{{ nodes {asked} }}"
    found = by_graphql(client, f"{{ found: {question.in_graphql} {asked} }}")["found"]
    found = found["nodes"] if is_page else found
    first = found[0] if isinstance(found, list) else found
    assert first == question.in_python(graph).to_json()


@those_with("command")
def test_the_command_line_answers_the_same(graph, example_store, question):
    printed = answer(*question.command, "--format", "json", "--store", example_store)
    assert json.loads(printed) == question.in_python(graph).to_json()


@those_with("tool")
def test_assistants_get_the_same_without_what_is_not_known(graph, example_store, question):
    def known(value: Any) -> Any:
        if isinstance(value, dict):
            offsets = ("start", "end") if "field" in value else ()
            shown = {k: v for k, v in value.items() if v is not None and k not in offsets}
            return {name: known(each) for name, each in shown.items()}
        return [known(each) for each in value] if isinstance(value, list) else value

    found = by_assistant(example_store, question.tool, **dict(question.arguments))
    assert found.pop("notice") and found.pop("coverage")["papers"] > 0
    assert found == known(question.in_python(graph).to_json())
