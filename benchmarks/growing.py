"""What it takes to store papers in a file, and then a few more, in stores of different sizes.

Usage: python benchmarks/growing.py [EXTRACTIONS.jsonl[.gz]] [--papers N ...] [--singles N]
       [--profile]

EXTRACTIONS is what `stemma extract CORPUS -o EXTRACTIONS.jsonl.gz` wrote. Where more papers are
wanted than it has, they come again with other titles. Without it papers are made up (synthetic.py),
with ten statements, authors and references. Of each size: the seconds to store all, one more,
others, one after another (the median of `--singles`, the last papers of the file, which are the
same for each size; and the slowest), and 1% more; the share of these in the time for all; the peak
memory; and the bytes that a paper takes on disk. Then the seconds to decide something about four
entities, of which one is the largest hub, and to store one more paper after that. Then the same of
RDF: the seconds to write it, and to store one more paper beside it. The baseline is SQLite alone:
all rows of the finished store, which are in memory, are inserted into tables of the same layout.
Each size has a process of its own.
"""

import argparse
import cProfile
import gzip
import pstats
import resource
import sqlite3
import time
from collections import deque
from collections.abc import Collection, Iterator
from dataclasses import replace
from itertools import count, islice
from multiprocessing import get_context
from pathlib import Path
from statistics import median
from tempfile import TemporaryDirectory

import figures
import synthetic

from stemma.graph.sqlite import SqliteStore
from stemma.graph.sqlite.reader import SqliteReader
from stemma.schema import EntityKind, Extraction, interchange
from stemma.schema.decision import ChangeKind, Merge, Rename
from stemma.schema.name import paper_id


