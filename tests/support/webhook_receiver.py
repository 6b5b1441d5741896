"""A receiver of webhooks, which refuses on demand."""

import threading
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer


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
        self.send_response(state.statuses.pop(0) if state.statuses else 204)
        self.send_header("Content-Length", "0")
        self.end_headers()

    def log_message(self, *_: object) -> None:
        """Keep quiet."""


@contextmanager
def webhook_receiver() -> Iterator[Receiver]:
    """Receive on a free port as long as this is open."""
    state = Receiver()
    server = ThreadingHTTPServer(("127.0.0.1", 0), type("Handler", (_Handler,), {"state": state}))
    state.url = f"http://127.0.0.1:{server.server_address[1]}/hook"
    threading.Thread(target=server.serve_forever, args=(0.01,), daemon=True).start()
    try:
        yield state
    finally:
        server.shutdown()
        server.server_close()
