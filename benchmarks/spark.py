"""What a cluster costs beside the processes of one machine, with as many cores; and whether the
results are the same.

Usage: python benchmarks/spark.py CORPUS.jsonl[.gz] [--cores 2] [--encoder]

Whole commands, starting included: papers to extractions (rules alone, or `--encoder`), and
extractions to files for neo4j-admin. The last row counts what differs between both graphs.
"""

import argparse
import subprocess
import sys
import time
from collections import Counter
from pathlib import Path
from tempfile import TemporaryDirectory

import figures


def main() -> None:
    """Print the seconds of each step on both engines."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("corpus", type=Path)
    parser.add_argument("--cores", type=int, default=2)
    parser.add_argument("--encoder", action="store_true")
    arguments = parser.parse_args()
    corpus, cores = str(arguments.corpus.resolve()), str(arguments.cores)
    master = ["--master", f"local[{cores}]"]
    how = [] if arguments.encoder else ["--fast"]
    with TemporaryDirectory(prefix="stemma-spark-") as folder:
        here = Path(folder)
        print(f"{'':12}{'processes':>12}{'Spark':>12}{'ratio':>8}")
        compare(
            "extract",
            run(here, "extract", corpus, *how, "--processes", cores, "-o", "local.parquet"),
            run(here, "extract", corpus, *how, "--engine", "spark", *master, "-o", "out"),
        )
        stored = run(here, "load", "local.parquet", "-s", "stemma.db")
        files = ("-f", "neo4j-csv", "-o")
        compare(
            "link",
            stored + run(here, "export", "-s", "stemma.db", *files, "local"),
            run(here, "link", "out", *master, *files, "cluster"),
        )
        local, cluster = rows(here / "local"), rows(here / "cluster")
        print(f"{local.total():,} rows, of which {(local - cluster).total():,} differ")


def run(folder: Path, *arguments: str) -> float:
    """Return the seconds that a command takes."""
    start = time.perf_counter()
    command = [sys.executable, "-m", "stemma.server", *arguments]
    done = subprocess.run(command, cwd=folder, capture_output=True, text=True, check=False)
    if done.returncode:
        raise SystemExit(done.stderr)
    return time.perf_counter() - start


def compare(step: str, processes: float, spark: float) -> None:
    """Print a row."""
    print(f"{step:12}{processes:10.1f} s{spark:10.1f} s{spark / processes:8.2f}", flush=True)
    figures.keep(f"Spark: {step}", spark, "s", "processes of one machine", processes / spark)


def rows(folder: Path) -> Counter[str]:
    """Return the lines of all nodes and relationships, but for notes on the graph as a whole."""
    files = [*folder.glob("*.csv"), *folder.glob("*/part-*")]
    noted = ("_StemmaFile", "_StemmaNote")
    return Counter(
        line
        for file in files
        if not file.name.endswith("-header.csv")
        and not {file.stem, file.parent.name}.intersection(noted)
        for line in file.open(encoding="utf-8", newline="")
    )


if __name__ == "__main__":
    main()
