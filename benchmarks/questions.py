"""What questions cost on large stores: opening, lineage, the page of a hub, search, SPARQL.

Usage: python benchmarks/questions.py [--papers N ...] [--statements 20] [--rdf] [--neo4j]
                                      [--folder FOLDER]

Papers are made up (synthetic.py). A store is built, and asked by another process: works are drawn
as papers name them, so that hubs are among them. A lineage is compared with a dict of lists in
memory that is walked for the same depth, which finds ids alone. Milliseconds; the first column is
the first answer of a fresh process. With --folder, stores are kept there, and used again. With
--neo4j the stores are in Neo4j: a server of its own is started for each
(tests/support/neo4j_server.py).
"""

import argparse
import random
import resource
import sys
import time
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from functools import partial
from multiprocessing import get_context
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

import figures
import pyoxigraph as ox
import synthetic
from serving import read_entity

from stemma.graph import LineageDirection, Reader, Store, open_store, trace
from stemma.graph.selection import Selection
from stemma.graph.sqlite import SqliteStore
from stemma.graph.sqlite.reader import SqliteReader

sys.path.append(str(Path(__file__).parents[1] / "tests" / "support"))
from neo4j_server import Server

_DEPTH = 3
_LINEAGE, _OF_HUB = "lineage, 3 steps, first 100", "lineage of the largest hub"
_ASKED = 200
_PAPERS_IN_A_COMMIT = 1_000_000
"""All papers are linked again when more than a tenth is new: few commits are faster than many."""


