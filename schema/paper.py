"""Papers, and the files they were read from."""

from dataclasses import dataclass
from enum import StrEnum
from functools import reduce

from stemma.schema.partial_date import PartialDate

LONGEST_TEXT = 1_000_000
"""Characters. In RDF one may take twelve bytes, and Oxigraph reads 16 MiB at most."""


class Field(StrEnum):
    """The texts of a paper that statements quote."""

    TITLE = "title"
    ABSTRACT = "abstract"


@dataclass(frozen=True, slots=True, order=True)
class Source:
    """Where a paper was read, and the date that stood there.

    `file` is a path relative to the folder that was read, never an absolute one; `sha256` is that
    of the file's bytes; `position` is the line (from 1) at which the paper begins. `published` is
    as the source states it; `assumed_year` is the year that the page itself left out.
    """

    file: str
    sha256: str
    position: int
    published: str | None = None
    assumed_year: int | None = None

    @property
    def date(self) -> PartialDate | None:
        """The date that this source gives, in the assumed year where it states none."""
        if self.published is None:
            return None
        stated = PartialDate.parse(self.published)
        if stated.year is None and self.assumed_year is not None:
            return stated.in_year(self.assumed_year)
        return stated

    @property
    def trust(self) -> tuple[int, int]:
        """How much its date is worth: a stated year before an assumed one, then precision."""
        date = self.date
        if date is None or self.published is None:
            return (0, 0)
        precision = (date.month is not None) + (date.day is not None)
        if date.year is None:
            return (1, precision)
        return (2 if self.published.startswith("XXXX") else 3, precision)


@dataclass(frozen=True, slots=True)
class Paper:
    """A paper: its texts as stored, which all offsets point into, and what sources say of it."""

    id: str
    title: str
    abstract: str = ""
    author_count: int | None = None
    organization: str | None = None
    links: tuple[str, ...] = ()
    sources: tuple[Source, ...] = ()

    @property
    def name(self) -> str:
        """A paper's name is its title."""
        return self.title

    @property
    def published(self) -> PartialDate | None:
        """The date of the most trusted source; of equals, the earliest."""
        if len(self.sources) == 1:
            return self.sources[0].date
        dated = [(source.trust, date) for source in self.sources if (date := source.date)]
        if not dated:
            return None
        best = max(trust for trust, _ in dated)
        return min((date for trust, date in dated if trust == best), key=lambda each: each.sort_key)

    def text(self, field: Field) -> str:
        """Return the text of `field`."""
        return self.title if field is Field.TITLE else self.abstract


def expect_storable(paper: Paper) -> None:
    """Raise ValueError where a text is longer than stores can hold."""
    for text in (paper.title, paper.abstract, paper.organization or "", *paper.links):
        if len(text) > LONGEST_TEXT:
            raise ValueError(
                f"a text of {len(text):,} characters was skipped with its paper: the maximum is "
                f"{LONGEST_TEXT:,}"
            )


def merge(readings: list[Paper]) -> Paper:
    """Make one paper of several readings of it, the same one in whatever order they come.

    The longest abstract wins, as listings cut texts off; other facts come from all readings.
    """
    return reduce(_merge_two, readings)


def _merge_two(a: Paper, b: Paper) -> Paper:
    fuller = max(a, b, key=lambda each: (len(each.abstract), each.abstract, each.title))
    counts = [each.author_count for each in (a, b) if each.author_count is not None]
    organizations = [each.organization for each in (a, b) if each.organization]
    return Paper(
        id=a.id,
        title=fuller.title,
        abstract=fuller.abstract,
        author_count=max(counts, default=None),
        organization=min(organizations, default=None),
        links=tuple(sorted({*a.links, *b.links})),
        sources=tuple(sorted({*a.sources, *b.sources}, key=source_order)),
    )


def source_order(source: Source) -> tuple[str, str, int, str, int]:
    """Order sources, also where one gives a date and another none."""
    return (
        source.file,
        source.sha256,
        source.position,
        source.published or "",
        source.assumed_year or 0,
    )
