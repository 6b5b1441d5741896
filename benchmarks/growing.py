"""What it takes to store papers in a folder, and then a few more, in stores of different sizes.

Usage: python benchmarks/growing.py EXTRACTIONS.jsonl[.gz] [--papers N ...]

EXTRACTIONS is what `stemma extract CORPUS -o EXTRACTIONS.jsonl.gz` wrote. Where more papers are
wanted than it has, they come again with other titles. Of each size: the seconds to store all, one
more, and a hundredth more; the share of these in the time for all; the memory at the peak; and the
bytes that a paper takes on disk. Then the same of RDF: the seconds to write it, and to store one
more paper beside it. Each size has a process of its own.
"""

import argparse
import gzip
import resource
import time
from collections.abc import Iterator
from dataclasses import replace
from itertools import count, islice
from multiprocessing import get_context
from pathlib import Path
from tempfile import TemporaryDirectory

from stemma.graph.oxigraph import OxigraphStore
from stemma.schema import Extraction, interchange
from stemma.schema.identifier import paper_id


def main() -> None:
    """Print a row for each size."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("extractions", type=Path)
    parser.add_argument("--papers", type=int, nargs="+", default=[2_000, 20_000])
    arguments = parser.parse_args()
    print(
        f"{'papers':>9}{'all':>10}{'one more':>11}{'of all':>8}{'1% more':>11}{'of all':>8}"
        f"{'memory':>11}{'bytes/paper':>13}{'RDF':>10}{'one more':>11}{'memory':>11}"
        f"{'bytes/paper':>13}"
    )
    for size in arguments.papers:
        process = get_context("spawn").Process(target=measure, args=(arguments.extractions, size))
        process.start()
        process.join()


def measure(file: Path, size: int) -> None:
    """Store papers in a new folder, and print what that takes."""
    papers = extractions(file)
    with TemporaryDirectory(prefix="stemma-growing-") as folder:
        path = Path(folder) / "stemma.db"
        whole = put(path, islice(papers, size))
        memory, kept = peak(), held(path)
        one = put(path, islice(papers, 1))
        few = put(path, islice(papers, size // 100))
        before, start = held(path), time.perf_counter()
        with OxigraphStore(path) as store, store.snapshot() as reader:
            reader.project()
        written = time.perf_counter() - start
        rdf = held(path) - before
        beside = put(path, islice(papers, 1))
    print(
        f"{size:9,}{whole:8.1f} s{one:9.2f} s{one / whole:8.1%}{few:9.2f} s{few / whole:8.1%}"
        f"{memory:7,.0f} MiB{kept / size:13,.0f}{written:8.1f} s{beside:9.2f} s{peak():7,.0f} MiB"
        f"{rdf / size:13,.0f}",
        flush=True,
    )


def peak() -> float:
    """Return the most memory that this process had, in MiB."""
    return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024


def held(path: Path) -> int:
    """Return the bytes that a folder takes."""
    return sum(each.stat().st_size for each in path.rglob("*") if each.is_file())


def put(path: Path, papers: Iterator[Extraction]) -> float:
    """Return the seconds that it takes to add papers to a store."""
    start = time.perf_counter()
    with OxigraphStore(path) as store, store.writer() as writer:
        writer.put(papers, "benchmark")
        writer.commit()
    return time.perf_counter() - start


def extractions(file: Path) -> Iterator[Extraction]:
    """Yield the extractions of a file, again and again with other titles."""
    for copy in count(1):
        with gzip.open(file) if file.suffix == ".gz" else file.open("rb") as lines:
            for each in interchange.read(lines, file.name, "0" * 64):
                if not isinstance(each, Extraction):
                    raise SystemExit(str(each))
                title = f"{each.paper.title} ({copy})"
                yield replace(each, paper=replace(each.paper, title=title, id=paper_id(title)))


if __name__ == "__main__":
    main()
