"""A receiver of webhooks, which refuses on demand."""

from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from http.server import BaseHTTPRequestHandler

from local_server import local_server


@dataclass
class Receiver:
    """What was delivered, and what the next deliveries are answered with."""

    url: str = ""
    bodies: list[bytes] = field(default_factory=list)
    headers: list[dict[str, str]] = field(default_factory=list)
    statuses: list[int] = field(default_factory=list)


class _Handler(BaseHTTPRequestHandler):
    state: Receiver

    def do_POST(self) -> None:
        state = self.state
        state.bodies.append(self.rfile.read(int(self.headers["Content-Length"])))
        state.headers.append(dict(self.headers))
        self._answer(state.statuses.pop(0) if state.statuses else 204)

    def do_GET(self) -> None:
        self._answer(200)  # as a page for people at the same address

    def _answer(self, status: int) -> None:
        self.send_response(status)
        if 300 <= status < 400:
            self.send_header("Location", "/moved")
        self.send_header("Content-Length", "0")
        self.end_headers()


@contextmanager
def webhook_receiver() -> Iterator[Receiver]:
    """Receive on a free port as long as this is open."""
    state = Receiver()
    with local_server(_Handler, state) as url:
        state.url = f"{url}/hook"
        yield state
