"""Recording decisions in a store, where they take effect at once."""

from dataclasses import dataclass

from stemma.graph import Changes, Store
from stemma.schema import Problem
from stemma.schema.decision import Decision


@dataclass(frozen=True, slots=True)
class Outcome:
    """The result of a decision: its number, what it changed, and why it does not apply, if so."""

    number: int
    decision: Decision
    changes: Changes
    unapplied: str | None = None


def decide(store: Store, decision: Decision) -> Outcome:
    """Record a decision, and apply it.

    Raises DecisionError where the file cannot be used, StoreError where the store cannot be
    written; nothing is written then.
    """
    store.statistics()  # There is a graph to decide about.
    with store.writer() as writer:
        number = writer.decide(decision)
        changes = writer.commit()
    return Outcome(number, decision, changes, store.unapplied().get(number))


def undo(store: Store, number: int) -> Outcome:
    """Take a decision back; those after it move up by one. Raises as `decide` does."""
    store.statistics()
    with store.writer() as writer:
        decision = writer.undo(number)
        changes = writer.commit()
    return Outcome(number, decision, changes)


def unapplied(store: Store) -> list[Problem]:
    """Return the decisions that do not apply to what a store holds now, or only in part."""
    reasons = store.unapplied()
    decisions = store.decisions.read() if reasons else ()
    return [
        Problem(
            str(store.decisions.path),
            None,
            f"decision {number}, {decisions[number - 1]}: {reason}",
        )
        for number, reason in reasons.items()
        if number <= len(decisions)
    ]
