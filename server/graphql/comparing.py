"""Two works side by side, as a GraphQL field."""

from typing import cast

from stemma.graph.comparing import compare as compare_works
from stemma.server.graphql.context import StemmaInfo
from stemma.server.graphql.of_view import Shown, of_view, show_view
from stemma.server.graphql.path import WorkArgument
from stemma.server.views.comparison import ComparedWorkView, ComparisonOfWorks, SharedView

COMPARE = (
    "Two works side by side: what they share, what only one of them has, how they are related, "
    "and what their papers say about each other."
)


@of_view(ComparedWorkView, works={"papers": "Paper"})
class ComparedWork(Shown):
    """One of two works that are compared."""


@of_view(SharedView, works=dict.fromkeys(("shared", "left", "right"), "Entity"))
class SharedAndOwn(Shown):
    """Entities that both works name, and those of one alone."""


@of_view(ComparisonOfWorks, works={"compared_by": "Paper"})
class SideBySide(Shown):
    """Two works side by side."""


def compare(info: StemmaInfo, left: WorkArgument, right: WorkArgument) -> SideBySide:
    """Put two works side by side."""
    reader = info.context.reader
    found = compare_works(reader, reader.resolve(left), reader.resolve(right))
    view = ComparisonOfWorks.of(reader, found)
    info.context.learn(view.named.values())
    return cast(SideBySide, show_view(info.context, view))
