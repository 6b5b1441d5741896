"""Stand-off annotations: marks laid over texts that come from elsewhere."""

import json
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from stemma.extract.evaluation.gold import annotation_key
from stemma.schema import Paper, RelationType
from training.papers import (
    CONFERENCES,
    HELD_OUT,
    READ_AGAIN,
    SYSTEMS,
    Papers,
    papers_by_title,
    read_again,
)
from training.standoff import read_standoff, write_standoff

TITLE = "Kelpie: Training on Flash"
ABSTRACT = "Adam fills the memory of a GPU. We present Kelpie, which keeps it in flash."
PAPER = Paper("kelpie", TITLE, ABSTRACT)
TEXTS = {annotation_key(TITLE): PAPER}


def marks(**changes: Any) -> dict[str, Any]:
    return {
        "title": TITLE,
        "entities": [
            {"name": "Kelpie", "kind": "framework", "mentions": ["Kelpie"]},
            {"name": "Adam", "kind": "technique", "mentions": ["Adam"]},
        ],
        "relations": [
            {"type": "INTRODUCES", "entity": "Kelpie", "at": ["title", 0, len(TITLE)]},
            {"type": "USES", "entity": "Adam", "at": ["abstract", 0, 31]},
        ],
    } | changes


def written(folder: Path, *records: dict[str, Any], name: str = "annotations.jsonl") -> Path:
    path = folder / name
    path.write_text("".join(json.dumps(record) + "\n" for record in records), encoding="utf-8")
    return path


def test_evidence_is_the_stretch_of_the_text_that_the_marks_name(tmp_path: Path) -> None:
    (marked,) = read_standoff(written(tmp_path, marks()), TEXTS)
    annotation = marked.annotation
    assert marked.paper is PAPER
    assert [entity.mentions for entity in annotation.entities] == [("Kelpie",), ("Adam",)]
    assert [(r.type, r.entity, r.evidence) for r in annotation.relations] == [
        (RelationType.INTRODUCES, "Kelpie", (TITLE,)),
        (RelationType.USES, "Adam", ("Adam fills the memory of a GPU.",)),
    ]


def test_a_disputed_relation_is_neither_stated_nor_denied(tmp_path: Path) -> None:
    record = marks()
    record["relations"][1]["disputed"] = True
    (marked,) = read_standoff(written(tmp_path, record), TEXTS)
    assert [relation.type for relation in marked.annotation.relations] == [RelationType.INTRODUCES]
    assert marked.disputed == {("Adam", RelationType.USES)}


def test_a_record_may_judge_some_relations_alone(tmp_path: Path) -> None:
    path = written(tmp_path, marks(), marks(judged=["BUILDS_ON", "IMPROVES_ON"]))
    all_of_it, lineage = read_standoff(path, TEXTS)
    assert all_of_it.judged is None
    assert lineage.judged == {RelationType.BUILDS_ON, RelationType.IMPROVES_ON}


def test_papers_whose_texts_are_not_at_hand_are_left_out(tmp_path: Path) -> None:
    path = written(tmp_path, marks(title="Another Paper"), marks())
    assert [each.paper.title for each in read_standoff(path, TEXTS)] == [TITLE]


def test_titles_are_distinguished_without_case_and_punctuation(tmp_path: Path) -> None:
    assert list(read_standoff(written(tmp_path, marks(title="kelpie - TRAINING on flash")), TEXTS))


@pytest.mark.parametrize(
    "at",
    [
        ["abstract", 0, len(ABSTRACT) + 1],
        ["title", 5, 5],
        ["title", 0, len(TITLE) + 1],
        ["abstract", -1, 5],
        ["abstract", 9, 3],
    ],
)
def test_a_stretch_outside_the_text_is_refused_with_its_line(tmp_path: Path, at: list[Any]) -> None:
    wrong = marks(relations=[{"type": "USES", "entity": "Adam", "at": at}])
    with pytest.raises(ValueError, match=r"line 2: offsets"):
        list(read_standoff(written(tmp_path, marks(), wrong), TEXTS))


def test_a_mention_that_the_text_lacks_is_refused(tmp_path: Path) -> None:
    wrong = marks(entities=[{"name": "SGD", "kind": "technique", "mentions": ["SGD"]}])
    with pytest.raises(ValueError, match=r"line 1: 'SGD' does not occur in"):
        list(read_standoff(written(tmp_path, wrong), TEXTS))


@pytest.mark.parametrize(
    "wrong",
    [
        {"entities": [{"name": "Adam", "kind": "optimizer", "mentions": ["Adam"]}]},
        {"relations": [{"type": "LIKES", "entity": "Adam", "at": ["abstract", 0, 4]}]},
    ],
)
def test_unknown_kinds_and_relations_are_refused(tmp_path: Path, wrong: dict[str, Any]) -> None:
    with pytest.raises(ValueError, match="line 1"):
        list(read_standoff(written(tmp_path, marks(**wrong)), TEXTS))


def test_what_is_written_reads_the_same(tmp_path: Path) -> None:
    annotation = next(read_standoff(written(tmp_path, marks()), TEXTS)).annotation
    path = tmp_path / "again.jsonl"
    write_standoff([(PAPER, annotation)], path)
    assert next(read_standoff(path, TEXTS)).annotation == annotation
    assert ABSTRACT[:20] not in path.read_text(), "the text stays where it is"


def test_what_was_read_again_replaces_older_marks_which_count_by_their_density(
    tmp_path: Path,
) -> None:
    texts = {annotation_key(name): replace(PAPER, title=name) for name in ("a1", "b2", "c3")}
    adam = {"name": "Adam", "kind": "technique", "mentions": ["Adam"]}
    flash = {"name": "flash", "kind": "technique", "mentions": ["flash"]}

    def file(name: str, **techniques: list[dict[str, Any]]) -> Path:
        some = (
            {"title": title, "entities": entities, "relations": []}
            for title, entities in techniques.items()
        )
        return written(tmp_path, *some, name=name)

    old = file("old.jsonl", a1=[adam], b2=[adam], c3=[adam])
    new = file("new.jsonl", a1=[adam, flash], b2=[adam, flash])
    marked = {each.paper.title: each for each in read_again([old], [new], texts)}
    assert [len(marked[each].annotation.entities) for each in sorted(marked)] == [2, 2, 1]
    assert [marked[each].weight for each in sorted(marked)] == [5.0, 5.0, 0.5]


@pytest.mark.slow
@pytest.mark.long
def test_the_marks_that_the_network_learns_from_fit_their_texts() -> None:
    folder = Papers().folder
    corpora = {
        "corpora/abstracts-20k.jsonl.gz": [CONFERENCES],
        "corpora/abstracts-llm.jsonl.gz": [*SYSTEMS, *READ_AGAIN],
        "seeds": HELD_OUT,
    }
    for corpus, files in corpora.items():
        if not (folder / corpus).exists():
            pytest.skip(f"no texts: {folder / corpus} is missing")
        texts = papers_by_title([folder / corpus])
        for file in files:
            read = sum(1 for _ in read_standoff(file, texts))
            lines = sum(1 for _ in file.open(encoding="utf-8"))
            assert read == lines, f"{lines - read} papers of {file.name} have no text in {corpus}"
