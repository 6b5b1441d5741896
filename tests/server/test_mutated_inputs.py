"""Files that chance has damaged: nothing crashes, what was not touched is kept, the report adds up.

With ``STEMMA_MUTATIONS=26000`` in the environment that many files are damaged and read, instead of
a few hundred. The same number makes the same files. `test_mutated_formats` damages other formats.
"""

import json
import os
from dataclasses import replace
from functools import cache
from itertools import pairwise
from pathlib import Path
from random import Random

import pytest

import pipelines
from latest import latest
from mutation import mutate
from stemma.extract import Extractor
from stemma.graph import open_store
from stemma.schema import Extraction, Paper, Source, interchange
from stemma.schema.name import paper_id
from stemma.server.build import build, load

COUNT = int(os.environ.get("STEMMA_MUTATIONS", "150")) // 3
TEXTS = (
    ("Kettle: Boiling Models", "We present Kettle, on top of PyTorch. It outperforms DeepSpeed."),
    ("Sieve Attention", "Attention is slow. It builds on FlashAttention, and is café-proof."),
    ("A Study of Ladles", "We compare vLLM with TensorRT-LLM, and find “no difference” on H100."),
)


def as_json(title: str, abstract: str) -> str:
    return json.dumps({"title": title, "abstract": abstract, "authors": [{"name": "A. Cook"}]})


@cache
def found_in(abstract: str) -> Extraction:
    (found,) = pipelines.extractor().extract([Paper("paper/a", "A Paper", abstract)])
    assert isinstance(found, Extraction)
    return found


def extracted(title: str, abstract: str) -> str:
    paper = Paper(paper_id(title), title, abstract, sources=(Source("made.txt", "ab" * 32, 1),))
    return interchange.dump(replace(found_in(abstract), paper=paper))


FORMS = {
    "lines": (as_json, "{}\n{}\n{}\n"),
    "array": (as_json, "[{},\n{},\n{}]"),
    "extracted": (extracted, "{}\n{}\n{}\n"),
}
"""How records are written, and put together."""


def damage(kind: str, number: int, file: Path) -> set[str]:
    """Write a file of papers that no other has, damaged; return the ids of those untouched."""
    write, form = FORMS[kind]
    titles = [f"{title}, number {number * 10 + i}" for i, (title, _) in enumerate(TEXTS)]
    records = [write(each, text) for each, (_, text) in zip(titles, TEXTS, strict=True)]
    data = form.format(*records).encode()
    mutated = mutate(data, [data], Random(file.name))
    file.write_bytes(mutated.data)
    places = [data.index(each.encode()) for each in records]
    # With the character before, and all up to the next record.
    spared = (mutated.spares(max(0, a - 1), b) for a, b in pairwise([*places, len(data)]))
    return {paper_id(title) for title, whole in zip(titles, spared, strict=True) if whole}


@pytest.mark.soak
@pytest.mark.parametrize("kind", FORMS)
def test_papers_that_were_not_touched_are_there(kind, tmp_path, monkeypatch):
    folder, expected = tmp_path / "papers", set[str]()
    folder.mkdir()
    for number in range(COUNT):
        expected |= damage(kind, number, folder / f"{number}.jsonl")
    # What is found in them is no matter.
    monkeypatch.setattr(Extractor, "find", lambda self, texts: [((), ())] * len(texts))
    with open_store(str(tmp_path / "stemma.db")) as store:
        report = (load if kind == "extracted" else build)(store, sorted(folder.iterdir()))
        assert report.added == latest(store).works(sorted(report.added)).keys()
    assert set() < expected <= report.added, sorted(expected - report.added)[:5]
    assert report.records == len(report.added) + report.duplicates + report.skipped
    assert not report.updated
