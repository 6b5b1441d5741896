"""Speed and memory of exports, and what outside parsers say of them.

Usage: python benchmarks/export.py STORE [--times N]             N-Quads beside Oxigraph's own dump
       python benchmarks/export.py STORE --memory                peak memory, a process a format
       python benchmarks/export.py STORE --check [FORMAT ...]    riot, pyoxigraph, rdflib, networkx
"""

import argparse
import resource
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable
from pathlib import Path

import figures
import networkx as nx
import pyoxigraph as ox
import rdflib

from stemma.graph import open_store
from stemma.graph.export import ExportFormat, Portion, export_portion
from stemma.graph.sqlite.reader import SqliteReader

RIOT = Path(__file__).parents[1] / "tests" / "support" / "riot.py"
RDF = {
    ExportFormat.NQUADS: ("nq", "nquads"),
    ExportFormat.TRIG: ("trig", "trig"),
    ExportFormat.NTRIPLES: ("nt", "nt"),
    ExportFormat.TURTLE: ("ttl", "turtle"),
    ExportFormat.JSONLD: ("jsonld", "json-ld"),
}


def main() -> None:
    """Print what was asked for."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("store")
    parser.add_argument("--times", type=int, default=3)
    parser.add_argument("--memory", action="store_true")
    parser.add_argument("--check", nargs="*", type=ExportFormat, metavar="FORMAT")
    parser.add_argument("--one", type=ExportFormat, help=argparse.SUPPRESS)
    arguments = parser.parse_args()
    with tempfile.TemporaryDirectory(prefix="stemma-export-") as folder:
        if arguments.one:
            written(arguments.store, arguments.one, Path(folder))
            print(resource.getrusage(resource.RUSAGE_SELF).ru_maxrss // 1024)
        elif arguments.memory:
            memory(arguments.store)
        elif arguments.check is not None:
            for format_ in arguments.check or (*RDF, ExportFormat.GRAPHML):
                check(arguments.store, format_, Path(folder))
        else:
            speed(arguments.store, arguments.times, Path(folder))


def written(store: str, format: ExportFormat, folder: Path) -> Path:
    """Export a store to a file in `folder`."""
    path = folder / f"graph.{RDF[format][0] if format in RDF else format.value}"
    with open_store(store) as graph, graph.snapshot() as reader:
        export_portion(Portion(reader, full=True), format, path)
    return path


def speed(store: str, times: int, folder: Path) -> None:
    """Print the seconds of a dump and of our export, alternating, and the ratio of the best."""
    with open_store(store) as graph, graph.snapshot() as reader:
        assert isinstance(reader, SqliteReader)
        path = folder / "dump.nq"

        def dump() -> None:
            reader.dataset.rdf.dump(str(path), ox.RdfFormat.N_QUADS)

        def ours() -> None:
            portion = Portion(reader, full=True)
            export_portion(portion, ExportFormat.NQUADS, folder / "graph.nq", replace=True)

        runs: dict[str, Callable[[], None]] = {"Oxigraph's dump": dump, "stemma export": ours}
        best = dict.fromkeys(runs, (float("inf"), float("inf")))
        for _ in range(times):
            for name, run in runs.items():
                wall, processor = time.perf_counter(), time.process_time()
                run()
                taken = time.perf_counter() - wall, time.process_time() - processor
                best[name] = min(best[name], taken)
                print(f"{name:20}{taken[0]:9.2f} s{taken[1]:9.2f} s of the processor", flush=True)
        with path.open("rb") as lines:
            count = sum(1 for _ in lines)
    (wall, processor), (own_wall, own_processor) = best.values()
    print(f"{count} quads, {count / own_wall:.0f} per second")
    figures.keep(
        "export as N-Quads", count / own_wall, "quads/s", "dump of Oxigraph", wall / own_wall
    )
    print(
        f"speed, of dump: {wall / own_wall:.0%}; by processor time: {processor / own_processor:.0%}"
    )


def memory(store: str) -> None:
    """Print the peak of resident memory that the export in each format has."""
    for each in (*RDF, ExportFormat.CSV, ExportFormat.GRAPHML):
        command = [sys.executable, __file__, store, "--one", each.value]
        peak = subprocess.run(command, capture_output=True, text=True, check=True).stdout.strip()
        print(f"{each.value:10}{peak:>8} MB", flush=True)


def check(store: str, format: ExportFormat, folder: Path) -> None:
    """Print what outside parsers make of the export in a format."""
    path = written(store, format, folder)
    size = f"{path.stat().st_size / 1e6:.0f} MB"
    if format is ExportFormat.GRAPHML:
        found = nx.read_graphml(path)
        print(f"{format.value:10}{size:>8}  networkx {found.number_of_nodes()} nodes, "
              f"{found.number_of_edges()} edges", flush=True)  # fmt: skip
        return
    riot = subprocess.run(
        [sys.executable, str(RIOT), str(path)], capture_output=True, text=True, check=False
    )
    complaints = (riot.stdout + riot.stderr).strip()
    print(f"{format.value:10}{size:>8}  riot {complaints[:500] or 'has no complaint'}", flush=True)
    with path.open("rb") as file:
        count = sum(1 for _ in ox.parse(file, ox.RdfFormat.from_extension(RDF[format][0])))
    print(f"{'':18}  pyoxigraph {count} statements", flush=True)
    dataset = rdflib.Dataset()
    dataset.parse(str(path), format=RDF[format][1])
    print(f"{'':18}  rdflib {sum(1 for _ in dataset.quads())} statements", flush=True)
    path.unlink()


if __name__ == "__main__":
    main()
