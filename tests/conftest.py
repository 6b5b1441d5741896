"""Fixtures and markers for all tests."""

import gc
import logging
import math
import os
import shutil
import signal
from collections import defaultdict
from collections.abc import Callable, Iterator
from contextlib import ExitStack, contextmanager
from dataclasses import asdict
from functools import cache
from pathlib import Path
from typing import Any

# Tests run in parallel themselves. NumPy reads how many threads it may start when it is imported:
# several that wait for each other took twenty times as long to understand a question as one does.
os.environ.setdefault("STEMMA_PROCESSES", "1")
os.environ.setdefault("OMP_NUM_THREADS", "1")

import httpx
import neo4j
import pytest
import typer.main
import typer.testing
from httpx._config import DEFAULT_TIMEOUT_CONFIG
from playwright.sync_api import Browser, expect, sync_playwright

from examples import load_profile
from kept import needed
from neo4j_server import Server
from patience import PATIENCE
from stemma.graph import LineageDirection, Reader, Selection, WorkType
from stemma.graph.neo4j import Address

MOST_PROCESSES = 8
"""Each loads the extraction, which takes some 600 MB."""
BROWSERS = ("chromium", "chromium-browser", "google-chrome")

NEEDS = {
    "neo4j": {"neo4j_driver", "start_neo4j"},
    "jena": {"riot_complains", "jena"},
    "browser": {"browser"},
    "npm": {"node"},
    "process": {"server_url", "serve", "service"},
    "slow": {"shared"},
}
"""The markers of tests that ask for fixtures."""
SECONDS = {
    "soak": 20,
    "packaging": 5,
    "jena": 20,
    "neo4j": 30,
    "slow": 5,
    "browser": 2,
    "process": 1,
    "npm": 1,
}
"""About how long a test with each marker takes; any other takes a twentieth of a second."""

load_profile()

# What is imported and collected stays: no need to search it for garbage, see below.
gc.disable()

# A command that is run in this process creates all of them again, which takes longer than most do.
typer.main.get_command = typer.testing._get_command = cache(typer.main.get_command)

# In the background and under nohup these are ignored, which the processes that tests start would
# inherit; what is handled here they do not.
for ending in (signal.SIGINT, signal.SIGHUP):
    if signal.getsignal(ending) is signal.SIG_IGN:
        signal.signal(ending, lambda *_: None)

# Each client makes a context for TLS, which takes longer than most answers.
httpx._transports.default.create_ssl_context = cache(httpx.create_ssl_context)

# httpx has no other way to change what it does where nothing is said.
for phase in ("connect", "read", "write", "pool"):
    setattr(DEFAULT_TIMEOUT_CONFIG, phase, PATIENCE)
expect.set_options(timeout=PATIENCE * 1000)


def pytest_xdist_auto_num_workers() -> int:
    """The number of processes: one more than there are cores, since some tests mostly wait."""
    return min((os.cpu_count() or 1) + 1, MOST_PROCESSES)


@pytest.hookimpl(tryfirst=True)
def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """Mark what tests need, and have one process run all that share a server, others file by file.

    The groups that take longest come first, so that all processes end at about the same time.
    """
    seconds: dict[str, float] = defaultdict(float)
    browsing = {item.path for item in items if "browser" in getattr(item, "fixturenames", ())}
    for item in items:
        skipped = not os.environ.get("STEMMA_NIGHTLY") and item.get_closest_marker("long")
        if skipped:
            item.add_marker(pytest.mark.skip(reason="takes long: runs in `make nightly`"))
        for marker, fixtures in NEEDS.items():
            if fixtures.intersection(getattr(item, "fixturenames", ())):
                item.add_marker(marker)
        group = "browser" if item.path in browsing else _group(item)
        item.add_marker(pytest.mark.xdist_group(group))
        marked = [SECONDS[each.name] for each in item.iter_markers() if each.name in SECONDS]
        seconds[group] += 0 if skipped else max(marked, default=0.05)
    seconds["neo4j"] = math.inf  # One process alone can run these.
    if "PYTEST_XDIST_WORKER" in os.environ:
        items.sort(key=lambda item: (-seconds[_group(item)], _group(item)))


def pytest_collection_finish() -> None:
    """Search for garbage among what tests make, and not among all that was there before; and not
    each time that there are some hundred things more."""
    gc.collect()
    gc.freeze()
    gc.set_threshold(10_000, 10, 10)
    gc.enable()


def _group(item: pytest.Item) -> str:
    if own := item.get_closest_marker("xdist_group"):
        return str(own.args[0])  # With a server of its own, say.
    return "neo4j" if item.get_closest_marker("neo4j") else item.nodeid.partition("::")[0]


@pytest.fixture(scope="session")
def shared() -> Path:
    """Listings, corpora and gold annotations that are not part of the project."""
    beside = Path(__file__).resolve().parents[2] / "shared"
    folder = Path(os.environ.get("STEMMA_SHARED") or beside)
    if not folder.is_dir():
        pytest.skip(f"no shared data: set STEMMA_SHARED, or put it at {beside}")
    return folder


@pytest.fixture(scope="session")
def start_neo4j(tmp_path_factory) -> Iterator[Callable[..., Any]]:
    """Start a server with settings of its own; skip, or fail where it must be, if none can be."""
    started = []

    def start(**settings: str) -> Any:
        server = Server(tmp_path_factory.mktemp("neo4j"), settings)
        with needed("NEO4J"):
            started.append(server.start())
        return server

    yield start
    for server in started:
        server.kill()  # Its data is no longer needed.


