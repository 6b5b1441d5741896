"""The analysis of a graph, on the command line and over GraphQL."""

import json
from typing import Any

import httpx
import pytest

from asked import by_graphql
from command import answer

QUERY = """
query ($first: Int! = 3, $catalogue: Boolean! = true) {
  analysis(includeCatalogue: $catalogue) {
    influential(first: $first) { work { id name } share children descendants }
    linesOfDescent(first: $first) { steps { id name } }
    communities(first: $first) { name size works(first: $first) { id name } }
    years { year papers entities edges new { id name } builtOn { id name } }
  }
}
"""


@pytest.fixture(scope="module")
def found(example_store: str) -> dict[str, Any]:
    return dict(json.loads(answer("analyse", "--top", "3", "-f", "json", "-s", example_store)))


def test_graphql_gives_the_same_answer(found: dict[str, Any], client: httpx.Client) -> None:
    assert by_graphql(client, QUERY)["analysis"] == found


def test_without_the_catalogue_there_is_less(found: dict[str, Any], client: httpx.Client) -> None:
    without = by_graphql(client, QUERY, catalogue=False)["analysis"]
    edges = [sum(each["edges"] for each in some["years"]) for some in (without, found)]
    assert edges[0] <= edges[1]
    assert without["influential"] != found["influential"]


def test_the_page_for_people_has_all_parts(example_store: str, found: dict[str, Any]) -> None:
    page = " ".join(answer("analyse", "--top", "3", "-s", example_store).split())
    for heading in ("Most influential", "Longest lines", "Communities", "Year by year"):
        assert heading in page
    assert found["influential"][0]["work"]["name"] in page
    assert " → ".join(step[0]["name"] for step in found["linesOfDescent"][0]["steps"]) in page
