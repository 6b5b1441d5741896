"""What the limits of SPARQL cost, and how fast it is beside Apache Jena's Fuseki.

A query in this process, through the pool, and over HTTP. Then the sentences behind the lineage of
several works in turn, asked of ``stemma serve`` and of Fuseki with the same graph in TDB2; this
needs wrk (https://github.com/wg/wrk) and Java, and is left out where they are missing.

Usage: python benchmarks/sparql.py STORE [--times N] [--seconds N]
"""

import argparse
import asyncio
import json
import shutil
import statistics
import subprocess
import sys
import time
from collections.abc import Awaitable, Callable, Sequence
from functools import partial
from pathlib import Path
from tempfile import TemporaryDirectory

import figures
import httpx
from load import by_wrk
from serving import chosen

from stemma.graph import Reader, open_store
from stemma.graph.export import ExportFormat, Portion, export_portion
from stemma.graph.rdf.vocabulary import PREFIXES
from stemma.graph.sqlite.reader import SqliteReader
from stemma.schema.quantity import quantity
from stemma.server.settings import Settings
from stemma.server.sparql.answering import Refusal, SparqlQuery, answer
from stemma.server.sparql.example_queries import graph_examples
from stemma.server.sparql.pool import WorkerPool

sys.path.append(str(Path(__file__).parents[1] / "tests" / "support"))
from fuseki import answering
from kept import UnavailableError
from maven import jars
from riot import POM
from service import serving

_ENDLESS = "SELECT (COUNT(*) AS ?n) { ?a ?b ?c . ?d ?e ?f . ?g ?h ?i FILTER (?a != ?g) }"
_SECONDS = 2.0
_SENTENCES = """SELECT ?work ?title ?relation ?confidence ?sentence WHERE {
  ?root skos:prefLabel %s .
  ?statement stemma:child ?work ; rdf:object ?root ; rdf:predicate ?relation ; rdf:subject ?paper ;
    stemma:confidence ?confidence ; stemma:evidence/oa:exact ?sentence .
  ?paper schema:name ?title .
} ORDER BY DESC(?confidence) ?title ?sentence"""
_QUERY = "application/sparql-query"


def main() -> None:
    """Print the milliseconds of each way, and how long a query lives that takes too long."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("store")
    parser.add_argument("--times", type=int, default=300)
    parser.add_argument("--seconds", type=float, default=5.0, help="of each run beside Fuseki")
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
    try:
        beside_fuseki(arguments.store, arguments.seconds)
    except UnavailableError as error:
        print(f"not beside Fuseki: {error}")


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


def beside_fuseki(store: str, seconds: float) -> None:
    """Ask for the sentences behind several lineages, here and there, with one client and eight.

    Raises UnavailableError where a tool is missing.
    """
    if not shutil.which("wrk"):
        raise UnavailableError("no wrk here")
    classes = f"{jars(POM)}/*"
    prologue = "".join(f"PREFIX {name}: <{iri}>\n" for name, iri in PREFIXES.items())
    with TemporaryDirectory(prefix="stemma-fuseki-") as folder:
        with open_store(store) as opened, opened.snapshot() as reader:
            bodies = [
                (prologue + _SENTENCES % json.dumps(name)).encode() for name in chosen(reader)
            ]
            database = loaded(reader, Path(folder), classes)
        command = partial(serving_from, database, classes)
        with serving(store) as service, answering(command, "stemma") as theirs:
            ours = f"{service.url}/sparql"
            assert rows(ours, bodies) == rows(theirs, bodies)
            # Java compiles what runs often, and Stemma starts a process for each query at a time.
            for url in (ours, theirs):
                by_wrk(url, bodies, 2 * seconds, 8, _QUERY)
            for clients in (1, 8):
                own, other = (
                    by_wrk(url, bodies, seconds, clients, _QUERY) for url in (ours, theirs)
                )
                what = f"SPARQL, sentences of a lineage, {quantity(clients, 'client')}"
                print(f"{what}: {own.rate:.0f} answers/s, Fuseki {other.rate:.0f}")
                figures.keep(what, own.rate, "answers/s", "Fuseki", own.rate / other.rate)


def rows(url: str, bodies: Sequence[bytes]) -> list[int]:
    """Return how many rows each query has; the first time an engine prepares what it needs."""
    headers = {"content-type": _QUERY, "accept": "text/csv"}
    answers = [httpx.post(url, content=each, headers=headers, timeout=600) for each in bodies]
    return [answer.raise_for_status().text.count("\r\n") for answer in answers]


def loaded(reader: Reader, folder: Path, classes: str) -> Path:
    """Load the graph into a database of Jena's, and return its folder."""
    quads, database = folder / "graph.nq", folder / "tdb"
    export_portion(Portion(reader), ExportFormat.NQUADS, quads)
    command = ["java", "-cp", classes, "tdb2.tdbloader", "--loc", str(database), str(quads)]
    subprocess.run(command, check=True, capture_output=True)
    return database


def serving_from(database: Path, classes: str, port: int) -> list[str]:
    """Return the command that serves a database of Jena's on a port, all its graphs at once."""
    main = "org.apache.jena.fuseki.main.cmds.FusekiMainCmd"
    options = ["--localhost", "--port", str(port), "--set", "tdb2:unionDefaultGraph=true"]
    return ["java", "-cp", classes, main, "--loc", str(database), *options, "/stemma"]


def report(what: str, times: list[float]) -> None:
    """Print the median of some seconds."""
    print(f"{what:24}{1000 * statistics.median(times):9.3f} ms")


if __name__ == "__main__":
    main()
