"""What the front page shows of a store: its size, the works most built upon, papers by year."""

from dataclasses import dataclass

from markupsafe import Markup

from stemma.graph import (
    PageOrder,
    Reader,
    Statistics,
    Work,
    WorkFilter,
    WorkType,
)
from stemma.graph.added_edges import AddedEdges, edges_added
from stemma.graph.history import Build
from stemma.graph.selection import Selection
from stemma.schema import EntityKind
from stemma.server.asking.suggestion import suggestions
from stemma.server.web.chart import bar_chart
from stemma.server.web.explorer.papers_page import PapersRequest
from stemma.server.web.explorer.tree_page import SmallTree, small_tree
from stemma.server.web.pages import is_served

_WORKS = 12
_PAPERS = 8
_YEARS = 15
MOST_CHANGES = 5
_RELATIVES = 6
_LARGEST_FAMILY = 1000
"""A work with more children than that is not drawn: gathering them takes too long."""


@dataclass(frozen=True, slots=True)
class BuiltUpon:
    """A named work, and how many others derive from it directly."""

    work: Work
    children: int


@dataclass(frozen=True, slots=True)
class FrontPage:
    """The store in brief.

    `tree` is of the first of `built_upon` whose family is not too large. `years` has the number of
    papers of each of the latest years, `earlier` that of all before. `latest` is the last build,
    if it changed a graph that there was, and `edges` what it added.
    """

    statistics: Statistics
    built_upon: tuple[BuiltUpon, ...]
    tree: SmallTree | None
    newest: tuple[Work, ...]
    years: dict[int, int]
    earlier: int
    undated: int
    questions: tuple[str, ...]
    latest: Build | None
    edges: AddedEdges

    @property
    def kinds(self) -> list[tuple[str, str]]:
        """A question for the entities of each kind that there are, and how many these are."""
        return [
            (f"list all {plural}", f"{number:,} {plural if number > 1 else kind}")
            for kind, number in self.statistics.by_kind.items()
            for plural in [kind if kind is EntityKind.HARDWARE else f"{kind}s"]
            if number
        ]

    @property
    def chart(self) -> Markup:
        """The papers by year; a bar leads to those of its year."""
        served = is_served()
        hrefs = {
            y: PapersRequest(Selection(since=y, until=y)).address() for y in self.years if served
        }
        return Markup(bar_chart("Papers per year", self.years, hrefs))


def front_page(reader: Reader) -> FrontPage:
    """Gather what the front page shows."""
    statistics = reader.statistics()
    dated = WorkFilter(year_from=1)
    newest = reader.page(WorkType.PAPER, dated, PageOrder.PUBLISHED, first=_PAPERS, backward=True)
    by_year = reader.papers_by_year()
    undated = by_year.pop(None, 0)
    last = max((year for year in by_year if year is not None), default=0)
    shown = {year: papers for year, papers in by_year.items() if year and year > last - _YEARS}
    latest = reader.builds()[-1:]
    latest = [each for each in latest if not each.initial]
    built_upon = _most_built_upon(reader)
    drawable = [each.work.id for each in built_upon if each.children <= _LARGEST_FAMILY]
    return FrontPage(
        statistics,
        tuple(built_upon),
        small_tree(reader, drawable[0], _RELATIVES) if drawable else None,
        tuple(reversed(newest.works)),
        shown,
        sum(by_year.values()) - sum(shown.values()),
        undated,
        tuple(suggestions(reader)),
        latest[0] if latest else None,
        edges_added(reader, latest, MOST_CHANGES),
    )


def _most_built_upon(reader: Reader) -> list[BuiltUpon]:
    """Return the named works that most others derive from; general terms are not works."""
    children = reader.most_derived(_WORKS)
    works = reader.works(list(children))
    return [BuiltUpon(works[each], count) for each, count in children.items()]
