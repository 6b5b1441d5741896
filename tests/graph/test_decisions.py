"""People's decisions: what they change in the graph, and that no build forgets them."""

import os
from collections.abc import Callable
from typing import Any

import pytest

from described import described
from filled import append, put, remove
from latest import exported, latest
from stemma.graph import Changes, LineageDirection, Selection, Store
from stemma.graph.sqlite import SqliteStore
from stemma.graph.sqlite.store_file import StoreFile
from stemma.graph.sqlite.writer import Writer
from stemma.schema import Decision, DecisionError, DecisionFile, EntityKind, RelationType
from stemma.schema.decision import ChangeKind, Confirm, Merge, Reject, Rename, Split

NIBBLER, GNAWER = "paper/nibbler-small-bites", "paper/gnawer-big-bites"
BITING, SERVING = "paper/biting-costs", "paper/serving-bites"
Decide = Callable[..., Store]


@pytest.fixture
def library(store) -> Store:
    """A store that holds papers."""
    put(store, *described("""
        Nibbler: small bites (2022) | Nibbler builds on bite scheduling. Gnawer is slow.
            | framework Nibbler: INTRODUCES | technique bite scheduling: BUILDS_ON 0.6
            | framework Gnawer: IMPROVES_ON 0.5
        Gnawer: big bites (2021) | Gnawer uses scheduling of bites and ZeRO-Infinity.
            | framework Gnawer: INTRODUCES | technique scheduling of bites: BUILDS_ON 0.7
            | framework ZeRO-Infinity: USES
        Biting costs | We measure Gnawer and the zero stage optimiser on A100.
            | model Gnawer: COMPARES_WITH | technique zero stage optimiser: USES
            | hardware A100: RUNS_ON
        Serving bites | Triton serves Gnawer.
            | framework Triton: USES | framework Gnawer: COMPARES_WITH
    """))  # fmt: skip
    return store


@pytest.fixture
def decide(library) -> Decide:
    """Decide something about the library."""

    def _decide(*decisions: Decision) -> Store:
        for decision in decisions:
            append(library.decisions, decision)
        commit(library)
        return library

    return _decide


def told(store: Store) -> set[bytes]:
    """All that a graph says, besides what was decided."""
    return {line for line in exported(store).splitlines() if b"id/decision" not in line}


def commit(store: Store) -> Changes:
    with store.writer() as writer:
        return writer.commit()


def entity(store: Store, name: str):
    id_ = latest(store).resolve(name)
    return latest(store).works([id_])[id_]


def said(store: Store, paper: str) -> dict[tuple[str, str], float]:
    """What a paper states: confidences by relation and entity, without what each id begins with."""
    return {
        (statement.relation.value, statement.entity.removeprefix("entity/")): statement.confidence
        for statement in latest(store).statements([paper])[paper]
    }


def parents(store: Store, work: str) -> list[str]:
    return latest(store).neighbours([work], LineageDirection.ANCESTORS)[work]


def children(store: Store, work: str) -> list[str]:
    return latest(store).neighbours([work], LineageDirection.DESCENDANTS)[work]


def test_what_is_merged_is_one_by_every_name_and_id(decide):
    store = decide(Merge(("entity/bite-scheduling", "entity/scheduling-of-bites")))
    merged = entity(store, "scheduling of bites")
    assert (merged.id, merged.name) == ("entity/bite-scheduling", "bite scheduling")
    assert merged.aliases == ("scheduling of bites",)
    assert latest(store).resolve("entity/scheduling-of-bites") == merged.id
    assert said(store, GNAWER)["BUILDS_ON", "bite-scheduling"] == 0.7
    assert children(store, merged.id) == ["entity/gnawer", "entity/nibbler"]
    store = decide(Merge(("entity/gnawer", "bite scheduling")))
    for id_ in (merged.id, "entity/scheduling-of-bites"):
        assert latest(store).resolve(id_) == "entity/gnawer", "all ids lead to the last"


