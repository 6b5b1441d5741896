"""The history of a graph: what each build added and removed, in every kind of store."""

from collections.abc import Callable, Iterable
from datetime import datetime

import pytest

from stemma.graph import Store, WorkType, history
from stemma.graph.history import Build, Difference, since
from stemma.graph.selection import LineageDirection
from stemma.graph.sqlite import change_log
from stemma.graph.sqlite.store_file import StoreFile
from stemma.graph.store import Reader
from stemma.schema import Extraction

Describe = Callable[..., Extraction]
EMPTY = Difference()


@pytest.fixture
def quill(describe: Describe) -> Extraction:
    claims = "framework Quill: INTRODUCES", "technique ZeRO: BUILDS_ON", "hardware A100: RUNS_ON"
    return describe("Quill", "Quill extends ZeRO on A100.", *claims)


@pytest.fixture
def nib(describe: Describe) -> Extraction:
    claims = "framework Nib: INTRODUCES", "framework Quill: BUILDS_ON"
    return describe("Nib", "Nib extends Quill.", *claims)


def build(store: Store, *put: Extraction, drop: Iterable[str] = (), each: bool = False) -> None:
    """One build: a writer that commits once, or after each paper."""
    with store.writer() as writer:
        for extraction in put:
            writer.put([extraction], "hand")
            if each:
                writer.commit()
        writer.drop(list(drop))
        writer.commit()


def builds(store: Store) -> list[Build]:
    with store.snapshot() as reader:
        return reader.builds()


def contents(reader: Reader) -> dict[str, set[tuple[str, str]]]:
    works = {
        type_: {(each.id, getattr(each, "title", None) or each.name)  # type: ignore[union-attr]
                for each in reader.page(type_, first=1000).works}
        for type_ in WorkType
    }  # fmt: skip
    ids = [id_ for own in works.values() for id_, _ in own]
    edges = reader.lineage_edges(ids, LineageDirection.DESCENDANTS)
    return {
        "papers": works[WorkType.PAPER],
        "entities": works[WorkType.ENTITY],
        "edges": {(edge.child, edge.parent) for own in edges.values() for edge in own},
    }


def test_the_first_build_is_only_counted(store: Store, quill: Extraction) -> None:
    build(store, quill)
    (first,) = builds(store)
    assert first.initial
    with store.snapshot() as reader:
        held = contents(reader)
        assert first.generation == reader.generation
    for name, things in held.items():
        difference = getattr(first, name)
        assert (difference.added.count, difference.added.some) == (len(things), ())
        assert not difference.removed.count
    assert datetime.fromisoformat(first.started) <= datetime.fromisoformat(first.finished)


def test_each_record_is_the_difference_between_two_contents(
    store: Store, quill: Extraction, nib: Extraction, describe: Describe
) -> None:
    claims = "framework Quill: INTRODUCES", "technique Ink: BUILDS_ON"
    other = describe("Quill", "Quill extends Ink.", *claims)
    build(store, quill)
    for put, drop, updated in (
        ((nib,), (), 0),
        ((other,), (), 1),
        ((), (quill.paper.id,), 0),
        ((quill,), (nib.paper.id,), 0),
    ):
        with store.snapshot() as reader:
            before = contents(reader)
        build(store, *put, drop=drop)
        with store.snapshot() as reader:
            after = contents(reader)
            latest = reader.builds()[-1]
            assert latest.generation == reader.generation
        for name in before:
            difference = getattr(latest, name)
            assert set(difference.added.some) == after[name] - before[name]
            assert set(difference.removed.some) == before[name] - after[name]
            assert difference.added.count == len(difference.added.some)
        assert (latest.initial, latest.updated) == (False, updated)
    assert [each.number for each in builds(store)] == [1, 2, 3, 4, 5]


def test_a_build_of_several_commits_has_one_record(
    store: Store, quill: Extraction, nib: Extraction, describe: Describe
) -> None:
    build(store, describe("Reed", "", "framework Reed: INTRODUCES"))
    build(store, quill, nib, drop=[nib.paper.id], each=True)
    _, latest = builds(store)
    assert latest.papers.added.some == ((quill.paper.id, "Quill"),)
    assert latest.papers.removed == EMPTY.removed


def test_where_nothing_is_committed_or_changes_nothing_is_recorded(
    store: Store, quill: Extraction, nib: Extraction
) -> None:
    build(store, quill)
    build(store, quill)
    with store.writer() as writer:
        writer.put([nib], "hand")
    assert len(builds(store)) == 1


def test_only_the_latest_are_kept_and_lists_are_cut(
    store: Store, describe: Describe, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(change_log, "LATEST", 3)
    monkeypatch.setattr(history, "MOST_LISTED", 2)
    for number in range(5):
        build(store, *(describe(f"Nib {number} {each}", "Of nibs.") for each in "abc"))
    kept = builds(store)
    assert [each.number for each in kept] == [3, 4, 5]
    assert kept[-1].papers.added.count == 3
    assert len(kept[-1].papers.added.some) == 2


def test_what_another_process_built_between_two_commits_stays(
    store: Store, quill: Extraction, nib: Extraction, describe: Describe, open_again, monkeypatch
) -> None:
    build(store, quill)
    others = [describe("Ink", "Of ink.")]

    def tidy(file: StoreFile, connection: object) -> None:
        if others:
            build(open_again(), others.pop())

    monkeypatch.setattr(StoreFile, "tidy", tidy)
    with store.writer() as writer:
        writer.put([nib], "hand")
        writer.commit()
        writer.put([describe("Pen", "Of pens.")], "hand")
        writer.commit()
    added = [{name for _, name in each.papers.added.some} for each in builds(store)]
    assert added == [set(), {"Nib", "Pen"}, {"Ink"}]


def test_builds_are_chosen_by_number_date_or_time() -> None:
    def finished(number: int, time: str) -> Build:
        return Build(number, time, time, "")

    made = [finished(1, "2026-01-02T10:00:00Z"), finished(2, "2026-01-03T10:00:00Z")]
    assert [each.number for each in since(made, None)] == [2, 1]
    assert [each.number for each in since(made, "1")] == [2]
    assert [each.number for each in since(made, "2026-01-03")] == [2]
    assert [each.number for each in since(made, "2026-01-02T11:00:00+01:00")] == [2, 1]
    with pytest.raises(ValueError, match="neither a date"):
        since(made, "yesterday")
