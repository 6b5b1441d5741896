"""Speed of a lineage, beside the same question as a SPARQL property path on the same store.

Usage: python benchmarks/lineage.py STORE [--of NAME] [--depth N] [--times N]
"""

import argparse
import time
from collections.abc import Callable

import figures
import pyoxigraph as ox

from stemma.graph import LineageDirection, open_store, trace
from stemma.graph.selection import Selection
from stemma.graph.sqlite.reader import SqliteReader

_DERIVES_FROM = "<https://w3id.org/stemma/ontology#derivesFrom>"


def main() -> None:
    """Print milliseconds of both, and their ratio."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("store")
    parser.add_argument("--of", help="a work; if none is given, that from which most derive")
    parser.add_argument("--depth", type=int, default=5)
    parser.add_argument("--times", type=int, default=20)
    arguments = parser.parse_args()
    with open_store(arguments.store) as store, store.snapshot() as reader:
        assert isinstance(reader, SqliteReader)
        root = reader.resolve(arguments.of) if arguments.of else next(iter(reader.most_derived(1)))
        work = reader.works([root])[root].name

        def ours() -> set[str]:
            found = trace(
                reader,
                root,
                Selection(
                    direction=LineageDirection.DESCENDANTS, max_depth=arguments.depth, first=100_000
                ),
            )
            return {node.work.id for node in found.nodes}

        def baseline() -> set[str]:
            return sparql(reader, root, arguments.depth)

        print(f"what builds on {work}, {arguments.depth} steps: {len(ours())} works")
        times = {
            "SPARQL property path, names alone": median(baseline, arguments.times),
            "Stemma, with evidence": median(ours, arguments.times),
        }
    for name, seconds in times.items():
        print(f"{name:36}{1000 * seconds:9.2f} ms")
    slower, faster = times.values()
    print(f"{'ratio':36}{slower / faster:9.2f}")
    figures.keep(
        f"lineage of {work}, {arguments.depth} steps, with evidence",
        1000 * faster,
        "ms",
        "SPARQL property path, names alone",
        slower / faster,
    )


def sparql(reader: SqliteReader, root: str, depth: int) -> set[str]:
    """Return the ids of the descendants, by one query."""
    steps = "/".join([f"^{_DERIVES_FROM}"] + [f"^{_DERIVES_FROM}?"] * (depth - 1))
    query = f"SELECT DISTINCT ?work WHERE {{ <{reader.base}{root}> {steps} ?work }}"
    found = reader.dataset.rdf.query(query, use_default_graph_as_union=True)
    assert isinstance(found, ox.QuerySolutions)
    return {str(solution["work"]) for solution in found}


def median(run: Callable[[], object], times: int) -> float:
    """Return the median of the seconds that `run` takes."""
    taken = []
    for _ in range(times):
        start = time.perf_counter()
        run()
        taken.append(time.perf_counter() - start)
    return sorted(taken)[times // 2]


if __name__ == "__main__":
    main()
