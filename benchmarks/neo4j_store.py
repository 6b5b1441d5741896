"""Speed of Neo4j: loading beside the plain driver and neo4j-admin, lineage beside plain Cypher.

Usage: python benchmarks/neo4j_store.py EXTRACTIONS.jsonl.gz [--corpus CORPUS] [--papers N]

EXTRACTIONS is a file of `stemma extract`; where there is none it is made of CORPUS, by rules alone.
A server of its own is started for each way of loading (tests/support/neo4j_server.py), so that all
begin with the same: nothing in the database, nothing in memory. There are two measures: the
plain driver with the leanest queries that make the same graph, and with the very queries that
Stemma sends, which also find out what the database holds already.
"""

import argparse
import gc
import gzip
import os
import re
import statistics
import subprocess
import sys
import tempfile
import time
from collections import defaultdict
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from itertools import islice
from pathlib import Path
from typing import Any

import figures
import httpx
import neo4j

from stemma.graph import Store, Writer, open_store
from stemma.graph.export import ExportFormat, export
from stemma.graph.export.neo4j_csv import COMMAND
from stemma.graph.neo4j import Address
from stemma.graph.neo4j.connection import Connection
from stemma.graph.neo4j.elements import KEYS, Node, Relationship
from stemma.graph.neo4j.layout import statements as layout
from stemma.graph.sqlite.property_graph import PropertyGraph
from stemma.schema import Extraction, interchange
from stemma.server import build as building
from stemma.server.extraction_settings import ExtractionSettings

sys.path.append(str(Path(__file__).parents[1] / "tests" / "support"))
from maven import jars
from neo4j_server import POM, Server
from service import serving

Run = tuple[str, dict[str, Any]]
"""A query with its parameters."""
_PAPERS_AT_ONCE, _ROWS_AT_ONCE = 1000, 2000
_SINGLE = 20
"""Papers that are added one by one."""
_SETTINGS = {"server.memory.pagecache.size": "512m"}
_LINEAGE = """
MATCH path = (x:Entity {id: $id})<-[:DERIVES_FROM*1..3]-(y) WHERE y <> x
RETURN y.id AS id, coalesce(y.name, y.title) AS name, min(length(path)) AS depth
ORDER BY depth, id LIMIT 100
"""
_GRAPHQL = """
query ($of: String!) { lineage(of: $of, maxDepth: 3, first: 100) {
  nodes { work { id name } depth } } }
"""
_WITH_EVIDENCE = """
query ($of: String!) { lineage(of: $of, maxDepth: 3, first: 100) {
  nodes { work { id name } depth }
  edges { confidence statements { evidence { text } } } } }
"""


