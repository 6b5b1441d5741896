"""The graph that questions are asked of."""

from collections.abc import Callable, Iterator

import pytest

from stemma.graph import Reader, open_store
from stemma.server.asking import Answer, ask


@pytest.fixture(scope="session")
def reader(example_store: str) -> Iterator[Reader]:
    """The example papers."""
    with open_store(example_store) as store, store.snapshot() as held:
        yield held


@pytest.fixture(scope="session")
def asked(reader: Reader) -> Callable[[str], Answer]:
    """Ask the example papers."""
    return lambda question: ask(reader, question)
