"""The graph that questions are asked of."""

from collections.abc import Callable

import pytest

from stemma.graph import Reader
from stemma.server.asking import Answer, ask


@pytest.fixture(scope="session")
def asked(reader: Reader) -> Callable[[str], Answer]:
    """Ask the example papers."""
    return lambda question: ask(reader, question)
