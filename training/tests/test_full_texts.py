"""Whole papers: the gold of full texts, and what a reader said of sentences."""

import json
from pathlib import Path

import pytest

from stemma.schema import Field, FullText, Paper, RelationType, Section
from training.full_texts import WholePaper, misfits, read_gold, sentence_hash

TITLE = "Heron: Training with Less Memory"
USED = "We train Heron with Adam on ImageNet."
USES, RUNS_ON = RelationType.USES, RelationType.RUNS_ON


def gold(folder: Path, *judged: tuple[str, str, str, bool]) -> list[WholePaper]:
    """A paper of which the gold wants one relation."""
    relations = [{"type": "USES", "entity": "Adam"}]
    (folder / "gold.jsonl").write_text(json.dumps({"paper": TITLE, "relations": relations}))
    (folder / "judged.jsonl").write_text(json.dumps({"title": TITLE.upper(), "judged": judged}))
    papers = [
        Paper(
            name,
            TITLE,
            "We present Heron, a framework.",
            full_text=FullText.of((Section(Field.EXPERIMENTS, "Experiments", text),)),
        )
        for name, text in (("whole", f"{USED} It is fast."), ("short", USED))
    ]
    return read_gold(folder / "gold.jsonl", papers, folder / "judged.jsonl")


def test_the_gold_is_read_with_the_longest_version_of_a_paper(tmp_path: Path) -> None:
    (paper,) = gold(tmp_path, ("USES", "Adam", sentence_hash(USED), True))
    assert paper.paper.id == "whole"
    assert paper.wanted == {(USES, "Adam")}
    assert paper.judged == {(USES, "Adam", sentence_hash(USED)): True}


def test_a_paper_without_a_text_is_an_error(tmp_path: Path) -> None:
    gold(tmp_path)
    with pytest.raises(ValueError, match="no full text has the title 'Heron"):
        read_gold(tmp_path / "gold.jsonl", [], tmp_path / "judged.jsonl")


def test_a_sentence_is_known_without_blanks_case_and_citations() -> None:
    assert sentence_hash("We extend CW12 here.") == sentence_hash("we  extend CW7 here")
    assert sentence_hash("We extend it here.") != sentence_hash("We extend it there.")


def test_what_does_not_fit_the_gold_or_the_text_is_found(tmp_path: Path) -> None:
    fits = ("USES", "Adam", sentence_hash(USED), True)
    other = ("USES", "Adam", sentence_hash("We use Adam elsewhere."), False)
    unwanted = ("RUNS_ON", "GPU", sentence_hash(USED), False)
    found = list(misfits(gold(tmp_path, fits, other, unwanted)))
    assert found == [(TITLE, (USES, *other[1:3])), (TITLE, (RUNS_ON, *unwanted[1:3]))]
