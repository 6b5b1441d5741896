"""Predictions are extracted from papers, or taken from a file that holds them."""

import gzip
import json
from pathlib import Path

import pytest

from stemma.extract.evaluation import predict
from stemma.schema import Extraction, Problem, interchange

WANTED = "Nibbler: Training Large Models in Small Bites"
ABSTRACT = "We present Nibbler, a training framework. It runs on NVIDIA A100 GPUs."
DUMP = [
    {"title": WANTED, "abstract": ABSTRACT},
    {"title": "Something Else", "abstract": "We present Wobbler, a compiler."},
    {"title": WANTED.upper(), "abstract": ABSTRACT[:41]},
]


@pytest.fixture
def dump(tmp_path: Path) -> Path:
    file = tmp_path / "papers.jsonl"
    file.write_text("\n".join(map(json.dumps, DUMP)))
    return file


def predicted(*paths: Path, titles: tuple[str, ...] = (WANTED,)) -> list[Extraction]:
    problems: list[Problem] = []
    found = list(predict(paths, titles, problems.append))
    assert not problems
    return found


def test_annotated_papers_alone_are_extracted_each_once(dump: Path) -> None:
    (found,) = predicted(dump)
    assert found.paper.title == WANTED
    assert found.paper.abstract == ABSTRACT
    assert "NVIDIA A100" in {entity.name for entity in found.entities}


@pytest.mark.parametrize("name", ["found.jsonl", "found.jsonl.gz"])
def test_a_file_that_extract_wrote_is_the_prediction(dump: Path, tmp_path: Path, name: str) -> None:
    (extraction,) = predicted(dump)
    line = interchange.to_json(extraction)
    line["relations"] = []
    file = tmp_path / name
    data = (json.dumps(line) + "\n").encode()
    file.write_bytes(gzip.compress(data) if name.endswith(".gz") else data)
    (taken,) = predicted(file)
    assert taken.entities == extraction.entities
    assert not taken.relations


def test_what_cannot_be_read_is_reported(dump: Path, tmp_path: Path) -> None:
    broken = tmp_path / "broken.jsonl"
    broken.write_text('{"stemma": 1, "paper": {}}\n')
    problems: list[Problem] = []
    paths = [tmp_path / "absent.txt", broken, dump]
    assert len(list(predict(paths, [WANTED], problems.append))) == 1
    assert {"absent.txt", "broken.jsonl"} == {Path(each.file).name for each in problems}
