"""A server has so many connections at a time, and no more."""

import resource
import socket
import sys
from collections.abc import Sequence
from contextlib import ExitStack

import httpx
import pytest
from starlette.applications import Starlette

from patience import eventually
from stemma.server.http.listening import configuration
from stemma.server.settings import Settings

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


def test_no_address_takes_more_than_half_of_all_connections(serve, example_store):
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


@pytest.mark.parametrize(
    ("files", "wanted", "raised", "allowed"),
    [
        ((128, 6000), 1500, (5596, 6000), 1500),
        ((256, 256), 1000, (256, 256), 128),
        ((9000, 9000), 1000, None, 1000),
    ],
)
def test_there_are_as_many_connections_as_files_may_be_open(
    monkeypatch, caplog, files, wanted, raised, allowed
):
    limits = [files]
    monkeypatch.setattr(resource, "getrlimit", lambda kind: limits[-1])
    monkeypatch.setattr(resource, "setrlimit", lambda kind, new: limits.append(new))
    made = configuration(Starlette, Settings(connections=wanted))
    assert made.limit_concurrency == allowed + 1
    assert limits[1:] == ([raised] if raised else [])
    told = f"at most {allowed} connections, not {wanted}"
    assert (told in caplog.text) == (allowed < wanted)
