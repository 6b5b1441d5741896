"""What a cluster costs beside the processes of one machine, with as many cores.

Usage: python benchmarks/spark.py CORPUS.jsonl[.gz] [--cores 2] [--encoder]

Whole commands, starting included: papers to extractions, by rules alone or with `--encoder`.
"""

import argparse
import subprocess
import sys
import time
from pathlib import Path
from tempfile import TemporaryDirectory

import figures


def main() -> None:
    """Print the seconds on both engines."""
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


if __name__ == "__main__":
    main()
