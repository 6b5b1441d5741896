"""Clients that are slow to ask, or to take what they asked for: others do not wait for them."""

import logging
import socket
import time
from collections.abc import Callable, Iterator
from contextlib import ExitStack, contextmanager, suppress
from pathlib import Path
from urllib.parse import quote

import httpx
import pytest

from patience import PATIENCE
from stemma.server.http import limited_connection

ALLOWED = 3.0
"""Seconds that headers and each part of an answer may take here; a query and its body get more."""
GIVEN_UP = 120.0
"""Seconds after which no slow client has a connection any more."""
MANY = 20
LARGE = 8_000_000
"""Bytes of an answer: more than a system keeps for whoever does not take it."""
HEAD = b"POST /graphql HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/json\r\n"
BODY = b'{"query": "{ statistics { papers } }"}'
_LISTENING = "0A"


@pytest.fixture(scope="module")
def url(serve, example_store) -> Iterator[str]:
    """A server that waits for nobody for long."""
    with pytest.MonkeyPatch.context() as patch:
        for limit in ("_HEADER_TIMEOUT", "_SEND_TIMEOUT"):
            patch.setattr(limited_connection, limit, ALLOWED)
        with serve(example_store, seconds=2 * ALLOWED, sparql_timeout=GIVEN_UP) as url:
            yield url


@pytest.fixture(autouse=True)
def no_failure_is_logged(caplog) -> Iterator[None]:
    yield
    assert not [each for each in caplog.get_records("call") if each.levelno >= logging.ERROR]


def held(url: str) -> set[int]:
    """Ports of the clients whose connections a server has accepted, and not closed."""
    here = f":{httpx.URL(url).port:04X}"
    sockets = [line.split() for line in Path("/proc/net/tcp").read_text().splitlines()[1:]]
    # Without an inode it has no owner: not accepted yet, or about to be forgotten.
    return {
        int(each[2].rpartition(":")[2], 16)
        for each in sockets
        if each[1].endswith(here) and each[3] != _LISTENING and each[9] != "0"
    }


@contextmanager
def connected(url: str, sent: bytes = b"", number: int = MANY) -> Iterator[list[socket.socket]]:
    """Many connections that begin with what is `sent`, and have little room for answers."""
    with ExitStack() as open_:
        clients = []
        for _ in range(number):
            client = open_.enter_context(socket.socket())
            client.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, 4096)
            client.settimeout(GIVEN_UP)
            client.connect(("127.0.0.1", httpx.URL(url).port))
            client.sendall(sent)
            clients.append(client)
        yield clients


def ports(clients: list[socket.socket]) -> set[int]:
    return {each.getsockname()[1] for each in clients}


def answers(url: str) -> None:
    """Ask an ordinary question."""
    asked = {"query": '{ lineage(of: "LoRA") { nodes { work { name } } } }'}
    found = httpx.post(f"{url}/graphql", json=asked, timeout=PATIENCE).json()
    assert found["data"]["lineage"]["nodes"]


def goes_on_until_given_up(url: str, clients: set[int], *in_turn: Callable[[], None]) -> None:
    """Ask questions, one after the other, while clients do what they do `in_turn`.

    It ends when the server holds none of the connections from the ports in `clients`.
    """
    until = time.monotonic() + GIVEN_UP
    while still := held(url) & clients:
        assert time.monotonic() < until, f"{len(still)} are still there"
        for each in in_turn:
            each()
        answers(url)
        time.sleep(ALLOWED / 10)
    answers(url)


def trickling(clients: list[socket.socket], sent: bytes) -> Callable[[], None]:
    """Make what sends the next byte of `sent` from each client, unless that was given up."""
    left = iter(sent)

    def send_next() -> None:
        byte = next(left, None)
        for each in clients if byte is not None else ():
            with suppress(ConnectionError):
                each.send(bytes([byte]))

    return send_next


def test_clients_that_do_not_finish_their_headers_or_bodies_are_given_up(url):
    begun = (
        b"",
        HEAD[:9],
        HEAD + f"Content-Length: {len(BODY)}\r\n\r\n".encode() + BODY,
        HEAD + b"Content-Length: 200\r\n\r\n",
        HEAD + b"Transfer-Encoding: chunked\r\n\r\n",
    )
    with ExitStack() as open_:
        silent, slow, again, body, pieces = (
            open_.enter_context(connected(url, sent)) for sent in begun
        )
        for each in again:
            assert each.recv(4096).startswith(b"HTTP/1.1 200")
        goes_on_until_given_up(
            url,
            ports(silent + slow + again + body + pieces),
            trickling(slow + again, HEAD[9:]),
            trickling(body + pieces, b"1\r\n \r\n" * 9),
        )
        for each in body + pieces:
            assert each.recv(4096).startswith(b"HTTP/1.1 408")


def test_a_client_that_reads_nothing_of_a_large_answer_is_given_up(url):
    query = quote("SELECT * { GRAPH ?g { ?a ?b ?c } }")
    asked = f"GET /sparql?query={query} HTTP/1.1\r\nHost: localhost\r\n\r\n".encode()
    with connected(url, asked, number=1) as clients:
        [client] = clients
        assert client.recv(9) == b"HTTP/1.1 "
        goes_on_until_given_up(url, ports(clients))
        taken = 0
        with suppress(ConnectionError):
            while piece := client.recv(1 << 20):
                taken += len(piece)
        assert taken < LARGE


def test_leaving_before_the_answer_does_not_cause_a_server_error(url):
    clients = set()
    for path in ("/lineage/entity/lora.json", "/graphql?query={statistics{papers}}", "/changes"):
        sent = f"GET {path} HTTP/1.1\r\nHost: localhost\r\n\r\n".encode()
        with connected(url, sent) as leaving:
            clients |= ports(leaving)
    goes_on_until_given_up(url, clients)
