"""Two works: the shortest way between them, and both side by side, as GraphQL fields."""

from typing import Annotated, cast

import strawberry

from stemma.graph.comparing import compare as compare_works
from stemma.graph.path import LONGEST_PATH, find_path
from stemma.graph.selection import Selection
from stemma.server.graphql.context import StemmaInfo
from stemma.server.graphql.fields import with_selection
from stemma.server.graphql.lineage import LineageEdge, edges_of
from stemma.server.graphql.objects import Shown, of_view, show_view
from stemma.server.views.comparison import ComparedWorkView, ComparisonOfWorks, SharedView

PATH = (
    "How two works are related: the shortest path over the lineage, in either direction, as "
    "edges in order from the first work; of several shortest paths, the one with the highest "
    "confidence. If the lineage does not connect them, comparisons are followed as well, as "
    "edges with the relation COMPARES_WITH. Empty if there is no path."
)
COMPARE = (
    "Two works side by side: what they share, what only one of them has, how they are related, "
    "and what their papers say about each other."
)
WorkArgument = Annotated[
    str, strawberry.argument(description="A paper or an entity: a name, in any spelling, or an id.")
]


@with_selection(("min_confidence", "include_catalogue"))
def path(
    info: StemmaInfo,
    from_: Annotated[
        str,
        strawberry.argument(
            name="from",
            description="The start: a name, in any spelling, or an id.",
        ),
    ],
    to: Annotated[
        str, strawberry.argument(description="The end: a name, in any spelling, or an id.")
    ],
    max_length: Annotated[
        int, strawberry.argument(description=f"Maximum number of steps, at most {LONGEST_PATH}.")
    ] = 6,
    *,
    selection: Selection,
    comparisons: Annotated[
        bool,
        strawberry.argument(
            description="Also follow comparisons, if the lineage does not connect them."
        ),
    ] = True,
) -> list[LineageEdge]:
    """Find the way."""
    reader = info.context.reader
    found = find_path(
        reader,
        reader.resolve(from_),
        reader.resolve(to),
        max_length=max_length,
        selection=selection,
        comparisons=comparisons,
    )
    return edges_of(info.context, found.edges, selection.edges)


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
