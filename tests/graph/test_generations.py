"""Generations: readers beside a writer, writers that die, and what is cleared away."""

import gc
import os
import shutil
import signal
import subprocess
import sys
import time
from collections.abc import Iterator
from pathlib import Path

import pytest

from filled import put
from latest import latest
from stemma.graph import StoreError, open_store, trace
from stemma.graph.sqlite import SqliteStore


def generations(path: Path) -> list[str]:
    return sorted(each.name for each in (path / "generations").iterdir())


@pytest.fixture
def path(store: SqliteStore, describe, tmp_path: Path) -> Path:
    put(store, describe("One", "Quill writes.", "framework Quill: USES"))
    return tmp_path / "stemma.db"


def test_a_reader_moves_on_and_a_snapshot_stays(path, store, describe):
    with store.snapshot() as snapshot:
        before = snapshot.generation
        put(store, describe("Two", "Quill writes.", "framework Quill: USES"))
        assert snapshot.statistics().papers == 1
        assert snapshot.works(["paper/two"]) == {}
        assert len(snapshot.statements(["entity/quill"])["entity/quill"]) == 1
        assert store.statistics().papers == 2
        assert latest(store).generation != before == snapshot.generation


def test_another_process_sees_what_was_written(path, store, describe):
    other = open_store(str(path))
    assert other.statistics().papers == 1
    put(store, describe("Two", ""))
    assert other.statistics().papers == 2


def test_a_store_that_is_put_in_the_place_of_another_is_read(path, store, describe, tmp_path):
    """As a rebuilt one or a backup is, while a server runs; its generations have the same names."""
    other = tmp_path / "other.db"
    put(SqliteStore(other), describe("New", "Of LoRA.", "technique LoRA: USES"))
    with store.snapshot() as before:
        path.rename(tmp_path / "old.db")
        other.rename(path)
        with store.snapshot() as now:
            assert now.generation == before.generation
            assert list(now.works(["paper/new"])) == ["paper/new"]
        assert list(before.works(["paper/one"])) == ["paper/one"], "a snapshot stays as it is"


@pytest.fixture
def uncollected() -> Iterator[None]:
    """Without a search for garbage: what is closed lets go of a generation at once."""
    gc.disable()
    yield
    gc.enable()


@pytest.mark.usefixtures("uncollected")
def test_old_generations_are_cleared_away_but_for_two_and_those_being_read(path, store, describe):
    reader = SqliteStore(path)
    with reader.snapshot() as snapshot:
        for number in range(5):
            put(store, describe(f"More {number}", ""))
        assert generations(path) == ["000001", "000005", "000006"]
        assert snapshot.works(["paper/one"]), "what is held can still be read"
    del snapshot
    assert reader.statistics().papers == 6
    put(store, describe("Last", ""))
    assert generations(path) == ["000006", "000007"]


def test_a_second_writer_is_rejected_with_the_reason(path, store, describe):
    with store.writer() as writer:
        with pytest.raises(StoreError, match="is writing to"), SqliteStore(path).writer():
            pass
        writer.put([describe("Two", "")], "hand")
        writer.commit()
    put(SqliteStore(path), describe("Three", ""))
    assert store.statistics().papers == 3


def test_a_writer_that_fails_leaves_the_graph_as_it_was(path, store, describe):
    with pytest.raises(ZeroDivisionError), store.writer() as writer:
        writer.put([describe("Two", "")], "hand")
        _ = 1 / 0
    assert store.statistics().papers == 1
    put(store, describe("Two", ""))
    assert store.statistics().papers == 2


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


@pytest.mark.parametrize("paper", [1, 3000])
@pytest.mark.process
def test_a_build_that_is_killed_leaves_the_old_generation_and_the_next_goes_on(
    path, store, describe, paper
):
    before = latest(store).statements(["paper/one"])
    kill_while_writing(path, paper)
    assert (path / "building").exists(), "it was killed in the midst of writing"
    fresh = SqliteStore(path)
    assert fresh.statistics().papers == 1
    assert latest(fresh).statements(["paper/one"]) == before
    put(fresh, describe("Two", "Quill writes.", "framework Quill: USES"))
    assert fresh.statistics().papers == 2
    assert not (path / "building").exists()
    assert generations(path) == ["000001", "000002"]


@pytest.mark.process
def test_a_first_build_that_is_killed_leaves_a_folder_to_build_in(tmp_path, catalogue, describe):
    path = tmp_path / "new.db"
    kill_while_writing(path, 1)
    store = SqliteStore(path, catalogue=catalogue)
    with pytest.raises(StoreError, match="stemma build"):
        store.statistics()
    put(store, describe("One", ""))
    assert store.statistics().papers == 1


def test_a_generation_that_was_never_announced_is_cleared_away(path, store, describe):
    # A writer may die after it has moved its work into place, before CURRENT says so.
    shutil.copytree(path / "generations" / "000001", path / "generations" / "000002")
    assert store.statistics().papers == 1
    put(store, describe("Two", ""))
    assert generations(path) == ["000001", "000002"]
    assert store.statistics().papers == 2


def test_a_folder_that_was_begun_and_left_can_be_built_in(tmp_path, catalogue, describe):
    path = tmp_path / "begun.db"
    path.mkdir()
    (path / "writer.lock").touch()
    store = SqliteStore(path, catalogue=catalogue)
    put(store, describe("One", ""))
    assert store.statistics().papers == 1


def test_a_damaged_store_is_reported(path, tmp_path):
    (path / "CURRENT").write_text("000009\n")
    with pytest.raises(StoreError, match="damaged"):
        SqliteStore(path).statistics()
    (path / "CURRENT").write_text("000001\n")
    (path / "generations" / "000001" / "index.db").write_bytes(b"no index")
    with pytest.raises(StoreError, match="damaged"):
        SqliteStore(path).statistics()


