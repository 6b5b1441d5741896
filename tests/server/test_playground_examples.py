"""The examples that the playground opens with: each asks one thing, and finds something."""

import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import httpx
import pytest
from graphql import OperationDefinitionNode, parse, validate

from stemma.server.graphql.schema import StemmaSchema

FOLDER = Path(__file__).parents[2] / "src" / "stemma" / "server" / "graphql" / "examples"
EXAMPLES = sorted(FOLDER.glob("*.graphql"))
ASKED_FOR = {"ask", "lineage", "path", "compare", "papers", "entitiesWhere"}
each_example = pytest.mark.parametrize("example", EXAMPLES, ids=lambda example: example.stem)


def _operation(example: Path) -> OperationDefinitionNode:
    [operation] = [
        found
        for found in parse(example.read_text()).definitions
        if isinstance(found, OperationDefinitionNode)
    ]
    return operation


def _fields(example: Path) -> set[str]:
    """Which fields of Query an example asks for."""
    return {field.name.value for field in _operation(example).selection_set.selections}


def _leaves(answer: Any) -> Iterator[Any]:
    match answer:
        case dict():
            for each in answer.values():
                yield from _leaves(each)
        case list():
            for each in answer:
                yield from _leaves(each)
        case _:
            yield answer


def _lists(answer: dict[str, Any]) -> list[list[Any]]:
    """What fields answer with lists: those asked for, and the fields of these."""
    fields = [*answer.values()]
    fields += [each for field in fields if isinstance(field, dict) for each in field.values()]
    return [field for field in fields if isinstance(field, list)]


def test_the_first_example_is_the_lineage_of_zero_infinity() -> None:
    assert 'lineage(of: "ZeRO-Infinity")' in EXAMPLES[0].read_text()


def test_there_are_a_dozen_examples_for_everything_that_people_ask() -> None:
    names = {operation.name.value for operation in map(_operation, EXAMPLES) if operation.name}
    assert len(names) == len(EXAMPLES) >= 12
    assert set().union(*map(_fields, EXAMPLES)) >= ASKED_FOR


@each_example
def test_an_example_says_what_it_asks_and_fits_the_schema(example: Path) -> None:
    text = example.read_text()
    assert re.match(r"\d\d-", example.name)
    assert re.match(r"(# .+\n)+query ", text)
    assert "?" in text.partition("query ")[0]
    assert validate(StemmaSchema()._schema, parse(text)) == []


@each_example
def test_an_example_finds_something(example: Path, server_url: str) -> None:
    asked = {"query": example.read_text()}
    response = httpx.post(f"{server_url}/graphql", json=asked).json()
    assert "errors" not in response
    data = response["data"]
    found = _lists(data)
    # What else an answer to a question may suggest is empty where it was understood.
    suggested = data.get("ask", {}).get("suggestions")
    assert all(each or each is suggested for each in found)
    assert sum(leaf is not None for leaf in _leaves(data)) >= 6
