"""``stemma serve`` with untrusted clients: a process, and what is true of every answer.

With ``STEMMA_FUZZ_MINUTES=60`` in the environment the tests of this folder go on for an hour.
"""

import json
import os
import re
import socket
import time
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from http.client import HTTPException, HTTPResponse
from pathlib import Path
from typing import Any

import httpx
import pytest

from service import Service, serving

LIMIT = 10.0
"""Time limit of a query, in seconds: an option of the server."""
LATE = 20.0
"""Seconds that may go by besides, on a machine that has other things to do."""
FLAT = 24
"""Megabytes that a server may grow by however long it is asked, once it is warm."""
_OUR_FAULT = {"INTERNAL_ERROR", "STORE_UNAVAILABLE"}
FUZZED_FOR = float(os.environ.get("STEMMA_FUZZ_MINUTES", "0")) * 60 / 3
"""Seconds that each test may go on which has no end of its own; 0 for one round. There are three
of them: queries of the schema, bombs, and bytes."""


@dataclass(frozen=True)
class Fuzzed(Service):
    """A running server, and a client that asks it."""

    client: httpx.Client

    def post(self, body: object) -> httpx.Response:
        """Send JSON to GraphQL, with half characters as escapes; the answer is a fit one."""
        return self.send(json.dumps(body).encode())

    def send(self, body: bytes, **headers: str) -> httpx.Response:
        """Send bytes to GraphQL; the answer is a fit one."""
        headers = {"content-type": "application/json", **headers}
        begun = time.monotonic()
        answer = self.client.post("/graphql", content=body, headers=headers)
        assert time.monotonic() - begun < LIMIT + LATE
        assert answer.status_code < 500, answer.text
        found = answer.json()
        for each in found if isinstance(found, list) else [found]:
            codes = {error["extensions"]["code"] for error in each.get("errors", ())}
            assert not codes & _OUR_FAULT, found
            assert codes or answer.status_code == 200
        return answer

    def exchange(self, request: bytes) -> tuple[int, bytes]:
        """Send the bytes of a whole request; return the status of the answer, and its body."""
        with socket.create_connection(("127.0.0.1", self.port), timeout=LIMIT + LATE) as sent:
            sent.sendall(request)
            answer = HTTPResponse(sent, method=request[:8].decode("latin-1").split(" ")[0])
            answer.begin()
            return answer.status, answer.read()

    def gives_no_5xx(self, request: bytes) -> int:
        """Send bytes that may be no request at all; an answer need not come to those cut short."""
        begun = time.monotonic()
        try:
            status, body = self.exchange(request)
        except (HTTPException, ConnectionError):
            status, body = 0, b""
        assert time.monotonic() - begun < LIMIT + LATE
        assert status < 500, body
        assert b"Traceback" not in body
        return status

    def stays_flat(self, requests: Sequence[Callable[[], object]], rounds: int) -> None:
        """Send the same requests, a round after the other; the server must not grow of it."""
        for each in [*requests] * 2:  # The server is warm after these.
            each()
        before, begun, done = self.megabytes(), time.monotonic(), 0
        while done < rounds or time.monotonic() - begun < FUZZED_FOR:
            for each in requests:
                each()
            done += 1
        assert self.megabytes() - before < FLAT

    def answers(self) -> None:
        """Ask an ordinary question, whose answer comes in time."""
        query = '{ statistics { papers } lineage(of: "LoRA") { nodes { work { name } } } }'
        assert self.post({"query": query}).json()["data"]["lineage"]["nodes"]

    def errors(self) -> list[dict[str, Any]]:
        """What the log says of failures."""
        return [each for each in self.log() if each["level"] in ("ERROR", "CRITICAL")]

    def megabytes(self) -> float:
        """The memory that its process has in use."""
        status = Path(f"/proc/{self.process.pid}/status").read_text()
        return int(re.findall(r"VmRSS:\s+(\d+)", status)[0]) / 1024


@pytest.fixture(scope="session")
def _service(example_store) -> Iterator[Fuzzed]:
    options = ("--log-format", "json", "--seconds", f"{LIMIT:g}")
    with (
        serving(example_store, *options, configured={"log-requests": False}) as service,
        httpx.Client(base_url=service.url, timeout=LIMIT * 3) as client,
    ):
        # For the first query the graph is written as RDF: on a slow machine that takes longer.
        while client.get("/sparql", params={"query": "ASK {}"}).status_code == 503:
            time.sleep(1)
        yield Fuzzed(service.process, service.url, service.written, client)


@pytest.fixture(scope="module")
def service(_service) -> Iterator[Fuzzed]:
    """A server that has answered, and has logged no failure when the module is done with it."""
    _service.answers()
    yield _service
    _service.answers()
    assert not _service.errors()


@pytest.fixture(scope="session")
def fuzzed_for() -> float:
    """How long a test may go on which has no end of its own."""
    return FUZZED_FOR
