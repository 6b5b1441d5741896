"""Files that chance has damaged: nothing crashes, what was not touched is kept, the report adds up.

With ``STEMMA_MUTATIONS=26000`` in the environment that many files are damaged and read, instead of
a few hundred. The same number makes the same files.
"""

import gzip
import json
import os
import re
import shutil
from collections.abc import Callable
from dataclasses import dataclass
from functools import partial
from itertools import accumulate
from pathlib import Path
from random import Random

import pytest

from latest import latest
from mutation import mutate
from stemma.extract import Extractor
from stemma.graph import open_store
from stemma.schema import Paper, Source, interchange
from stemma.schema.name import paper_id
from stemma.server.build import build, load
from stemma.server.extraction_settings import ExtractionSettings

COUNT = int(os.environ.get("STEMMA_MUTATIONS", "300")) // 4
AT_ONCE = 200
"""Files of one build: together they are read as fast as it goes."""
MOST_MEMORY = 300
"""Megabytes that the process may grow by, once it has read a first batch."""
EXTRACTOR = Extractor(fast=True)
TEXTS = (
    ("Kettle: Boiling Models", "We present Kettle, on top of PyTorch. It outperforms DeepSpeed."),
    ("Sieve Attention", "Attention is slow. It builds on FlashAttention, and is café-proof."),
    ("A Study of Ladles", "We compare vLLM with TensorRT-LLM, and find “no difference” on H100."),
    ("Broth", "We introduce Broth, a data set of 9,000 recipes, and measure GPT-4 with it."),
)


def as_json(title: str, abstract: str) -> str:
    return json.dumps({"title": title, "abstract": abstract, "authors": [{"name": "A. Cook"}]})


def in_listing(title: str, abstract: str) -> str:
    return f"{title}\n\n{abstract}\n\n  • 3 authors\n·\nFeb 3, 2024\n\n"


def extracted(title: str, abstract: str) -> str:
    paper = Paper(paper_id(title), title, abstract, sources=(Source("made.txt", "ab" * 32, 1),))
    [found] = EXTRACTOR.extract([paper])
    return interchange.dump(found)


@dataclass(frozen=True)
class Form:
    """How a file is put together. `near` counts the neighbours on either side that may be read
    differently where a record is damaged."""

    record: Callable[[str, str], str]
    ending: str
    begin: str = ""
    between: str = ""
    end: str = ""
    near: int = 0


FORMS = {
    "lines": Form(as_json, ".jsonl.gz", between="\n", end="\n"),
    "array": Form(as_json, ".json", "[", ",\n", "]"),
    "listing": Form(in_listing, ".txt", "Subscribe\n\nDaily Papers\n\nMar 9\n\n", near=1),
    "extracted": Form(extracted, ".jsonl", between="\n", end="\n"),
}


def damage(form: Form, number: int, file: Path) -> set[str]:
    """Write a file of papers that no other has, damaged; return the ids of those untouched."""
    papers = [(f"{title}, number {number * 10 + i}", text) for i, (title, text) in enumerate(TEXTS)]
    *records, last = (form.record(*each) for each in papers)
    parts = [form.begin, *(each + form.between for each in records), last + form.end]
    data = "".join(parts).encode()
    mutated = mutate(data, [data], Random(file.name))
    compress = gzip.compress if file.suffix == ".gz" else bytes
    file.write_bytes(compress(mutated.data))
    starts = list(accumulate(len(part.encode()) for part in parts))
    untouched = set()
    for i, (title, _) in enumerate(papers):
        first = starts[i - form.near] if i >= form.near else 0
        end = starts[min(i + 1 + form.near, len(papers))]
        # The character before separates it from what comes first.
        if mutated.spares(max(0, first - 1), end):
            untouched.add(paper_id(title))
    return untouched


def megabytes() -> float:
    """The most memory that this process ever had."""
    return int(re.findall(r"VmHWM:\s+(\d+)", Path("/proc/self/status").read_text())[0]) / 1024


@pytest.mark.soak
@pytest.mark.parametrize("kind", FORMS)
def test_papers_that_were_not_touched_are_there(kind, tmp_path):
    form, warm = FORMS[kind], 0.0
    read = load if kind == "extracted" else partial(build, settings=ExtractionSettings(fast=True))
    for first in range(0, COUNT, AT_ONCE):
        folder = tmp_path / "papers"
        folder.mkdir()
        expected = set[str]()
        for number in range(first, min(first + AT_ONCE, COUNT)):
            expected |= damage(form, number, folder / f"{number}{form.ending}")
        with open_store(str(tmp_path / "stemma.db")) as store:
            report = read(store, sorted(folder.iterdir()))
            assert report.added == latest(store).works(sorted(report.added)).keys()
            assert set() < expected <= report.added, sorted(expected - report.added)[:5]
            assert report.records == len(report.added) + report.duplicates + report.skipped
            assert not report.updated
        for each in tmp_path.iterdir():
            shutil.rmtree(each) if each.is_dir() else each.unlink()
        warm = warm or megabytes()
    assert megabytes() - warm < MOST_MEMORY
