"""The files that neo4j-admin imports."""

import csv

import pytest

from stemma.graph.export import ExportFormat, Portion, export_portion
from stemma.graph.export.neo4j_csv import DELIMITER


@pytest.fixture
def files(store, fill, tmp_path):
    folder = tmp_path / "for-neo4j"
    fill(store)
    with store.snapshot() as reader:
        export_portion(Portion(reader), ExportFormat.NEO4J_CSV, folder)
    return folder


def test_lists_are_delimited_by_what_is_left_in_no_text(files):
    assert "--array-delimiter=U+FDD1" in (files / "import.args").read_text()
    with (files / "Paper.csv").open(newline="", encoding="utf-8") as file:
        (header,) = csv.reader((files / "Paper-header.csv").read_text().splitlines())
        links = header.index("links:string[]")
        assert [row[links].count(DELIMITER) for row in csv.reader(file) if row[links]] == [1] * 11


def test_files_that_are_there_are_left_alone(store, files):
    (files / "Paper.csv").write_text("mine")
    with store.snapshot() as reader, pytest.raises(FileExistsError):
        export_portion(Portion(reader), ExportFormat.NEO4J_CSV, files)
    assert (files / "Paper.csv").read_text() == "mine"
