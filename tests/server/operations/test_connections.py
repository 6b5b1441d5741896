"""A server has so many connections at a time, and no more."""

import resource
import socket
from contextlib import ExitStack
from functools import partial

import httpx
import pytest


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
