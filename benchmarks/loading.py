"""Speed of loading an exported graph, beside Oxigraph's own bulk loading of the same file.

A store has no RDF before somebody asks for it; the second figure includes writing it.

Usage: python benchmarks/loading.py GRAPH.nq [--times N]
"""

import argparse
import shutil
import tempfile
import time
from collections.abc import Callable
from pathlib import Path

import figures
import pyoxigraph as ox

from stemma.graph.rdf.file import RdfFile
from stemma.graph.sqlite import SqliteStore


def main() -> None:
    """Print the seconds of all, alternating, and the ratios of the best."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("graph", type=Path)
    parser.add_argument("--times", type=int, default=3)
    arguments = parser.parse_args()
    file = RdfFile(arguments.graph)

    def ours(folder: Path) -> None:
        with SqliteStore(folder / "stemma.db") as store:
            assert store.restore(file) is not None

    def ours_with_rdf(folder: Path) -> None:
        ours(folder)
        with SqliteStore(folder / "stemma.db") as store, store.snapshot() as reader:
            reader.project()

    def baseline(folder: Path) -> None:
        store = ox.Store(str(folder / "rdf"))
        store.bulk_load(path=arguments.graph, format=file.format)
        store.flush()

    loads = {
        "Oxigraph's bulk_load": baseline,
        "stemma load": ours,
        "stemma load, and RDF": ours_with_rdf,
    }
    best = dict.fromkeys(loads, float("inf"))
    for _ in range(arguments.times):
        for name, load in loads.items():
            best[name] = min(best[name], seconds(load))
            print(f"{name:36}{best[name]:9.2f} s", flush=True)
    (_, bare), *own = best.items()
    for name, taken in own:
        print(f"{f'speed of {name}, of bulk_load':48}{bare / taken:9.0%}")
        figures.keep(f"{name}, of N-Quads", taken, "s", "bulk_load of Oxigraph", bare / taken)


def seconds(load: Callable[[Path], None]) -> float:
    """Return how long a load takes into a new folder."""
    folder = Path(tempfile.mkdtemp(prefix="stemma-loading-"))
    try:
        start = time.perf_counter()
        load(folder)
        return time.perf_counter() - start
    finally:
        shutil.rmtree(folder)


if __name__ == "__main__":
    main()
