"""Speed of reading a metadata snapshot of arXiv, beside `msgspec.json.decode` over the same lines.

Usage: python benchmarks/reading.py [--records N]

The snapshot is made up, with the fields of the real one. The ratio is that of records per second;
the memory is what the process grew by from the first tenth of the records to the last one. With ids
of wanted papers, all other records are skipped.
"""

import argparse
import json
import random
import re
import time
from collections.abc import Callable, Iterator
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

import figures
import msgspec

from stemma.extract import formats
from stemma.schema import Paper

_TEXT = (
    "we fire clay in a kiln that turns heat into pots and show how wheels of stone help the potter "
    "to shape larger vessels with less water while glazes keep their colour over many years"
)
_NAMES = ("Sand", "Clay", "Pot", "Oven", "Glaze", 'M\\"uller', "\\'Eclat", "Stone", "Wheel")
_CATEGORIES = ("cs.LG", "cs.DC cs.LG", "math.CO", "hep-th", "astro-ph.GA", "quant-ph")


def main() -> None:
    """Print records per second of both, and the growth of memory."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--records", type=int, default=200_000)
    arguments = parser.parse_args()
    with TemporaryDirectory() as folder:
        path = Path(folder) / "arxiv-metadata-oai-snapshot.json"
        chance = random.Random(7)
        with path.open("w", encoding="utf-8") as file:
            for number in range(arguments.records):
                file.write(json.dumps(record(number, chance)) + "\n")
        print(f"{arguments.records:,} records, {path.stat().st_size / 2**20:.0f} MiB")
        base = rate(arguments.records, lambda: sum(1 for _ in plain(path)))
        print(f"{'msgspec.json.decode':19}{base:10,.0f} records/s")
        grown: list[float] = []
        own = rate(arguments.records, lambda: count(path, arguments.records, grown))
        print(f"{'Stemma':19}{own:10,.0f} records/s   {own / base:.2f}")
        some = rate(arguments.records, lambda: choose(path, arguments.records))
        print(f"{'100 wanted':19}{some:10,.0f} records/s   {some / base:.2f}")
        for what, speed in (("all papers", own), ("a hundred papers by id", some)):
            figures.keep(
                f"reading arXiv's snapshot: {what}",
                speed,
                "records/s",
                "msgspec.json.decode",
                speed / base,
            )
        print(f"{'memory':19}{grown[-1] - grown[0]:+10.1f} MiB")


def record(number: int, chance: random.Random) -> dict[str, Any]:
    """Return a record as the snapshot has it."""
    names = [(chance.choice(_NAMES), chance.choice("ABCDE") + ".") for _ in range(1 + number % 6)]
    words = chance.choices(_TEXT.split(), k=160)
    lines = ("  " + " ".join(words[i : i + 12]) for i in range(0, len(words), 12))
    day = f"{1 + number % 28} Apr 2021 1{number % 10}:00:00 GMT"
    versions = [{"version": f"v{i}", "created": f"Thu, {day}"} for i in range(1, 2 + number % 3)]
    return {
        "id": f"{700 + number // 10000:04}.{number % 10000:05}",
        "submitter": "Ann Sand",
        "authors": ", ".join(f"{first} {last}" for last, first in names),
        "title": f"Kiln {number}: {' '.join(words[:5])}\n  {' '.join(words[5:9])}",
        "comments": "12 pages, 3 figures",
        "journal-ref": f"J. Kilns {number}" if number % 3 == 0 else None,
        "doi": f"10.1000/kiln.{number}" if number % 2 == 0 else None,
        "report-no": None,
        "categories": chance.choice(_CATEGORIES),
        "license": "http://arxiv.org/licenses/nonexclusive-distrib/1.0/",
        "abstract": "\n".join(lines) + ".\n",
        "versions": versions,
        "update_date": "2021-05-01",
        "authors_parsed": [[last, first, ""] for last, first in names],
    }


def plain(path: Path) -> Iterator[object]:
    """Read all values, and nothing more."""
    with path.open("rb") as file:
        for line in file:
            yield msgspec.json.decode(line)


def count(path: Path, records: int, grown: list[float]) -> int:
    """Read all papers, and note the memory after a tenth of them and at the end."""
    number = 0
    for each in formats.read(path, path.name):
        assert isinstance(each, Paper), each
        number += 1
        if number in (records // 10, records):
            grown.append(megabytes())
    return number


def choose(path: Path, records: int) -> int:
    """Read a hundred papers by their ids, as ``--ids`` does, and pass over all others."""
    numbers = range(0, records, max(records // 100, 1))
    wanted = {f"arxiv:{700 + each // 10000:04}.{each % 10000:05}" for each in numbers}
    options = formats.Options(wanted=wanted)
    document = formats.Document(path, path.name)
    assert sum(1 for _ in formats.read_document(document, options)) == len(numbers)
    return records


def megabytes() -> float:
    """Return the most memory that this process ever had."""
    status = Path("/proc/self/status").read_text()
    return int(re.findall(r"VmHWM:\s+(\d+)", status)[0]) / 1024


def rate(records: int, run: Callable[[], int]) -> float:
    """Return records per second."""
    start = time.perf_counter()
    assert run() == records
    return records / (time.perf_counter() - start)


if __name__ == "__main__":
    main()
