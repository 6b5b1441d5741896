"""A server has so many connections at a time, and no more."""

import resource
import socket
import sys
from collections.abc import Sequence
from contextlib import ExitStack
from functools import partial

import httpx
import pytest

ADDRESSES = ["127.0.0.1", "127.0.0.2", "127.0.0.3"]
"""Addresses of clients; the last asks when the others have taken all connections."""
pytestmark = pytest.mark.skipif(sys.platform != "linux", reason="has one address of this machine")


def ask(url: str, address: str) -> httpx.Response:
    """Ask whether the server is ready, from an address."""
    with httpx.Client(transport=httpx.HTTPTransport(local_address=address)) as web:
        return web.get(f"{url}/ready")


def take(taken: ExitStack, url: str, count: int, addresses: Sequence[str]) -> None:
    """Open connections, as many from each address, and send nothing."""
    for address in addresses:
        for _ in range(count):
            server = (httpx.URL(url).host, httpx.URL(url).port)
            taken.enter_context(socket.create_connection(server, source_address=(address, 0)))


def test_no_address_takes_more_than_half_of_all_connections(serve, example_store, eventually):
    with serve(example_store, connections=8) as url:
        with ExitStack() as taken:
            take(taken, url, 40, ADDRESSES[:1])
            refused = ask(url, ADDRESSES[0])
            assert refused.status_code == 503
            assert "half of all connections" in refused.text
            assert ask(url, ADDRESSES[1]).status_code == 200
            take(taken, url, 4, ADDRESSES[1:2])
            eventually(lambda: ask(url, ADDRESSES[2]).status_code == 503)
        eventually(lambda: ask(url, ADDRESSES[0]).status_code == 200)


@pytest.mark.process
def test_a_server_opens_as_many_files_as_its_connections_need(start, example_store):
    """The usual limit leaves hardly any for what is not a connection."""
    limits = partial(resource.setrlimit, resource.RLIMIT_NOFILE, (128, 6000))
    more = {"connections": 1500}
    with start(example_store, configured=more, preexec_fn=limits) as server:
        assert resource.prlimit(server.process.pid, resource.RLIMIT_NOFILE) == (5596, 6000)
        with ExitStack() as taken:
            take(taken, server.url, 300, ADDRESSES[:1])
            assert ask(server.url, ADDRESSES[0]).status_code == 200
        assert server.written.read_text().count("\n") == 1


@pytest.mark.process
def test_where_too_few_files_may_be_open_there_are_fewer_connections(
    start, example_store, eventually
):
    limits = partial(resource.setrlimit, resource.RLIMIT_NOFILE, (256, 256))
    with start(example_store, preexec_fn=limits) as server:
        with ExitStack() as taken:
            take(taken, server.url, 64, ADDRESSES[:2])
            eventually(lambda: ask(server.url, ADDRESSES[2]).status_code == 503)
        eventually(lambda: ask(server.url, ADDRESSES[2]).status_code == 200)
        log = server.written.read_text()
        assert "at most 128 connections, not 1000" in log
        assert "Too many open files" not in log
