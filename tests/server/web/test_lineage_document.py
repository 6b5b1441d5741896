"""A whole lineage as one document, over HTTP."""

import asyncio
import gzip
import json
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
from starlette.types import Message

from stemma import Stemma
from stemma.graph import Store, StoreError, open_store
from stemma.graph.sqlite.reader import SqliteReader
from stemma.server.views.describing import json_schema
from stemma.server.views.lineage import LineageView
from stemma.server.web import lineage_document as document
from stemma.server.web.lineage_document import LineageDocuments

SCHEMA = json_schema(LineageView, generation={"type": "string"})
FUYOU = "paper/adding-nvme-ssds-to-enable-and-accelerate-100b-model-fine-tuning-on-a-single-gpu"
LARGE = "entity/pytorch"
LIMIT = 3.0
"""Seconds in which an answer has begun, also on a busy machine, and has not ended."""


def whole(client: httpx.Client, work: str, **parameters: object) -> dict[str, Any]:
    response = client.get(f"/lineage/{work}.json", params=parameters)
    assert response.status_code == HTTPStatus.OK, response.text
    return response.json()


def in_python(graph: Stemma, work: str, **chosen: Any) -> dict[str, Any]:
    """Return a whole lineage as the document has it."""
    found = graph.lineage(work, first=2000, **chosen).to_json()
    found["edges"].sort(key=lambda edge: (edge["child"]["id"], edge["parent"]["id"]))
    return {**found, "generation": graph.statistics().generation}


def error(response: httpx.Response, status: HTTPStatus) -> dict[str, Any]:
    assert response.status_code == status, response.text
    assert response.headers["content-type"] == "application/json"
    (told,) = response.json()["errors"]
    return {"message": told["message"], **told["extensions"]}


# What it says.


@pytest.mark.parametrize("work", ["entity/zero-infinity", "entity/fuyou", LARGE, FUYOU])
@pytest.mark.parametrize(
    ("parameters", "chosen"),
    [
        ({}, {}),
        ({"direction": "ANCESTORS", "maxDepth": 5}, {"direction": "ancestors", "max_depth": 5}),
        ({"includeCatalogue": "false"}, {"include_catalogue": False}),
        ({"relations": "BUILDS_ON,IMPROVES_ON"}, {"relations": ["BUILDS_ON", "IMPROVES_ON"]}),
        (
            {"relations": ["BUILDS_ON"], "minConfidence": 0.5},
            {"relations": ["BUILDS_ON"], "min_confidence": 0.5},
        ),
    ],
    ids=lambda given: ", ".join(given) or "whole",
)
def test_it_says_what_all_interfaces_say(client, graph, work, parameters, chosen):
    found = whole(client, work, **parameters)
    assert found == in_python(graph, work, **chosen)
    jsonschema.validate(found, SCHEMA)


@pytest.mark.parametrize("at_once", [1, 2, 3])
def test_it_is_the_same_however_it_is_cut(client, example_store, at_once, monkeypatch):
    monkeypatch.setattr(document, "_AT_ONCE", at_once)
    with open_store(example_store) as store:
        pieces = answer(store, LARGE)
    assert len(pieces) > 3
    assert json.loads(b"".join(pieces)) == whole(client, LARGE)


def test_its_shape_is_published(client):
    response = client.get(f"/lineage/{LARGE}.json")
    address, _, relation = response.headers["link"].partition(";")
    assert relation.strip() == 'rel="describedby"'
    published = client.get(address.strip("<>"))
    assert published.headers["content-type"] == "application/schema+json"
    jsonschema.Draft202012Validator.check_schema(published.json())
    jsonschema.validate(response.json(), published.json())


# How it is sent.


def test_it_is_json_and_compressed_for_those_who_take_that(client):
    plain = client.get(f"/lineage/{LARGE}.json", headers={"accept-encoding": "identity"})
    assert plain.headers["content-type"] == "application/json"
    assert "content-encoding" not in plain.headers
    request = client.build_request(
        "GET", f"/lineage/{LARGE}.json", headers={"accept-encoding": "gzip"}
    )
    packed = client.send(request, stream=True)
    assert packed.headers["content-encoding"] == "gzip"
    assert gzip.decompress(b"".join(packed.iter_raw())) == plain.content