@pytest.fixture(scope="session")
def neo4j_driver(request) -> Iterator[tuple[str, neo4j.Driver]]:
    """The URL of a server whose database tests may empty, and a driver for it."""
    url = os.environ.get("STEMMA_TEST_NEO4J_URL")
    if not url:
        url = request.getfixturevalue("start_neo4j")().url
    address = Address.parse(url)
    auth = (address.user or "neo4j", address.password or "")
    with neo4j.GraphDatabase.driver(
        address.server, auth=auth, notifications_min_severity="OFF"
    ) as driver:
        found = driver.execute_query(
            "MATCH (n) WHERE NOT EXISTS { MATCH (:StemmaPush) } RETURN count(n) AS count"
        )
        if found.records[0]["count"]:
            pytest.fail("STEMMA_TEST_NEO4J_URL leads to a database that tests should not empty")
        yield url, driver
        driver.execute_query("MATCH (n) DETACH DELETE n")


@pytest.fixture
def neo4j_url(neo4j_driver) -> str:
    """The URL of an empty database."""
    url, driver = neo4j_driver
    driver.execute_query("MATCH (n) DETACH DELETE n")
    return url


@pytest.fixture
def cypher(neo4j_driver) -> Callable[..., list[dict[str, Any]]]:
    """Run Cypher as a user of the database would, and return rows."""

    def run(query: str, **parameters: Any) -> list[dict[str, Any]]:
        records = neo4j_driver[1].execute_query(query, parameters).records
        return [record.data() for record in records]

    return run


@pytest.fixture(scope="session")
def answers() -> Callable[[Reader], dict[str, Any]]:
    """Ask a graph everything that can be asked of all its works, through the protocol."""

    def ask(reader: Reader) -> dict[str, Any]:
        works = {}
        for type_ in WorkType:
            page = reader.page(type_, Selection(first=100_000))
            assert len(page.items) == page.total
            works |= {work.id: work for work in page.items}
        papers, entities = (
            [id_ for id_ in works if id_.startswith(type_)] for type_ in ("paper/", "entity/")
        )
        authors = reader.authors(papers)
        people = [id_ for own in authors.values() for id_ in own]
        asked = (
            (list(works), "statements published"),
            (papers, "contributions cites cited_by"),
            (people, "people written_by"),
            (entities, "narrower"),
        )
        found = {each: getattr(reader, each)(ids) for ids, all_ in asked for each in all_.split()}
        for question in ("lineage_edges", "neighbours"):
            for direction in LineageDirection:
                found[f"{question} {direction}"] = getattr(reader, question)(list(works), direction)
        counted = asdict(reader.statistics())
        del counted["generation"]
        found |= {"works": [*works.values()], "authors": authors, "unapplied": reader.unapplied()}
        return {**found, "counts": counted}

    return ask


_SHARED_BROWSER: list[Browser] = []
"""The one that all tests in a row share which need one: to start it takes seconds.

It keeps an event loop running, which other tests have no use for.
"""
_UNTIL_CLOSED = ExitStack()


@pytest.hookimpl(trylast=True)
def pytest_runtest_teardown(nextitem: pytest.Item | None) -> None:
    """Close the browser when the tests are over that share it, and their fixtures are gone."""
    if nextitem is None or _group(nextitem) != "browser":
        _SHARED_BROWSER.clear()
        _UNTIL_CLOSED.close()


@pytest.fixture(scope="module")
def browser() -> Browser:
    """A browser that can reach nothing but this machine."""
    if not _SHARED_BROWSER or not _SHARED_BROWSER[0].is_connected():
        _UNTIL_CLOSED.close()
        _SHARED_BROWSER[:] = [_UNTIL_CLOSED.enter_context(_started_browser())]
    return _SHARED_BROWSER[0]


@contextmanager
def _started_browser() -> Iterator[Browser]:
    found = [os.environ.get("STEMMA_CHROMIUM"), *map(shutil.which, BROWSERS)]
    program = next(filter(None, found), None)
    if program is None:
        pytest.skip(f"no browser: none of {', '.join(BROWSERS)}, and STEMMA_CHROMIUM is not set")
    with sync_playwright() as started:
        # No name resolves: whatever the page wants from elsewhere, it cannot have.
        browser = started.chromium.launch(
            executable_path=program,
            args=[
                "--host-resolver-rules=MAP * ~NOTFOUND, EXCLUDE 127.0.0.1, EXCLUDE localhost",
                "--disable-background-networking",
                "--disable-component-update",
                "--disable-quic",
                # Nor does a processor play graphics card, which takes a quarter of the time.
                "--disable-gpu",
                "--disable-software-rasterizer",
                "--no-first-run",
            ],
        )
        yield browser
        browser.close()


@pytest.fixture(autouse=True)
def no_log_handler_stays() -> Iterator[None]:
    """A handler that a command in this process set up writes to a stream that is closed by now."""
    yield
    known = logging.root.manager.loggerDict.values()
    for log in (logging.root, *known):
        if isinstance(log, logging.Logger):
            log.handlers = [
                each for each in log.handlers if type(each) is not logging.StreamHandler
            ]
