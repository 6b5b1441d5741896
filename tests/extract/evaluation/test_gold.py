"""Annotations and predictions are read completely, or errors in them are reported."""

import gzip
import json
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

import pipelines
from stemma.extract.evaluation import predict, read_gold
from stemma.schema import EntityKind, Extraction, Problem, RelationType, interchange

RECORD: dict[str, Any] = {
    "paper_id": "x1",
    "title": "Nibbler: Training in Small Bites",
    "entities": [
        {"name": "Nibbler", "kind": "framework", "mentions": ["Nibbler"]},
        {"name": "graphics card", "kind": "hardware", "mentions": ["graphics card", "GPUs"]},
    ],
    "relations": [{"type": "INTRODUCES", "entity": "Nibbler", "evidence": "We present Nibbler."}],
}


def written(folder: Path, *lines: object) -> Path:
    file = folder / "gold.jsonl"
    file.write_text(
        "\n".join(line if isinstance(line, str) else json.dumps(line) for line in lines)
    )
    return file


SPAN = {"text": "Nibbler", "field": "title", "start": 0, "end": 7}
EXTRACTED = {
    **{"stemma": 1, "paper": {"title": RECORD["title"]}},
    "entities": [{"name": "Nibbler", "kind": "framework", "mentions": [SPAN]}],
    "relations": [{"type": "INTRODUCES", "entity": "Nibbler", "evidence": [SPAN]}],
}


@pytest.mark.parametrize("record", [RECORD, EXTRACTED], ids=["gold", "what extract writes"])
def test_a_record_is_read_whole(tmp_path: Path, record: dict[str, Any]) -> None:
    (annotation,), problems = read_gold(written(tmp_path, record))
    assert not problems
    assert annotation.title == RECORD["title"]
    nibbler, *others = annotation.entities
    assert (nibbler.kind, nibbler.mentions) == (EntityKind.FRAMEWORK, ("Nibbler",))
    if record is RECORD:
        assert [each.mentions for each in others] == [("graphics card", "GPUs")]
    (relation,) = annotation.relations
    assert (relation.type, relation.entity) == (RelationType.INTRODUCES, "Nibbler")
    sentence = "We present Nibbler." if record is RECORD else "Nibbler"
    assert relation.evidence == (sentence,)


@pytest.mark.parametrize(
    ("broken", "reason"),
    [
        ('{"title": ', "not JSON"),
        ({**RECORD, "title": None}, "'paper' is missing"),
        ({**RECORD, "title": "…"}, "no letters"),
        ({**RECORD, "entities": [{"name": "X", "kind": "gadget"}]}, "'gadget'"),
        ({**RECORD, "entities": RECORD["entities"] * 2}, "same name"),
        ({**RECORD, "relations": [{"type": "USES", "entity": "Y"}]}, "not among the entities"),
    ],
)
def test_a_broken_record_is_reported_by_line_and_the_rest_is_read(tmp_path, broken, reason):
    (annotation,), (problem,) = read_gold(written(tmp_path, broken, "", RECORD))
    assert annotation.title == RECORD["title"]
    assert (problem.file, problem.line) == ("gold.jsonl", 1)
    assert reason in problem.reason


def test_of_two_annotations_of_a_paper_the_later_counts(tmp_path: Path) -> None:
    again = {**RECORD, "title": "NIBBLER: training in small-bites", "relations": []}
    (annotation,), (problem,) = read_gold(written(tmp_path, RECORD, again))
    assert not annotation.relations
    assert problem.line == 2
    assert "line 1" in problem.reason


JSON = st.recursive(
    st.none() | st.booleans() | st.integers() | st.text(max_size=5),
    lambda inside: st.lists(inside, max_size=3) | st.dictionaries(st.text(max_size=5), inside),
    max_leaves=8,
)


@given(st.sampled_from(["title", "entities", "relations", "paper"]), JSON)
def test_no_record_stops_the_reading(tmp_path_factory, name, value):
    folder = tmp_path_factory.mktemp("gold")
    other = {**RECORD, "title": "Another Paper"}
    annotations, _ = read_gold(written(folder, {**RECORD, name: value}, other))
    assert "Another Paper" in [annotation.title for annotation in annotations]


WANTED = "Nibbler: Training Large Models in Small Bites"
ABSTRACT = "We present Nibbler, a training framework. It runs on NVIDIA A100 GPUs."
DUMP = {WANTED: ABSTRACT, "Else": "We present Wobbler.", WANTED.upper(): ABSTRACT[:41]}


@pytest.fixture
def dump(tmp_path: Path) -> Path:
    file = tmp_path / "papers.jsonl"
    papers = ({"title": title, "abstract": abstract} for title, abstract in DUMP.items())
    file.write_text("\n".join(map(json.dumps, papers)))
    return file


def predicted(*paths: Path, titles: tuple[str, ...] = (WANTED,)) -> list[Extraction]:
    problems: list[Problem] = []
    extractions = list(predict(paths, titles, problems.append, extractor=pipelines.extractor()))
    assert not problems
    return extractions


def test_annotated_papers_alone_are_extracted_each_once(dump: Path) -> None:
    (extraction,) = predicted(dump)
    assert extraction.paper.title == WANTED
    assert extraction.paper.abstract == ABSTRACT
    assert "NVIDIA A100" in {entity.name for entity in extraction.entities}


def test_a_file_that_extract_wrote_is_the_prediction(dump: Path, tmp_path: Path) -> None:
    (extraction,) = predicted(dump)
    line = interchange.to_json(extraction) | {"relations": []}
    file = tmp_path / "found.jsonl.gz"
    file.write_bytes(gzip.compress(f"{json.dumps(line)}\n".encode()))
    (taken,) = predicted(file)
    assert taken.entities == extraction.entities
    assert not taken.relations


def test_what_cannot_be_read_is_reported(dump: Path, tmp_path: Path) -> None:
    broken = tmp_path / "broken.jsonl"
    broken.write_text('{"stemma": 1, "paper": {}}\n')
    problems: list[Problem] = []
    paths = [tmp_path / "absent.txt", broken, dump]
    extractions = predict(paths, [WANTED], problems.append, extractor=pipelines.extractor())
    assert len(list(extractions)) == 1
    assert {"absent.txt", "broken.jsonl"} == {Path(problem.file).name for problem in problems}
