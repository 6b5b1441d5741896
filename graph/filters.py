"""Filters: which works a page holds, by what, by whom and from where, and which edges make a
lineage."""

from collections.abc import Callable, Collection, Iterable, Iterator, Mapping
from dataclasses import dataclass, fields
from enum import StrEnum
from typing import TYPE_CHECKING, Any, TypeVar

from stemma.schema import LINEAGE_RELATIONS, EntityKind, Paper, PartialDate, RelationType, Statement
from stemma.schema.name import word_key

if TYPE_CHECKING:
    from stemma.graph.lineage import Support


Published = Callable[[Collection[str]], Mapping[str, PartialDate]]


class FilterError(ValueError):
    """A filter that nothing can pass, whatever the graph holds; the message says why."""


@dataclass(frozen=True, slots=True)
class Years:
    """A range of years, both inclusive; None leaves an end open.

    Raises FilterError where no year is in it.
    """

    first: int | None = None
    last: int | None = None

    def __post_init__(self) -> None:
        if self.first is not None and self.last is not None and self.first > self.last:
            raise FilterError(f"the first year ({self.first}) is after the last ({self.last})")

    def __bool__(self) -> bool:
        return self.first is not None or self.last is not None

    def hold(self, year: int | None) -> bool:
        """Return whether a year is in the range; an unknown one is only in the unlimited range."""
        if year is None:
            return not self
        return (self.first or year) <= year <= (self.last or year)


ALL_YEARS = Years()


@dataclass(frozen=True, slots=True)
class StatementFilter:
    """Papers that state one of `relations` (any, if none is given) of one of `entities` (ids).

    Where the ids of papers are among `entities`, those papers are meant as well. `excluded`: all
    other papers.
    """

    entities: tuple[str, ...]
    relations: tuple[RelationType, ...] = ()
    excluded: bool = False

    def is_met_by(self, statement: Statement) -> bool:
        """Return whether a paper is meant because of this statement."""
        return (
            not self.excluded
            and statement.entity in self.entities
            and statement.relation in (self.relations or RelationType)
        )


class ProvenanceRole(StrEnum):
    """What an organization or publication has to do with a paper."""

    ORGANIZATION = "organization"
    """It published the paper, or an author belongs to it."""
    VENUE = "venue"
    """The paper appeared there."""


def provenance_of(paper: Paper) -> Iterator[tuple[ProvenanceRole, str]]:
    """Yield what a paper is found by: the words of its organizations and of its venue."""
    organizations = [paper.organization, *(each.affiliation for each in paper.authors)]
    for words in dict.fromkeys(word_key(each) for each in organizations if each):
        yield ProvenanceRole.ORGANIZATION, words
    if paper.venue:
        yield ProvenanceRole.VENUE, word_key(paper.venue)


@dataclass(frozen=True, slots=True)
class Provenance:
    """Papers by one of `authors` (ids), from an organization, in a venue, that cite or are cited.

    What is None or empty does not restrict. Of an organization (that of the paper, or the
    affiliation of an author) and of a venue the name has all words of the one asked for, one after
    the other, as Microsoft Research has Microsoft. `cites` are ids of papers of which they cite
    one, `cited_by` of papers of which one cites them.
    """

    authors: tuple[str, ...] = ()
    organization: str | None = None
    venue: str | None = None
    cites: tuple[str, ...] = ()
    cited_by: tuple[str, ...] = ()

    @property
    def words(self) -> dict[ProvenanceRole, str]:
        """The words that are sought, as stores have them."""
        asked = {
            ProvenanceRole.ORGANIZATION: self.organization,
            ProvenanceRole.VENUE: self.venue,
        }
        return {role: word_key(name) for role, name in asked.items() if name is not None}


@dataclass(frozen=True, slots=True)
class WorkFilter:
    """Which works a page holds; what is None or empty does not restrict.

    `text` is contained in the name or an alias, whatever the case. `kinds` restricts entities;
    `general` restricts them to general terms, or if it is False to named works; `broader` to those
    that have an entity (an id) as a broader one, directly or not.
    `relations` and `entity`: papers with such a statement on that entity (or on any); entities
    that are the object of such a statement. `stated` restricts papers to those of which all of it
    holds, and `provenance` to those of an author, an organization, a venue, or that cite or are
    cited. `year_from`, `year_to` (inclusive): published then (see `Reader.published`).
    """

    text: str | None = None
    kinds: tuple[EntityKind, ...] = ()
    general: bool | None = None
    broader: str | None = None
    relations: tuple[RelationType, ...] = ()
    entity: str | None = None
    stated: tuple[StatementFilter, ...] = ()
    year_from: int | None = None
    year_to: int | None = None
    provenance: Provenance = Provenance()

    def __post_init__(self) -> None:
        Years(self.year_from, self.year_to)  # Raises where no year is in the range.


