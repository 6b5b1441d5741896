"""What neo4j-admin imports from the files is the graph that the loader writes."""

import csv
import os

import pytest

from neo4j_server import Server
from stemma.graph import StoreError, open_store
from stemma.graph.export import ExportFormat, export


@pytest.fixture
def files(filled, tmp_path):
    folder = tmp_path / "for-neo4j"
    with filled.snapshot() as reader:
        export(reader, ExportFormat.NEO4J_CSV, folder)
    return folder


@pytest.fixture
def imported(files, admin_import, cypher_shell, tmp_path):
    """The URL of a server that the documented commands were run for."""
    server = Server(tmp_path / "server")
    admin_import(files, server)
    server.start()
    try:
        cypher_shell(server.url, files / "finish.cypher")
        yield server.url
    finally:
        server.kill()


def test_the_import_makes_the_graph_that_the_loader_makes_and_stemma_goes_on_with_it(
    imported, loaded, filled, everything, catalogue, answers, library, describe
):
    assert everything(imported) == loaded
    with open_store(imported, catalogue=catalogue) as store:
        with store.snapshot() as reader, filled.snapshot() as before:
            assert answers(reader) == answers(before)
        with store.writer() as writer:
            assert not writer.commit()
        assert len(store.already_read("reading 1")) == 2
        for each in (store, filled):
            with each.writer() as writer:
                writer.drop([library[0].paper.id])
                more = describe("Pen", "Pen extends Nib.", "model Pen: INTRODUCES",
                                "framework Nib: BUILDS_ON 0.7", published="2024")  # fmt: skip
                writer.put([more], "hand 1")
                changes = writer.commit()
                assert changes.added == ["paper/pen"]
                assert changes.removed == [library[0].paper.id]
        with store.snapshot() as reader, filled.snapshot() as after:
            assert answers(reader) == answers(after)


def test_lists_are_delimited_by_what_occurs_in_no_text(files):
    # The library uses the first two characters that would be taken.
    delimiter = "\ufdd1"
    assert "--array-delimiter=U+FDD1" in (files / "import.args").read_text()
    with (files / "Paper.csv").open(newline="", encoding="utf-8") as file:
        (header,) = csv.reader((files / "Paper-header.csv").read_text().splitlines())
        links = header.index("links:string[]")
        assert [row[links].count(delimiter) for row in csv.reader(file) if row[links]] == [1] * 10


def test_the_same_papers_give_the_same_files(filled, files, tmp_path):
    again = tmp_path / "again"
    with filled.snapshot() as reader:
        export(reader, ExportFormat.NEO4J_CSV, again)
    names = sorted(path.name for path in files.iterdir())
    assert names == sorted(path.name for path in again.iterdir())
    for name in names:
        assert (files / name).read_bytes() == (again / name).read_bytes()


def test_files_that_are_there_are_left_alone(filled, files):
    (files / "Paper.csv").write_text("mine")
    with filled.snapshot() as reader, pytest.raises(FileExistsError):
        export(reader, ExportFormat.NEO4J_CSV, files)
    assert (files / "Paper.csv").read_text() == "mine"


def test_a_stream_is_no_folder(filled):
    with filled.snapshot() as reader, pytest.raises(StoreError, match="-o FOLDER"):
        export(reader, ExportFormat.NEO4J_CSV, open(os.devnull, "wb"))  # noqa: PTH123, SIM115
