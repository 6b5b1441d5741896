"""``stemma serve`` as a process of its own, with all that it writes and starts."""

import json
import time
from collections.abc import Callable, Iterator
from contextlib import AbstractContextManager, contextmanager
from pathlib import Path
from typing import Any

import pytest

from patience import PATIENCE
from service import Service, serving


class Running(Service):
    """A server, what it writes, and what it starts."""

    def log(self) -> list[dict[str, Any]]:
        """What it has written, as the JSON lines that they have to be."""
        return [json.loads(line) for line in self.written.read_text().splitlines()]

    def requests(self) -> list[dict[str, Any]]:
        return [each for each in self.log() if each["logger"] == "stemma.request"]

    def descendants(self) -> set[int]:
        """The processes that it has started, and that those have."""
        parents = {}
        for path in Path("/proc").glob("[0-9]*"):
            try:
                stat = (path / "stat").read_text()
            except OSError:
                continue
            state, parent = stat.rpartition(")")[2].split()[:2]
            if state != "Z":
                parents[int(path.name)] = int(parent)
        found = {self.process.pid}
        while more := {each for each, parent in parents.items() if parent in found} - found:
            found |= more
        return found - {self.process.pid}


@contextmanager
def running(store: str, *options: str, **settings: Any) -> Iterator[Running]:
    with serving(store, *options, **settings) as service:
        yield Running(service.process, service.url, service.written)


@pytest.fixture(scope="session")
def start() -> Callable[..., AbstractContextManager[Running]]:
    """Start a server on a store, with options."""
    return running


@pytest.fixture(scope="session")
def eventually() -> Callable[[Callable[[], object]], None]:
    """Wait until something is so."""

    def wait(condition: Callable[[], object]) -> None:
        deadline = time.monotonic() + PATIENCE
        while not condition():
            assert time.monotonic() < deadline, "it did not come to that"
            time.sleep(0.05)

    return wait
