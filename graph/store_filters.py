"""The filters that stores apply to works.

`stemma.graph.selection` reads what users write, and makes these filters of it.
"""

from collections.abc import Iterator
from dataclasses import dataclass
from enum import StrEnum

from stemma.schema import EntityKind, Paper, RelationType, Statement
from stemma.schema.name import word_key


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
class Criterion:
    """A paper meets it by having one of `relations` (any, if none is given) to one of `entities`.

    These are ids; where ids of papers are among them, those papers meet it as well. With
    `include_narrower`, cases of the entities count too: `filter_of` replaces it by their ids.
    `excluded`: papers meet it that otherwise would not.
    """

    entities: tuple[str, ...]
    relations: tuple[RelationType, ...] = ()
    excluded: bool = False
    include_narrower: bool = False

    def is_met_by(self, statement: Statement) -> bool:
        """Return whether a paper meets it because of this statement."""
        return (
            not self.excluded
            and statement.entity in self.entities
            and statement.relation in (self.relations or RelationType)
        )


class ProvenanceRole(StrEnum):
    """The role of a name in the origin of a paper: an organization, or the publication."""

    ORGANIZATION = "organization"
    """It published the paper, or an author belongs to it."""
    VENUE = "venue"
    """The paper appeared there."""


def provenance_of(paper: Paper) -> Iterator[tuple[ProvenanceRole, str]]:
    """Yield the words of the organizations and of the venue of a paper, with their roles."""
    organizations = [paper.organization, *(each.affiliation for each in paper.authors)]
    for words in dict.fromkeys(word_key(each) for each in organizations if each):
        yield ProvenanceRole.ORGANIZATION, words
    if paper.venue:
        yield ProvenanceRole.VENUE, word_key(paper.venue)


@dataclass(frozen=True, slots=True)
class WorkFilter:
    """Which works a page holds; what is None or empty does not restrict.

    `text` is contained in the name or an alias, whatever the case. `kinds` restricts entities;
    `general` restricts them to general terms, or if it is False to named works; `broader` to those
    that have an entity (an id) as a broader one, directly or not.
    `relations` and `entity`: papers with such a statement on that entity (or on any); entities
    that are the object of such a statement. `year_from`, `year_to` (inclusive): published then
    (see `Reader.published`).

    Papers alone are restricted by the rest: to those that meet all `criteria`; of one of `authors`
    (ids); from an `organization` (that of the paper, or the affiliation of an author), and in a
    `venue`, whose names have all words of the one asked for, one after the other, as Microsoft
    Research has Microsoft; to those that cite one of `cites` (ids), and that one of `cited_by`
    cites.
    """

    text: str | None = None
    kinds: tuple[EntityKind, ...] = ()
    general: bool | None = None
    broader: str | None = None
    relations: tuple[RelationType, ...] = ()
    entity: str | None = None
    criteria: tuple[Criterion, ...] = ()
    year_from: int | None = None
    year_to: int | None = None
    authors: tuple[str, ...] = ()
    organization: str | None = None
    venue: str | None = None
    cites: tuple[str, ...] = ()
    cited_by: tuple[str, ...] = ()

    def __post_init__(self) -> None:
        Years(self.year_from, self.year_to)  # Raises where no year is in the range.

    @property
    def provenance(self) -> dict[ProvenanceRole, str]:
        """The words that are sought of the origin of papers, as stores have them."""
        asked = {
            ProvenanceRole.ORGANIZATION: self.organization,
            ProvenanceRole.VENUE: self.venue,
        }
        return {role: word_key(name) for role, name in asked.items() if name is not None}


ALL_WORKS = WorkFilter()
