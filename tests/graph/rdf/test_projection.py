"""The projection to RDF, which is brought up to date when it is asked for."""

import os
import shutil
import subprocess
import sys
import tempfile
from pathlib import Path

import pyoxigraph as ox
import pytest

from described import describe
from filled import put
from stemma.graph.sqlite import SqliteStore
from stemma.graph.sqlite.rdf_projection import RdfCache
from stemma.schema import Extraction, Rename

_PROJECT = """
import sys
from stemma.graph.sqlite import SqliteStore
with SqliteStore(sys.argv[1]).snapshot() as reader:
    print(len(reader.dataset.rdf))
"""


def paper(title: str, *claims: str) -> Extraction:
    return describe(title, "Of Quill and ink.", *(claims or ("framework Quill: USES",)))


@pytest.fixture
def written(store: SqliteStore) -> SqliteStore:
    put(store, paper("One"), paper("Quill: a pen", "framework Quill: INTRODUCES"))
    return store


def kept(store: SqliteStore) -> list[Path]:
    """The folders with RDF beside a store, the latest last."""
    return sorted(Path(f"{store.url}-cache").glob("rdf-*"))


def quads(store: SqliteStore) -> set[ox.Quad]:
    with store.snapshot() as reader:
        return set(reader.dataset.rdf)


def test_it_is_written_when_it_is_asked_for_and_two_are_kept(written: SqliteStore) -> None:
    with written.snapshot() as reader:
        assert reader.matching("Quill")
        assert reader.statements(["entity/quill"])["entity/quill"]
    assert not kept(written)
    for number in range(3):
        put(written, paper(f"More {number}"))
        assert quads(written)
    assert [each.name[:10] for each in kept(written)] == ["rdf-000003", "rdf-000004"]


def test_after_later_builds_it_is_brought_up_to_date(written, monkeypatch):
    made, lines = list[RdfCache](), RdfCache._lines
    monkeypatch.setattr(RdfCache, "_lines", lambda *given: made.append(given[0]) or lines(*given))
    before = quads(written)
    put(written, paper("Two"))
    with written.writer() as writer:
        writer.drop(["paper/one"])
        writer.decide(Rename("Quill", "QUILL"))
        writer.commit()
    updated = quads(written)
    assert updated != before
    assert len(made) == 1
    written.close()
    shutil.rmtree(f"{written.url}-cache")
    assert quads(SqliteStore(written.url, catalogue=written.catalogue)) == updated
    assert len(made) == 2


def test_that_of_a_store_that_was_there_before_is_not_used(written, tmp_path):
    """A backup that is put back has commits of the same numbers, and others of the same papers."""
    written.back_up(tmp_path / "backup.db")
    put(written, paper("Two"))
    assert quads(written)
    written.close()
    (tmp_path / "backup.db").rename(written.url)
    again = SqliteStore(written.url, catalogue=written.catalogue)
    put(again, paper("Three"))
    names = {quad.graph_name for quad in quads(again)}
    assert ox.NamedNode(f"{again.base}paper/three") in names
    assert ox.NamedNode(f"{again.base}paper/two") not in names


def test_what_a_killed_process_left_is_replaced(written: SqliteStore) -> None:
    left = Path(f"{written.url}-cache") / "rdf.new"
    left.mkdir(parents=True)
    (left / "CURRENT").write_text("MANIFEST-000001\n")
    assert quads(written)
    assert not left.exists()


@pytest.mark.process
def test_of_several_processes_one_writes_it(written: SqliteStore) -> None:
    command = [sys.executable, "-c", _PROJECT, written.url]
    asked = [subprocess.Popen(command, stdout=subprocess.PIPE, text=True) for _ in range(2)]
    answers = {each.communicate()[0] for each in asked}
    assert [each.returncode for each in asked] == [0, 0]
    assert answers == {f"{len(quads(written))}\n"}


def test_of_a_store_that_cannot_be_written_to_it_is_in_a_temporary_folder(
    written: SqliteStore, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(tempfile, "tempdir", str(tmp_path / "tmp"))
    (tmp_path / "tmp").mkdir()
    with written.snapshot() as reader, monkeypatch.context() as patch:
        patch.setattr(os, "access", lambda path, mode: path != reader.file.cache)
        there = reader.dataset.project()
        assert there == reader.dataset.project()
    assert tmp_path / "tmp" in there.parents
    assert len(ox.Store.read_only(str(there))) == len(quads(written))


def test_damaged_rdf_is_written_again(written: SqliteStore) -> None:
    before = quads(written)
    written.close()
    for file in kept(written)[0].glob("MANIFEST-*"):
        file.write_bytes(b"no manifest")
    again = SqliteStore(written.url, catalogue=written.catalogue)
    assert quads(again) == before
    put(again, paper("Two"))
    assert ox.NamedNode(f"{again.base}paper/two") in {quad.graph_name for quad in quads(again)}