def test_its_head_may_be_asked_for(client):
    head = client.head(f"/lineage/{LARGE}.json")
    assert head.status_code == HTTPStatus.OK
    assert not head.content
    assert head.headers["etag"] == client.get(f"/lineage/{LARGE}.json").headers["etag"]
    assert client.head("/lineage/entity/nothing.json").status_code == HTTPStatus.NOT_FOUND
    assert client.post(f"/lineage/{LARGE}.json").status_code == HTTPStatus.METHOD_NOT_ALLOWED


# What is not there, and what cannot be asked.


def test_a_name_leads_to_the_id_and_what_is_unknown_to_the_nearest(client):
    moved = client.get("/lineage/zero infinity.json", params={"maxDepth": 2})
    assert moved.headers["location"] == "/lineage/entity/zero-infinity.json?maxDepth=2"
    found = error(client.get("/lineage/entity/zero-infinty.json"), HTTPStatus.NOT_FOUND)
    assert found["code"] == "UNKNOWN_NAME"
    assert "ZeRO-Infinity" in found["nearest"]


@pytest.mark.parametrize(
    ("name", "value"),
    [
        ("direction", "SIDEWAYS"),
        ("maxDepth", "21"),
        ("maxDepth", ["1", "2"]),
        ("relations", "USES"),
        ("first", "10"),
    ],
)
def test_a_bad_parameter_is_refused_by_name(client, name, value):
    response = client.get(f"/lineage/{LARGE}.json", params={name: value})
    found = error(response, HTTPStatus.BAD_REQUEST)
    assert found["code"] == "BAD_ARGUMENT"
    said = "relation" if value == "USES" else f"'{name}'"
    assert said in found["message"]


# While it is sent.


class Hindered:
    """A store of which one kind of question is preceded by something else."""

    def __init__(self, store: Store, question: str, first: Callable[[], None]) -> None:
        self._store, self._question, self._first = store, question, first
        self.asked = 0
        self.held = 0

    @contextmanager
    def snapshot(self) -> Iterator["Hindered"]:
        self.held += 1
        with self._store.snapshot() as self._reader:
            yield self
        self.held -= 1

    def __getattr__(self, name: str) -> Any:
        asked = getattr(self._reader, name)
        if name != self._question:
            return asked

        def hindered(*arguments: Any) -> Any:
            self.asked += 1
            self._first()
            return asked(*arguments)

        return hindered


def exchange(
    store: Any,
    work: str,
    on_piece: Callable[[], Any] = lambda: None,
    gone: Callable[[], bool] = lambda: False,
    seconds: float = 30.0,
) -> list[Message]:
    """Ask for a document without a port, until the client is `gone`; return what is sent."""
    sent: list[Message] = []

    async def receive() -> Message:
        while not gone():
            await asyncio.sleep(0.001)
        return {"type": "http.disconnect"}

    async def send(message: Message) -> None:
        sent.append(message)
        if message.get("body"):
            await asyncio.to_thread(on_piece)

    async def run() -> None:
        scope = {"type": "http", "method": "GET", "query_string": b"", "headers": []}
        scope["path"] = f"/lineage/{work}.json"
        app = Starlette(routes=LineageDocuments(store, seconds).routes())
        await asyncio.wait_for(app(scope, receive, send), 60)

    asyncio.run(run())
    return sent


def answer(store: Any, work: str, **rest: Any) -> list[bytes]:
    """Return the pieces of a document that was sent whole."""
    sent = exchange(store, work, **rest)
    assert sent[0]["status"] == HTTPStatus.OK
    assert not sent[-1]["more_body"]
    return [each["body"] for each in sent[1:]]


@pytest.fixture
def one_at_a_time(monkeypatch) -> None:
    monkeypatch.setattr(document, "_AT_ONCE", 1)