def main() -> None:
    """Print seconds, rates and ratios."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("extractions", type=Path)
    parser.add_argument("--corpus", type=Path)
    parser.add_argument("--papers", type=int, default=20_000)
    parser.add_argument("--lineages", type=int, default=200, help="how many works are asked for")
    arguments = parser.parse_args()
    if not arguments.extractions.exists():
        if not arguments.corpus:
            parser.error(f"{arguments.extractions} is not there: say of which --corpus to make it")
        extract(arguments.corpus, arguments.extractions)
    extractions = list(islice(read(arguments.extractions), arguments.papers))
    with tempfile.TemporaryDirectory() as folder:
        measure(extractions, Path(folder), arguments.lineages)


def extract(corpus: Path, to: Path) -> None:
    """Write what rules alone find in a corpus."""
    with gzip.open(to, "wt", encoding="utf-8") as file:
        for found in building.extract([corpus], ExtractionSettings(fast=True)):
            file.write(interchange.dump(found) + "\n")


def read(file: Path) -> Iterator[Extraction]:
    """Yield what is in a file of extractions."""
    with gzip.open(file, "rb") if file.suffix == ".gz" else file.open("rb") as lines:
        for each in interchange.read(lines, file.name, ""):
            assert isinstance(each, Extraction), each
            yield each


def measure(extractions: list[Extraction], folder: Path, lineages: int) -> None:
    """Load in three ways, and ask in two."""
    path = folder / "stemma.db"
    with open_store(str(path)) as store, store.writer() as writer:
        writer.put(extractions, "benchmark")
        writer.commit()
    with open_store(str(path)) as store, store.snapshot() as reader:
        graph = PropertyGraph(reader)
        count = reader.statistics().statements
        entities, parts = list(graph.entities()), list(graph.papers())
        edges = [*graph.catalogue(), *graph.lineage()]
        gc.freeze()  # What waits in memory here is nothing that a loader would be held up by.
        print(
            f"{len(parts)} papers, {len(entities)} entities, {count} statements, {len(edges)} edges"
        )
        with running(folder / "plain") as url, driver_of(url) as driver:
            # As a writer of Stemma's does when it is opened.
            lay_out(driver)
            plain = seconds(lambda: load_plainly(driver, entities, parts, edges))
        report("plain driver, rows in memory", plain, count)
        csv = folder / "csv"
        exported = seconds(lambda: export(reader, ExportFormat.NEO4J_CSV, csv))
    imported, finished = import_files(folder / "admin", csv)
    with running(folder / "ours") as url:
        with open_store(url) as store, store.writer() as writer:
            ours = seconds(lambda: (writer.put(extractions, "benchmark"), writer.commit()))
        with open_store(url) as store:
            more = one_more(store, extractions[-_SINGLE:])
        report("Stemma, linking included", ours, count)
        print(f"{'ratio to the plain driver':40}{plain / ours:9.2f}")
        print(f"{'  one paper more, median':40}{1000 * more:9.0f} ms")
        figures.keep(
            "loading Neo4j, linking included", ours, "s", "plain driver, rows alone", plain / ours
        )
        report("neo4j-admin database import", imported, count)
        report("  and finish.cypher", finished, count)
        print(f"{'  after writing its files in':40}{exported:9.1f} s")
        ask(url, lineages)
    transactions = recording(folder / "recorded", extractions)
    with running(folder / "replayed") as url, driver_of(url) as driver:
        lay_out(driver)
        replayed = seconds(lambda: replay(driver, transactions))
    report("the same queries by the plain driver", replayed, count)
    print(f"{'ratio to the same queries':40}{replayed / ours:9.2f}")


def one_more(store: Store, extractions: list[Extraction]) -> float:
    """Return the median of the seconds in which one paper is added, which was taken out before."""

    def commit(change: Callable[[Writer], None]) -> None:
        with store.writer() as writer:
            change(writer)
            writer.commit()

    taken = []
    for each in extractions:
        commit(lambda writer, each=each: writer.drop([each.paper.id]))
        taken.append(
            seconds(lambda each=each: commit(lambda writer: writer.put([each], "benchmark")))
        )
    return statistics.median(taken)


def recording(home: Path, extractions: list[Extraction]) -> list[list[Run]]:
    """Load once more, and return what was run in each transaction."""
    with running(home) as url, recorded() as transactions:
        with open_store(url) as store, store.writer() as writer:
            writer.put(extractions, "benchmark")
            writer.commit()
        return transactions


@contextmanager
def recorded() -> Iterator[list[list[Run]]]:
    """Give what is run meanwhile in each transaction that writes."""
    transactions: list[list[Run]] = []
    write = Connection.write

    def write_and_record(self: Connection, work: Callable[[Any], Any]) -> Any:
        def work_and_record(transaction: neo4j.ManagedTransaction) -> Any:
            own: list[Run] = []
            done = work(_Recording(transaction, own))
            transactions.append(own)
            return done

        return write(self, work_and_record)

    Connection.write = write_and_record  # type: ignore[method-assign]
    try:
        yield transactions
    finally:
        Connection.write = write  # type: ignore[method-assign]


class _Recording:
    def __init__(self, transaction: neo4j.ManagedTransaction, runs: list[Run]) -> None:
        self._transaction, self._runs = transaction, runs

    def run(self, cypher: str, parameters: Any = None, **more: Any) -> neo4j.Result:
        self._runs.append((cypher, {**(parameters or {}), **more}))
        return self._transaction.run(cypher, parameters, **more)


def replay(driver: neo4j.Driver, transactions: list[list[Run]]) -> None:
    """Run in each transaction again what was run in it."""

    def again(transaction: neo4j.ManagedTransaction, runs: list[Run]) -> None:
        for cypher, parameters in runs:
            transaction.run(cypher, parameters).consume()

    with driver.session() as session:
        for runs in transactions:
            session.execute_write(again, runs)


def lay_out(driver: neo4j.Driver) -> None:
    """Make the constraints and indexes."""
    with driver.session() as session:
        for statement in layout():
            session.run(statement).consume()
        session.run("CALL db.awaitIndexes(300)").consume()


def load_plainly(
    driver: neo4j.Driver, entities: list[Node], parts: list[Any], edges: list[Relationship]
) -> None:
    """Write the rows, in batches of the same sizes, each in one transaction."""
    with driver.session() as session:
        for start in range(0, len(entities), _ROWS_AT_ONCE):
            batch = entities[start : start + _ROWS_AT_ONCE]
            session.execute_write(_write, batch, ())
        for start in range(0, len(parts), _PAPERS_AT_ONCE):
            some = parts[start : start + _PAPERS_AT_ONCE]
            nodes = [each for part in some for each in (part.paper, part.reading)]
            statements = [each for part in some for each in part.statements]
            session.execute_write(_write, nodes, statements)
        for start in range(0, len(edges), _ROWS_AT_ONCE):
            session.execute_write(_write, (), edges[start : start + _ROWS_AT_ONCE])


def _write(
    transaction: neo4j.ManagedTransaction, nodes: list[Node], edges: list[Relationship]
) -> None:
    by_labels, by_type = defaultdict(list), defaultdict(list)
    for node in nodes:
        by_labels[node.labels].append(node.properties)
    for edge in edges:
        label = "Entity" if edge.start.startswith("entity/") else "Paper"
        by_type[label, edge.type].append([edge.start, edge.end, edge.properties])
    for labels, rows in by_labels.items():
        key, more = KEYS[labels[0]], "".join(f"SET n:{label} " for label in labels[1:])
        query = f"UNWIND $rows AS row MERGE (n:{labels[0]} {{{key}: row.{key}}}) {more}SET n += row"
        transaction.run(query, rows=rows).consume()
    for (label, type_), rows in by_type.items():
        transaction.run(
            f"UNWIND $rows AS row MATCH (a:{label} {{id: row[0]}}) "
            f"MATCH (b:Entity {{id: row[1]}}) CREATE (a)-[r:{type_}]->(b) SET r = row[2]",
            rows=rows,
        ).consume()


def import_files(home: Path, files: Path) -> tuple[float, float]:
    """Return the seconds of neo4j-admin, and those of the script that finishes what it did."""
    java = ["java", "-Xmx1g", "-cp", f"{jars(POM)}/*", "org.neo4j.cli.AdminTool"]
    there = {"NEO4J_HOME": str(home), "NEO4J_CONF": str(home / "conf")}
    new = Server(home, _SETTINGS)
    imported = seconds(
        lambda: subprocess.run(
            [*java, *COMMAND.split()[1:]],
            cwd=files,
            env=os.environ | there,
            check=True,
            capture_output=True,
        )
    )
    new.start()
    try:
        with driver_of(new.url) as driver, driver.session() as session:
            # Without a shell's start, which is not the database's time.
            script = (files / "finish.cypher").read_text("utf-8")
            script = re.sub(r"^//.*$", "", script, flags=re.MULTILINE)
            lines = [each for each in script.split(";\n") if each.strip()]
            finished = seconds(lambda: [session.run(each).consume() for each in lines])
    finally:
        new.stop()
    return imported, finished


def ask(url: str, count: int) -> None:
    """Print how long lineages take, over GraphQL and from Neo4j itself."""
    with driver_of(url) as driver, driver.session() as session:
        of = session.run(
            "MATCH (x:Entity)<-[d:DERIVES_FROM]-() WITH x, count(d) AS children "
            "RETURN x.id AS id ORDER BY children DESC, id LIMIT $count",
            count=count,
        ).value("id")
        bare = times(lambda id_: list(session.run(_LINEAGE, id=id_)), of)
    with serving(url) as service, httpx.Client(base_url=service.url, timeout=60) as client:
        rows = {
            "plain Cypher": bare,
            "GraphQL": times(lambda id_: post(client, _GRAPHQL, id_), of),
            "GraphQL with evidence": times(lambda id_: post(client, _WITH_EVIDENCE, id_), of),
        }
    print(f"lineage of {len(of)} works, 3 steps:{'p50':>18}{'p99':>9}")
    middle = {name: statistics.median(taken) for name, taken in rows.items()}
    for name, taken in rows.items():
        cuts = statistics.quantiles(taken, n=100)
        print(f"{name:36}{1000 * cuts[49]:9.1f}{1000 * cuts[98]:9.1f} ms")
    figures.keep(
        "lineage from Neo4j, over GraphQL",
        1000 * middle["GraphQL"],
        "ms",
        "plain Cypher",
        middle["plain Cypher"] / middle["GraphQL"],
    )


def post(client: httpx.Client, query: str, of: str) -> None:
    """Ask over GraphQL."""
    answer = client.post("/graphql", json={"query": query, "variables": {"of": of}}).json()
    assert "errors" not in answer, answer


def times(run: Callable[[str], object], ids: list[str]) -> list[float]:
    """Return the seconds of each, after a round that is not counted."""
    for id_ in ids:
        run(id_)
    return [seconds(lambda id_=id_: run(id_)) for id_ in ids]


def seconds(run: Callable[[], object]) -> float:
    """Return how long `run` takes."""
    start = time.perf_counter()
    run()
    return time.perf_counter() - start


def report(name: str, taken: float, count: int) -> None:
    """Print a time, and the statements per second that it comes to."""
    print(f"{name:40}{taken:9.1f} s{count / taken:12.0f} statements/s", flush=True)


@contextmanager
def running(home: Path) -> Iterator[str]:
    """Give the URL of a new server."""
    new = Server(home, _SETTINGS).start()
    try:
        yield new.url
    finally:
        new.stop()


def driver_of(url: str) -> neo4j.Driver:
    """Return a driver without any settings of ours."""
    address = Address.parse(url)
    auth = (address.user or "", address.password or "")
    return neo4j.GraphDatabase.driver(address.server, auth=auth, notifications_min_severity="OFF")


if __name__ == "__main__":
    main()
