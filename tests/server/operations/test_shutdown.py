"""When stopped, a server finishes its requests, within bounds, and leaves nothing behind."""

import json
import signal
import socket
import time
from concurrent.futures import ThreadPoolExecutor
from functools import partial

import httpx
import pytest

from patience import PATIENCE, eventually
from processes import ENDLESS, descendants, processor_seconds
from service import serving

pytestmark = pytest.mark.process

ENDLESSLY = 600
"""Seconds that no test here waits for."""


def begin(server, body: bytes, send: int) -> socket.socket:
    """Send the head of a request, and that many bytes of its body."""
    connection = socket.create_connection(("127.0.0.1", server.port), timeout=PATIENCE)
    head = (
        "POST /graphql HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/json\r\n"
        f"Content-Length: {len(body)}\r\n\r\n"
    )
    connection.sendall(head.encode() + body[:send])
    return connection


def answer_on(connection: socket.socket) -> str:
    """What is said on a connection until it is closed."""
    return b"".join(iter(lambda: connection.recv(65536), b"")).decode()


def all_gone(processes: set[int]) -> bool:
    return processes.isdisjoint(descendants(0))


def stops_listening(server) -> bool:
    try:
        socket.create_connection(("127.0.0.1", server.port), timeout=PATIENCE).close()
    except OSError:
        return True
    return False


@pytest.mark.parametrize("workers", ["1", pytest.param("2", marks=pytest.mark.long)])
def test_a_request_under_way_is_answered_after_ctrl_c(example_store, workers):
    body = json.dumps({"query": "{statistics{papers}}"}).encode()
    logging = {"log-requests": True}
    with serving(example_store, "--workers", workers, configured=logging) as server:
        asked = f"{server.url}/sparql?query=ASK{{}}"
        assert httpx.get(asked, headers={"x-request-id": "call-2"}).status_code == 200
        started = descendants(server.process.pid)
        assert started
        with begin(server, body, 10) as connection:
            time.sleep(0.3)
            server.process.send_signal(signal.SIGINT)
            eventually(lambda: stops_listening(server))
            assert server.process.poll() is None
            connection.sendall(body[10:])
            answer = answer_on(connection)
        assert answer.startswith("HTTP/1.1 200")
        assert '"papers":' in answer
        # Those who supervise workers end as if asked to, which they were.
        assert server.process.wait(timeout=PATIENCE) == (130 if workers == "1" else 0)
        eventually(lambda: all_gone(started))
        log = server.written.read_text()
        assert "[call-2] GET /sparql 200" in log, "it is text for people"
        assert "Traceback" not in log


def test_a_request_that_takes_too_long_is_cut_off(example_store):
    limits = {"grace": 1, "sparql-timeout": ENDLESSLY}
    with serving(example_store, configured=limits) as server, ThreadPoolExecutor() as clients:
        ask = partial(httpx.get, f"{server.url}/sparql", timeout=ENDLESSLY)
        assert ask(params={"query": "ASK {}"}).status_code == 200
        endless = clients.submit(ask, params={"query": ENDLESS})
        with begin(server, b"x" * 100, 10) as connection:
            own = lambda: descendants(server.process.pid)  # noqa: E731
            eventually(lambda: any(processor_seconds(each) > 1 for each in own()))
            started = own()
            server.process.terminate()
            answer = answer_on(connection)
            server.process.wait(timeout=PATIENCE)
        assert answer.startswith("HTTP/1.1 503")
        assert "STOPPED" in answer
        eventually(lambda: all_gone(started))
        assert endless.result(PATIENCE).status_code == 503
