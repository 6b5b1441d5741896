"""Changes: what a commit did to a graph, and what differs from one of its earlier states."""

from collections.abc import Mapping
from dataclasses import dataclass, field

from stemma.schema import Paper


@dataclass(frozen=True, slots=True)
class Relinked:
    """A name of a paper that now means another entity than it did (ids)."""

    paper: str
    name: str
    before: str
    after: str


@dataclass(slots=True)
class Changes:
    """What a commit changed: ids of papers, and names of unchanged papers that were re-linked.

    `decided` are unchanged papers whose statements are judged otherwise now.
    """

    added: list[str] = field(default_factory=list)
    updated: list[str] = field(default_factory=list)
    removed: list[str] = field(default_factory=list)
    relinked: list[Relinked] = field(default_factory=list)
    decided: list[str] = field(default_factory=list)

    def __bool__(self) -> bool:
        return bool(self.added or self.updated or self.removed or self.relinked or self.decided)

    @property
    def linked_again(self) -> list[str]:
        """The unchanged papers (ids) whose names mean, or whose statements say, something else."""
        return sorted({*self.decided, *(each.paper for each in self.relinked)})


@dataclass(frozen=True, slots=True)
class ChangesSince:
    """What changed in a graph since a state of it.

    `now` names the present state. `changed` are the ids of works and people that are there and
    differ, None for all of them where that is not known; `gone` are those that were there once,
    with what took their place.
    """

    now: str
    changed: frozenset[str] | None = None
    gone: Mapping[str, str | None] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class StoredPaper:
    """A paper that a store holds, and the fingerprint of the extractor that read it."""

    paper: Paper
    extractor: str
