"""``stemma serve`` as a process of its own, with all that it writes and starts."""

import time
from collections.abc import Callable
from contextlib import AbstractContextManager

import pytest

from patience import PATIENCE
from service import Service, serving


@pytest.fixture(scope="session")
def start() -> Callable[..., AbstractContextManager[Service]]:
    """Start a server on a store, with options."""
    return serving


@pytest.fixture(scope="session")
def eventually() -> Callable[[Callable[[], object]], None]:
    """Wait until something is so."""

    def wait(condition: Callable[[], object]) -> None:
        deadline = time.monotonic() + PATIENCE
        while not condition():
            assert time.monotonic() < deadline, "it did not come to that"
            time.sleep(0.05)

    return wait
