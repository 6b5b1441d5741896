"""A name that nearly all papers give to one work: interfaces take that one, and name the others."""

import asyncio
import warnings
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from mcp import Client
from starlette.testclient import TestClient

from command import stemma
from described import describe
from filled import put
from stemma import Stemma
from stemma.graph import open_store
from stemma.server.app import make_app
from stemma.server.mcp.server import make_server

HANDS, STOCKS = "entity/grip--grip-hands", "entity/grip--grip-stocks"


@pytest.fixture(scope="module")
def store(tmp_path_factory: pytest.TempPathFactory) -> str:
    """A store in which ten papers mean one Grip, and one another."""
    path = str(tmp_path_factory.mktemp("namesakes") / "stemma.db")
    text = "Grip is here."
    with open_store(path) as graph:
        put(
            graph,
            describe("Grip: stocks", text, "dataset Grip: INTRODUCES"),
            describe("Grip: hands", text, "hardware Grip: INTRODUCES"),
            *(describe(f"Use {n}", text, "hardware Grip: BUILDS_ON") for n in range(9)),
        )
    return path


@pytest.fixture(scope="module")
def client(store: str) -> Iterator[TestClient]:
    with TestClient(make_app(open_store(store)), base_url="http://localhost") as client:
        yield client


@pytest.mark.parametrize("command", [("show", "Grip"), ("lineage", "Grip")])
def test_commands_say_which_others_have_the_name(store: str, command: tuple[str, ...]) -> None:
    shown = stemma(*command, "--store", store)
    assert shown.returncode == 0, shown.stderr
    assert f"Grip is taken to be {HANDS}; it is also the name of {STOCKS}" in shown.stderr
    by_id = stemma(command[0], HANDS, "--store", store)
    assert by_id.stdout == shown.stdout
    assert "taken to be" not in by_id.stderr


def test_answers_say_so(store: str) -> None:
    shown = stemma("ask", "what builds on Grip?", "--store", store)
    assert "What builds or improves on Grip, in up to 3 steps: 9." in shown.stdout
    assert f"also so called: {STOCKS}" in " ".join(shown.stdout.split())


def test_pages_of_both_link_to_the_other(client: TestClient) -> None:
    for shown, other in ((HANDS, STOCKS), (STOCKS, HANDS)):
        page = client.get(f"/page/{shown}", headers={"accept": "text/html"}).text
        assert f'also the name of:</span> <a href="/page/{other}">Grip</a>' in page


def asked_by_graphql(client: TestClient, query: str) -> dict[str, Any]:
    answer = client.post("/graphql", json={"query": query}).json()
    assert "errors" not in answer
    return dict(answer["data"])


def test_graphql_has_the_others_of_the_name(client: TestClient) -> None:
    found = asked_by_graphql(
        client,
        """{ lineage(of: "grip") { root { id namesakes { id ... on Entity { kind } } } }
          other: entity(id: "entity/grip--grip-stocks") { namesakes { id } }
          papers(text: "Grip: hands") { nodes {
            namesakes { id } introduces { namesakes { id } } } } }""",
    )
    assert found == {
        "lineage": {"root": {"id": HANDS, "namesakes": [{"id": STOCKS, "kind": "DATASET"}]}},
        "other": {"namesakes": [{"id": HANDS}]},
        "papers": {"nodes": [{"namesakes": [], "introduces": [{"namesakes": [{"id": STOCKS}]}]}]},
    }


def test_graphql_has_only_some_of_many_others(tmp_path: Path) -> None:
    papers = [
        {"title": "Editorial", "abstract": f"On pen {n}.", "doi": f"10.1000/{n}"} for n in range(25)
    ]
    with Stemma(tmp_path / "stemma.db") as graph:
        graph.build(papers, fast=True)
        assert graph.statistics().papers == 25
        with TestClient(make_app(graph.store), base_url="http://localhost") as client:
            found = asked_by_graphql(client, "{ papers(first: 1) { nodes { namesakes { id } } } }")
    assert len(found["papers"]["nodes"][0]["namesakes"]) == 20


def test_python_warns_which_others_have_the_name(store: str) -> None:
    with Stemma(store) as graph:
        with pytest.warns(UserWarning, match=f"grip is taken to be {HANDS}; .* {STOCKS}") as caught:
            assert graph.lineage("grip").root.id == HANDS
        assert caught[0].filename == __file__
        with warnings.catch_warnings():
            warnings.simplefilter("error")
            graph.lineage(HANDS)


def asked_by_mcp(store: str, tool: str, **arguments: Any) -> dict[str, Any]:
    async def ask() -> Any:
        async with Client(make_server(open_store(store), 30)) as client:
            return await client.call_tool(tool, arguments)

    result = asyncio.run(ask())
    assert not result.is_error, result.content
    return dict(result.structured_content)


@pytest.mark.parametrize(
    ("tool", "arguments"),
    [
        ("lineage", {"of": "Grip"}),
        ("show", {"name": "Grip"}),
        ("path", {"start": "Grip", "goal": STOCKS}),
        ("compare", {"left": STOCKS, "right": "Grip"}),
        ("papers", {"conditions": [{"entity": "Grip"}]}),
        ("papers", {"cites": "Grip"}),
    ],
)
def test_assistants_learn_which_others_have_the_name(
    store: str, tool: str, arguments: dict[str, Any]
) -> None:
    [found] = asked_by_mcp(store, tool, **arguments)["namesakes"]
    assert (found["name"].lower(), found["takenAs"]) == ("grip", HANDS)
    assert found["others"] == [{"id": STOCKS, "name": "Grip", "type": "Entity", "kind": "DATASET"}]


def test_assistants_learn_of_none_where_an_id_is_given(store: str) -> None:
    assert "namesakes" not in asked_by_mcp(store, "lineage", of=HANDS)
    assert "namesakes" not in asked_by_mcp(store, "lineage", of="Grip: stocks")
