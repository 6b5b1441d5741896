"""When stopped, a server finishes its requests, within bounds, and leaves nothing behind."""

import json
import os
import socket
import threading
import time

import httpx
import pytest

from patience import PATIENCE

ENDLESSLY = 600
"""Seconds that no test here waits for."""
ENDLESS = "SELECT (COUNT(*) AS ?n) { ?a ?b ?c . ?d ?e ?f . ?g ?h ?i FILTER (?a != ?g) }"


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


def stops_listening(server) -> bool:
    try:
        socket.create_connection(("127.0.0.1", server.port), timeout=PATIENCE).close()
    except OSError:
        return True
    return False


@pytest.mark.parametrize("workers", ["1", pytest.param("2", marks=pytest.mark.long)])
def test_a_request_under_way_is_answered(start, example_store, eventually, workers):
    body = json.dumps({"query": "{statistics{papers}}"}).encode()
    with start(example_store, "--workers", workers) as server:
        assert httpx.get(f"{server.url}/sparql?query=ASK{{}}").status_code == 200
        started = server.descendants()
        assert started
        with begin(server, body, 10) as connection:
            time.sleep(0.3)
            server.process.terminate()
            eventually(lambda: stops_listening(server))
            assert server.process.poll() is None
            connection.sendall(body[10:])
            answer = answer_on(connection)
        assert answer.startswith("HTTP/1.1 200")
        assert '"papers":' in answer
        server.process.wait(timeout=PATIENCE)
        eventually(lambda: not any(is_alive(each) for each in started))


def test_a_request_that_takes_too_long_is_cut_off(start, example_store, eventually):
    limits = {"grace": 1, "sparql-timeout": ENDLESSLY}
    with start(example_store, configured=limits) as server:
        assert httpx.get(f"{server.url}/sparql?query=ASK{{}}").status_code == 200
        endless = threading.Thread(target=ask_endlessly, args=(server.url,))
        endless.start()
        with begin(server, b"x" * 100, 10) as connection:
            eventually(lambda: busy(server))
            started = server.descendants()
            server.process.terminate()
            answer = answer_on(connection)
            server.process.wait(timeout=PATIENCE)
        assert answer.startswith("HTTP/1.1 503")
        assert "STOPPED" in answer
        eventually(lambda: not any(is_alive(each) for each in started))
        endless.join(timeout=PATIENCE)
        assert not endless.is_alive()


def test_workers_end_with_a_supervisor_that_is_killed(start, example_store, eventually):
    with start(example_store, "--workers", "2") as server:
        started = server.descendants()
        server.process.kill()
        server.process.wait(timeout=PATIENCE)
        eventually(lambda: not any(is_alive(each) for each in started))


def ask_endlessly(url: str) -> None:
    try:
        httpx.get(f"{url}/sparql", params={"query": ENDLESS}, timeout=ENDLESSLY)
    except httpx.HTTPError:
        return


def busy(server) -> bool:
    """Whether one of its processes for SPARQL has begun to work hard."""
    return any(_ticks(each) > 100 for each in server.descendants())


def _ticks(process: int) -> int:
    try:
        with open(f"/proc/{process}/stat") as stat:  # noqa: PTH123
            return int(stat.read().rpartition(")")[2].split()[11])
    except OSError:
        return 0


def is_alive(process: int) -> bool:
    try:
        os.kill(process, 0)
        with open(f"/proc/{process}/stat") as stat:  # noqa: PTH123
            return stat.read().rpartition(")")[2].split()[0] != "Z"
    except (ProcessLookupError, FileNotFoundError):
        return False
