"""Speed of loading an exported graph, beside Oxigraph's own bulk loading of the same file.

Usage: python benchmarks/loading.py GRAPH.nq [--times N]
"""

import argparse
import shutil
import tempfile
import time
from collections.abc import Callable
from pathlib import Path

import pyoxigraph as ox

from stemma.graph.oxigraph import OxigraphStore
from stemma.graph.rdf_file import RdfFile


def main() -> None:
    """Print the seconds of both, by turns, and the ratio of the best."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("graph", type=Path)
    parser.add_argument("--times", type=int, default=3)
    arguments = parser.parse_args()
    file = RdfFile(arguments.graph)

    def ours(folder: Path) -> None:
        assert OxigraphStore(folder / "stemma.db").restore(file) is not None

    def baseline(folder: Path) -> None:
        store = ox.Store(str(folder / "rdf"))
        store.bulk_load(path=arguments.graph, format=file.format)
        store.flush()

    loads = {"Oxigraph's bulk_load": baseline, "stemma load, with its index": ours}
    best = dict.fromkeys(loads, float("inf"))
    for _ in range(arguments.times):
        for name, load in loads.items():
            best[name] = min(best[name], seconds(load))
            print(f"{name:36}{best[name]:9.2f} s", flush=True)
    slower, faster = best.values()
    print(f"{'speed, of bulk_load':36}{slower / faster:9.0%}")


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