def test_what_is_broader_goes_with_what_is_merged_but_nothing_is_broader_than_itself(decide):
    store = decide(Merge(("entity/gnawer", "entity/gpu")))
    assert entity(store, "A100").broader == ("entity/gnawer",)
    assert latest(store).narrower(["entity/gnawer"]) == {"entity/gnawer": ["entity/nvidia-a100"]}
    store = decide(Merge(("entity/nvidia-a100", "entity/gpu")))
    assert entity(store, "GPU").id == "entity/nvidia-a100"
    assert entity(store, "GPU").broader == ()


def test_what_is_split_off_is_what_these_papers_mean(decide):
    store = decide(Split("entity/gnawer", (BITING, SERVING), "Gnawer Mini"))
    split_off = entity(store, "Gnawer Mini")
    assert split_off.id == "entity/gnawer-mini--biting-costs"
    assert split_off.aliases == ("Gnawer",)
    for paper in (BITING, SERVING):
        assert ("COMPARES_WITH", "gnawer-mini--biting-costs") in said(store, paper)
    assert ("IMPROVES_ON", "gnawer") in said(store, NIBBLER)
    assert latest(store).resolve("Gnawer") == "entity/gnawer"


def test_split_off_without_a_name_it_has_the_one_that_papers_give_it(decide):
    store = decide(Split("entity/gnawer", (BITING,)))
    split_off = entity(store, "entity/gnawer--biting-costs")
    assert (split_off.name, split_off.kind) == ("Gnawer", EntityKind.MODEL)
    with pytest.raises(LookupError, match="entity/gnawer--biting-costs"):
        latest(store).resolve("Gnawer")
    store = decide(Split("entity/scheduling-of-bites", (GNAWER,)))
    assert not store.unapplied(), "also where no other paper names it"


def test_what_is_renamed_keeps_its_id_and_its_old_name_as_an_alias(decide):
    store = decide(Rename("entity/gnawer", "GNAW"), Rename("A100", "Ampere 100"))
    assert entity(store, "gnaw").id == latest(store).resolve("Gnawer") == "entity/gnawer"
    assert entity(decide(ChangeKind("A100", EntityKind.MODEL)), "A100").kind is EntityKind.MODEL
    renamed = entity(store, "Ampere 100")
    assert (renamed.id, renamed.aliases) == ("entity/nvidia-a100", ("A100", "NVIDIA A100"))


def test_what_is_rejected_vanishes_everywhere(decide, library):
    before = library.statistics()
    store = decide(Reject(NIBBLER, RelationType.IMPROVES_ON, "entity/gnawer"))
    assert ("IMPROVES_ON", "gnawer") not in said(store, NIBBLER)
    assert children(store, "entity/gnawer") == []
    after = store.statistics()
    assert after.statements == before.statements - 1
    assert after.lineage_edges == before.lineage_edges - 1
    assert after.by_relation[RelationType.IMPROVES_ON] == 0


def test_what_is_not_introduced_after_all_is_no_contribution(decide):
    store = decide(Reject(NIBBLER, RelationType.INTRODUCES, "entity/nibbler"))
    assert latest(store).contributions([NIBBLER]) == {}
    assert children(store, "entity/bite-scheduling") == [NIBBLER]


def test_what_is_merged_with_a_concept_has_its_facts_which_can_be_rejected(decide):
    fact = ("entity/zero-infinity", RelationType.BUILDS_ON, "entity/zero")
    for decision, expected in (
        (Merge(("zero stage optimiser", "ZeRO")), ["entity/zero-stage-optimiser"]),
        (Reject(*fact), []),
        (Confirm(*fact), ["entity/zero-stage-optimiser"]),
    ):
        assert parents(decide(decision), "entity/zero-infinity") == expected


