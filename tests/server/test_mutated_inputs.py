"""Files that chance has damaged: nothing crashes, and what was not touched is kept.

With ``STEMMA_MUTATIONS=26000`` in the environment that many files are damaged and read, instead of
a few hundred. The same number makes the same files.
"""

import gzip
import os
import re
import shutil
from collections.abc import Callable, Iterator
from dataclasses import replace
from pathlib import Path
from random import Random

import pytest

from latest import latest
from mutation import Mutated, mutate
from specimen import Extracted, Maker, Specimen, json_array, json_lines, listing, packed, several
from stemma.graph import Store, open_store
from stemma.schema.name import paper_id
from stemma.server.build import build, load
from stemma.server.build_report import BuildReport
from stemma.server.extraction_settings import ExtractionSettings

pytestmark = pytest.mark.soak
COUNT = int(os.environ.get("STEMMA_MUTATIONS", "300"))
SHARES = {"listing": 0.2, "array": 0.2, "lines": 0.2, "packed": 0.1, "extracted": 0.3}
AT_ONCE = 200
"""Files of one build: together they are read as fast as it goes."""
MOST_MEMORY = 300
"""Megabytes that the process may grow by, once it has read a first batch."""
MAKERS: dict[str, Maker] = {"listing": listing, "array": json_array, "lines": json_lines}

Read = Callable[[Store, list[Path]], BuildReport]


def megabytes() -> float:
    """The most memory that this process ever had."""
    return int(re.findall(r"VmHWM:\s+(\d+)", Path("/proc/self/status").read_text())[0]) / 1024


def batches(share: str) -> Iterator[tuple[int, int]]:
    """Yield the number of the first file of each batch, and how many there are in it."""
    count = max(1, round(COUNT * SHARES[share]))
    for first in range(0, count, AT_ONCE):
        yield first, min(AT_ONCE, count - first)


def untouched(specimen: Specimen, mutated: Mutated) -> Iterator[str]:
    """Yield the ids of the papers that have to be there: those that nothing has come near to."""
    starts = [0, *(start for start, _ in specimen.places.values())]
    ends = [*(end for _, end in specimen.places.values()), len(specimen.data)]
    near = specimen.near
    for i, title in enumerate(specimen.places):
        begin = starts[max(0, i + 1 - near)] if i + 1 > near else 0
        end = ends[min(i + near, len(ends) - 1)]
        # The character before separates it from what comes first.
        if mutated.spares(max(0, begin - 1), end):
            yield paper_id(title)


def damage(specimens: list[Specimen], folder: Path) -> set[str]:
    """Write specimens, damaged; return the ids of the papers that have to be found in them."""
    folder.mkdir()
    expected: set[str] = set()
    others = [each.data for each in specimens[:20]]
    for each in specimens:
        mutated = mutate(each.data, others, Random(each.name))
        (folder / each.name).write_bytes(packed(each, mutated.data))
        expected.update(untouched(each, mutated))
    return expected


def damage_packed(specimens: list[Specimen], folder: Path) -> set[str]:
    """Write specimens and damage what they are compressed to: none of their papers is certain."""
    folder.mkdir()
    for each in specimens:
        data = gzip.compress(each.data, mtime=0)
        mutated = mutate(data, [data], Random(each.name))
        (folder / each.name).write_bytes(mutated.data)
    return set()


def check(folder: Path, read: Read, expected: set[str]) -> None:
    """Read a folder into a new store: it holds what has to be there, and the report adds up."""
    with open_store(str(folder.with_suffix(".db"))) as store:
        report = read(store, sorted(folder.iterdir()))
        held = latest(store).works(sorted(report.added)) if report.added else {}
        assert report.added == held.keys()
        assert expected <= report.added, sorted(expected - report.added)[:5]
        assert not report.updated
        assert report.records == len(report.added) + report.duplicates + report.skipped
        if held:
            assert store.statistics().papers == len(held)
    for each in (folder, folder.with_suffix(".db")):
        shutil.rmtree(each, ignore_errors=True)


@pytest.fixture(autouse=True)
def flat() -> Iterator[Callable[[], None]]:
    """What memory does while files are read: it stays what it is when this is called first."""
    warm: list[float] = []
    yield lambda: warm.append(megabytes())
    assert megabytes() - warm[0] < MOST_MEMORY


def build_fast(store: Store, files: list[Path]) -> BuildReport:
    return build(store, files, ExtractionSettings(fast=True))


@pytest.mark.parametrize("share", ["listing", "array", "lines"])
def test_papers_that_were_not_touched_are_built(
    share: str, tmp_path: Path, flat: Callable[[], None]
) -> None:
    for first, count in batches(share):
        folder = tmp_path / str(first)
        check(folder, build_fast, damage(list(several(MAKERS[share], count, first)), folder))
        flat()


def test_damaged_compression_crashes_nothing(tmp_path: Path, flat: Callable[[], None]) -> None:
    makers = [*MAKERS.values()]
    for first, count in batches("packed"):
        folder = tmp_path / str(first)
        made = (makers[number % 3](number) for number in range(first, first + count))
        specimens = [replace(each, name=f"{each.name.removesuffix('.gz')}.gz") for each in made]
        check(folder, build_fast, damage_packed(specimens, folder))
        flat()


def test_extractions_that_were_not_touched_are_loaded(
    tmp_path: Path, flat: Callable[[], None]
) -> None:
    make = Extracted()
    for first, count in batches("extracted"):
        folder = tmp_path / str(first)
        check(folder, load, damage(list(several(make, count, first)), folder))
        flat()