def main() -> None:
    """Print a row for each size."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("extractions", type=Path, nargs="?")
    parser.add_argument("--papers", type=int, nargs="+", default=[2_000, 20_000])
    parser.add_argument("--singles", type=int, default=20, metavar="N")
    parser.add_argument("--profile", action="store_true", help="of one more paper")
    arguments = parser.parse_args()
    print(
        f"{'papers':>9}{'all':>10}{'one more':>11}{'another':>10}{'slowest':>10}{'of all':>8}"
        f"{'1% more':>11}"
        f"{'of all':>8}"
        f"{'memory':>11}{'bytes/paper':>13}{'rows alone':>12}{'decided':>10}{'one more':>11}"
        f"{'RDF':>10}{'one more':>11}{'memory':>11}{'bytes/paper':>13}"
    )
    for size in arguments.papers:
        process = get_context("spawn").Process(
            target=measure, args=(arguments.extractions, size, arguments.singles, arguments.profile)
        )
        process.start()
        process.join()
        if process.exitcode:
            raise SystemExit(process.exitcode)


def measure(file: Path | None, size: int, singles: int, profile: bool) -> None:
    """Store papers in a new folder, and print what that takes."""
    papers = synthetic.papers(0, 2 * size + singles, statements=10)
    others = papers
    if file:
        last = deque(extractions(file), singles)
        papers, others = repeated(file, {each.paper.id for each in last}), iter(last)
    with TemporaryDirectory(prefix="stemma-growing-") as folder:
        path = Path(folder) / "stemma.db"
        whole = put(path, islice(papers, size))
        memory, kept = peak(), held(path)
        rows = rows_alone(path, Path(folder) / "rows.db")
        run = profiled if profile else put
        first = put(path, islice(papers, 1))
        ones = [run(path, islice(others, 1)) for _ in range(singles)]
        one = median(ones)
        few = put(path, islice(papers, size // 100))
        decided = decide(path)
        after = put(path, islice(papers, 1))
        before, start = held(path), time.perf_counter()
        with SqliteStore(path) as store, store.snapshot() as reader:
            reader.dataset.project()
        written = time.perf_counter() - start
        rdf = held(path) - before
        beside = put(path, islice(papers, 1))
    print(
        f"{size:9,}{whole:8.1f} s{first:9.2f} s{one:8.3f} s{max(ones):8.3f} s{one / whole:8.1%}"
        f"{few:9.2f} s{few / whole:8.1%}"
        f"{memory:7,.0f} MiB{kept / size:13,.0f}{rows:10.1f} s{decided:8.2f} s{after:9.2f} s"
        f"{written:8.1f} s{beside:9.2f} s{peak():7,.0f} MiB{rdf / size:13,.0f}",
        flush=True,
    )
    figures.keep(f"storing {size:,} papers", whole, "s", "their rows in SQLite", rows / whole)
    figures.keep(f"the first paper more, into {size:,}", first, "s", "all of them", whole / first)
    figures.keep(f"one paper more, into {size:,}", one, "s", "all of them", whole / one)
    figures.keep(f"1% more, into {size:,}", few, "s", "all of them", whole / few)
    figures.keep(f"three decisions on {size:,}", decided, "s", "all of them", whole / decided)
    figures.keep(
        f"one paper more after them, into {size:,}", after, "s", "all of them", whole / after
    )
    figures.keep(f"memory to store {size:,} papers", memory, "MiB")
    figures.keep(f"a paper on disk, of {size:,}", kept / size, "bytes")
    figures.keep(f"a paper as RDF on disk, of {size:,}", rdf / size, "bytes")


def rows_alone(store: Path, to: Path) -> float:
    """Return the seconds that it takes to insert all rows of a store, which are in memory."""
    with SqliteStore(store) as opened, opened.snapshot() as reader:
        assert isinstance(reader, SqliteReader)
        layout = reader.rows(
            "SELECT type, name, sql FROM sqlite_schema WHERE type IN ('table', 'index') "
            # Full-text search has tables of its own.
            "AND sql > '' AND name NOT LIKE 'trigram%' AND name NOT LIKE 'text%'"
        )
        tables = [name for type_, name, _ in layout if type_ == "table" and "sqlite_" not in name]
        rows = {name: reader.rows(f"SELECT * FROM {name}") for name in tables}
    start = time.perf_counter()
    database = sqlite3.connect(to, isolation_level=None)
    database.executescript("PRAGMA journal_mode = OFF; PRAGMA synchronous = OFF; BEGIN;")
    for _, name, sql in layout:
        if "sqlite_" not in name:
            database.execute(sql)
    for name, some in rows.items():
        for places in {",".join("?" * len(row)) for row in some[:1]}:
            database.executemany(f"INSERT INTO {name} VALUES ({places})", some)
    database.execute("COMMIT")
    database.close()
    return time.perf_counter() - start


def profiled(path: Path, papers: Iterator[Extraction]) -> float:
    """Add papers to a store, print where the time goes, and return it."""
    profiler = cProfile.Profile()
    taken = profiler.runcall(put, path, papers)
    pstats.Stats(profiler).sort_stats("cumulative").print_stats(40)
    return taken


def peak() -> float:
    """Return the most memory that this process had, in MiB."""
    return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024


def held(path: Path) -> int:
    """Return the bytes that a store takes, with what is beside it."""
    own = [path, *path.parent.glob(f"{path.name}-*")]
    files = [each for place in own for each in (place, *place.glob("**/*"))]
    return sum(each.stat().st_size for each in files if each.is_file())


def put(path: Path, papers: Iterator[Extraction]) -> float:
    """Return the seconds that it takes to add papers to a store."""
    start = time.perf_counter()
    with SqliteStore(path) as store, store.writer() as writer:
        writer.put(papers, "benchmark")
        writer.commit()
    return time.perf_counter() - start


def decide(path: Path) -> float:
    """Return the seconds that it takes to decide something about the largest hub and others."""
    with SqliteStore(path) as store:
        with store.snapshot() as reader:
            assert isinstance(reader, SqliteReader)
            query = "SELECT id FROM work WHERE type = 'entity' ORDER BY papers DESC, id LIMIT 103"
            (hub, *_, one, other, third) = [id_ for (id_,) in reader.rows(query)]
        start = time.perf_counter()
        with store.writer() as writer:
            writer.decide(Rename(hub, "The Hub"))
            writer.decide(Merge((one, other)))
            writer.decide(ChangeKind(third, EntityKind.HARDWARE))
            writer.commit()
        return time.perf_counter() - start


def extractions(file: Path) -> Iterator[Extraction]:
    """Yield the extractions of a file."""
    with gzip.open(file) if file.suffix == ".gz" else file.open("rb") as lines:
        for each in interchange.read(lines, file.name, "0" * 64):
            if not isinstance(each, Extraction):
                raise SystemExit(str(each))
            yield each


def repeated(file: Path, but: Collection[str]) -> Iterator[Extraction]:
    """Yield the extractions of a file but for some (ids), again and again with other titles."""
    for copy in count(1):
        for each in extractions(file):
            if each.paper.id not in but:
                title = f"{each.paper.title} ({copy})"
                yield replace(each, paper=replace(each.paper, title=title, id=paper_id(title)))


if __name__ == "__main__":
    main()
