"""A lineage as one document, over HTTP."""

import asyncio
import shutil
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from http import HTTPStatus
from typing import Any

import httpx
import jsonschema
import pytest
from starlette.applications import Starlette

from described import describe
from filled import stored
from stemma.graph import Store, StoreError, open_store
from stemma.server.web import lineage_document as document
from stemma.server.web.lineage_document import lineage_document_routes

FUYOU = "paper/adding-nvme-ssds-to-enable-and-accelerate-100b-model-fine-tuning-on-a-single-gpu"
LARGE = "entity/pytorch"


def whole(client: httpx.Client, work: str, **parameters: object) -> dict[str, Any]:
    response = client.get(f"/lineage/{work}.json", params=parameters)
    assert response.status_code == HTTPStatus.OK, response.text
    return response.json()


def error(response: httpx.Response, status: HTTPStatus) -> dict[str, Any]:
    assert response.status_code == status, response.text
    assert response.headers["content-type"] == "application/json"
    (told,) = response.json()["errors"]
    return {"message": told["message"], **told["extensions"]}


# What it says.


@pytest.mark.parametrize(
    ("work", "parameters", "chosen"),
    [
        (LARGE, {}, {}),
        (FUYOU, {"direction": "ANCESTORS"}, {"direction": "ancestors"}),
        (LARGE, {"includeCatalogue": "false"}, {"include_catalogue": False}),
        (
            "entity/lora",
            {"relations": "BUILDS_ON,IMPROVES_ON", "minConfidence": 0.5},
            {"relations": ["BUILDS_ON", "IMPROVES_ON"], "min_confidence": 0.5},
        ),
    ],
)
def test_it_says_what_all_interfaces_say(client, graph, work, parameters, chosen):
    found = graph.lineage(work, first=2000, **chosen).to_json()
    found["generation"] = graph.statistics().generation
    assert whole(client, work, **parameters) == found


def test_a_large_lineage_has_pages(client, example_store, monkeypatch):
    expected = whole(client, LARGE)
    monkeypatch.setattr(document, "LARGEST_LINEAGE", 5)
    with open_store(example_store) as store:
        first = answer(store, LARGE)
        second = answer(store, LARGE, f"after={first['pageInfo']['endCursor']}")
    assert first["nodes"] + second["nodes"] == expected["nodes"][:10]
    assert first["totalCount"] == expected["totalCount"] > 10
    assert all(each in expected["edges"] for each in first["edges"] + second["edges"])


def test_its_shape_is_published(client):
    response = client.get(f"/lineage/{LARGE}.json")
    address, _, relation = response.headers["link"].partition(";")
    assert relation.strip() == 'rel="describedby"'
    published = client.get(address.strip("<>"))
    assert published.headers["content-type"] == "application/schema+json"
    jsonschema.Draft202012Validator.check_schema(published.json())
    jsonschema.validate(response.json(), published.json())


# What is not there, and what cannot be asked.


def test_what_is_unknown_leads_to_the_nearest(client):
    found = error(client.get("/lineage/entity/zero-infinty.json"), HTTPStatus.NOT_FOUND)
    assert found["code"] == "UNKNOWN_NAME"
    assert "ZeRO-Infinity" in found["nearest"]


@pytest.mark.parametrize(
    ("name", "value"),
    [("direction", "SIDEWAYS"), ("maxDepth", ["1", "2"]), ("relations", "USES"), ("first", "10")],
)
def test_a_bad_parameter_is_refused_by_name(client, name, value):
    response = client.get(f"/lineage/{LARGE}.json", params={name: value})
    found = error(response, HTTPStatus.BAD_REQUEST)
    assert found["code"] == "BAD_ARGUMENT"
    said = "relation" if value == "USES" else f"'{name}'"
    assert said in found["message"]


# While it is read.


class Hindered:
    """A store of which one kind of question is preceded by something else."""

    def __init__(self, store: Store, question: str, first: Callable[[], None]) -> None:
        self._store, self._question, self._first = store, question, first

    @contextmanager
    def snapshot(self) -> Iterator["Hindered"]:
        with self._store.snapshot() as self._reader:
            yield self

    def __getattr__(self, name: str) -> Any:
        asked = getattr(self._reader, name)
        if name != self._question:
            return asked

        def hindered(*arguments: Any) -> Any:
            self._first()
            return asked(*arguments)

        return hindered


def request(store: Any, work: str, query: str = "", seconds: float = 30.0) -> httpx.Response:
    """Ask for a document without a port."""

    async def run() -> httpx.Response:
        app = Starlette(routes=lineage_document_routes(store, seconds))
        transport = httpx.ASGITransport(app)
        async with httpx.AsyncClient(transport=transport, base_url="http://test") as client:
            return await client.get(f"/lineage/{work}.json?{query}")

    return asyncio.run(run())


def answer(store: Any, work: str, query: str = "") -> dict[str, Any]:
    """Return a document."""
    response = request(store, work, query)
    assert response.status_code == HTTPStatus.OK, response.text
    return response.json()


def test_a_build_meanwhile_does_not_mix_generations(client, tmp_path, example_store):
    expected = whole(client, LARGE)
    shutil.copyfile(example_store, tmp_path / "stemma.db")
    lines = ("framework Quillwork: INTRODUCES", "framework PyTorch: BUILDS_ON")
    paper = describe("Quillwork", "We present Quillwork, which builds on PyTorch.", *lines)

    def build() -> None:
        stored(tmp_path, paper)

    with open_store(str(tmp_path / "stemma.db")) as served:
        during = answer(Hindered(served, "lineage_edges", build), LARGE)
        after = answer(served, LARGE)
    assert during == expected
    assert after["generation"] != expected["generation"]
    assert any(node["work"]["name"] == "Quillwork" for node in after["nodes"])


def test_it_takes_no_longer_than_it_may(example_store):
    with open_store(example_store) as store:
        slow = Hindered(store, "lineage_edges", lambda: time.sleep(0.3))
        response = request(slow, LARGE, seconds=0.1)
    found = error(response, HTTPStatus.SERVICE_UNAVAILABLE)
    assert found["code"] == "TIMEOUT"
    assert "0.1 s" in found["message"]


@pytest.mark.parametrize("question", ["resolve", "lineage_edges"])
def test_details_of_a_store_that_fails_are_not_shown(example_store, question):
    def fail() -> None:
        raise StoreError("neo4j://secret-host:7687 does not answer")

    with open_store(example_store) as store:
        response = request(Hindered(store, question, fail), LARGE)
    assert error(response, HTTPStatus.SERVICE_UNAVAILABLE)["code"] == "STORE_UNAVAILABLE"
    assert "secret" not in response.text
