"""A server whose store is lost says so, and continues when it is back."""

import socket
import threading
from contextlib import suppress
from socketserver import BaseRequestHandler, ThreadingTCPServer
from urllib.parse import urlsplit

import httpx

QUESTION = {"query": '{ entity(name: "ZeRO-Infinity") { introducedBy { title } } }'}


class Line(ThreadingTCPServer):
    """A connection to a server that can be disconnected and reconnected."""

    daemon_threads = True
    whole = True

    def __init__(self, beyond: tuple[str, int]) -> None:
        super().__init__(("127.0.0.1", 0), Carrier)
        self.beyond = beyond
        self.ends: list[socket.socket] = []
        threading.Thread(target=self.serve_forever, args=(0.01,), daemon=True).start()

    def verify_request(self, *_: object) -> bool:
        return self.whole

    def cut(self) -> None:
        self.whole = False
        for end in self.ends:
            with suppress(OSError):
                end.shutdown(socket.SHUT_RDWR)


class Carrier(BaseRequestHandler):
    def handle(self) -> None:
        with socket.create_connection(self.server.beyond) as far:
            self.server.ends += [self.request, far]
            back = threading.Thread(target=carry, args=(far, self.request), daemon=True)
            back.start()
            carry(self.request, far)
            back.join()


def carry(source: socket.socket, target: socket.socket) -> None:
    with suppress(OSError):
        while data := source.recv(65536):
            target.sendall(data)
    with suppress(OSError):
        target.shutdown(socket.SHUT_RDWR)


def test_a_lost_store_is_reported_and_is_found_again(example_store, pushed_alone, serve):
    parts = urlsplit(pushed_alone(example_store))
    line = Line((parts.hostname, parts.port))
    # Routing would lead past the line.
    url = f"bolt://{parts.netloc.rpartition('@')[0]}@127.0.0.1:{line.server_address[1]}"
    with serve(url) as server:
        ask = lambda: httpx.post(f"{server}/graphql", json=QUESTION).json()  # noqa: E731
        assert ask()["data"]["entity"]

        line.cut()
        [error] = ask()["errors"]
        assert error["extensions"]["code"] == "STORE_UNAVAILABLE"
        assert "127.0.0.1" not in error["message"]
        assert httpx.get(f"{server}/ready").status_code == 503
        assert httpx.get(f"{server}/health").status_code == 200

        line.whole = True
        assert ask()["data"]["entity"]
        assert httpx.get(f"{server}/ready").json()["papers"] > 0
    line.cut()
