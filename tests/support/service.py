"""A server on any free port: ``stemma serve`` as a process of its own, or a thread of this one.

A thread is ready at once, where a process first imports what this one has. What signals, several
workers, the log, memory or a lost machine do to a server is tested with a process.
"""

import json
import re
import subprocess
import sys
import threading
import time
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

import uvicorn

from patience import PATIENCE
from stemma.graph import open_store
from stemma.server.app import make_app
from stemma.server.http.listening import bound, configuration, url_of
from stemma.server.settings import Settings

BROWSER = {"accept": "text/html,application/xhtml+xml,application/xml;q=0.9,*/*;q=0.8"}
"""Headers that a browser sends."""
_SECONDS_TO_START = 300
_SECONDS_TO_END = 60


@dataclass(frozen=True)
class Service:
    """A server; `url` is where it is, and it writes to the file `written`."""

    process: subprocess.Popen[bytes]
    url: str
    written: Path

    @property
    def port(self) -> int:
        """The port it listens on."""
        return int(self.url.rpartition(":")[2])

    def log(self) -> list[dict[str, Any]]:
        """What it has written, as the JSON lines that they have to be."""
        return [json.loads(line) for line in self.written.read_text().splitlines()]

    def requests(self) -> list[dict[str, Any]]:
        """The lines of the log that tell of requests."""
        return [each for each in self.log() if each["logger"] == "stemma.request"]


@contextmanager
def serving(
    store: str, *options: str, configured: Mapping[str, Any] | None = None, **process: Any
) -> Iterator[Service]:
    """Serve a store until the end of `with`.

    `configured` are settings of the configuration file, `process` arguments of Popen.
    """
    with TemporaryDirectory(prefix="stemma-service-") as folder:
        command = [sys.executable, "-m", "stemma.server"]
        if configured:
            file = Path(folder) / "stemma.toml"
            lines = (f"{name} = {json.dumps(value)}" for name, value in configured.items())
            file.write_text("\n".join(["[serve]", *lines]))
            command += ["--config", str(file)]
        command += ["serve", "--port", "0", "-s", store]
        # A file rather than a pipe: a pipe that is never emptied would stop the server.
        written = Path(folder) / "log"
        with (
            written.open("wb") as log,
            subprocess.Popen([*command, *options], stderr=log, **process) as running,
        ):
            try:
                yield Service(running, _url(running, written), written)
            finally:
                running.terminate()
                try:
                    running.wait(timeout=_SECONDS_TO_END)
                except subprocess.TimeoutExpired:
                    running.kill()


def _url(process: subprocess.Popen[bytes], written: Path) -> str:
    deadline = time.monotonic() + _SECONDS_TO_START
    while time.monotonic() < deadline and process.poll() is None:
        if found := re.search(r"http://[^/\s]+", written.read_text()):
            return found.group()
        time.sleep(0.05)
    raise AssertionError(written.read_text())


@contextmanager
def served_here(store: str, **chosen: Any) -> Iterator[str]:
    """Serve a store with settings in a thread, until the end of `with`, and give the URL."""
    settings = Settings(port=0, **chosen)
    with bound(settings.host, settings.port) as listener:
        made = configuration(lambda: make_app(open_store(store), settings), settings)
        server = uvicorn.Server(made)
        thread = threading.Thread(target=server.run, kwargs={"sockets": [listener]}, name="server")
        thread.start()
        try:
            while not server.started:
                assert thread.is_alive(), "the server could not be started"
                time.sleep(0.002)
            yield url_of(listener)
        finally:
            server.should_exit = True
            thread.join(timeout=settings.grace + PATIENCE)
            assert not thread.is_alive(), "the server does not end"
