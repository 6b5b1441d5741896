"""Backup: a copy of a store in use is a whole store, with its decisions."""

import re
import threading

import pytest

from filled import append, decide, put
from stemma.graph import StoreError
from stemma.graph.sqlite import SqliteStore
from stemma.schema import Rename


@pytest.fixture
def filled(store: SqliteStore, describe) -> SqliteStore:
    put(store, describe("One", "Quill writes.", "framework Quill: USES"))
    return store


def test_a_copy_holds_what_the_store_does(filled, catalogue, answers, tmp_path):
    decide(filled, Rename("Quill", "QUILL"))
    decisions = filled.back_up(tmp_path / "copy.db")
    copy = SqliteStore(tmp_path / "copy.db", catalogue=catalogue)
    assert list(copy.check()) == []
    assert copy.decisions.path == decisions
    assert copy.decisions.read() == (Rename("Quill", "QUILL"),)
    assert not copy.lacks_decisions()
    with filled.snapshot() as one, copy.snapshot() as other:
        assert answers(one) == answers(other)


def test_a_copy_made_while_others_write_is_whole(filled, describe, tmp_path):
    done = threading.Event()

    def write() -> None:
        number = 0
        while not done.is_set():
            number += 1
            with filled.writer() as writer:
                writer.put([describe(f"More {number}", "Of Quill.", "framework Quill: USES")], "h")
                writer.commit()

    writing = threading.Thread(target=write)
    writing.start()
    try:
        for number in range(5):
            SqliteStore(filled.url).back_up(tmp_path / f"{number}.db")
    finally:
        done.set()
        writing.join()
    seen = []
    for number in range(5):
        copy = SqliteStore(tmp_path / f"{number}.db")
        assert list(copy.check()) == []
        seen.append(copy.statistics().papers)
    assert seen == sorted(seen)


@pytest.mark.parametrize("there", ["copy.db", "copy.db.decisions.toml"])
def test_nothing_is_replaced(filled, tmp_path, there):
    (tmp_path / there).write_text("mine")
    with pytest.raises(StoreError, match="already exists"):
        filled.back_up(tmp_path / "copy.db")
    assert (tmp_path / there).read_text() == "mine"


def test_a_copy_that_fails_leaves_nothing(filled, tmp_path, monkeypatch):
    def full(*_: object, **__: object) -> None:
        raise OSError(28, "No space left on device")

    append(filled.decisions, Rename("Quill", "QUILL"))
    message = f"{tmp_path / 'copy.db'} cannot be written: No space left on device"
    copying = "stemma.graph.sqlite.reader.SqliteReader.copy_to"
    for name in (copying, "os.fsync", "pathlib.Path.rename"):
        with monkeypatch.context() as patched:
            patched.setattr(name, full)
            with pytest.raises(StoreError, match=f"^{re.escape(message)}$"):
                filled.back_up(tmp_path / "copy.db")
        assert not list(tmp_path.glob("*copy*"))
    with pytest.raises(StoreError, match="cannot be written"):
        filled.back_up(tmp_path / "nowhere" / "copy.db")