EVERYTHING = WorkFilter()


class FilterField(StrEnum):
    """What leaves works out of a lineage: fields of `LineageFilter`; kinds and years choose what is
    shown."""

    RELATIONS = "RELATIONS"
    MIN_CONFIDENCE = "MIN_CONFIDENCE"
    INCLUDE_CATALOGUE = "INCLUDE_CATALOGUE"
    AS_OF = "AS_OF"
    KINDS = "KINDS"
    YEARS = "YEARS"

    @property
    def filters(self) -> tuple[str, ...]:
        """The names of its filters: see `stemma.graph.selection`."""
        return ("since", "until") if self is FilterField.YEARS else (self.value.lower(),)


@dataclass(frozen=True, slots=True)
class LineageFilter:
    """Which statements make the edges of a lineage; by default, all of them.

    Only those with one of `relations` (of both, if none is given), with a confidence of at least
    `min_confidence`, and, without `include_catalogue`, only those of papers. With `as_of`, only
    those of papers that are dated, and were not published certainly after it; facts of the
    catalogue are as old as the work that derives. Raises FilterError where no edge of any lineage
    can pass.
    """

    relations: tuple[RelationType, ...] = ()
    min_confidence: float = 0.0
    include_catalogue: bool = True
    as_of: PartialDate | None = None

    def __post_init__(self) -> None:
        if self.as_of and self.as_of.year is None:
            raise FilterError(f"the as-of date must include a year: {self.as_of}")
        if others := [each for each in self.relations if each not in LINEAGE_RELATIONS]:
            expected = " or ".join(LINEAGE_RELATIONS)
            raise FilterError(f"not a lineage relation: {others[0]} (expected {expected})")
        if not 0 <= self.min_confidence <= 1:
            raise FilterError(
                f"the confidence must be between 0 and 1, not {self.min_confidence:g}"
            )

    @property
    def active(self) -> tuple[FilterField, ...]:
        """The fields that leave anything out."""
        return tuple(FilterField[name.upper()] for name in self.given)

    @property
    def given(self) -> dict[str, Any]:
        """The values that leave anything out, by their names."""
        values = {each.name: getattr(self, each.name) for each in fields(self)}
        return {name: value for name, value in values.items() if value != _DEFAULTS[name]}

    def passing(self, edge: Iterable["Support"], published: Published) -> list["Support"]:
        """Return what passes of the support of an edge; the edge itself passes where any does.

        `published` returns when works (ids) were published, as far as that is known.
        """
        relations = self.relations or LINEAGE_RELATIONS
        passing = [
            each
            for each in edge
            if each.confidence >= self.min_confidence
            and each.relation in relations
            and (self.include_catalogue or not each.from_catalogue)
        ]
        if self.as_of is None:
            return passing
        dates = published({each.subject for each in passing})
        return [
            each
            for each in passing
            if each.subject in dates and not dates[each.subject].is_after(self.as_of)
        ]


_DEFAULTS = {each.name: each.default for each in fields(LineageFilter)}
WHOLE_LINEAGE = LineageFilter()


Chosen = TypeVar("Chosen")


def fields_to_blame(
    filter: Chosen, active: Collection[FilterField], passes: Callable[[Chosen], bool]
) -> tuple[FilterField, ...]:
    """Return which fields leave nothing: those without which something passes, else all of them.

    `passes` says whether something passes a filter that has some of the `active` fields of
    `filter` alone. None is to blame where something passes all of them, or where there is nothing
    even without them.
    """

    def passes_with(kept: Collection[FilterField]) -> bool:
        values = {name: getattr(filter, name) for each in kept for name in each.filters}
        return passes(type(filter)(**values))

    if not active or passes_with(active) or not passes_with(()):
        return ()
    needed = [each for each in active if passes_with([other for other in active if other != each])]
    return tuple(needed or active)
