"""The next generation begins with the index of the one before the newest, if that has no reader."""

import sqlite3
from contextlib import closing
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from stemma.graph.sqlite.generations import GenerationFolder
from stemma.graph.sqlite.page_log import PAGE_LOGS, bring_up_to_date, page_log

from examples import scaled
from filled import put
from stemma.graph import StoreError, batching_writer
from stemma.graph.sqlite import SqliteStore
from stemma.graph.sqlite.index import IndexWriter
from stemma.schema import EntityKind, Extraction, Field, FoundEntity, Mention, Paper

CHANGED = st.sets(st.integers(0, 30), min_size=1, max_size=8)


@pytest.fixture(autouse=True)
def small_changes(monkeypatch: pytest.MonkeyPatch) -> None:
    """Every change of these small stores is treated as those of large ones are."""
    monkeypatch.setattr(batching_writer, "MOST_CHANGED", 100)


def paper(number: int, version: int) -> Extraction:
    title = f"Quill {'x' * version} for tools {number}"
    mention = Mention("Quill", Field.TITLE, 0, 5)
    entity = FoundEntity("Quill", EntityKind.FRAMEWORK, None, (mention,))
    return Extraction(Paper(f"paper/quill-{number}", title), (entity,))


def generations(store: SqliteStore) -> list[Path]:
    return sorted((Path(store.url) / "generations").iterdir())


def rows(index: Path) -> list[str]:
    with closing(sqlite3.connect(index)) as db:
        assert db.execute("PRAGMA integrity_check").fetchone() == ("ok",)
        return list(db.iterdump())


@settings(max_examples=scaled(10))
@given(changes=st.lists(st.tuples(CHANGED, CHANGED), min_size=3, max_size=6))
def test_it_is_the_same_as_with_a_copy_of_the_newest(
    changes: list[tuple[set[int], set[int]]], tmp_path_factory: pytest.TempPathFactory
) -> None:
    folder = tmp_path_factory.mktemp("stores")
    reusing, copying = SqliteStore(folder / "reusing"), SqliteStore(folder / "copying")
    for version, (added, removed) in enumerate(changes):
        for store in (reusing, copying):
            with store.writer() as writing:
                writing.put([paper(number, version) for number in sorted(added)], "hand")
                writing.drop({f"paper/quill-{number}" for number in removed - added})
                writing.commit()
        for path in generations(copying):
            for log in path.glob(PAGE_LOGS):
                log.unlink()
        newest = (generations(store)[-1] / "index.db" for store in (reusing, copying))
        assert rows(next(newest)) == rows(next(newest))


@pytest.fixture
def store(tmp_path: Path) -> SqliteStore:
    """A store with two generations, of which the newer one keeps what it changed."""
    store = SqliteStore(tmp_path / "stemma.db")
    put(store, *(paper(number, 0) for number in range(40)))
    put(store, paper(1, 1), paper(50, 1))
    return store


def test_the_file_of_the_generation_before_goes_on(store: SqliteStore) -> None:
    before, newest = generations(store)
    file = (before / "index.db").stat().st_ino
    content = rows(newest / "index.db")
    put(store, paper(2, 1))
    assert [path.name for path in generations(store)] == ["000002", "000003"]
    assert (generations(store)[-1] / "index.db").stat().st_ino == file
    assert rows(newest / "index.db") == content, "what is read is not changed"
    assert store.statistics().papers == 41


def test_a_generation_that_is_read_stays(store: SqliteStore) -> None:
    reader = SqliteStore(store.url)
    with reader.snapshot() as snapshot:
        put(store, paper(2, 1))
        put(store, paper(3, 1))
        assert [path.name for path in generations(store)] == ["000002", "000003", "000004"]
        assert snapshot.works(["paper/quill-2"])["paper/quill-2"].name == paper(2, 0).paper.title


@pytest.mark.parametrize("damage", ["cut", "empty", "changed", "lost"])
def test_without_a_good_log_the_newest_is_copied(store: SqliteStore, damage: str) -> None:
    log = page_log(generations(store)[-1], "000001")
    content = log.read_bytes()
    match damage:
        case "cut":
            log.write_bytes(content[: -(4096 + 24)])
        case "empty":
            log.write_bytes(b"")
        case "changed":
            log.write_bytes(content[:-1] + bytes([content[-1] ^ 1]))
        case "lost":
            log.unlink()
    put(store, paper(2, 1))
    assert store.statistics().papers == 41
    with store.snapshot() as reader:
        titles = [reader.works([f"paper/quill-{n}"])[f"paper/quill-{n}"].name for n in (1, 2, 50)]
    assert titles == [paper(n, 1).paper.title for n in (1, 2, 50)]
    assert rows(generations(store)[-1] / "index.db")


def test_a_log_of_another_index_is_noticed(store: SqliteStore, tmp_path: Path) -> None:
    other = SqliteStore(tmp_path / "other.db")
    put(other, *(paper(number, 0) for number in range(400)))
    index = generations(other)[0] / "index.db"
    assert not bring_up_to_date(index, page_log(generations(store)[-1], "000001"))


def test_a_build_that_fails_gives_back_what_it_took(
    store: SqliteStore, monkeypatch: pytest.MonkeyPatch
) -> None:
    newest = rows(generations(store)[-1] / "index.db")

    def fail(self: IndexWriter, *arguments: object) -> None:
        raise ZeroDivisionError

    with monkeypatch.context() as patch:
        patch.setattr(IndexWriter, "put_paper", fail)
        with pytest.raises(ZeroDivisionError):
            put(store, paper(2, 1))
    # In the state of the newest: it can take its place if that is damaged.
    assert [rows(path / "index.db") for path in generations(store)] == [newest, newest]
    (Path(store.url) / "CURRENT").write_text("000001\n")
    assert SqliteStore(store.url).statistics().papers == 41
    (Path(store.url) / "CURRENT").write_text("000002\n")
    put(store, paper(2, 1))
    assert [path.name for path in generations(store)] == ["000002", "000003"]
    with store.snapshot() as reader:
        assert reader.works(["paper/quill-2"])["paper/quill-2"].name == paper(2, 1).paper.title


def test_a_log_since_another_generation_than_the_one_before_is_not_used(
    store: SqliteStore, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A commit that fails when it is published already: what comes next begins before it."""

    def fail(self: GenerationFolder, current: str) -> None:
        raise OSError(5, "Input/output error")

    with store.writer() as writing:
        writing.put([paper(2, 1)], "hand")
        with monkeypatch.context() as patch:
            patch.setattr(GenerationFolder, "_remove_old", fail)
            with pytest.raises(StoreError, match="Input/output"):
                writing.commit()
        writing.put([paper(3, 1)], "hand")
        writing.commit()
    put(store, paper(4, 1))
    assert rows(generations(store)[-1] / "index.db")
    with store.snapshot() as reader:
        titles = [reader.works([f"paper/quill-{n}"])[f"paper/quill-{n}"].name for n in (2, 3, 4)]
    assert titles == [paper(n, 1).paper.title for n in (2, 3, 4)]
