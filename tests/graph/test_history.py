"""The history of a graph: what each build added and removed, and what each commit changed."""

from collections.abc import Iterable
from datetime import datetime
from pathlib import Path

import pytest

from described import describe, described
from filled import decide, put
from latest import latest
from stemma.graph import Selection, Store, WorkType
from stemma.graph.history import Build, Difference, since
from stemma.graph.reader import Reader
from stemma.graph.selection import LineageDirection
from stemma.graph.sqlite import SqliteStore, change_log
from stemma.graph.sqlite.store_file import StoreFile
from stemma.schema import Extraction, Merge

EMPTY = Difference()


QUILL, NIB = described("""
    Quill | Quill extends ZeRO on A100. | framework Quill: INTRODUCES
        | technique ZeRO: BUILDS_ON | hardware A100: RUNS_ON
    Nib | Nib extends Quill. | framework Nib: INTRODUCES | framework Quill: BUILDS_ON
""")


def build(store: Store, *new: Extraction, drop: Iterable[str] = (), each: bool = False) -> None:
    """One build: a writer that commits once, or after each paper."""
    with store.writer() as writer:
        for extraction in new:
            writer.put([extraction], "hand")
            if each:
                writer.commit()
        writer.drop(list(drop))
        writer.commit()


def builds(store: Store) -> list[Build]:
    with store.snapshot() as reader:
        return reader.builds()


def contents(reader: Reader) -> dict[str, set[tuple[str, str]]]:
    papers, entities = (
        {(each.id, each.title if type_ is WorkType.PAPER else each.name)
         for each in reader.page(type_, Selection(first=1000)).items}
        for type_ in (WorkType.PAPER, WorkType.ENTITY)
    )  # fmt: skip
    ids = [id_ for id_, _ in papers | entities]
    edges_of = reader.lineage_edges(ids, LineageDirection.DESCENDANTS)
    edges = {(edge.child, edge.parent) for own in edges_of.values() for edge in own}
    return {"papers": papers, "entities": entities, "edges": edges}


def test_the_first_build_is_only_counted(store: Store) -> None:
    build(store, QUILL)
    (first,) = builds(store)
    assert first.initial
    assert datetime.fromisoformat(first.started) <= datetime.fromisoformat(first.finished)
    with store.snapshot() as reader:
        assert first.generation == reader.generation
        held = contents(reader)
    for name, things in held.items():
        added, removed = getattr(first, name).added, getattr(first, name).removed
        assert (added.count, added.some, removed.count) == (len(things), (), 0)


def test_each_record_is_the_difference_between_two_contents(store):
    claims = "framework Quill: INTRODUCES", "technique Ink: BUILDS_ON"
    other = describe("Quill", "Quill extends Ink.", *claims)
    build(store, QUILL)
    for new, drop, updated in (
        ((NIB,), (), 0),
        ((other,), (), 1),
        ((), (QUILL.paper.id,), 0),
        ((QUILL,), (NIB.paper.id,), 0),
    ):
        with store.snapshot() as reader:
            before = contents(reader)
        build(store, *new, drop=drop)
        with store.snapshot() as reader:
            after = contents(reader)
            last = reader.builds()[-1]
            assert last.generation == reader.generation
        for name in before:
            difference = getattr(last, name)
            assert set(difference.added.some) == after[name] - before[name]
            assert set(difference.removed.some) == before[name] - after[name]
            assert difference.added.count == len(difference.added.some)
        assert (last.initial, last.updated) == (False, updated)
    assert [each.number for each in builds(store)] == [1, 2, 3, 4, 5]


def test_a_build_of_several_commits_has_one_record(store):
    build(store, describe("Reed", "", "framework Reed: INTRODUCES"))
    build(store, QUILL, NIB, drop=[NIB.paper.id], each=True)
    _, last = builds(store)
    assert last.papers.added.some == ((QUILL.paper.id, "Quill"),)
    assert last.papers.removed == EMPTY.removed