def test_what_is_confirmed_is_certain_and_says_so(decide):
    store = decide(Confirm(NIBBLER, RelationType.BUILDS_ON, "entity/bite-scheduling"))
    statement, *others = latest(store).statements([NIBBLER])[NIBBLER]
    assert statement.confirmed and statement.evidence
    assert (statement.confidence, statement.origin) == (1.0, "by-hand 1")
    assert not any(each.confirmed for each in others)
    builds_on = Selection(relations=(RelationType.BUILDS_ON,))
    edges = latest(store).lineage_edges(["entity/nibbler"], LineageDirection.ANCESTORS, builds_on)
    assert [each.confidence for each in edges["entity/nibbler"]] == [1.0]


def test_the_last_word_holds_and_what_is_said_twice_is_told(decide):
    key = (NIBBLER, RelationType.BUILDS_ON, "entity/bite-scheduling")
    named = [Rename("Gnawer", "GNAW"), Rename("Gnawer", "Gnawer 2"), Merge(("Gnawer", "GNAW"))]
    store = decide(Reject(*key), Confirm(*key), Confirm(*key), *named)
    assert said(store, NIBBLER)["BUILDS_ON", "bite-scheduling"] == 1.0
    assert store.unapplied() == {
        1: "decision 2 overrides it",
        3: "decision 2 says so already",
        4: "decision 5 overrides it",
        6: "all of them are entity/gnawer already",
    }


def test_a_verdict_stays_with_the_name_that_it_was_about(decide):
    store = decide(
        Reject(NIBBLER, RelationType.BUILDS_ON, "entity/bite-scheduling"),
        Merge(("entity/scheduling-of-bites", "entity/bite-scheduling")),
    )
    assert said(store, NIBBLER).keys() == {("INTRODUCES", "nibbler"), ("IMPROVES_ON", "gnawer")}
    assert ("BUILDS_ON", "scheduling-of-bites") in said(store, GNAWER)


@pytest.mark.parametrize(
    ("decision", "reason"),
    [
        (Rename("entity/nowhere", "Nowhere"), "there is no entity entity/nowhere"),
        (Rename("Nowhere", "Here"), "there is no entity called 'Nowhere'"),
        (Rename("entity/gaudi", "Gaudy"), "no paper in the graph mentions entity/gaudi"),
        (Merge(("entity/gnawer", "entity/nowhere")), "there is no entity entity/nowhere"),
        (Split("entity/gnawer", ("paper/nowhere",)), "not named in paper/nowhere"),
        (Reject("paper/nowhere", RelationType.USES, "entity/gnawer"), "there is no paper"),
        (Reject(NIBBLER, RelationType.USES, "entity/gnawer"), "does not state USES"),
        (Confirm(NIBBLER, RelationType.USES, "A100"), "does not state USES"),
        (Reject("A100", RelationType.BUILDS_ON, "Gnawer"), "the catalogue does not state"),
    ],
)
def test_what_applies_to_nothing_is_reported_and_kept(decide, library, decision, reason):
    before = told(library)
    store = decide(decision, Rename("Gnawer", "GNAW"))
    assert list(store.unapplied()) == [1]
    assert reason in store.unapplied()[1]
    assert store.decisions.read()[0] == decision
    assert entity(store, "GNAW").id == "entity/gnawer", "the others are applied"
    remove(store.decisions, 2)
    commit(store)
    assert told(store) == before


class CrashError(BaseException):
    """As if the process ended there: it is never caught."""


def crash(*_: object) -> None:
    raise CrashError


def no_space(*_: object) -> None:
    raise OSError(28, "No space left on device")


@pytest.mark.parametrize("fails", [(StoreFile, "commit"), (Writer, "_write"), (os, "fsync")])
@pytest.mark.parametrize("step", ["decide", "undo"])
def test_a_decision_whose_commit_fails_is_not_written_down(decide, monkeypatch, fails, step):
    store = decide(Rename("Gnawer", "GNAW"))
    before, text = exported(store), store.decisions.path.read_bytes()
    beside = sorted(store.decisions.path.parent.iterdir())
    with store.writer() as writer, monkeypatch.context() as patched:
        getattr(writer, step)(Rename("Nibbler", "NIB") if step == "decide" else 1)
        patched.setattr(*fails, no_space)
        with pytest.raises((OSError, DecisionError), match="No space left"):
            writer.commit()
    assert exported(store) == before
    assert store.decisions.path.read_bytes() == text
    assert sorted(store.decisions.path.parent.iterdir()) == beside
    assert not store.lacks_decisions()


