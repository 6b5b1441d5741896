"""A server has so many connections at a time, and no more."""

import asyncio
import resource
import socket
from collections import Counter
from contextlib import ExitStack
from functools import partial
from typing import Any

import httpx
import pytest

from stemma.graph import open_store
from stemma.server.feeds.events import Events


def test_who_comes_when_all_connections_are_taken_is_reported(serve, example_store, eventually):
    with serve(example_store, connections=3) as url:

        def health() -> int:
            return httpx.get(f"{url}/health").status_code

        assert health() == 200
        with ExitStack() as taken:
            for _ in range(3):
                taken.enter_context(socket.create_connection(("127.0.0.1", httpx.URL(url).port)))
            assert health() == 503
        eventually(lambda: health() == 200)


def test_streams_of_events_leave_connections_to_others(serve, example_store, eventually):
    with serve(example_store, connections=8) as url, httpx.Client(base_url=url) as web:

        def status(stack: ExitStack) -> int:
            return stack.enter_context(web.stream("GET", "/changes/events")).status_code

        with ExitStack() as stack:
            assert [status(stack) for _ in range(6)] == [200, 200, 200, 200, 503, 503]
            assert web.get("/ready").status_code == 200
        with ExitStack() as stack:
            eventually(lambda: status(stack) == 200)


def test_streams_that_are_requested_at_once_are_not_too_many(example_store):
    async def statuses() -> list[int]:
        stopping, found = asyncio.Event(), []
        (route,) = Events(open_store(example_store), stopping, most=3).routes()
        scope = {"type": "http", "method": "GET", "path": "/changes/events", "headers": []}

        async def wait() -> dict[str, str]:
            await asyncio.sleep(60)
            return {"type": "http.disconnect"}

        async def note(message: dict[str, Any]) -> None:
            if message["type"] == "http.response.start":
                found.append(message["status"])
                if len(found) == 8:
                    stopping.set()

        await asyncio.gather(*(route.app(scope, wait, note) for _ in range(8)))
        return found

    assert Counter(asyncio.run(statuses())) == {200: 3, 503: 5}


@pytest.mark.process
def test_a_server_opens_as_many_files_as_its_connections_need(start, example_store, eventually):
    """The usual limit leaves hardly any for what is not a connection."""
    limits = partial(resource.setrlimit, resource.RLIMIT_NOFILE, (128, 6000))
    with start(example_store, "--connections", "1500", preexec_fn=limits) as server:
        assert resource.prlimit(server.process.pid, resource.RLIMIT_NOFILE) == (5596, 6000)
        with ExitStack() as taken:
            for _ in range(300):
                taken.enter_context(socket.create_connection(("127.0.0.1", server.port)))
            assert httpx.get(f"{server.url}/ready").status_code == 200
        assert server.written.read_text().count("\n") == 1


@pytest.mark.process
def test_where_too_few_files_may_be_open_there_are_fewer_connections(
    start, example_store, eventually
):
    limits = partial(resource.setrlimit, resource.RLIMIT_NOFILE, (256, 256))
    with start(example_store, preexec_fn=limits) as server:
        with ExitStack() as taken:
            for _ in range(128):
                taken.enter_context(socket.create_connection(("127.0.0.1", server.port)))
            eventually(lambda: httpx.get(f"{server.url}/ready").status_code == 503)
        eventually(lambda: httpx.get(f"{server.url}/ready").status_code == 200)
        log = server.written.read_text()
        assert "at most 128 connections, not 1000" in log
        assert "Too many open files" not in log
