"""A store built from the examples, and a server on a real port."""

from collections.abc import Callable, Iterator
from contextlib import AbstractContextManager, contextmanager
from pathlib import Path

import pytest

from service import serving
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
def served(store: str, *options: str) -> Iterator[str]:
    """Run ``stemma serve`` on a store, and give its URL."""
    with serving(store, *options) as service:
        yield service.url


@pytest.fixture(scope="session")
def server_url(example_store: str) -> Iterator[str]:
    """The URL of ``stemma serve`` on the example store."""
    with served(example_store) as url:
        yield url


@pytest.fixture(scope="session")
def serve() -> Callable[..., AbstractContextManager[str]]:
    """Serve a store of a test's own."""
    return served
