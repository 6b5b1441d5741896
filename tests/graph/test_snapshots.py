"""The default store: how it is opened, readers beside a writer, writers that die."""

import os
import signal
import sqlite3
import subprocess
import sys
from contextlib import closing
from pathlib import Path
from threading import Timer

import pytest

from described import describe
from filled import put
from latest import latest
from stemma.graph import Criterion, PageOrder, Selection, Store, StoreError, WorkType, open_store
from stemma.graph.sqlite import SqliteStore, index, store_file
from stemma.graph.sqlite.selection_sql import count_query, page_query
from stemma.graph.sqlite.store_file import StoreFile


@pytest.fixture
def path(store: SqliteStore, tmp_path: Path) -> Path:
    put(store, describe("One", "Quill writes.", "framework Quill: USES"))
    return tmp_path / "stemma.db"


def test_a_reader_moves_on_and_a_snapshot_stays(path, store):
    with store.snapshot() as snapshot:
        before = snapshot.generation
        put(store, describe("Two", "Quill writes.", "framework Quill: USES"))
        assert snapshot.statistics().papers == 1
        assert snapshot.works(["paper/two"]) == {}
        assert len(snapshot.statements(["entity/quill"])["entity/quill"]) == 1
        assert store.statistics().papers == 2
        assert latest(store).generation != before == snapshot.generation
        put(store, describe("Three", ""))
        assert snapshot.statistics().papers == 1, "nor does it keep a writer from committing"
    put(store, describe("Four", ""))
    log = path.with_name("stemma.db-wal")
    assert not (log.exists() and log.stat().st_size), "what nobody reads any more is moved"
    store.close()
    assert [each.name for each in path.parent.iterdir()] == ["stemma.db"]


def test_a_store_that_is_put_in_the_place_of_another_is_read(path, store, tmp_path):
    """As a rebuilt one or a backup is, while a server runs; its commits have the same numbers."""
    other = tmp_path / "other.db"
    put(SqliteStore(other), describe("New", "Of LoRA.", "technique LoRA: USES"))
    with store.snapshot() as before:
        path.rename(tmp_path / "old.db")
        other.rename(path)
        with store.snapshot() as now:
            assert now.generation == before.generation
            assert list(now.works(["paper/new"])) == ["paper/new"]
        assert list(before.works(["paper/one"])) == ["paper/one"], "a snapshot stays as it is"


def test_a_second_writer_waits_a_little_and_is_then_rejected(path, store, monkeypatch):
    with store.writer() as writer:
        with monkeypatch.context() as patched, pytest.raises(StoreError, match="is writing to"):
            patched.setattr(store_file, "_PATIENCE", 0.1)
            put(SqliteStore(path), describe("Three", ""))
        writer.put([describe("Two", "")], "hand")
        writer.commit()
        Timer(0.7, writer.close).start()
        put(SqliteStore(path), describe("Three", ""))
    assert store.statistics().papers == 3


def test_a_writer_that_fails_leaves_the_graph_as_it_was(path, store):
    with pytest.raises(ZeroDivisionError), store.writer() as writer:
        writer.put([describe("Two", "")], "hand")
        assert list(writer.stored(["paper/one", "paper/two"])) == ["paper/one", "paper/two"]
        assert latest(store).works(["paper/two"]) == {}
        _ = 1 / 0
    assert store.statistics().papers == 1


_WRITING = """
import sys, time
from stemma.graph import open_store
from stemma.schema import EntityKind, Extraction, Field, FoundEntity, Mention, Paper
from stemma.graph.sqlite.index import IndexWriter

def papers(number):
    title = f"Quill number {number}"
    mention = Mention("Quill", Field.TITLE, 0, 5)
    found = FoundEntity("Quill", EntityKind.FRAMEWORK, None, (mention,))
    return Extraction(Paper(f"paper/quill-number-{number}", title), (found,))

put_paper, left = IndexWriter.put_paper, int(sys.argv[2])
def until_then(*arguments):
    global left
    left -= 1
    if not left:
        print("writing", flush=True)
        time.sleep(600)
    put_paper(*arguments)

IndexWriter.put_paper = until_then
store = open_store(sys.argv[1])
with store.writer() as writer:
    writer._db.execute("PRAGMA cache_size = 10")  # Else little is on the disk until the end.
    writer.put((papers(number) for number in range(left + 10)), "hand")
    writer.commit()
"""


