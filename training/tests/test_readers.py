"""Annotated papers of a user: what is found, and what is reported."""

import json
from pathlib import Path
from typing import Any

import pytest

from stemma.extract.encoder.network import RELATIONS
from stemma.schema import RelationType

pytest.importorskip("sklearn", reason="training is not installed: make .venv/model")

from training.__main__ import main
from training.annotated import Annotated
from training.papers import papers_by_title, recognised
from training.readers import agreement, read_annotations
from training.standoff import read_standoff

ABSTRACT = "We present Heron, which extends\nKelpie. Kelpie keeps the states on a GPU."
PAPERS = [{"title": "Heron: Less Memory", "abstract": ABSTRACT}]
HERON = {
    "title": "Heron: less memory",
    "entities": [
        {"name": "Heron", "kind": "framework", "mentions": ["Heron"]},
        {"name": "Kelpie", "kind": "framework", "mentions": ["Kelpie"]},
        {"name": "GPU", "kind": "hardware", "mentions": ["GPU"]},
    ],
    "relations": [
        {"type": "INTRODUCES", "entity": "Heron", "evidence": "We present Heron,\nwhich extends"},
        {"type": "BUILDS_ON", "entity": "Kelpie", "evidence": "We present Heron"},
    ],
}


def read(folder: Path, *annotations: object) -> tuple[list[Annotated], list[str]]:
    (folder / "papers.jsonl").write_text("".join(f"{json.dumps(paper)}\n" for paper in PAPERS))
    gold = folder / "gold.jsonl"
    gold.write_text("".join(f"{json.dumps(annotation)}\n" for annotation in annotations))
    problems: list[str] = []
    papers = [folder / "papers.jsonl"]
    found = list(read_annotations(gold, papers, lambda each: problems.append(str(each))))
    return found, problems


def test_annotations_are_laid_over_the_papers(tmp_path: Path) -> None:
    (paper,), problems = read(tmp_path, HERON)
    assert not problems
    assert sorted(set(paper.spans.values())) == [0, 1, 2]
    introduces, builds_on = (
        RELATIONS.index(each) for each in (RelationType.INTRODUCES, RelationType.BUILDS_ON)
    )
    assert paper.relations == [{introduces: [1]}, {builds_on: [1]}, {}]


def test_a_relation_that_is_nowhere_annotated_is_not_judged(tmp_path: Path) -> None:
    (paper,), _ = read(tmp_path, HERON)
    judged = [RELATIONS[each] for each in paper.settled(2)]
    assert judged == [RelationType.INTRODUCES, RelationType.BUILDS_ON]


def test_what_does_not_fit_is_reported_with_its_line(tmp_path: Path) -> None:
    wrong = {
        "title": "Heron: Less Memory",
        "entities": [
            {"name": "Osprey", "kind": "framework", "mentions": ["Osprey", "Heron"]},
            {"name": "Kelp", "kind": "framework", "mentions": ["Kelp"]},
        ],
        "relations": [{"type": "USES", "entity": "Kelp", "evidence": "It is fast."}],
    }
    found, problems = read(tmp_path, {**HERON, "title": "Nowhere"}, {"title": "x"}, wrong)
    assert len(found) == 1
    assert problems == [
        "gold.jsonl:2: not an annotation: 'entities' is missing",
        "gold.jsonl:1: none of the papers has this title: Nowhere",
        "gold.jsonl:3: not in title or abstract: 'Osprey', of 'Osprey'",
        "gold.jsonl:3: 'Kelp' occurs only within other names or words",
        "gold.jsonl:3: no sentence of title or abstract: 'It is fast.', of USES",
    ]


def ended(folder: Path, *arguments: str) -> object:
    """Run a command on files in a folder, and return its exit code, or the reason why it failed."""
    with pytest.raises(SystemExit) as end:
        main([str(folder / each) if "." in each else each for each in arguments])
    return end.value.code


def test_a_file_without_problems_passes_and_is_kept_without_the_texts(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    read(tmp_path, HERON)
    assert ended(tmp_path, "check", "gold.jsonl", "papers.jsonl") == 0
    assert "1 annotated papers, 0 problems" in capsys.readouterr().out
    ended(tmp_path, "store", "gold.jsonl", "papers.jsonl", "-o", "marks.jsonl")
    marks = (tmp_path / "marks.jsonl").read_text()
    assert "We present" not in marks
    texts = papers_by_title([tmp_path / "papers.jsonl"])
    (kept,) = read_standoff(tmp_path / "marks.jsonl", texts)
    (annotated,), _ = read(tmp_path, HERON)
    assert Annotated.of(kept, recognised(kept.paper)).relations == annotated.relations


def test_a_file_with_problems_fails_and_is_not_kept(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    read(tmp_path, {**HERON, "title": "Nowhere"})
    assert ended(tmp_path, "check", "gold.jsonl", "papers.jsonl") == 1
    assert "gold.jsonl:1: none of the papers has this title" in capsys.readouterr().err
    reason = ended(tmp_path, "store", "gold.jsonl", "papers.jsonl", "-o", "marks.jsonl")
    assert "1 problems: nothing is written" in str(reason)
    assert not (tmp_path / "marks.jsonl").exists()


def test_two_readers_are_compared_on_the_papers_of_both(tmp_path: Path) -> None:
    entities: Any = HERON["entities"]
    other = {**HERON, "entities": entities[:2]}
    (one,), _ = read(tmp_path, HERON)
    (two,), _ = read(tmp_path, other)
    count, scores = agreement([one], [two])
    assert count == 1
    assert (scores["entity"].precision, scores["entity"].recall) == (1, pytest.approx(2 / 3))
    assert scores["relation"].f1 == scores["evidence"].f1 == 1
    assert agreement([], [two])[0] == 0
