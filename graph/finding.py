"""Findings: what a check of a store found, and what to do about it."""

from collections.abc import Iterator
from dataclasses import dataclass
from typing import TYPE_CHECKING

from stemma.schema import DecisionError

if TYPE_CHECKING:
    from stemma.graph.store import Store


@dataclass(frozen=True, slots=True)
class Finding:
    """What was found, and what to do. Where it is no `fault`, all that was stored is there."""

    what: str
    remedy: str
    fault: bool = True


def about_decisions(store: "Store") -> Iterator[Finding]:
    """Check what people decided about a store that can be read."""
    try:
        decisions = store.decisions.read()
    except DecisionError as error:
        yield Finding(str(error), "Until then nothing can be built or decided.")
        return
    if store.lacks_decisions():
        yield Finding(
            f"{store.decisions.path} has changed since the graph was written.",
            "The next `stemma build` applies it.",
            fault=False,
        )
        return
    for number, reason in store.unapplied().items():
        yield Finding(
            f"Decision {number}, {decisions[number - 1]}, is not applied, or only "
            f"partially applied: {reason}",
            f"Keep it for future papers, or undo it: `stemma decide undo {number}`.",
            fault=False,
        )
