"""Speed of Neo4j: pushing beside the plain driver and neo4j-admin, lineage beside plain Cypher.

Usage: python benchmarks/neo4j_store.py EXTRACTIONS.jsonl.gz [--corpus CORPUS] [--papers N]

EXTRACTIONS is a file of `stemma extract`; where there is none it is made of CORPUS.
A server of its own is started for each way of loading (tests/support/neo4j_server.py), so that all
begin with the same: nothing in the database, nothing in memory. The plain driver writes the same
rows by the leanest queries that make the same graph; they are in memory before it begins, where
a push reads them from the local store.
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

import figures
import httpx
import neo4j

from stemma.graph import Store, open_store
from stemma.graph.export import ExportFormat, Portion, export_portion
from stemma.graph.export.neo4j_csv import COMMAND
from stemma.graph.neo4j import Address
from stemma.graph.neo4j.layout import statements as layout
from stemma.graph.property_graph import Node, PropertyGraph, Relationship
from stemma.schema import Extraction, interchange
from stemma.schema.batches import batched
from stemma.schema.name import label_of
from stemma.server import build as building
from stemma.server.extraction_settings import ExtractionSettings

sys.path.append(str(Path(__file__).parents[1] / "tests" / "support"))
from maven import jars
from neo4j_server import POM, Server
from pushed import push
from service import serving

_ROWS_AT_ONCE = 2000
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
    """Write what is found in a corpus."""
    with gzip.open(to, "wt", encoding="utf-8") as file:
        for found in building.extract([corpus], ExtractionSettings(processes=None)):
            file.write(interchange.dump(found) + "\n")


def read(file: Path) -> Iterator[Extraction]:
    """Yield what is in a file of extractions."""
    with gzip.open(file, "rb") if file.suffix == ".gz" else file.open("rb") as lines:
        for each in interchange.read(lines, file.name, ""):
            assert isinstance(each, Extraction), each
            yield each


def measure(extractions: list[Extraction], folder: Path, lineages: int) -> None:
    """Load in three ways, and ask in two."""
    more, begun = extractions[-_SINGLE:], extractions[:-_SINGLE]
    with open_store(str(folder / "stemma.db")) as store:
        put(store, begun)
        with store.snapshot() as reader:
            count = reader.statistics().statements
            nodes, edges = rows(PropertyGraph(reader))
            gc.freeze()  # What waits in memory here is nothing that a loader would be held up by.
            print(
                f"{len(begun)} papers, {len(nodes)} nodes, {count} statements, {len(edges)} edges"
            )
            with running(folder / "plain") as url, driver_of(url) as driver:
                lay_out(driver)
                plain = seconds(lambda: load_plainly(driver, nodes, edges))
            report("plain driver, rows in memory", plain, count)
            csv = folder / "csv"
            exported = seconds(lambda: export_portion(Portion(reader), ExportFormat.NEO4J_CSV, csv))
        imported, finished = import_files(folder / "admin", csv)
        with running(folder / "ours") as url:
            with driver_of(url) as driver:
                lay_out(driver)
            pushed = seconds(lambda: push(store, url))
            report("stemma push", pushed, count)
            print(f"{'ratio to the plain driver':40}{plain / pushed:9.2f}")
            taken = []
            for each in more:
                put(store, [each])
                taken.append(seconds(lambda: push(store, url)))
            print(f"{'  one paper more, median':40}{1000 * statistics.median(taken):9.0f} ms")
            figures.keep(
                "pushing to Neo4j", pushed, "s", "plain driver, rows in memory", plain / pushed
            )
            report("neo4j-admin database import", imported, count)
            report("  and finish.cypher", finished, count)
            print(f"{'  after writing its files in':40}{exported:9.1f} s")
            ask(url, lineages)


def put(store: Store, extractions: list[Extraction]) -> None:
    """Write papers into the local store."""
    with store.writer() as writer:
        writer.put(extractions, "benchmark")
        writer.commit()


def rows(graph: PropertyGraph) -> tuple[list[Node], list[Relationship]]:
    """Return all nodes and relationships of a graph."""
    nodes, edges = list[Node](), list[Relationship]()
    for part in graph.parts():
        nodes += part.nodes
        edges += part.relationships
    return nodes, edges


def lay_out(driver: neo4j.Driver) -> None:
    """Make the constraints and indexes."""
    with driver.session() as session:
        for statement in layout():
            session.run(statement).consume()
        session.run("CALL db.awaitIndexes(300)").consume()


def load_plainly(driver: neo4j.Driver, nodes: list[Node], edges: list[Relationship]) -> None:
    """Write the rows, some thousands in each transaction."""
    by_labels, by_type = defaultdict(list), defaultdict(list)
    for node in nodes:
        by_labels[node.labels].append(node.properties)
    for edge in edges:
        ends = label_of(edge.start), label_of(edge.end)
        by_type[edge.type, *ends].append([edge.start, edge.end, edge.properties])
    queries = [
        (f"UNWIND $rows AS row MERGE (n:{labels[0]} {{id: row.id}}) SET n:{':'.join(labels)} "
         "SET n += row", own)
        for labels, own in by_labels.items()
    ] + [
        (f"UNWIND $rows AS row MATCH (a:{start} {{id: row[0]}}) MATCH (b:{end} {{id: row[1]}}) "
         f"CREATE (a)-[r:{type_}]->(b) SET r = row[2]", own)
        for (type_, start, end), own in by_type.items()
    ]  # fmt: skip
    with driver.session() as session:
        for query, own in queries:
            for batch in batched(own, _ROWS_AT_ONCE):
                session.execute_write(
                    lambda tx, query=query, batch=batch: tx.run(query, rows=batch).consume()
                )


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
            finished = seconds(lambda: [session.run(line).consume() for line in lines])
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
