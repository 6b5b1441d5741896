"""What a query may cost: time, memory, rows and bytes, and a place among others."""

import asyncio
import os
import signal
import sys
from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager
from http import HTTPStatus
from multiprocessing import active_children
from typing import Any

import httpx
import pytest

from asked import client_of
from described import describe
from filled import stored
from patience import PATIENCE
from processes import ENDLESS
from service import served_here
from stemma.server.settings import Settings
from stemma.server.sparql.answering import Refusal, SparqlQuery
from stemma.server.sparql.confinement import MEGABYTE
from stemma.server.sparql.pool import WorkerPool

EVERYTHING = "SELECT * { ?s ?p ?o }"
TSV = "text/tab-separated-values"


@asynccontextmanager
async def started(store: str, **settings: Any) -> AsyncIterator[WorkerPool]:
    pool = WorkerPool(store, Settings(**settings))
    try:
        # The first answer comes when a worker is warm.
        assert (await pool.ask(SparqlQuery("ASK {}"))).body
        yield pool
    finally:
        await pool.stop()


async def refusal(pool: WorkerPool, query: str, media_type: str = TSV) -> Refusal:
    with pytest.raises(Refusal) as refused:
        await pool.ask(SparqlQuery(query, solutions=media_type))
    return refused.value


@pytest.fixture
def workers() -> Callable[[], set[int]]:
    """The processes that answer queries, which a test starts itself."""

    def found() -> set[int]:
        return {each.pid for each in active_children() if each.name == "sparql" and each.pid}

    others = found()
    return lambda: found() - others


pytestmark = [pytest.mark.process, pytest.mark.anyio]


async def test_workers_are_started_as_queries_need_them_and_replaced_when_they_die(
    example_store, workers
):
    async with started(example_store, sparql_workers=3) as pool:
        assert len(workers()) == 1
        await asyncio.gather(*(pool.ask(SparqlQuery("ASK {}"), client) for client in "ab"))
        assert len(workers()) == 2
        for worker in (killed := workers()):
            os.kill(worker, signal.SIGKILL)
        while workers() & killed:
            await asyncio.sleep(0.01)
        assert (await pool.ask(SparqlQuery("ASK {}"))).body
    assert not workers(), "none outlives its pool"


async def test_a_query_that_takes_too_long_is_killed_and_the_time_to_wait_is_part_of_its_time(
    example_store, workers
):
    limits = {"sparql_workers": 1, "sparql_queue": 8, "sparql_timeout": 1.2}
    async with started(example_store, **limits) as pool:
        before = workers()
        first, *others = await asyncio.gather(*(refusal(pool, ENDLESS) for _ in range(3)))
        assert "took more than 1.2 s" in str(first)
        assert first.retry_after is None
        assert all(each.retry_after for each in others)
        assert {each.status for each in (first, *others)} == {HTTPStatus.SERVICE_UNAVAILABLE}
        assert (await pool.ask(SparqlQuery("ASK {}"))).body
        assert not before & workers()


async def test_an_answer_that_is_too_large_is_refused_and_never_cut_off(example_store):
    async with started(example_store, sparql_workers=1, sparql_size=1) as pool:
        for media_type in (TSV, "application/sparql-results+json"):
            refused = await refusal(pool, "SELECT * { ?s ?p ?o . ?a ?b ?c }", media_type)
            assert refused.status == HTTPStatus.REQUEST_ENTITY_TOO_LARGE
            assert "larger than 1 MB" in str(refused)
            query = SparqlQuery(f"{EVERYTHING} LIMIT 1000", solutions=media_type)
            assert len((await pool.ask(query)).body) < MEGABYTE
        construct = "CONSTRUCT { ?s ?p ?o . ?a ?b ?c } WHERE { ?s ?p ?o . ?a ?b ?c }"
        assert "larger than 1 MB" in str(await refusal(pool, construct))


