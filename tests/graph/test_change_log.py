"""The change log: what each commit changed, as projections ask for it."""

from collections.abc import Callable
from pathlib import Path

import pytest

from filled import decide, put
from latest import latest
from stemma.graph.sqlite import SqliteStore
from stemma.schema import Extraction, Merge


@pytest.fixture
def begun(store: SqliteStore, describe: Callable[..., Extraction]) -> SqliteStore:
    """A store with a paper, and another with what neither knows."""
    put(
        store,
        describe("Quill", "Quill is on A100.", "model Quill: INTRODUCES", "hardware A100: RUNS_ON"),
        describe("Reed", "Reed.", "model Reed: INTRODUCES"),
    )
    return store


def state(store: SqliteStore) -> str:
    return latest(store).changed_since(None).now


def test_what_did_not_change_is_not_listed(begun, describe):
    before = state(begun)
    assert latest(begun).changed_since(before).changed == frozenset()
    put(begun, describe("Nib", "Nib extends Quill.", "model Nib: INTRODUCES",
                        "model Quill: BUILDS_ON"))  # fmt: skip
    change = latest(begun).changed_since(before)
    # Quill is named by one paper more.
    assert change.changed == {"paper/nib", "entity/nib", "entity/quill"}
    assert not change.gone


def test_what_is_gone_is_listed_with_its_successor(begun):
    before = state(begun)
    decide(begun, Merge(("entity/quill", "entity/reed")))
    change = latest(begun).changed_since(before)
    assert change.gone == {"entity/reed": "entity/quill"}
    assert change.changed == {"paper/reed", "entity/quill"}
    with begun.writer() as writer:
        writer.drop(["paper/quill"])
        writer.undo(1)
        writer.commit()
    change = latest(begun).changed_since(before)
    assert {"paper/quill", "entity/quill"} <= change.gone.keys()
    assert "entity/reed" in (change.changed or ())


def test_a_state_of_another_store_is_not_taken_for_one_of_this(begun, describe, tmp_path: Path):
    with SqliteStore(tmp_path / "other.db") as other:
        put(other, describe("Quill", "Quill.", "model Quill: INTRODUCES"))
        assert latest(begun).changed_since(state(other)).changed is None
