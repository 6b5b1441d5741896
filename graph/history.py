"""Changes and history: what commits do to a graph, and what each build added and removed.

A build is what one writer does, in any number of commits. A graph keeps a record of the latest
builds; the first one, with which everything is new, has only counts.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, field
from datetime import UTC, datetime
from typing import TYPE_CHECKING

import msgspec

from stemma.graph.selection import LineageDirection

if TYPE_CHECKING:
    from stemma.graph.edge import LineageEdge
    from stemma.graph.reader import Reader, Work
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
    differ, None for all of them where that is not known; `gone` are those that are not there.
    """

    now: str
    changed: frozenset[str] | None = None
    gone: frozenset[str] = frozenset()


@dataclass(frozen=True, slots=True)
class StoredPaper:
    """A paper that a store holds, and the fingerprint of the extractor that read it."""

    paper: Paper
    extractor: str


LATEST = 30
"""The number of builds that a graph remembers."""
MOST_LISTED = 500
"""The number of papers, entities or edges that a record lists, of those added and of those
removed."""


@dataclass(frozen=True, slots=True)
class Sample:
    """A number of things that were added or removed, and up to MOST_LISTED of them.

    Papers and entities are listed by id and name, edges by the ids of child and parent.
    """

    count: int = 0
    some: tuple[tuple[str, str], ...] = ()


@dataclass(frozen=True, slots=True)
class Difference:
    """What is there after a build and was not before, and the reverse."""

    added: Sample = Sample()
    removed: Sample = Sample()

    def __bool__(self) -> bool:
        return bool(self.added.count or self.removed.count)


@dataclass(frozen=True, slots=True)
class Build:
    """What one build changed.

    `number` counts the builds of a graph from 1, `started` and `finished` are in UTC, with seconds
    (ISO 8601), and `generation` is the one that the last commit made. `updated` is the number of
    papers that were read again with another result, or whose record changed. An `initial`
    build, which began with an empty graph, lists nothing.
    """

    number: int
    started: str
    finished: str
    generation: str
    initial: bool = False
    papers: Difference = Difference()
    entities: Difference = Difference()
    edges: Difference = Difference()
    updated: int = 0

    def __bool__(self) -> bool:
        return bool(self.papers or self.entities or self.edges or self.updated)


def dump(builds: Iterable[Build]) -> str:
    """Write records, one per line."""
    return "".join(f"{msgspec.json.encode(build).decode()}\n" for build in builds)


def load(text: str) -> list[Build]:
    """Read what `dump` wrote. Raises ValueError where it did not write this."""
    lines = text.split("\n")[:-1]  # Titles may have other separators of lines.
    return [msgspec.json.decode(line, type=Build) for line in lines]


def since(builds: Iterable[Build], start: str | None) -> list[Build]:
    """Return the builds that finished at `start` or later, the latest first.

    `start` is a date or time (ISO 8601), a year, or the number of a build, which is left out
    itself. None is the beginning. Raises ValueError where it is neither.
    """
    latest_first = sorted(builds, key=lambda build: -build.number)
    if start is None:
        return latest_first
    newest = latest_first[0].number if latest_first else 0
    is_year = start.isdecimal() and len(start) == 4 and int(start) > newest
    if start.isdecimal() and len(start) < 8 and not is_year:
        return [build for build in latest_first if build.number > int(start)]
    try:
        moment = datetime.fromisoformat(f"{start}-01-01" if is_year else start)
    except ValueError:
        raise ValueError(
            f"{start!r} is neither a date (2026-11-23) nor the number of a build"
        ) from None
    moment = moment.replace(tzinfo=UTC) if moment.tzinfo is None else moment.astimezone(UTC)
    return [build for build in latest_first if datetime.fromisoformat(build.finished) >= moment]


def edges_added(
    reader: Reader, builds: Iterable[Build], most: int
) -> tuple[dict[tuple[str, str], LineageEdge], dict[str, Work]]:
    """Return the first edges of lineage, at most `most` of each build, that builds added and that
    are still there, by child and parent; and the works that they and their statements are about."""
    ends = {each for build in builds for each in build.edges.added.some[:most]}
    found = reader.lineage_edges(sorted({child for child, _ in ends}), LineageDirection.ANCESTORS)
    by_ends = {
        (edge.child, edge.parent): edge
        for edges in found.values()
        for edge in edges
        if (edge.child, edge.parent) in ends
    }
    named = {end for each in ends for end in each}
    named.update(statement.subject for edge in by_ends.values() for statement in edge.statements)
    return by_ends, reader.works(sorted(named))