def kill_while_writing(path: Path, paper: int) -> None:
    """Start a build, and kill it when it writes a paper: which, counted from 1, `paper` says."""
    build = subprocess.Popen(
        [sys.executable, "-c", _WRITING, str(path), str(paper)], stdout=subprocess.PIPE, text=True
    )
    assert build.stdout
    assert build.stdout.readline() == "writing\n", "the build ended too early"
    os.kill(build.pid, signal.SIGKILL)
    build.wait()
    build.stdout.close()


@pytest.mark.process
def test_a_killed_build_leaves_what_was_there_and_the_next_goes_on(path, store):
    before = latest(store).statements(["paper/one"])
    kill_while_writing(path, 100)
    assert path.with_name("stemma.db-wal").stat().st_size, "some of it was on the disk"
    fresh = SqliteStore(path)
    assert fresh.statistics().papers == 1
    assert latest(fresh).statements(["paper/one"]) == before
    put(fresh, describe("Two", "Quill writes.", "framework Quill: USES"))
    assert fresh.statistics().papers == 2
    assert not list(fresh.check())


@pytest.mark.process
def test_a_first_build_that_is_killed_leaves_a_file_to_build_in(tmp_path, catalogue):
    path = tmp_path / "new.db"
    kill_while_writing(path, 1)
    store = SqliteStore(path, catalogue=catalogue)
    with pytest.raises(StoreError, match="stemma build"):
        store.statistics()
    put(store, describe("One", ""))
    assert store.statistics().papers == 1


@pytest.fixture
def unwritable(path, store, monkeypatch) -> Path:
    """The path of a store in a place where SQLite can write nothing."""
    store.close()
    connect = sqlite3.connect

    def refuse(place: str, *rest: object, **named: object) -> sqlite3.Connection:
        if "immutable" in str(place):
            return connect(place, *rest, **named)
        error = sqlite3.OperationalError("unable to open database file")
        error.sqlite_errorcode = sqlite3.SQLITE_CANTOPEN
        raise error

    monkeypatch.setattr(sqlite3, "connect", refuse)
    return path


def test_where_nothing_can_be_written_the_graph_is_read(unwritable):
    store = SqliteStore(unwritable)
    assert store.statistics().papers == 1
    assert latest(store).statements(["paper/one"])
    with pytest.raises(StoreError, match="unable to open"):
        put(store, describe("Two", ""))


def test_where_nothing_can_be_written_a_log_is_not_passed_over(unwritable):
    Path(f"{unwritable}-wal").write_bytes(b"what was written last")
    with pytest.raises(StoreError, match="Copy both files"):
        SqliteStore(unwritable).statistics()


def test_a_file_system_without_shared_memory_is_named(path, store, monkeypatch):
    """There SQLite does not change the journal mode, and says so by returning the old one."""
    other = path.with_name("other.db")
    monkeypatch.setattr(store_file, "_WAL", "PRAGMA journal_mode = DELETE")
    with pytest.raises(StoreError, match="a disk of this machine"):
        put(SqliteStore(other), describe("Two", ""))


@pytest.mark.parametrize("size", [0, 100, 5000])
def test_a_store_that_was_cut_off_is_noticed(path, store, size):
    store.close()
    path.write_bytes(path.read_bytes()[:size])
    with pytest.raises(StoreError, match=r"damaged|no graph in"):
        SqliteStore(path).statistics()
    assert path.stat().st_size == size


def test_a_store_of_another_format_is_neither_read_nor_written(path, store):
    refused = r"stemma\.db has the store format 99; this version of Stemma reads [0-9]+\. Move"
    store.close()
    with closing(sqlite3.connect(path)) as db:
        db.execute("PRAGMA user_version = 99")
    with pytest.raises(StoreError, match=refused):
        open_store(str(path)).statistics()
    with pytest.raises(StoreError, match=refused), open_store(str(path)).writer():
        pass


