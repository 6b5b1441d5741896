"""The analysis of a graph, on the command line and over GraphQL."""

import json
from typing import Any

import httpx
import pytest

from command import stemma

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


def ask(url: str, **variables: object) -> dict[str, Any]:
    body = {"query": QUERY, "variables": variables}
    answered = httpx.post(f"{url}/graphql", json=body).json()
    return dict(answered)


@pytest.fixture(scope="module")
def found(example_store: str) -> dict[str, Any]:
    done = stemma("analyse", "--top", "3", "-f", "json", "-s", example_store)
    assert done.returncode == 0, done.stderr
    return dict(json.loads(done.stdout))


def test_the_most_influential_works_come_with_how_much_descends_from_them(
    found: dict[str, Any],
) -> None:
    influential = found["influential"]
    assert len(influential) == 3
    shares = [each["share"] for each in influential]
    assert shares == sorted(shares, reverse=True)
    for each in influential:
        assert each["descendants"] >= each["children"] > 0


def test_years_count_every_dated_paper(found: dict[str, Any], example_store: str) -> None:
    years = [each["year"] for each in found["years"]]
    assert years == sorted(set(years))
    papers = json.loads(stemma("show", "-f", "json", "-s", example_store).stdout)["papers"]
    assert 0 < sum(each["papers"] for each in found["years"]) <= papers


def test_graphql_gives_the_same_answer(found: dict[str, Any], server_url: str) -> None:
    assert ask(server_url)["data"]["analysis"] == found


def test_without_the_catalogue_there_is_less(found: dict[str, Any], server_url: str) -> None:
    without = ask(server_url, catalogue=False)["data"]["analysis"]
    edges = [sum(each["edges"] for each in some["years"]) for some in (without, found)]
    assert edges[0] <= edges[1]
    assert without["influential"] != found["influential"]


@pytest.mark.parametrize("first", [101, 1000])
def test_sizes_are_bounded(server_url: str, first: int) -> None:
    (error,) = ask(server_url, first=first)["errors"][:1]
    assert error["extensions"]["code"] == "BAD_ARGUMENT"


def test_the_page_for_people_has_all_parts(example_store: str, found: dict[str, Any]) -> None:
    page = " ".join(stemma("analyse", "--top", "3", "-s", example_store).stdout.split())
    for heading in ("Most influential", "Longest lines", "Communities", "Year by year"):
        assert heading in page
    assert found["influential"][0]["work"]["name"] in page
    assert " → ".join(step[0]["name"] for step in found["linesOfDescent"][0]["steps"]) in page


def test_it_explains_itself_with_an_example() -> None:
    assert "Example" in stemma("analyse", "--help").stdout
