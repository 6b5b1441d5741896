"""The interchange format: what is written reads back, and invalid input is reported."""

import json
from dataclasses import replace
from pathlib import Path
from random import Random

import jsonschema
import pytest
from hypothesis import given
from hypothesis import strategies as st

from described import describe
from mutation import mutate
from stemma.schema import Extraction, Problem, Source, interchange
from stemma.schema.paper import Author, Reference

SCHEMA = json.loads(Path(interchange.__file__).with_suffix(".schema.json").read_text("utf-8"))


def example() -> Extraction:
    extraction = describe(
        "Nibbler: Training in Small Bites",
        "Nibbler is built on top of Gnawer.",
        "framework Nibbler: INTRODUCES",
        "framework Gnawer: BUILDS_ON [entity/gnawer]",
    )
    paper = replace(
        extraction.paper,
        author_count=3,
        links=("https://example.org/nibbler",),
        authors=(Author("Ada Nib", "0000-0002-1825-0097", "Ada & Sons"), Author("Bo Gnaw")),
        venue="Journal of Small Bites",
        doi="10.1000/nibbler",
        arxiv_id="2104.07857v2",
        references=(Reference("doi:10.1000/gnawer", "Gnawer"), Reference(None, "A Pen")),
        sources=(Source("page.txt", "ab" * 32, 7, "XXXX-04-15", 2021),),
    )
    return replace(extraction, paper=paper, extractor="abc123")


def read(text: str) -> list[Extraction | Problem]:
    return list(interchange.read(iter([text.encode()]), "out.jsonl", "0" * 64))


@pytest.mark.parametrize("vector", [b"", bytes(range(192))])
def test_what_is_written_fits_the_schema_and_reads_back(vector) -> None:
    written = replace(example(), vector=vector)
    line = interchange.dump(written)
    jsonschema.validate(json.loads(line), SCHEMA)
    assert read(line) == [written]


def test_a_record_without_sources_gets_its_line_as_one() -> None:
    data = json.loads(interchange.dump(example()))
    del data["paper"]["sources"]
    (extraction,) = read(json.dumps(data))
    assert isinstance(extraction, Extraction)
    assert extraction.paper.sources == (Source("out.jsonl", "0" * 64, 1, "2021-04-15"),)


@pytest.mark.parametrize(
    ("change", "reason"),
    [
        (lambda data: data.update(stemma=99), "expected"),
        (lambda data: data.pop("paper"), "'paper' is missing"),
        (lambda data: data.pop("entities"), "'entities' is missing"),
        (lambda data: data.update(relations=[5]), "no list of objects"),
        (lambda data: data["relations"][0].update(entity="Chewer"), "not among the entities"),
        (lambda data: data["relations"][0].update(comparison={"faktor": 2.0}), "fields of a"),
        (lambda data: data["relations"][0].update(confidence=1.5), "confidence"),
        (lambda data: data["entities"][0].update(kind="animal"), "animal"),
        (lambda data: data["entities"][1]["mentions"][0].update(start=3), "is not at"),
        (lambda data: data["entities"][1].update(concept="entity/gna]wer"), "id of a concept"),
        (lambda data: data["paper"].update(organization=5), "got `int` - at `$.paper.organ"),
        (lambda data: data["paper"]["authors"][0].update(orcid="0000"), "not an ORCID"),
        (lambda data: data["paper"]["authors"].append({}), "name"),
        (lambda data: data["paper"].update(author_count=2**40), "author_count"),
        (lambda data: data["paper"]["sources"][0].update(assumed_year=0), "no such year"),
        (lambda data: data["paper"]["sources"][0].update(assumed_year=2**40), "assumed_year"),
        (lambda data: data["paper"].update(doi="1" * 1_000_001), "the maximum is"),
        (lambda data: data["relations"][0].update(origin="o" * 1_000_001), "the maximum is"),
        (lambda data: data["entities"].append(data["entities"][0]), "same name"),
        (lambda data: data["entities"][0].update(name="n" * 1001), "longer than 1000"),
        (lambda data: data.update(vector="AAAA"), "192 bytes, not 3"),
        (lambda data: data.update(vector="?"), "base64"),
    ],
)
def test_a_broken_record_is_reported_with_file_line_and_reason(change, reason: str) -> None:
    data = json.loads(interchange.dump(example()))
    change(data)
    (problem,) = read(json.dumps(data))
    assert isinstance(problem, Problem) and (problem.file, problem.line) == ("out.jsonl", 1)
    assert reason in problem.reason


def test_what_others_write_for_nothing_is_nothing() -> None:
    written = example()
    data = json.loads(interchange.dump(written))
    del data["entities"][0]["concept"]
    data["paper"] |= {"organization": "", "full_text": None}
    data["paper"]["authors"][1] |= {"orcid": "", "affiliation": None}
    assert read(json.dumps(data)) == [written]


def test_half_a_character_costs_no_record() -> None:
    data = json.loads(interchange.dump(example()))
    data["paper"]["venue"] = "Bites \ud800"
    (extraction,) = read(json.dumps(data))
    assert isinstance(extraction, Extraction) and extraction.paper.venue == "Bites \ud800"


@given(st.one_of(st.text(), st.recursive(st.none() | st.integers() | st.text(), st.lists)))
def test_no_line_whatever_raises(data: object) -> None:
    line = data if isinstance(data, str) else json.dumps(data)
    assert all(isinstance(each, Problem) for each in read(line.replace("\n", " ")))


@given(st.integers())
def test_a_line_that_chance_has_damaged_costs_no_other(seed: int) -> None:
    line = f"{interchange.dump(example())}\n".encode()
    damaged = mutate(line, [line], Random(seed)).data
    *others, last = interchange.read(iter([damaged, b"\n", line]), "out.jsonl", "0" * 64)
    assert last == example()
    assert all(isinstance(each, Extraction | Problem) for each in others)