def test_after_a_full_disk_the_next_commit_is_one_transaction_again(path, monkeypatch):
    with SqliteStore(path) as store, store.writer() as writer:
        writer.put([describe("Large", " ".join(map(str, range(50_000))))], "hand")
        writer._db.execute("PRAGMA max_page_count = 1")
        with pytest.raises(StoreError, match="full"):
            writer.commit()
        writer._db.execute("PRAGMA max_page_count = 100000")
        with monkeypatch.context() as patched, pytest.raises(ZeroDivisionError):
            patched.setattr(StoreFile, "commit", lambda *_: 1 / 0)
            writer.commit()
        assert store.statistics().papers == 1
        assert writer.commit().added == ["paper/large"]


@pytest.mark.parametrize(
    "use",
    [Store.statistics, lambda store: latest(store).works([]), lambda store: list(store.check()),
     lambda store: store.back_up(Path(store.url).with_name("copy.db"))],
    ids=["statistics", "read", "check", "back up"],
)  # fmt: skip
def test_a_missing_store_explains_how_to_make_one(tmp_path, use):
    store = open_store(str(tmp_path / "none.db"))
    with pytest.raises(StoreError, match="stemma build"):
        use(store)
    assert store.already_read("reading") == frozenset()
    assert not store.lacks_decisions()
    assert not list(tmp_path.iterdir())


@pytest.mark.parametrize(
    "content",
    [b"mine", b"SQLite format 3\0", b"\0" * 4096, "CREATE TABLE mine (all_of_it TEXT)", None],
    ids=["a text", "a beginning", "zeros", "another database", "a folder"],
)
def test_what_is_no_store_is_refused_and_left_alone(tmp_path, content):
    path = tmp_path / "notes"
    if content is None:
        path.mkdir()
    elif isinstance(content, bytes):
        path.write_bytes(content)
    else:
        with closing(sqlite3.connect(path)) as db, db:
            db.execute(content)
    before = path.read_bytes() if path.is_file() else None
    for use in (Store.statistics, put):
        with pytest.raises(StoreError, match=r"not a Stemma store|damaged"):
            use(open_store(str(path)))
    assert [each.name for each in tmp_path.iterdir()] == ["notes"]
    assert before == (path.read_bytes() if path.is_file() else None)


def test_an_address_of_what_is_no_store_is_refused():
    with pytest.raises(StoreError, match="path of a file"):
        open_store("gopher://example.org/graph")


def test_the_base_of_a_store_is_its_own(tmp_path, catalogue):
    path, base = tmp_path / "own.db", "https://example.org/papers/"
    other = "https://example.org/other/"

    def build(base: str) -> None:
        with SqliteStore(path, base, catalogue) as store:
            put(store, describe("One", "A100.", "hardware A100: RUNS_ON"))
        with SqliteStore(path) as store, store.snapshot() as reader:
            assert f"<{base}paper/one>" in map(str, reader.dataset.rdf.named_graphs())

    build(base)
    assert latest(SqliteStore(path)).resolve("A100") == "entity/nvidia-a100"
    with pytest.raises(StoreError, match="cannot be changed"):
        SqliteStore(path, other).statistics()
    path.unlink()
    build(other)  # The RDF of the file before is still beside it.


def test_few_papers_are_found_without_reading_all():
    criteria = (Criterion(("entity/ink",)), Criterion(("entity/nib",)))
    chosen = Selection(criteria=criteria, order=PageOrder.NEWEST)
    with closing(sqlite3.connect(":memory:")) as db:
        # Without statistics, by which SQLite would read all of a small table.
        db.executescript(index._TABLES.read_text("utf-8"))
        for query, values in (
            count_query(WorkType.PAPER, chosen),
            page_query(WorkType.PAPER, chosen, None, 5, many=False),
        ):
            plan = db.execute(f"EXPLAIN QUERY PLAN {query}", values)
            assert not [step for *_, step in plan if step.startswith("SCAN")]