def main() -> None:
    """Print the figures of each size."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--papers", type=int, nargs="+", default=[2_000, 20_000])
    parser.add_argument("--statements", type=int, default=20, help="of each paper")
    parser.add_argument("--rdf", action="store_true", help="ask with SPARQL as well")
    parser.add_argument("--neo4j", action="store_true", help="ask Neo4j instead")
    parser.add_argument("--folder", type=Path, help="for the stores")
    arguments = parser.parse_args()
    context = get_context("spawn")
    for size in arguments.papers:
        with TemporaryDirectory(prefix="stemma-questions-") as temporary:
            if arguments.neo4j:
                with neo4j_server(Path(temporary)) as url:
                    run(context, build, url, size, arguments.statements)
                    run(context, ask, url, size, False)
                continue
            store = (arguments.folder or Path(temporary)) / f"{size}.db"
            if not store.exists():
                run(context, build, str(store), size, arguments.statements)
                kept = store.stat().st_size
                print(f"  {kept / size:,.0f} bytes per paper", flush=True)
            run(context, ask, str(store), size, arguments.rdf)


def run(context: object, target: Callable[..., None], *arguments: object) -> None:
    """Run a function in a process of its own."""
    process = context.Process(target=target, args=arguments)
    process.start()
    process.join()
    if process.exitcode:
        raise SystemExit(process.exitcode)


@contextmanager
def neo4j_server(folder: Path) -> Iterator[str]:
    """Run a Neo4j server with the memory of a small one, and yield its URL."""
    flags = ("-Xmx2g", "-XX:TieredStopAtLevel=4")
    server = Server(folder, {"server.memory.pagecache.size": "2g"}, flags=flags).start()
    try:
        yield server.url
    finally:
        server.stop()


def build(store: str, size: int, statements: int) -> None:
    """Build a store."""
    begun = time.perf_counter()
    with open_store(store) as graph, graph.writer() as writer:
        for first in range(0, size, _PAPERS_IN_A_COMMIT):
            last = min(size, first + _PAPERS_IN_A_COMMIT)
            writer.put(synthetic.papers(first, last, statements), "benchmark")
            writer.commit()
            print(f"  {last:,} papers in {time.perf_counter() - begun:,.0f} s", flush=True)
    print(f"  built with {peak():,.0f} MiB of memory", flush=True)


def ask(store: str, size: int, rdf: bool) -> None:
    """Ask a store, and print what that takes."""
    begun = time.perf_counter()
    with open_store(store) as graph, asking(graph) as answered:
        counted = answered(lambda reader: reader.statistics())
        opened = time.perf_counter() - begun
        print(f"{size:,} papers, {counted.statements:,} statements: opened in {1000 * opened:.1f}")
        begun = time.perf_counter()
        answered(first_found, synthetic.name(0))
        print(f"  first search: {1000 * (time.perf_counter() - begun):.1f}")
        print(f"{'':34}{'first':>9}{'p50':>9}{'p99':>9}{'most':>9}")
        works = [answered(first_found, each) for each in drawn(size)]
        hub = [answered(first_found, synthetic.name(0))]
        found = answered(lambda reader: reader.works(works))
        names = [work.name for work in found.values()]

        def measured(question: str, answer: Callable[..., object], about: Sequence[str]) -> float:
            return report(question, partial(answered, answer), about)

        answers = {
            "page of the largest hub": measured("page of the largest hub", read_entity, hub),
            "page of an entity": measured("page of an entity", read_entity, works),
            _OF_HUB: measured(_OF_HUB, lineage, hub),
            _LINEAGE: measured(_LINEAGE, lineage, works),
            "search": measured("search for a name", matches, names),
            "autocomplete": measured("completing a name", completions, names),
        }
        print(f"  peak memory: {peak():,.0f} MiB", flush=True)
        children = answered(in_memory, works)
        walks = {
            _LINEAGE: report("a dict of lists, 3 steps", lambda id_: walked(children, id_), works),
            _OF_HUB: report("the same, of the hub", lambda id_: walked(children, id_), hub),
        }
        if rdf:
            begun = time.perf_counter()
            answered(lambda reader: reader.dataset.project())
            print(f"  RDF in {time.perf_counter() - begun:,.0f} s", flush=True)
            answers["SPARQL"] = measured("SPARQL, all of one entity", sparql, works)
    where = f"{size:,} papers" + (" in Neo4j" if "://" in store else "")
    figures.keep(f"opening a store of {where}", 1000 * opened, "ms")
    for what, taken in answers.items():
        baseline = "a dict of lists, ids alone" if what in walks else ""
        ratio = walks[what] / taken if what in walks else None
        figures.keep(f"{what}, {where}", taken, "ms", baseline, ratio)


@contextmanager
def asking(graph: Store) -> Iterator[Callable[..., Any]]:
    """Yield what calls a function with a reader of `graph`, and further arguments.

    A snapshot of a folder may last; one in Neo4j is a transaction, which has little time.
    """
    if isinstance(graph, SqliteStore):
        with graph.snapshot() as reader:
            yield lambda function, *arguments: function(reader, *arguments)
        return

    def in_a_snapshot(function: Callable[..., Any], *arguments: object) -> Any:
        with graph.snapshot() as reader:
            return function(reader, *arguments)

    yield in_a_snapshot


def first_found(reader: Reader, name: str) -> str:
    """Return the id of the work that a search finds first."""
    return reader.matching(name, Selection(first=1))[0]


def matches(reader: Reader, name: str) -> object:
    """Search for a name."""
    return list(reader.works(reader.matching(name, Selection(first=20))).values())


def completions(reader: Reader, name: str) -> object:
    """Return what a name may become whose last letter is not typed yet."""
    return list(reader.works(reader.matching(name[:-1], Selection(first=8))).values())


def lineage(reader: Reader, id_: str) -> object:
    """Return a lineage."""
    return trace(reader, id_, Selection(max_depth=_DEPTH))


def drawn(size: int) -> Sequence[str]:
    """Draw works as papers name them."""
    chance = random.Random(1)
    return [synthetic.name(synthetic.rank(chance.random(), size - 1)) for _ in range(_ASKED)]


def report(question: str, answer: Callable[[str], object], about: Sequence[str]) -> float:
    """Print how long answers take, ten of them about a single work; return the median."""
    taken = []
    for each in about * (1 if len(about) > 1 else 10):
        begun = time.perf_counter()
        answer(each)
        taken.append(1000 * (time.perf_counter() - begun))
    ordered = sorted(taken)
    middle = ordered[len(taken) // 2]
    columns = (taken[0], middle, ordered[int(0.99 * len(taken))], ordered[-1])
    print(f"  {question:32}" + "".join(f"{each:9.2f}" for each in columns), flush=True)
    return middle


def in_memory(reader: Reader, works: Sequence[str]) -> dict[str, list[str]]:
    """Read all that is within reach of works into a dict."""

    children: dict[str, list[str]] = {}
    edge = list(dict.fromkeys(works))
    for _ in range(_DEPTH):
        found = reader.neighbours(edge, LineageDirection.DESCENDANTS)
        children |= found
        near = dict.fromkeys(id_ for own in found.values() for id_ in own)
        edge = [id_ for id_ in near if id_ not in children]
    return children


def walked(children: dict[str, list[str]], root: str) -> set[str]:
    """Return the descendants of a work within some steps."""
    reached, edge = {root}, [root]
    for _ in range(_DEPTH):
        edge = [id_ for each in edge for id_ in children.get(each, ()) if id_ not in reached]
        reached.update(edge)
    return reached


def sparql(reader: SqliteReader, id_: str) -> int:
    """Ask for all that is said of a work."""
    query = f"SELECT * {{ GRAPH ?g {{ ?s ?p <{reader.base}{id_}> }} }} LIMIT 1000"
    found = reader.dataset.rdf.query(query)
    assert isinstance(found, ox.QuerySolutions)
    return sum(1 for _ in found)


def peak() -> float:
    """Return the most memory that this process had, in MiB."""
    return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024


if __name__ == "__main__":
    main()
