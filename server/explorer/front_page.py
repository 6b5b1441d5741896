"""What the front page shows of a store: its size, the works most built upon, papers by year."""

from collections.abc import Iterator
from dataclasses import dataclass

from stemma.graph import (
    LineageDirection,
    PageOrder,
    Reader,
    Statistics,
    Work,
    WorkFilter,
    WorkType,
)
from stemma.graph.analysis import papers_by_year
from stemma.server.asking.suggestion import suggestions

_WORKS = 12
_PAPERS = 8
_YEARS = 12
_BATCH = 1000


@dataclass(frozen=True, slots=True)
class BuiltUpon:
    """A named work, and how many others derive from it directly."""

    work: Work
    children: int


@dataclass(frozen=True, slots=True)
class Year:
    """How many papers appeared in a year, and what part that is of the busiest one shown."""

    year: int
    papers: int
    share: float


@dataclass(frozen=True, slots=True)
class FrontPage:
    """The store in brief. `earlier` counts the papers before the first of `years`."""

    statistics: Statistics
    built_upon: tuple[BuiltUpon, ...]
    newest: tuple[Work, ...]
    years: tuple[Year, ...]
    earlier: int
    undated: int
    questions: tuple[str, ...]


def front_page(reader: Reader) -> FrontPage:
    """Gather what the front page shows."""
    statistics = reader.statistics()
    dated = WorkFilter(year_from=1)
    newest = reader.page(WorkType.PAPER, dated, PageOrder.PUBLISHED, first=_PAPERS, backward=True)
    by_year = list(papers_by_year(reader))
    shown = by_year[-_YEARS:]
    most = max((papers for _, papers in shown), default=1)
    return FrontPage(
        statistics,
        tuple(_most_built_upon(reader)),
        tuple(reversed(newest.works)),
        tuple(Year(year, papers, papers / most) for year, papers in shown),
        sum(papers for _, papers in by_year[:-_YEARS]),
        statistics.papers - newest.total,
        tuple(suggestions(reader)),
    )


def _most_built_upon(reader: Reader) -> list[BuiltUpon]:
    """Return the named works that most others derive from; general terms are not works."""
    children = {
        work: len(found)
        for ids in _named_works(reader)
        for work, found in reader.neighbours(ids, LineageDirection.DESCENDANTS).items()
        if found
    }
    first = sorted(children, key=lambda work: (-children[work], work))[:_WORKS]
    works = reader.works(first)
    return [BuiltUpon(works[each], children[each]) for each in first if each in works]


def _named_works(reader: Reader) -> Iterator[list[str]]:
    """Yield the ids of all named works, some at a time."""
    chosen = WorkFilter(general=False)
    after = None
    while True:
        page = reader.page(WorkType.ENTITY, chosen, after=after, first=_BATCH)
        yield [work.id for work in page.works]
        if not page.has_next:
            return
        after = page.works[-1].id