def test_a_decision_is_applied_and_written_down_together(decide):
    store = decide()
    with store.writer() as writer:
        assert writer.decide(Rename("Gnawer", "GNAW")) == 1
        assert writer.decide(Rename("Nibbler", "NIB")) == 2
        assert writer.undo(1) == Rename("Gnawer", "GNAW")
        assert not store.decisions.read()
        writer.commit()
    assert store.decisions.read() == (Rename("Nibbler", "NIB"),)
    assert not store.lacks_decisions()
    assert entity(store, "NIB").id == "entity/nibbler"


def test_a_decision_that_the_next_writer_writes_down_is_made(decide, monkeypatch):
    """It begins between the commit and the change of the file, as another process may."""
    store, committed = decide(), StoreFile.commit

    def commit_and_let_go_first(file, connection):
        committed(file, connection)
        with SqliteStore(store.url) as other, other.writer():
            pass

    with store.writer() as writer:
        writer.decide(Rename("Gnawer", "GNAW"))
        monkeypatch.setattr(StoreFile, "commit", commit_and_let_go_first)
        writer.commit()
    assert store.decisions.read() == (Rename("Gnawer", "GNAW"),)


def test_decisions_that_somebody_changes_meanwhile_are_kept(decide):
    store = decide()
    with store.writer() as writer:
        writer.decide(Rename("Gnawer", "GNAW"))
        append(store.decisions, Rename("Nibbler", "NIB"))
        with pytest.raises(DecisionError, match="changed by someone else"):
            writer.commit()
    assert store.decisions.read() == (Rename("Nibbler", "NIB"),)
    store = decide()
    assert not store.lacks_decisions()
    assert entity(store, "NIB").id == "entity/nibbler"
    assert entity(store, "Gnawer").name == "Gnawer"


def crashed(store: Store, monkeypatch: pytest.MonkeyPatch, *at: Any) -> None:
    """Decide that Nibbler is NIB, and crash there."""
    with monkeypatch.context() as patched, pytest.raises(CrashError), store.writer() as writer:
        writer.decide(Rename("Nibbler", "NIB"))
        patched.setattr(*at, crash)
        writer.commit()


@pytest.mark.parametrize(
    ("at", "known"), [((StoreFile, "commit"), False), ((DecisionFile, "settle"), True)]
)
def test_a_crash_leaves_a_decision_whole_or_not_at_all(decide, monkeypatch, at, known):
    store = decide(Rename("Gnawer", "GNAW"))
    before = store.decisions.path.read_bytes()
    crashed(store, monkeypatch, *at)
    assert store.decisions.path.read_bytes() == before
    store = decide()
    assert not store.lacks_decisions()
    decided = (Rename("Gnawer", "GNAW"), *([Rename("Nibbler", "NIB")] if known else ()))
    assert store.decisions.read() == decided
    assert entity(store, "Nibbler").name == ("NIB" if known else "Nibbler")
    assert not list(store.decisions.path.parent.glob("*.new"))


def test_what_a_crash_left_does_not_replace_what_a_person_wrote_since(decide, monkeypatch):
    store = decide()
    crashed(store, monkeypatch, DecisionFile, "settle")
    store.decisions.path.write_text('[[decision]]\nrename = "Gnawer"\nname = "GNAW"\n')
    store = decide()
    assert store.decisions.read() == (Rename("Gnawer", "GNAW"),)
    assert entity(store, "Nibbler").name == "Nibbler"
    assert entity(store, "GNAW").id == "entity/gnawer"
