"""What the limits of SPARQL cost: a query in this process, through the pool, and over HTTP.

Usage: python benchmarks/sparql.py STORE [--times N]
"""

import argparse
import asyncio
import statistics
import sys
import time
from collections.abc import Awaitable, Callable
from pathlib import Path

import figures
import httpx

from stemma.graph import open_store
from stemma.graph.sqlite.reader import SqliteReader
from stemma.server.settings import Settings
from stemma.server.sparql.answering import Refusal, SparqlQuery, answer
from stemma.server.sparql.example import graph_examples
from stemma.server.sparql.pool import WorkerPool

sys.path.append(str(Path(__file__).parents[1] / "tests" / "support"))
from service import serving

_ENDLESS = "SELECT (COUNT(*) AS ?n) { ?a ?b ?c . ?d ?e ?f . ?g ?h ?i FILTER (?a != ?g) }"
_SECONDS = 2.0


def main() -> None:
    """Print the milliseconds of each way, and how long a query lives that takes too long."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("store")
    parser.add_argument("--times", type=int, default=300)
    arguments = parser.parse_args()
    with open_store(arguments.store) as store, store.snapshot() as reader:
        assert isinstance(reader, SqliteReader)
        example = graph_examples().of(reader)[0]
        question = SparqlQuery(example.query)
        print(f"{example.question} ({arguments.times} times, median)")
        times = []
        for _ in range(arguments.times):
            started = time.perf_counter()
            answer(reader.dataset.rdf, reader.base, question, Settings())
            times.append(time.perf_counter() - started)
    report("in this process", times)
    pooled = asyncio.run(through_pool(arguments.store, question, arguments.times))
    bare, limited = statistics.median(times), statistics.median(pooled)
    figures.keep(
        "SPARQL with limits of time and memory", 1000 * limited, "ms", "without", bare / limited
    )
    over_http(arguments.store, question, arguments.times)


async def through_pool(store: str, question: SparqlQuery, count: int) -> list[float]:
    """Return the seconds of each answer of the pool, and see that it keeps its limit of time."""
    pool = WorkerPool(store, Settings(sparql_timeout=_SECONDS))
    try:
        await pool.ask(question)
        times = [await timed(lambda: pool.ask(question)) for _ in range(count)]
        report("through the pool", times)
        started = time.perf_counter()
        try:
            await pool.ask(SparqlQuery(_ENDLESS))
        except Refusal as refusal:
            print(
                f"an endless one: {time.perf_counter() - started:.3f} s of {_SECONDS:g} ({refusal})"
            )
        return times
    finally:
        await pool.stop()


async def timed(run: Callable[[], Awaitable[object]]) -> float:
    """Return the seconds that `run` takes."""
    started = time.perf_counter()
    await run()
    return time.perf_counter() - started


def over_http(store: str, question: SparqlQuery, count: int) -> None:
    """Measure a server on a port of its own, over one connection."""
    with serving(store) as service, httpx.Client(base_url=service.url, timeout=60) as client:
        for path, data in (("/health", None), ("/sparql", {"query": question.text})):
            times = []
            for _ in range(count):
                started = time.perf_counter()
                client.request("POST" if data else "GET", path, data=data)
                times.append(time.perf_counter() - started)
            report(f"over HTTP, {path}", times)


def report(what: str, times: list[float]) -> None:
    """Print the median of some seconds."""
    print(f"{what:24}{1000 * statistics.median(times):9.3f} ms")


if __name__ == "__main__":
    main()
