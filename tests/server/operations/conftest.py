"""``stemma serve`` as a process of its own, with all that it writes and starts."""

import json
import time
from collections.abc import Callable, Iterator
from contextlib import AbstractContextManager, contextmanager
from typing import Any

import pytest

from patience import PATIENCE
from processes import descendants
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
        return descendants(self.process.pid)


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
