"""The analysis of a graph, on the command line and over GraphQL."""

import json

import pytest

from asked import by_graphql
from command import answer

QUERY = """
query ($catalogue: Boolean!) {
  analysis(includeCatalogue: $catalogue) {
    influential(first: 3) { work { id name } share children descendants }
    linesOfDescent(first: 3) { steps { id name } }
    communities(first: 3) { name size works(first: 3) { id name } }
    years { year papers entities edges new { id name } builtOn { id name } }
  }
}
"""


@pytest.mark.parametrize("options", [(), ("--no-catalogue",)])
def test_people_and_programs_get_the_same(example_store, client, options):
    command = ("analyse", "--top", "3", "-s", example_store, *options)
    found = json.loads(answer(*command, "-f", "json"))
    assert by_graphql(client, QUERY, catalogue=not options)["analysis"] == found
    page = " ".join(answer(*command).split())
    for heading in ("Most influential", "Longest lines", "Communities", "Year by year"):
        assert heading in page
    assert found["influential"][0]["work"]["name"] in page
    assert " → ".join(step[0]["name"] for step in found["linesOfDescent"][0]["steps"]) in page