@pytest.mark.usefixtures("one_at_a_time")
def test_a_build_meanwhile_does_not_mix_generations(client, tmp_path, example_store):
    expected = whole(client, LARGE)
    store = tmp_path / "copy.db"
    said = "We present Quillwork, a compiler that builds on PyTorch."
    paper = {"title": "Quillwork", "abstract": said, "published": "2025-01-01"}
    shutil.copyfile(example_store, store)
    built = []

    def build_once() -> None:
        if not built:
            with Stemma(str(store)) as graph:
                built.append(graph.build(paper, fast=True))

    with open_store(str(store)) as served:
        during = json.loads(b"".join(answer(served, LARGE, on_piece=build_once)))
        after = json.loads(b"".join(answer(served, LARGE)))
    assert during == expected
    assert after["generation"] != expected["generation"]
    assert any(node["work"]["name"] == "Quillwork" for node in after["nodes"])


@pytest.mark.usefixtures("one_at_a_time")
def test_it_is_read_no_further_than_the_client_wants(example_store):
    with open_store(example_store) as store:
        patient = Hindered(store, "lineage_edges", lambda: None)
        answer(patient, LARGE)
        hasty = Hindered(store, "lineage_edges", lambda: time.sleep(0.05))
        sent = exchange(hasty, LARGE, gone=lambda: hasty.asked > 0)
    assert hasty.asked < patient.asked
    assert sent[-1]["more_body"]
    assert not hasty.held


def test_it_takes_no_longer_than_it_may(example_store):
    with open_store(example_store) as store:
        slow = Hindered(store, "neighbours", lambda: time.sleep(0.3))
        start, *rest = exchange(slow, LARGE, seconds=0.1)
    assert start["status"] == HTTPStatus.SERVICE_UNAVAILABLE
    (told,) = json.loads(rest[0]["body"])["errors"]
    assert told["extensions"]["code"] == "TIMEOUT"
    assert "0.1 s" in told["message"]
    assert not slow.held


@pytest.mark.usefixtures("one_at_a_time")
@pytest.mark.parametrize("slow_client", [True, False])
def test_what_was_begun_and_takes_too_long_does_not_look_whole(example_store, slow_client):
    waits = [lambda: time.sleep(LIMIT), lambda: None]
    with open_store(example_store) as store:
        slow = Hindered(store, "lineage_edges", waits[slow_client])
        sent = exchange(slow, LARGE, seconds=LIMIT, on_piece=waits[not slow_client])
    assert sent[0]["status"] == HTTPStatus.OK
    assert sent[-1]["more_body"]
    assert not slow.held


def fail() -> None:
    raise StoreError("neo4j://secret-host:7687 does not answer")


def test_details_of_a_store_that_fails_are_not_shown(example_store):
    with open_store(example_store) as store:
        start, *rest = exchange(Hindered(store, "resolve", fail), LARGE)
        broken = exchange(Hindered(store, "lineage_edges", fail), LARGE)
    assert start["status"] == HTTPStatus.SERVICE_UNAVAILABLE
    assert b"secret" not in rest[0]["body"]
    assert json.loads(rest[0]["body"])["errors"][0]["extensions"]["code"] == "STORE_UNAVAILABLE"
    assert broken[-1]["more_body"]


def test_what_went_meanwhile_is_left_out(client, example_store, monkeypatch):
    """As it may in Neo4j, where a reader sees each change."""
    known = whole(client, LARGE)
    lost, works = known["nodes"][0]["work"]["id"], SqliteReader.works
    monkeypatch.setattr(
        SqliteReader, "works", lambda self, ids: works(self, [id_ for id_ in ids if id_ != lost])
    )
    with open_store(example_store) as store:
        found = json.loads(b"".join(answer(store, LARGE)))
    assert found["nodes"] == known["nodes"][1:]
    assert found["edges"] == [
        each for each in known["edges"] if lost not in (each["child"]["id"], each["parent"]["id"])
    ]