async def test_a_query_that_takes_too_much_memory_ends_without_harm(example_store, caplog, capfd):
    async with started(
        example_store, sparql_workers=1, sparql_timeout=60, sparql_memory=256
    ) as pool:
        refused = await refusal(pool, "SELECT ?a { ?s ?p ?o . ?a ?b ?c } ORDER BY ?o ?c")
        assert refused.status == HTTPStatus.SERVICE_UNAVAILABLE
        assert "more than 256 MB of memory" in str(refused)
        assert (await pool.ask(SparqlQuery("ASK {}"))).body
    # The log has its own line for it, and nothing bypasses it.
    assert [each.message for each in caplog.records] == [
        "a SPARQL query needed more than 256 MB of memory"
    ]
    assert not capfd.readouterr().err


async def test_no_worker_is_left_of_a_query_that_is_cancelled_while_it_starts(
    example_store, workers
):
    pool = WorkerPool(example_store, Settings(sparql_workers=1))
    asked = asyncio.create_task(pool.ask(SparqlQuery("ASK {}")))
    while not workers():
        await asyncio.sleep(0.01)
    asked.cancel()
    with pytest.raises(asyncio.CancelledError):
        await asked
    assert not workers()


async def test_where_no_worker_can_be_started_it_is_reported(tmp_path, caplog, capfd):
    pool = WorkerPool(str(tmp_path / "nowhere.db"), Settings(sparql_workers=1))
    assert "No SPARQL process could be started" in str(await refusal(pool, "ASK {}"))
    (told,) = {each.message for each in caplog.records}
    assert "\n" not in told
    assert "There is no graph in" in told
    assert not capfd.readouterr().err


# Over HTTP.


def test_rdf_is_written_for_the_first_query_and_a_build_is_seen(tmp_path):
    query = "SELECT (COUNT(*) AS ?n) { ?p a schema:ScholarlyArticle }"
    asked = {"params": {"query": query}, "headers": {"accept": TSV}, "timeout": PATIENCE}
    with served_here(stored(tmp_path, describe("A Kiln"))) as url:
        for path in ("/health", "/page/paper/a-kiln", "/graphql?query={statistics{papers}}"):
            assert httpx.get(url + path, timeout=PATIENCE).is_success
        assert not list(tmp_path.glob("*-cache/rdf-*"))
        assert httpx.get(f"{url}/sparql", **asked).text.split()[1] == "1"
        stored(tmp_path, describe("A Wheel"))
        assert httpx.get(f"{url}/sparql", **asked).text.split()[1] == "2"


def test_sparql_can_be_turned_off(example_store):
    answer = client_of(example_store, sparql_workers=0).get("/sparql?query=ASK{}")
    assert answer.status_code == HTTPStatus.NOT_IMPLEMENTED
    assert "SPARQL is turned off" in answer.text


@pytest.mark.skipif(sys.platform != "linux", reason="the machine has one address for itself")
def test_bombs_from_one_address_leave_the_server_to_others(example_store, serve):
    async def ask(url: str) -> None:
        evil, good = (
            httpx.AsyncClient(
                transport=httpx.AsyncHTTPTransport(local_address=address), timeout=PATIENCE
            )
            for address in ("127.0.0.2", "127.0.0.3")
        )
        async with evil, good:
            bombs = [
                asyncio.create_task(evil.get(f"{url}/sparql", params={"query": ENDLESS}))
                for _ in range(25)
            ]
            refused = await next(asyncio.as_completed(bombs))
            assert refused.status_code == HTTPStatus.TOO_MANY_REQUESTS
            assert int(refused.headers["retry-after"]) > 0
            assert refused.headers["content-type"].startswith("text/plain")
            for _ in range(3):
                answer = await good.get(f"{url}/sparql", params={"query": "ASK {}"})
                assert answer.status_code == HTTPStatus.OK
            for each in bombs:
                each.cancel()
            await asyncio.gather(*bombs, return_exceptions=True)
            # Who hangs up frees a worker that would be at it for minutes, once the server notices.
            async with asyncio.timeout(PATIENCE):
                while not (await evil.get(f"{url}/sparql", params={"query": "ASK {}"})).is_success:
                    await asyncio.sleep(0.1)

    with serve(example_store, sparql_timeout=600, sparql_workers=2) as url:
        asyncio.run(ask(url))