def test_where_nothing_is_committed_or_changes_nothing_is_recorded(store):
    build(store)
    build(store, QUILL)
    build(store, QUILL)
    with store.writer() as writer:
        writer.put([NIB], "hand")
    assert len(builds(store)) == 1


def test_only_the_latest_are_kept_and_lists_are_cut(store, monkeypatch):
    monkeypatch.setattr(change_log, "LATEST", 3)
    monkeypatch.setattr(change_log, "MOST_LISTED", 2)
    for number in range(5):
        build(store, *(describe(f"Nib {number} {each}", "Of nibs.") for each in "abc"))
    kept = builds(store)
    assert [each.number for each in kept] == [3, 4, 5]
    assert kept[-1].papers.added.count == 3
    assert len(kept[-1].papers.added.some) == 2


def test_what_another_process_built_between_two_commits_stays(store, catalogue, monkeypatch):
    build(store, QUILL)
    others = [describe("Ink", "Of ink.")]

    def tidy(file: StoreFile, connection: object) -> None:
        if others:
            build(SqliteStore(store.url, None, catalogue), others.pop())

    monkeypatch.setattr(StoreFile, "tidy", tidy)
    with store.writer() as writer:
        writer.put([NIB], "hand")
        writer.commit()
        writer.put([describe("Pen", "Of pens.")], "hand")
        writer.commit()
    added = [{name for _, name in each.papers.added.some} for each in builds(store)]
    assert added == [set(), {"Nib", "Pen"}, {"Ink"}]


def test_builds_are_chosen_by_number_date_or_time() -> None:
    def finished(number: int, time: str) -> Build:
        return Build(number, time, time, "")

    made = [finished(1, "2026-01-02T10:00:00Z"), finished(2, "2026-01-03T10:00:00Z")]
    assert [build.number for build in since(made, None)] == [2, 1]
    assert [build.number for build in since(made, "1")] == [2]
    assert [build.number for build in since(made, "2026-01-03")] == [2]
    assert [[build.number for build in since(made, year)] for year in ("2026", "2027")] == [
        [2, 1],
        [],
    ]
    assert [build.number for build in since(made, "2026-01-02T11:00:00+01:00")] == [2, 1]
    with pytest.raises(ValueError, match="neither a date"):
        since(made, "yesterday")


@pytest.fixture
def begun(store: SqliteStore) -> SqliteStore:
    """A store with a paper, and another with what neither knows."""
    put(
        store,
        describe("Quill", "Quill is on A100.", "model Quill: INTRODUCES", "hardware A100: RUNS_ON"),
        describe("Reed", "Reed.", "model Reed: INTRODUCES"),
    )
    return store


def state(store: SqliteStore) -> str:
    return latest(store).changed_since(None).now


def test_what_did_not_change_is_not_listed(begun):
    before = state(begun)
    assert latest(begun).changed_since(before).changed == frozenset()
    put(begun, describe("Nib", "Nib extends Quill.", "model Nib: INTRODUCES",
                        "model Quill: BUILDS_ON"))  # fmt: skip
    change = latest(begun).changed_since(before)
    # Quill is named by one paper more.
    assert change.changed == {"paper/nib", "entity/nib", "entity/quill"}
    assert not change.gone


def test_what_is_gone_is_listed(begun):
    before = state(begun)
    decide(begun, Merge(("entity/quill", "entity/reed")))
    change = latest(begun).changed_since(before)
    assert change.gone == {"entity/reed"}
    assert change.changed == {"paper/reed", "entity/quill"}
    with begun.writer() as writer:
        writer.drop(["paper/quill"])
        writer.undo(1)
        writer.commit()
    change = latest(begun).changed_since(before)
    assert {"paper/quill", "entity/quill"} <= change.gone
    assert "entity/reed" in (change.changed or ())


def test_a_state_of_another_store_is_not_taken_for_one_of_this(begun, tmp_path: Path):
    with SqliteStore(tmp_path / "other.db") as other:
        put(other, describe("Quill", "Quill.", "model Quill: INTRODUCES"))
        assert latest(begun).changed_since(state(other)).changed is None
