"""What the front page shows of a store: a family tree, what is new, and where to go on."""

from dataclasses import dataclass

from stemma.graph import Reader, Statistics, Work, WorkFilter
from stemma.graph.history import Build
from stemma.server.asking.suggestion import suggestions
from stemma.server.web.explorer.family_tree import descendants_of
from stemma.server.web.explorer.papers_page import newest_papers
from stemma.server.web.explorer.tree_page import SmallTree, small_tree
from stemma.server.web.paper_table import Row, table_of

_WORKS, _PAPERS, _EXAMPLES = 10, 8, 3
_LARGEST_FAMILY = 1000
"""A work with more children than that is not drawn: gathering them takes too long."""


@dataclass(frozen=True, slots=True)
class FrontPage:
    """The store in brief.

    `built_upon` has works with the numbers of works that build on them, directly and in all; `tree`
    is of the first whose family is not too large. `latest` is the last build, if it changed a graph
    that there was.
    """

    statistics: Statistics
    tree: SmallTree | None
    built_upon: list[tuple[Work, tuple[int, int]]]
    newest: list[Row]
    questions: tuple[str, ...]
    latest: Build | None


def front_page(reader: Reader) -> FrontPage:
    """Gather what the front page shows."""
    children = reader.most_derived(_WORKS)
    drawable = [each for each, count in children.items() if count <= _LARGEST_FAMILY]
    works = reader.works(list(children))
    latest = [each for each in reader.builds()[-1:] if not each.initial]
    return FrontPage(
        reader.statistics(),
        small_tree(reader, drawable[0]) if drawable else None,
        [(works[each], descendants_of(reader, each)) for each in drawable],
        table_of(reader, newest_papers(reader, WorkFilter(year_from=1), _PAPERS).works),
        suggestions(reader)[::3][:_EXAMPLES],
        latest[0] if latest else None,
    )
