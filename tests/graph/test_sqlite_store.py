"""How the default store is opened."""

import sqlite3
from contextlib import closing
from pathlib import Path

import pytest

from filled import put
from latest import latest
from stemma.graph import (
    PageOrder,
    StatementFilter,
    Store,
    StoreError,
    WorkFilter,
    WorkType,
    open_store,
)
from stemma.graph.sqlite import SqliteStore, index
from stemma.graph.sqlite.selection_sql import count_query, page_query


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


def test_a_file_url_is_a_folder_and_other_schemes_are_refused(store, describe, tmp_path):
    put(store, describe("One"))
    assert open_store(f"file://{tmp_path}/stemma.db").statistics().papers == 1
    with pytest.raises(StoreError, match="path of a file"):
        open_store("gopher://example.org/graph")


def test_the_base_of_a_store_is_its_own(tmp_path, catalogue, describe):
    path, base = tmp_path / "own.db", "https://example.org/papers/"
    other = "https://example.org/other/"

    def build(base: str) -> None:
        with SqliteStore(path, base, catalogue) as store, store.writer() as writer:
            writer.put([describe("One", "A100.", "hardware A100: RUNS_ON")], "hand")
            writer.commit()
        with SqliteStore(path) as store, store.snapshot() as reader:
            names = map(str, reader.dataset.rdf.named_graphs())
            assert f"<{base}paper/one>" in names

    build(base)
    assert latest(SqliteStore(path)).resolve("A100") == "entity/nvidia-a100"
    with pytest.raises(StoreError, match="cannot be changed"):
        SqliteStore(path, other).statistics()
    path.unlink()
    build(other)  # The RDF of the file before is still beside it.


def test_few_papers_are_found_without_reading_all():
    chosen = WorkFilter(stated=(StatementFilter(("entity/ink",)), StatementFilter(("entity/nib",))))
    with closing(sqlite3.connect(":memory:")) as db:
        # Without statistics, by which SQLite would read all of a small table.
        db.executescript(index._TABLES.read_text("utf-8"))
        for query, values in (
            count_query(WorkType.PAPER, chosen),
            page_query(WorkType.PAPER, chosen, PageOrder.NEWEST, None, None, 5, False, many=False),
        ):
            plan = db.execute(f"EXPLAIN QUERY PLAN {query}", values)
            assert not [step for *_, step in plan if step.startswith("SCAN")]
