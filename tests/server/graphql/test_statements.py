"""Statements and comparisons of the whole graph, with filters, in pages."""

import re
from pathlib import Path
from typing import Any

import pytest

from stemma.graph import WorkType

NODE = "id relation confidence subject { id } entity { id kind } paper { published }"
RESULT = "id comparison { factor low high unit metric direction }"


DOCUMENTATION = Path(__file__).parents[3] / "docs" / "graphql.md"


def pages(data, field: str, arguments: str, node: str, first: int = 100) -> list[dict[str, Any]]:
    """Return what all pages of a connection have, and check that they fit together."""
    asked = f"first: {first}, after: $after {arguments}"
    query = f"""query ($after: String) {{ page: {field}({asked}) {{
      totalCount nodes {{ {node} }} edges {{ cursor }} pageInfo {{ hasNextPage endCursor }} }} }}"""
    found: list[dict[str, Any]] = []
    after = None
    while True:
        page = data(query, after=after)["page"]
        found += page["nodes"]
        assert [each["cursor"] for each in page["edges"]] == [each["id"] for each in page["nodes"]]
        if not page["pageInfo"]["hasNextPage"]:
            assert page["totalCount"] == len(found)
            return found
        after = page["pageInfo"]["endCursor"]


@pytest.fixture(scope="module")
def everything(data) -> list[dict[str, Any]]:
    return pages(data, "statements", "", NODE)


def test_all_statements_of_the_graph_come_once_the_surest_first(everything, reader):
    papers = [each.id for each in reader.page(WorkType.PAPER, first=10_000).works]
    entities = [each.id for each in reader.page(WorkType.ENTITY, first=10_000).works]
    stored = reader.statements([*papers, *entities])
    keys = {each.key for own in stored.values() for each in own}
    asked = [(each["subject"]["id"], each["relation"], each["entity"]["id"]) for each in everything]
    assert len(asked) == len(set(asked))
    assert set(asked) == keys
    sure = [each["confidence"] for each in everything]
    assert sure == sorted(sure, reverse=True)


@pytest.mark.parametrize(
    ("arguments", "passes"),
    [
        ("relations: [RUNS_ON]", lambda each: each["relation"] == "RUNS_ON"),
        ("kinds: [MODEL]", lambda each: each["entity"]["kind"] == "MODEL"),
        ("minConfidence: 0.8", lambda each: each["confidence"] >= 0.8),
        ('entity: "pytorch"', lambda each: each["entity"]["id"] == "entity/pytorch"),
        ("includeCatalogue: false", lambda each: each["paper"] is not None),
        (
            "since: 2023, until: 2023",
            lambda each: each["paper"] and (each["paper"]["published"] or "")[:4] == "2023",
        ),
    ],
)
def test_filters_leave_what_passes(data, everything, arguments, passes):
    expected = [each for each in everything if passes(each)]
    assert 0 < len(expected) < len(everything)
    assert pages(data, "statements", f", {arguments}", NODE, first=37) == expected


@pytest.mark.parametrize(
    ("arguments", "passes"),
    [
        ("minFactor: 2", lambda each: (each["factor"] or each["low"] or 0) >= 2),
        ("maxFactor: 2", lambda each: 0 < (each["factor"] or each["high"] or 0) <= 2),
        ('metric: "Throughput"', lambda each: "throughput" in (each["metric"] or "")),
        ("outcome: WORSE", lambda each: each["direction"] == "WORSE"),
    ],
)
def test_comparisons_are_found_by_their_results(data, arguments, passes):
    every = pages(data, "statements", ", compared: true", RESULT)
    assert all(each["comparison"] for each in every)
    factors = [each for each in every if not ("actor" in arguments and each["comparison"]["unit"])]
    expected = [each for each in factors if passes(each["comparison"])]
    assert 0 < len(expected) < len(every)
    assert pages(data, "statements", f", compared: true, {arguments}", RESULT, first=3) == expected


def test_the_documented_queries_have_answers(data):
    documented = DOCUMENTATION.read_text("utf-8")
    lineage, comparisons, changes = re.findall(r"^```graphql\n(.+?)^```$", documented, re.M | re.S)
    introduced = [one for paper in data(lineage)["papers"]["nodes"] for one in paper["introduces"]]
    assert any(one["descendants"]["edges"] for one in introduced)
    assert data(changes)["changes"][0]["number"] == 1
    found = data(comparisons)["statements"]
    assert found["totalCount"] == len(found["nodes"]) > 0
    assert all("throughput" in each["comparison"]["text"] for each in found["nodes"])
