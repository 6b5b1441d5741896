"""Of a large dump only the papers that are wanted are read whole."""

import json
from pathlib import Path

import pytest

from stemma.extract.formats import Document, Options, read_document
from stemma.schema import Paper, Problem

RECORDS = [
    {"id": "2104.07857", "title": "Kiln", "doi": "10.1000/KILN"},
    {"id": "math/0309136", "title": "Wheel", "doi": None},
    {"id": "2104.07858", "title": "Pot", "doi": "10.1000/pot 10.1000/pot.v2"},
    {"id": "2104.07859v3", "title": "Bowl", "doi": "10.48550/arXiv.2104.07859"},
    {"id": "", "title": "", "doi": None},
    {"id": 7, "title": "Jug", "doi": ["10.1000/jug"]},
]


@pytest.fixture
def dump(tmp_path: Path) -> Document:
    path = tmp_path / "arxiv-metadata-oai-snapshot.json"
    versions = [{"version": "v1", "created": "Fri, 16 Apr 2021 02:22:12 GMT"}]
    lines = ({**each, "abstract": "Clay.", "versions": versions} for each in RECORDS)
    path.write_text("".join(json.dumps(each) + "\n" for each in lines))
    return Document(path, path.name)


@pytest.mark.parametrize(
    "wanted",
    [
        {"arxiv:2104.07857"},
        {"doi:10.1000/kiln"},
        {"arxiv:math/0309136", "doi:10.1000/pot"},
        {"arxiv:2104.07859"},
        {"arxiv:2104.07860", "doi:10.1000/none"},
        set(),
    ],
    ids=lambda wanted: " ".join(sorted(wanted)) or "nothing",
)
def test_all_that_a_whole_reading_finds_of_them_is_read(dump: Document, wanted: set[str]) -> None:
    whole = [each for each in read_document(dump, Options()) if isinstance(each, Paper)]
    read = [each for each in read_document(dump, Options(wanted=wanted)) if isinstance(each, Paper)]
    assert len(whole) == 5
    assert [each for each in read if wanted & {*each.identifiers}] == [
        each for each in whole if wanted & {*each.identifiers}
    ]
    assert len(read) <= len(wanted)
    problems = [
        each for each in read_document(dump, Options(wanted=wanted)) if isinstance(each, Problem)
    ]
    assert not problems, "what is wrong with others is not reported"
