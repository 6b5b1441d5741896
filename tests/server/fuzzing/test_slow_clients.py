"""Clients that are slow to ask, or to take what they asked for: others do not wait for them."""

import socket
import time
from collections.abc import Callable, Iterator
from contextlib import ExitStack, contextmanager, suppress
from urllib.parse import quote

import pytest

pytestmark = pytest.mark.waits
ALLOWED = 5.0
"""Seconds that a body may take, as set for the server. Headers have 10, an answer 15."""
GIVEN_UP = 120.0
"""Seconds after which no slow client has a connection any more."""
MANY = 40
LARGE = 8_000_000
"""Bytes of an answer: more than a system keeps for whoever does not take it."""
HEAD = b"POST /graphql HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/json\r\n"
BODY = b'{"query": "{ statistics { papers } }"}'


@pytest.fixture(scope="module")
def service(started) -> Iterator:
    with started("--seconds", f"{ALLOWED:g}") as service:
        service.answers()
        yield service
        assert not service.errors()


@contextmanager
def connected(service, number: int = MANY) -> Iterator[list[socket.socket]]:
    """Many connections, with little room for what is sent to them."""
    with ExitStack() as open_:
        clients = []
        for _ in range(number):
            client = open_.enter_context(socket.socket())
            client.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, 4096)
            client.settimeout(GIVEN_UP)
            client.connect(("127.0.0.1", service.port))
            clients.append(client)
        deadline = time.monotonic() + GIVEN_UP
        while not ports(clients) <= service.held():
            assert time.monotonic() < deadline
            time.sleep(0.01)
        yield clients


def ports(clients: list[socket.socket]) -> set[int]:
    return {each.getsockname()[1] for each in clients}


def goes_on_until_given_up(service, clients: set[int], each_second: Callable = list) -> None:
    """Ask questions, one after the other, while clients do what they do `each_second`.

    It ends when the server holds none of the connections from the ports in `clients`.
    """
    until = time.monotonic() + GIVEN_UP
    while held := service.held() & clients:
        assert time.monotonic() < until, f"{len(held)} are still there"
        begun = time.monotonic()
        each_second()
        service.answers()
        time.sleep(max(0.0, 1 - (time.monotonic() - begun)))
    service.answers()


def all_of(client: socket.socket) -> bytes:
    """Return what was sent until the connection broke off."""
    taken = bytearray()
    with suppress(ConnectionError):
        while piece := client.recv(1 << 20):
            taken += piece
    return bytes(taken)


def trickling(clients: list[socket.socket], sent: bytes) -> Callable[[], None]:
    """Make what sends the next byte of `sent` from each client, unless that was given up."""
    left = iter(sent)

    def send_next() -> None:
        byte = next(left, None)
        for each in clients if byte is not None else ():
            with suppress(ConnectionError):
                each.send(bytes([byte]))

    return send_next


def test_a_client_that_does_not_finish_its_headers_is_given_up(service):
    with connected(service) as silent, connected(service) as slow, connected(service) as again:
        for each in again:
            each.sendall(HEAD + f"Content-Length: {len(BODY)}\r\n\r\n".encode() + BODY)
            assert each.recv(4096).startswith(b"HTTP/1.1 200")
        clients = ports(silent + slow + again)
        goes_on_until_given_up(service, clients, trickling(slow + again, HEAD))


def test_a_client_that_sends_a_body_by_the_byte_gets_an_error_and_is_given_up(service):
    with connected(service) as slow, connected(service) as in_pieces:
        for each in slow:
            each.sendall(HEAD + b"Content-Length: 200\r\n\r\n")
        for each in in_pieces:
            each.sendall(HEAD + b"Transfer-Encoding: chunked\r\n\r\n")
        piece = b"1\r\n \r\n" * 9
        clients = slow + in_pieces
        goes_on_until_given_up(service, ports(clients), trickling(clients, piece))
        for each in clients:
            assert each.recv(4096).startswith(b"HTTP/1.1 408")


def test_a_client_that_reads_nothing_of_a_large_answer_is_given_up(service):
    query = quote("SELECT * { GRAPH ?g { ?a ?b ?c } }")
    request = f"GET /sparql?query={query} HTTP/1.1\r\nHost: localhost\r\n\r\n".encode()
    with ExitStack() as open_:
        clients = []
        for _ in range(5):  # One after the other: an answer may take as long as headers may.
            clients += open_.enter_context(connected(service, 1))
            clients[-1].sendall(request)
            assert clients[-1].recv(9) == b"HTTP/1.1 "
        goes_on_until_given_up(service, ports(clients))
        for each in clients:
            assert len(all_of(each)) < LARGE


@pytest.mark.parametrize(
    "path",
    ["/lineage/entity/lora.json", "/graphql?query={statistics{papers}}", "/page/entity/lora"],
)
def test_leaving_before_the_answer_does_not_cause_a_server_error(service, path):
    clients = set()
    for _ in range(MANY):
        with socket.create_connection(("127.0.0.1", service.port)) as client:
            client.sendall(f"GET {path} HTTP/1.1\r\nHost: localhost\r\n\r\n".encode())
            clients |= ports([client])
    goes_on_until_given_up(service, clients)