@pytest.mark.parametrize(
    "content", [None, b"", b"\n", b"00000\xff\n", b"../..\n", b"000001", b"0\n"]
)
def test_the_newest_generation_is_found_whatever_current_contains(path, store, describe, content):
    put(store, describe("Two", "Quill writes.", "framework Quill: USES"))
    shutil.rmtree(path / "generations" / "000001")
    if content is None:
        (path / "CURRENT").unlink()
    else:
        (path / "CURRENT").write_bytes(content)
    assert SqliteStore(path).statistics().papers == 2
    put(SqliteStore(path), describe("Three", ""))
    assert SqliteStore(path).statistics().papers == 3
    assert (path / "CURRENT").read_text() == "000003\n"
    assert generations(path) == ["000002", "000003"]


def test_a_writer_that_changes_nothing_writes_current_again(path, store):
    (path / "CURRENT").unlink()
    with store.writer() as writer:
        assert not writer.commit()
    assert (path / "CURRENT").read_text() == "000001\n"


@pytest.mark.parametrize("missing", ["lock", "index.db"])
@pytest.mark.parametrize("content", [None, "", "000007\n"])
def test_nothing_is_removed_where_it_is_unknown_what_to_read(
    path, store, describe, missing, content
):
    put(store, describe("Two", ""))
    (path / "generations" / "000002" / missing).unlink()
    if content is None:
        (path / "CURRENT").unlink()
    else:
        (path / "CURRENT").write_text(content)
    before = sorted(path.rglob("*"))
    damaged = SqliteStore(path)
    with pytest.raises(StoreError, match="write 000001 into"):
        damaged.statistics()
    with pytest.raises(StoreError, match="write 000001 into"):
        put(damaged, describe("Three", ""))
    assert sorted(path.rglob("*")) == before
    (path / "CURRENT").write_text("000001\n")
    assert damaged.statistics().papers == 1
    put(damaged, describe("Three", ""))
    assert damaged.statistics().papers == 2


def test_an_index_that_was_cut_off_is_not_whole(path, store, describe):
    (path / "CURRENT").unlink()
    index = path / "generations" / "000001" / "index.db"
    index.write_bytes(index.read_bytes()[:100])
    with pytest.raises(StoreError, match="None is complete"):
        put(SqliteStore(path), describe("Two", ""))
    assert generations(path) == ["000001"]


def test_a_commit_that_cannot_be_announced_leaves_the_graph_as_it_was(
    path, store, describe, monkeypatch
):
    def full(self: Path, target: Path) -> Path:
        raise OSError(28, "No space left on device")

    with store.writer() as writer:
        writer.put([describe("Two", "")], "hand")
        with monkeypatch.context() as patch:
            patch.setattr(Path, "replace", full)
            with pytest.raises(StoreError, match="No space left"):
                writer.commit()
        assert generations(path) == ["000001"]
        assert SqliteStore(path).statistics().papers == 1
        writer.commit()
    assert store.statistics().papers == 2


def test_a_folder_that_cannot_be_written_is_reported(path, describe, monkeypatch):
    def full(*_: object) -> None:
        raise OSError(28, "No space left on device")

    monkeypatch.setattr("shutil.copyfile", full)
    with pytest.raises(StoreError, match="No space left"):
        put(SqliteStore(path), describe("Two", ""))
    monkeypatch.undo()
    assert SqliteStore(path).statistics().papers == 1


@pytest.mark.process
def test_readers_in_other_threads_never_see_half_of_a_change(path, store, describe):
    """Every paper that is put says the same of Quill: counts must agree at any moment."""
    reader = subprocess.Popen(
        [
            sys.executable,
            "-c",
            """
import sys, time
from stemma.graph import open_store
store, seen, end = open_store(sys.argv[1]), set(), time.monotonic() + 600
while time.monotonic() < end and 7 not in seen:
    with store.snapshot() as graph:
        papers = graph.statistics().papers
        stated = graph.statements(["entity/quill"])["entity/quill"]
        assert len(stated) == papers, (len(stated), papers)
        assert all(each.evidence[0].text == "Quill writes." for each in stated)
        if papers not in seen:
            print(papers, flush=True)
        seen.add(papers)
""",
            str(path),
        ],
        stdout=subprocess.PIPE,
        text=True,
    )
    assert reader.stdout
    reader.stdout.readline()
    for number in range(6):
        put(store, describe(f"More {number}", "Quill writes.", "framework Quill: USES"))
        time.sleep(0.02)
    output, _ = reader.communicate(timeout=600)
    assert reader.returncode == 0
    assert "7" in output.split()


def test_lineage_follows_the_newest_generation(path, store, describe):
    put(store, describe("Nib: two", "Nib extends Quill.", "model Nib: INTRODUCES",
                        "framework Quill: BUILDS_ON"))  # fmt: skip
    assert len(trace(latest(store), "entity/quill").nodes) == 1
    put(store, describe("Ink: three", "Ink extends Quill.", "model Ink: INTRODUCES",
                        "framework Quill: BUILDS_ON"))  # fmt: skip
    assert len(trace(latest(store), "entity/quill").nodes) == 2


def test_a_store_of_an_older_format_is_neither_read_nor_written(path, store):
    (path / "stemma.json").write_text('{"stemma": 1, "base": "https://example.org/"}')
    refused = r"stemma\.db has the store format 1; this version of Stemma reads [0-9]+\..* move the"
    with pytest.raises(StoreError, match=refused):
        open_store(str(path)).statistics()
    with pytest.raises(StoreError, match=refused), open_store(str(path)).writer():
        pass
