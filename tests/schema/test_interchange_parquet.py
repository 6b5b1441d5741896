"""Extractions in Parquet: what is written reads back, and bad rows are reported."""

from dataclasses import replace
from pathlib import Path
from tempfile import TemporaryDirectory

import pyarrow
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from pyarrow import parquet

from examples import scaled
from stemma.schema import (
    EntityKind,
    Evidence,
    Extraction,
    Field,
    FoundEntity,
    FoundRelation,
    Mention,
    Paper,
    Problem,
    RelationType,
    Source,
    interchange_parquet,
)
from stemma.schema.identifier import paper_id
from stemma.schema.paper import Author, Reference

words = st.text(st.characters(exclude_categories=["C", "Z"]), min_size=1, max_size=8)
names = st.lists(words, min_size=1, max_size=3).map(" ".join)
confidences = st.integers(0, 10_000).map(lambda each: each / 10_000)
authors = st.builds(Author, names, st.none(), st.none() | names)
references = st.builds(Reference, st.none(), names)


@st.composite
def extractions(draw: st.DrawFn) -> Extraction:
    """Papers that state relations to a few entities, all named in their abstracts."""
    title = draw(names)
    own = draw(st.lists(names, unique_by=str.casefold, max_size=4))
    sentences = [f"It is like {name}." for name in own]
    entities, relations, end = [], [], 0
    for name, sentence in zip(own, sentences, strict=True):
        start = end + sentence.index(name)
        mention = Mention(name, Field.ABSTRACT, start, start + len(name))
        evidence = Evidence(sentence, Field.ABSTRACT, end, end + len(sentence))
        entities.append(FoundEntity(name, draw(st.sampled_from(EntityKind)), None, (mention,)))
        type_ = draw(st.sampled_from(RelationType))
        relations.append(FoundRelation(type_, name, draw(confidences), (evidence,), "by-hand 1"))
        end += len(sentence) + 1
    paper = Paper(
        paper_id(title),
        title,
        " ".join(sentences),
        author_count=draw(st.none() | st.integers(1, 9)),
        authors=tuple(draw(st.lists(authors, max_size=2))),
        venue=draw(st.none() | names),
        references=tuple(draw(st.lists(references, max_size=2))),
        sources=(Source("made.txt", "ab" * 32, 1, draw(st.none() | st.just("2024-05"))),),
    )
    return Extraction(paper, tuple(entities), tuple(relations), "abc123")


def read(path: Path) -> list[Extraction | Problem]:
    return list(interchange_parquet.read(path, path.name, "0" * 64))


@settings(max_examples=scaled(25))
@given(st.lists(extractions(), max_size=4))
def test_what_is_written_reads_back(written: list[Extraction]) -> None:
    with TemporaryDirectory() as folder:
        path = Path(folder) / "out.parquet"
        interchange_parquet.write(written, path)
        assert interchange_parquet.is_one(path)
        assert interchange_parquet.count(path) == len(written)
        assert read(path) == written


@pytest.fixture
def paper() -> Paper:
    title = "Nibbler"
    return Paper(paper_id(title), title, sources=(Source("made.txt", "ab" * 32, 1),))


@pytest.fixture
def path(tmp_path: Path) -> Path:
    return tmp_path / "out.parquet"


def test_an_invalid_row_is_reported_and_the_rest_is_read(paper, path) -> None:
    good = interchange_parquet.to_row(Extraction(paper))
    rows = [good, {**good, "paper": None}, {**good, "stemma": 99}, good]
    parquet.write_table(pyarrow.Table.from_pylist(rows, interchange_parquet.schema()), path)
    first, nothing, newer, last = read(path)
    assert first == last == Extraction(paper)
    for number, problem in enumerate((nothing, newer), start=2):
        assert isinstance(problem, Problem)
        assert (problem.file, problem.line, problem.skipped) == ("out.parquet", number, True)


def test_a_table_of_something_else_is_reported(path) -> None:
    parquet.write_table(pyarrow.table({"paper": ["a"], "year": [2024]}), path)
    (problem,) = read(path)
    assert str(problem) == (
        "out.parquet: not extractions of Stemma: no column entities, relations, stemma"
    )


def test_of_a_damaged_file_is_read_what_can_be(paper, path) -> None:
    many = [replace(paper, id=f"paper/{i}", title=f"Number {i}") for i in range(3000)]
    interchange_parquet.write([Extraction(each) for each in many], path)
    data = bytearray(path.read_bytes())
    data[len(data) // 2 : len(data) // 2 + 500] = bytes(500)
    path.write_bytes(data)
    *found, problem = read(path)
    assert [each.paper.title for each in found] == [each.title for each in many[: len(found)]]
    assert isinstance(problem, Problem)
    assert problem.reason.startswith("damaged Parquet file (")
    assert problem.reason.endswith(f"{len(found):,} rows were read")


def test_a_file_cut_short_is_reported(paper, path) -> None:
    interchange_parquet.write([Extraction(paper)], path)
    path.write_bytes(path.read_bytes()[:-20])
    assert interchange_parquet.is_one(path)
    assert interchange_parquet.count(path) == 0
    (problem,) = read(path)
    assert isinstance(problem, Problem)
    assert "damaged Parquet file" in problem.reason
