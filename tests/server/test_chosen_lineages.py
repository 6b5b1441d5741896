"""Lineages as of a date, and of some kinds and years: the same through every interface."""

import asyncio
import json
from collections.abc import Callable
from typing import Any
from urllib.parse import unquote

import httpx
import pytest
from mcp import Client

from command import answer
from stemma import Stemma
from stemma.graph import open_store
from stemma.server.mcp.server import make_server

ROOT = "ZeRO"
CHOICES: dict[str, dict[str, Any]] = {
    "as of a day": {"as_of": "2021-04-15"},
    "as of a year": {"as_of": "2022"},
    "of a kind": {"kinds": ["framework"]},
    "of some years": {"since": 2021, "until": 2022},
    "all at once": {"as_of": "2023", "kinds": ["framework", "technique"], "since": 2022},
}
Edge = tuple[str, str, float]


def by_command_line(store: str, chosen: dict[str, Any]) -> set[Edge]:
    options = []
    for name, value in chosen.items():
        option = {"as_of": "--as-of", "kinds": "--kind"}.get(name, f"--{name}")
        for each in value if isinstance(value, list) else [value]:
            options += [option, str(each)]
    found = json.loads(answer("lineage", ROOT, *options, "-f", "json", "-s", store))
    return {
        (each["child"]["id"], each["parent"]["id"], each["confidence"]) for each in found["edges"]
    }


def by_api(store: str, chosen: dict[str, Any]) -> set[Edge]:
    with Stemma(store) as graph:
        found = graph.lineage(ROOT, **chosen)
    return {(each.child.id, each.parent.id, each.confidence) for each in found.edges}


def by_assistant(store: str, chosen: dict[str, Any]) -> set[Edge]:
    async def ask() -> dict[str, Any]:
        async with Client(make_server(open_store(store), 30)) as client:
            given = {"of": ROOT, "first": 50, "quotes": 1, **chosen}
            result = await client.call_tool("lineage", given)
            assert result.structured_content is not None
            return result.structured_content

    edges = asyncio.run(ask())["edges"]
    return {(each["child"]["id"], each["parent"]["id"], each["confidence"]) for each in edges}


def graphql(url: str, chosen: dict[str, Any]) -> list[dict[str, Any]]:
    names = {"as_of": "asOf", "since": "since", "until": "until"}
    given = {names.get(name, name): value for name, value in chosen.items()}
    if "kinds" in given:
        given["kinds"] = [each.upper() for each in given["kinds"]]
    query = f"""
        query Q($asOf: String, $kinds: [EntityKind!], $since: Int, $until: Int) {{
          found: lineage(of: "{ROOT}", asOf: $asOf, kinds: $kinds, since: $since, until: $until) {{
            ... on Lineage {{ nodes {{ work {{ id }} }} edges {{ id child {{ id }} parent {{ id }} confidence }} }}
          }}
        }}"""  # noqa: E501
    got = httpx.post(f"{url}/graphql", json={"query": query, "variables": given}).json()
    assert "errors" not in got, got
    found = got["data"]["found"]
    one = found[0] if isinstance(found, list) else found
    edges: list[dict[str, Any]] = one["edges"]
    return edges


@pytest.mark.parametrize("chosen", CHOICES.values(), ids=CHOICES)
def test_every_interface_chooses_alike(
    example_store: str, server_url: str, chosen: dict[str, Any]
) -> None:
    ways: list[Callable[[str, dict[str, Any]], set[Edge]]] = [by_command_line, by_assistant]
    expected = by_api(example_store, chosen)
    assert expected
    with Stemma(example_store) as graph:
        assert len(expected) < len(graph.lineage(ROOT).edges)
    for way in ways:
        assert way(example_store, chosen) == expected
    edges = graphql(server_url, chosen)
    found = {(each["child"]["id"], each["parent"]["id"], each["confidence"]) for each in edges}
    assert found == expected
    if "as_of" in chosen:
        assert all(f"asOf={chosen['as_of']}" in each["id"] for each in edges)


def test_the_page_of_a_tree_is_as_of_a_date(server_url: str) -> None:
    path = f"{server_url}/lineage/entity/zero"
    headers = {"accept": "text/html"}
    early, whole = (
        httpx.get(f"{path}{query}", headers=headers).text for query in ("?asOf=2021-06", "")
    )
    assert "ZeRO-Offload" in early and "ZeRO++" not in early
    assert "ZeRO++" in whole
    assert 'name="asOf" value="2021-06"' in early
    assert 'asOf: "2021-06"' in unquote(early)
    refused = httpx.get(f"{path}?asOf=then", headers=headers)
    assert refused.status_code == 400 and "not a date" in refused.text
    document = httpx.get(f"{path}.json?asOf=2021-06").json()
    assert "entity/zero-offload" in json.dumps(document)
    assert "entity/zero-plus-plus" not in json.dumps(document)


def test_a_picture_is_as_of_a_date(example_store: str) -> None:
    early = answer("lineage", ROOT, "--as-of", "2021-06", "-f", "svg", "-s", example_store)
    assert "ZeRO-Offload" in early and "ZeRO++" not in early
    some = answer("lineage", ROOT, "--kind", "technique", "-f", "svg", "-s", example_store)
    assert "ZeRO-Offload" not in some and "ZeRO++" in some
