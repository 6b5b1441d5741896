"""The projection: RDF is written when it is asked for, and builds bring it up to date."""

import os
import subprocess
import sys
from pathlib import Path

import pyoxigraph as ox
import pytest

from filled import put
from stemma.graph.sqlite import SqliteStore, projection
from stemma.schema import Rename

_PROJECT = """
import sys
from stemma.graph.sqlite import SqliteStore
with SqliteStore(sys.argv[1]).snapshot() as reader:
    print(len(reader.rdf))
"""


@pytest.fixture
def paper(describe):
    def made(title: str, *claims: str):
        return describe(title, "Of Quill and ink.", *(claims or ("framework Quill: USES",)))

    return made


@pytest.fixture
def written(store: SqliteStore, paper) -> SqliteStore:
    put(store, paper("One"), paper("Quill: a pen", "framework Quill: INTRODUCES"))
    return store


def newest(store: SqliteStore) -> Path:
    path = Path(store.url)
    return path / "generations" / (path / "CURRENT").read_text().strip()


def quads(store: SqliteStore) -> set[ox.Quad]:
    with store.snapshot() as reader:
        return set(reader.rdf)


def test_nothing_is_written_until_it_is_asked_for(written: SqliteStore, paper) -> None:
    put(written, paper("Two"))
    with written.snapshot() as reader:
        assert reader.matching("Quill")
        assert reader.statements(["entity/quill"])["entity/quill"]
    assert not (newest(written) / "rdf").exists()
    assert quads(written)
    assert (newest(written) / "rdf").is_dir()


def test_later_builds_bring_it_up_to_date(written: SqliteStore, paper, tmp_path: Path) -> None:
    before = quads(written)
    put(written, paper("Two"))
    assert (newest(written) / "rdf").is_dir()
    with written.writer() as writer:
        writer.drop(["paper/one"])
        writer.decide(Rename("Quill", "QUILL"))
        writer.commit()
    kept = quads(written)
    assert kept != before
    (newest(written) / "rdf").rename(tmp_path / "rdf")
    assert quads(SqliteStore(written.url, catalogue=written.catalogue)) == kept


def test_what_a_killed_process_left_is_replaced(written: SqliteStore) -> None:
    left = newest(written) / "rdf.new"
    left.mkdir()
    (left / "CURRENT").write_text("MANIFEST-000001\n")
    assert quads(written)
    assert not left.exists()


@pytest.mark.process
def test_of_several_processes_one_writes_it(written: SqliteStore) -> None:
    command = [sys.executable, "-c", _PROJECT, written.url]
    asked = [subprocess.Popen(command, stdout=subprocess.PIPE, text=True) for _ in range(3)]
    answers = {each.communicate()[0] for each in asked}
    assert [each.returncode for each in asked] == [0, 0, 0]
    assert answers == {f"{len(quads(written))}\n"}


def test_of_a_store_that_cannot_be_written_to_it_is_in_a_temporary_folder(
    written: SqliteStore, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    opened = os.open

    def refuse(path, *rest, **named) -> int:
        if Path(path).parent == newest(written):
            raise PermissionError(13, "Permission denied", str(path))
        return opened(path, *rest, **named)

    monkeypatch.setattr(projection, "gettempdir", lambda: str(tmp_path / "tmp"))
    (tmp_path / "tmp").mkdir()
    with written.snapshot() as reader, monkeypatch.context() as patch:
        patch.setattr(projection.os, "open", refuse)
        there = reader.project()
        assert there == reader.project()
    assert tmp_path / "tmp" in there.parents
    assert len(ox.Store.read_only(str(there))) == len(quads(written))


def test_damaged_rdf_keeps_no_build_from_being_written(written: SqliteStore, paper) -> None:
    assert quads(written)
    written.close()
    for file in (newest(written) / "rdf").glob("MANIFEST-*"):
        file.write_bytes(b"no manifest")
    again = SqliteStore(written.url, catalogue=written.catalogue)
    put(again, paper("Two"))
    assert again.statistics().papers == 3
    assert not (newest(again) / "rdf").exists()
    assert ox.NamedNode(f"{again.base}paper/two") in {each.graph_name for each in quads(again)}
