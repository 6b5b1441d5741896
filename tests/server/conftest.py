"""A store built from the examples, and a server on a real port."""

from collections.abc import Callable, Iterator
from contextlib import AbstractContextManager
from pathlib import Path

import httpx
import pytest

from corpus import extracted
from pushed import push
from service import served_here
from stemma import Stemma
from stemma.graph import Reader, open_store
from stemma.server.build import load

EXAMPLES = Path(__file__).parents[2] / "examples"


def pytest_make_parametrize_id(val: object) -> str | None:
    """Return a readable id of a case, which pytest would only number."""
    return str(val) if isinstance(val, dict | list | tuple) else None


@pytest.fixture(scope="session")
def example_store(tmp_path_factory) -> str:
    """The path of a store with the example papers."""
    path = str(tmp_path_factory.mktemp("store") / "stemma.db")
    with open_store(path) as store:
        report = load(store, [extracted(EXAMPLES, "examples")])
    assert not report.problems
    return path


@pytest.fixture(scope="session")
def pushed_alone(neo4j_driver) -> Callable[[str], str]:
    """Push a store to Neo4j, in the place of whatever is there, and return the URL.

    Where the same is there, as modules that follow each other find it, nothing is written.
    """

    def push_alone(path: str) -> str:
        url, driver = neo4j_driver
        found = driver.execute_query("MATCH (p:Paper) RETURN count(p) AS papers").records[0]
        with open_store(path) as store:
            if found["papers"] != store.statistics().papers:
                driver.execute_query("MATCH (n) DETACH DELETE n")
            push(store, url)
        return url

    return push_alone


@pytest.fixture(scope="session")
def server_url(example_store) -> Iterator[str]:
    """The URL of a server on the example store."""
    with served_here(example_store) as url:
        yield url


@pytest.fixture(scope="module")
def client(server_url) -> Iterator[httpx.Client]:
    """A client of that server."""
    with httpx.Client(base_url=server_url, timeout=60) as client:
        yield client


@pytest.fixture(scope="session")
def reader(example_store) -> Iterator[Reader]:
    """A reader of the example papers."""
    with open_store(example_store) as store, store.snapshot() as reader:
        yield reader


@pytest.fixture(scope="session")
def anyio_backend() -> str:
    """What tests marked with anyio run on."""
    return "asyncio"


@pytest.fixture(scope="module")
def graph(example_store) -> Iterator[Stemma]:
    """The store with the example papers, in Python."""
    with Stemma(example_store) as opened:
        yield opened


@pytest.fixture(scope="session")
def serve() -> Callable[..., AbstractContextManager[str]]:
    """Serve a store of a test's own, with settings of its own, in this process."""
    return served_here
