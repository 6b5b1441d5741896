"""The web application itself, asked without a port."""

from collections.abc import Callable
from functools import partial

import pytest
from starlette.testclient import TestClient

from asked import client_of


@pytest.fixture(scope="session")
def serving_with(example_store) -> Callable[..., TestClient]:
    """Ask an application that serves the example papers with settings."""
    return partial(client_of, example_store)


@pytest.fixture(scope="session")
def client(serving_with) -> TestClient:
    """Ask an application that serves the example papers."""
    return serving_with()
