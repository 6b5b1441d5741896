"""All benchmarks, one after the other: a table of their figures, which is also kept as JSON.

Usage: python benchmarks/run_all.py --corpus CORPUS.jsonl.gz [--only NAME ...] [--folder FOLDER]

The corpus is extracted, and built into a store, which the benchmarks that need one are given.
`benchmarks/figures.json` is written, and the table of docs/benchmarks.md from it.
What a machine lacks (a browser, Java) is named and left out, and so is its part of the table.
With --only, the other figures stay as they are.
"""

import argparse
import json
import os
import platform
import subprocess
import sys
import tempfile
import time
from collections.abc import Sequence
from dataclasses import asdict, dataclass
from importlib.metadata import version
from pathlib import Path

from figures import FILE, Figure, kept

HERE = Path(__file__).parent
KEPT = HERE / "figures.json"
PAGE = HERE.parent / "docs" / "benchmarks.md"
BEGIN, END = "<!-- figures -->", "<!-- end of figures -->"


@dataclass(frozen=True, slots=True)
class Benchmark:
    """A script, and its arguments, in which ``{corpus}``, ``{extractions}`` and ``{store}``
    are files of this run."""

    script: str
    arguments: str = ""

    def command(self, files: dict[str, str]) -> list[str]:
        """Return the command."""
        return [
            sys.executable,
            str(HERE / f"{self.script}.py"),
            *(each.format(**files) for each in self.arguments.split()),
        ]


BENCHMARKS = (
    Benchmark("reading", "--records 100000"),
    Benchmark("extraction", "{corpus} --abstracts 800"),
    Benchmark("growing", "{extractions} --papers 2000 20000"),
    Benchmark("export", "{store} --times 2"),
    Benchmark("questions", "--papers 20000"),
    Benchmark("lineage", "{store}"),
    Benchmark("big_answer"),
    Benchmark("serving", "{store} --rounds 1"),
    Benchmark("sparql", "{store}"),
    Benchmark("explorer"),
    Benchmark("neo4j_store", "{extractions} --papers 5000"),
    Benchmark("neo4j_graphql", "{extractions}"),
)


def main() -> int:
    """Run them, write both files, and print the table."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--corpus", type=Path, required=True)
    names = [each.script for each in BENCHMARKS]
    parser.add_argument("--only", nargs="+", choices=names, default=names, metavar="NAME")
    parser.add_argument("--folder", type=Path, help="keeps extractions and store, for another run")
    arguments = parser.parse_args()
    chosen = [each for each in BENCHMARKS if each.script in arguments.only]
    failed = []
    with tempfile.TemporaryDirectory(prefix="stemma-benchmarks-") as temporary:
        folder = arguments.folder or Path(temporary)
        files = prepared(arguments.corpus, folder, {each.arguments for each in chosen})
        measured = json.loads(KEPT.read_text("utf-8"))["figures"] if KEPT.exists() else {}
        for each in chosen:
            own = Path(temporary) / f"{each.script}.jsonl"
            began = time.monotonic()
            done = subprocess.run(
                each.command(files), env=os.environ | {FILE: str(own)}, check=False
            )
            measured[each.script] = [asdict(figure) for figure in kept(own)]
            print(f"{each.script}: {time.monotonic() - began:.0f} s\n", file=sys.stderr, flush=True)
            if done.returncode:
                failed.append(each.script)
    ordered = {name: measured[name] for name in names if measured.get(name)}
    KEPT.write_text(
        json.dumps({"machine": machine(), "figures": ordered}, indent=1) + "\n", "utf-8"
    )
    page = PAGE.read_text("utf-8")
    PAGE.write_text(with_table(page), "utf-8")
    print(table())
    if failed:
        print(f"left out, or not finished: {', '.join(failed)}", file=sys.stderr)
    return bool(failed)


def prepared(corpus: Path, folder: Path, arguments: set[str]) -> dict[str, str]:
    """Make the files that benchmarks need, unless they are there, and return where they are."""
    folder.mkdir(parents=True, exist_ok=True)
    extractions, store = folder / "extractions.jsonl.gz", folder / "stemma.db"
    wanted = " ".join(arguments)
    if not extractions.exists():
        stemma("extract", corpus, "-o", extractions)
    if not store.exists() and "{store}" in wanted:
        stemma("load", extractions, "-s", store)
    return {"corpus": str(corpus), "extractions": str(extractions), "store": str(store)}


def stemma(*arguments: object) -> None:
    """Run a command of Stemma."""
    subprocess.run([sys.executable, "-m", "stemma.server", *map(str, arguments)], check=True)


def machine() -> dict[str, str]:
    """Say on what machine this is, with which versions."""
    processor = platform.processor() or platform.machine()
    info = Path("/proc/cpuinfo")
    if info.exists():
        names = [line for line in info.read_text().splitlines() if line.startswith("model name")]
        processor = names[0].partition(": ")[2] if names else processor
    return {
        "processor": processor,
        "cores": str(os.cpu_count()),
        "python": platform.python_version(),
        "stemma": version("stemma-kg"),
        "date": time.strftime("%Y-%m-%d"),
    }


def table() -> str:
    """Return the figures that are kept, as a table in Markdown."""
    stored = json.loads(KEPT.read_text("utf-8"))
    rows: Sequence[Figure] = [
        Figure(**each) for some in stored["figures"].values() for each in some
    ]
    lines = ["| What | Figure | Baseline | Speed relative to the baseline |", "|---|---|---|---|"]
    for row in rows:
        ratio = "" if row.ratio is None else rounded(row.ratio)
        lines.append(f"| {row.what} | {rounded(row.value)} {row.unit} | {row.baseline} | {ratio} |")
    own = stored["machine"]
    lines.append(
        f"\n{own['cores']} cores ({own['processor']}), Python {own['python']}, "
        f"Stemma {own['stemma']}, {own['date']}."
    )
    return "\n".join(lines)


def rounded(value: float) -> str:
    """Write a number with three digits that count."""
    if value >= 100:
        return f"{value:,.0f}"
    return f"{value:.{2 if value < 10 else 1}f}" if value >= 0.1 else f"{value:.2g}"


def with_table(page: str) -> str:
    """Return a page with the table of the figures that are kept in its place."""
    before, _, rest = page.partition(BEGIN)
    _, _, after = rest.partition(END)
    return f"{before}{BEGIN}\n\n{table()}\n\n{END}{after}"


if __name__ == "__main__":
    sys.exit(main())
