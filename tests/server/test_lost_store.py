"""A server whose store is lost says so, and continues when it is back."""

import socket
import threading
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from urllib.parse import urlsplit, urlunsplit

import httpx

from pushed import push
from stemma.graph import open_store
from stemma.server.build import build
from stemma.server.extraction_settings import ExtractionSettings

EXAMPLES = Path(__file__).parents[2] / "examples"
QUESTION = {"query": '{ lineage(of: "ZeRO-Infinity") { nodes { depth } } }'}


class Line:
    """A connection to a server that can be disconnected and reconnected."""

    def __init__(self, host: str, port: int) -> None:
        self._beyond = (host, port)
        self._ends: list[socket.socket] = []
        self._whole = True
        self._entry = socket.create_server(("127.0.0.1", 0))
        self.port = self._entry.getsockname()[1]
        threading.Thread(target=self._accept, daemon=True).start()

    def cut(self) -> None:
        self._whole = False
        while self._ends:
            _close(self._ends.pop())

    def mend(self) -> None:
        self._whole = True

    def _accept(self) -> None:
        while True:
            near, _ = self._entry.accept()
            if not self._whole:
                _close(near)
                continue
            far = socket.create_connection(self._beyond)
            self._ends += [near, far]
            for source, target in ((near, far), (far, near)):
                threading.Thread(target=_carry, args=(source, target), daemon=True).start()


def _close(end: socket.socket) -> None:
    with suppress(OSError):
        end.shutdown(socket.SHUT_RDWR)
    end.close()


def _carry(source: socket.socket, target: socket.socket) -> None:
    with suppress(OSError):
        while data := source.recv(65536):
            target.sendall(data)
    _close(target)


@contextmanager
def line_to(url: str) -> Iterator[tuple[Line, str]]:
    parts = urlsplit(url)
    assert parts.hostname
    assert parts.port
    line = Line(parts.hostname, parts.port)
    user = parts.netloc.rpartition("@")[0]
    # Routing would lead past the line.
    yield line, urlunsplit(("bolt", f"{user}@127.0.0.1:{line.port}", "", "", ""))
    line.cut()


def test_a_lost_store_is_reported_and_is_found_again(neo4j_url, tmp_path, serve):
    with open_store(str(tmp_path / "stemma.db")) as store:
        build(store, [EXAMPLES / "training.txt"], ExtractionSettings(fast=True))
        push(store, neo4j_url)
    with line_to(neo4j_url) as (line, url), serve(url) as server:
        ask = lambda: httpx.post(f"{server}/graphql", json=QUESTION).json()  # noqa: E731
        assert ask()["data"]["lineage"]["nodes"]

        line.cut()
        [error] = ask()["errors"]
        assert error["extensions"]["code"] == "STORE_UNAVAILABLE"
        assert "127.0.0.1" not in error["message"]
        assert httpx.get(f"{server}/ready").status_code == 503
        assert httpx.get(f"{server}/health").status_code == 200

        line.mend()
        assert ask()["data"]["lineage"]["nodes"]
        assert httpx.get(f"{server}/ready").json()["papers"] > 0
