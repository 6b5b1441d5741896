"""A server in a thread, for tests of what Stemma sends to others, and ports for other servers."""

import socket
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer


@contextmanager
def local_server(handler: type[BaseHTTPRequestHandler], state: object) -> Iterator[str]:
    """Serve on a free port as long as this is open, and yield the URL.

    Handlers have `state` as an attribute, and write no log.
    """
    quiet = {"state": state, "log_message": lambda *_: None}
    server = ThreadingHTTPServer(("127.0.0.1", 0), type("Handler", (handler,), quiet))
    server.daemon_threads = True
    threading.Thread(target=server.serve_forever, args=(0.01,), daemon=True).start()
    try:
        yield f"http://127.0.0.1:{server.server_port}"
    finally:
        server.shutdown()
        server.server_close()


def free_port() -> int:
    """Return a port of this machine that nothing listens on."""
    with socket.socket() as any_port:
        any_port.bind(("127.0.0.1", 0))
        return int(any_port.getsockname()[1])
