"""What the front page shows of a store: a family tree, what is new, and where to go on."""

from typing import Any

from stemma.graph import PageOrder, Reader, WorkFilter, WorkType
from stemma.server.asking.suggestion import suggestions
from stemma.server.web.explorer.family_tree import descendants_of
from stemma.server.web.explorer.tree_page import small_tree
from stemma.server.web.paper_table import table_of

_WORKS, _PAPERS, _EXAMPLES = 10, 8, 3
_LARGEST_FAMILY = 1000
"""A work with more children than that is not drawn: gathering them takes too long."""


def front_page(reader: Reader) -> dict[str, Any]:
    """Gather what the template of the front page shows: the store in brief.

    `built_upon` has works with the numbers of works that build on them, directly and in all; `tree`
    is of the first whose family is not too large. `latest` is the last build, if it changed a graph
    that there was.
    """
    children = reader.most_derived(_WORKS)
    drawable = [each for each, count in children.items() if count <= _LARGEST_FAMILY]
    works = reader.works(list(children))
    dated = WorkFilter(year_from=1)
    newest = reader.page(WorkType.PAPER, dated, PageOrder.NEWEST, first=_PAPERS).works
    latest = [each for each in reader.builds()[-1:] if not each.initial]
    return {
        "statistics": reader.statistics(),
        "tree": small_tree(reader, drawable[0]) if drawable else None,
        "built_upon": [(works[each], descendants_of(reader, each)) for each in drawable],
        "newest": table_of(reader, newest),
        "questions": suggestions(reader)[::3][:_EXAMPLES],
        "latest": latest[0] if latest else None,
    }
