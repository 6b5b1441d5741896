"""Checking: what is wrong is found wherever it is. Backup: a copy is a whole store."""

import re
import sqlite3
from contextlib import closing
from dataclasses import replace
from pathlib import Path

import pytest

from described import describe, described
from filled import append, decide, put
from stemma.graph import Store, StoreError
from stemma.graph.sqlite import SqliteStore
from stemma.graph.store import Finding
from stemma.schema import Merge, Reject, RelationType, Rename
from stemma.schema.model import VECTOR_SIZE


def faults(store: Store) -> list[Finding]:
    return [finding for finding in store.check() if finding.fault]


def fill(store: Store) -> None:
    """Write papers with names, comparisons, a decision of each kind of effect, and titles."""
    papers = described("""
        Nibbler: small bites (2022-03) | Nibbler builds on bite scheduling. Gnawer is slow.
            | framework Nibbler: INTRODUCES | technique bite scheduling: BUILDS_ON 0.6
            | framework Gnawer = Gnawers: IMPROVES_ON 0.5
        Gnawer: big bites (2021) | Gnawer uses ZeRO-Infinity on A100.
            | framework Gnawer: INTRODUCES | framework ZeRO-Infinity: BUILDS_ON 0.7
            | hardware A100: RUNS_ON
    """)
    put(store, *(replace(paper, vector=bytes(VECTOR_SIZE)) for paper in papers))
    decide(
        store,
        Rename("Gnawer", "GNAW"),
        Merge(("entity/nibbler", "entity/bite-scheduling")),
        Reject("paper/gnawer-big-bites", RelationType.RUNS_ON, "A100"),
    )


def test_decisions_that_wait_or_do_not_apply_are_noted(store: Store) -> None:
    fill(store)
    append(store.decisions, Rename("Chewer", "CHEW"))
    (found,) = store.check()
    assert not found.fault
    assert "stemma decide apply" in found.remedy
    with store.writer() as writer:
        writer.commit()
    (found,) = store.check()
    assert not found.fault
    assert found.what.startswith("Decision 4, rename Chewer")
    assert "undo 4" in found.remedy


@pytest.fixture
def file(store: SqliteStore) -> Path:
    fill(store)
    return Path(store.url)


def test_a_paper_without_a_record_is_reported_as_damage(store: SqliteStore, file: Path) -> None:
    with closing(sqlite3.connect(file)) as index, index:
        index.execute("DELETE FROM record")
    with store.snapshot() as reader, pytest.raises(StoreError, match="no record of paper/"):
        reader.reading("paper/gnawer-big-bites")


@pytest.mark.parametrize(
    ("change", "what"),
    [
        ("UPDATE work SET name = 'Other' WHERE id = 'entity/gnawer'", "works"),
        ("UPDATE work SET papers = 7 WHERE id = 'entity/gnawer'", "works"),
        ("DELETE FROM spelling WHERE key = 'nibbler'", "names of works"),
        ("INSERT INTO trigram (rowid, key) VALUES (1, 'quill')", "trigrams of names"),
        ("UPDATE statement SET confidence = 0.1 WHERE relation = 'BUILDS_ON'", "statements"),
        ("DELETE FROM derivation", "lineage edges"),
        ("UPDATE paper SET digest = x'00'", "papers"),
        ("DELETE FROM vector", "papers"),
        ("UPDATE concept SET aliases = NULL", "concepts"),
        ("UPDATE sentence SET text = 'Nothing.'", "sentences"),
        ("UPDATE origin SET name = 'nobody'", "statements"),
    ],
)
def test_what_does_not_follow_from_the_records_of_papers_is_found(store, file, change, what):
    with closing(sqlite3.connect(file)) as index, index:
        index.execute(change)
    found, *also = faults(store)
    assert any(f"differ in {what}: " in each.what for each in (found, *also))
    assert "Restore a backup" in found.remedy


@pytest.mark.parametrize("column", ["record.extraction", "paper.names"])
def test_a_record_that_cannot_be_read_is_found(store: SqliteStore, file: Path, column: str) -> None:
    table, _, name = column.partition(".")
    with closing(sqlite3.connect(file)) as index, index:
        index.execute(f"UPDATE {table} SET {name} = substr({name}, 1, length({name}) / 2)")
    (fault,) = faults(SqliteStore(store.url))
    assert "the record of paper/" in fault.what
    assert "Restore a backup" in fault.remedy


@pytest.mark.parametrize("damage", ["\xdd\xff\n", '{"number": 1, "papers": {}}\n'])
def test_a_damaged_list_of_builds_is_found(store: SqliteStore, file: Path, damage: str) -> None:
    with closing(sqlite3.connect(file)) as index, index:
        index.execute("UPDATE build SET record = ?", [damage])
    (fault,) = faults(store)
    assert "damaged (its list of builds" in fault.what
    with store.snapshot() as reader, pytest.raises(StoreError, match="stemma check"):
        reader.builds()


def test_damaged_rdf_is_found_though_the_index_is_whole(store: SqliteStore, file: Path) -> None:
    with store.snapshot() as reader:
        rdf = reader.dataset.project()
    for part in rdf.glob("*.sst"):
        data, size = part.read_bytes(), part.stat().st_size // 4
        part.write_bytes(data[:size] + bytes(size) + data[2 * size :])
    (fault,) = faults(SqliteStore(store.url))
    assert "Corruption" in fault.what
    assert f"Remove {rdf}" in fault.remedy


def test_a_damaged_page_is_found(store: SqliteStore, file: Path) -> None:
    """An index whose page has no entries any more; what follows from the records is whole."""
    store.close()
    with closing(sqlite3.connect(file)) as db:
        ((size,),) = db.execute("PRAGMA page_size")
        root = "SELECT rootpage FROM sqlite_schema WHERE name = 'change_by_commit'"
        ((page,),) = db.execute(root)
    data = bytearray(file.read_bytes())
    count = (page - 1) * size + 3  # Where a page says how many there are.
    data[count : count + 2] = bytes(2)
    file.write_bytes(data)
    found, *_ = faults(SqliteStore(store.url))
    assert "is damaged: " in found.what
    assert "Restore a backup" in found.remedy


@pytest.fixture
def filled(store: SqliteStore) -> SqliteStore:
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


@pytest.mark.parametrize("there", ["copy.db", "copy.db.decisions.toml"])
def test_nothing_is_replaced(filled, tmp_path, there):
    (tmp_path / there).write_text("mine")
    with pytest.raises(StoreError, match="already exists"):
        filled.back_up(tmp_path / "copy.db")
    assert (tmp_path / there).read_text() == "mine"


def test_a_copy_that_fails_leaves_nothing(filled, tmp_path, monkeypatch):
    def full(*_: object, **__: object) -> None:
        raise OSError(28, "No space left on device")

    def fill(_: object, copy: sqlite3.Connection) -> None:
        copy.executescript("PRAGMA max_page_count = 1; CREATE TABLE filled (up)")

    append(filled.decisions, Rename("Quill", "QUILL"))
    message = f"{re.escape(str(tmp_path / 'copy.db'))} cannot be (written|used): (No space|.*full)"
    copying = "stemma.graph.sqlite.reader.SqliteReader.copy_to"
    for name, fails in ((copying, full), (copying, fill), ("os.fsync", full)):
        with monkeypatch.context() as patched:
            patched.setattr(name, fails)
            with pytest.raises(StoreError, match=message):
                filled.back_up(tmp_path / "copy.db")
        assert not list(tmp_path.glob("*copy*"))
    with pytest.raises(StoreError, match="cannot be written"):
        filled.back_up(tmp_path / "nowhere" / "copy.db")
