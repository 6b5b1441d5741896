"""Figures: what benchmarks measure, kept as lines of JSON when all of them are run together."""

import json
import os
from collections.abc import Iterator
from dataclasses import asdict, dataclass
from pathlib import Path

FILE = "STEMMA_FIGURES"
"""The environment variable that names the file."""


@dataclass(frozen=True, slots=True)
class Figure:
    """One measured value, and the baseline of the same run that it is compared with.

    `ratio` is the speed in times that of the baseline: 1 is as fast, 0.5 takes twice as long. For
    what is no speed (bytes, memory) it is None, and there is no baseline.
    """

    what: str
    value: float
    unit: str
    baseline: str = ""
    ratio: float | None = None


def keep(
    what: str, value: float, unit: str, baseline: str = "", ratio: float | None = None
) -> None:
    """Keep a figure, if somebody collects them."""
    if file := os.environ.get(FILE):
        with Path(file).open("a", encoding="utf-8") as lines:
            lines.write(json.dumps(asdict(Figure(what, value, unit, baseline, ratio))) + "\n")


def kept(file: Path) -> Iterator[Figure]:
    """Yield the figures of a file."""
    if file.exists():
        for line in file.read_text("utf-8").splitlines():
            yield Figure(**json.loads(line))
