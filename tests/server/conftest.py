"""A store built from the examples, and a server on a real port."""

import re
import subprocess
import sys
from collections.abc import Callable, Iterator
from contextlib import AbstractContextManager, contextmanager
from pathlib import Path

import pytest

from stemma import Stemma

EXAMPLES = Path(__file__).parents[2] / "examples"


@pytest.fixture(scope="session")
def example_store(tmp_path_factory: pytest.TempPathFactory) -> str:
    """The path of a store with the example papers."""
    store = str(tmp_path_factory.mktemp("store") / "examples.db")
    with Stemma(store) as graph:
        report = graph.build(EXAMPLES)
    assert not report.problems
    return store


@contextmanager
def serving(store: str) -> Iterator[str]:
    """Run ``stemma serve`` on a store, and give its URL."""
    command = [sys.executable, "-m", "stemma.server", "serve", "--port", "0", "-s", store]
    with subprocess.Popen(command, stderr=subprocess.PIPE, text=True) as server:
        assert server.stderr
        announced = server.stderr.readline()
        found = re.search(r"http://[^/\s]+", announced)
        assert found, announced + server.stderr.read()
        try:
            yield found.group()
        finally:
            server.terminate()
            server.wait(timeout=10)


@pytest.fixture(scope="session")
def server_url(example_store: str) -> Iterator[str]:
    """The URL of ``stemma serve`` on the example store."""
    with serving(example_store) as url:
        yield url


@pytest.fixture
def serve() -> Callable[[str], AbstractContextManager[str]]:
    """Serve a store of a test's own."""
    return serving
