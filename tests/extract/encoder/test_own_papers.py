"""Annotated papers of a user: what is found, and what is reported."""

import json
from pathlib import Path

from stemma.extract.encoder.network import RELATIONS
from stemma.extract.encoder.training.annotation import Annotated
from stemma.extract.encoder.training.own_papers import own_papers
from stemma.schema import RelationType

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
    (folder / "papers.jsonl").write_text("".join(f"{json.dumps(each)}\n" for each in PAPERS))
    gold = folder / "gold.jsonl"
    gold.write_text("".join(f"{json.dumps(each)}\n" for each in annotations))
    problems: list[str] = []
    papers = [folder / "papers.jsonl"]
    found = list(own_papers(gold, papers, lambda each: problems.append(str(each))))
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
