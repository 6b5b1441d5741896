"""The shortest way between two works, as a GraphQL field."""

from typing import Annotated

import strawberry

from stemma.graph.path import LONGEST_PATH, find_path
from stemma.graph.selection import Selection
from stemma.server.graphql.arguments import with_selection
from stemma.server.graphql.context import StemmaInfo
from stemma.server.graphql.lineage import LineageEdge, edges_of

PATH = (
    "How two works are related: the shortest path over the lineage, in either direction, as "
    "edges in order from the first work; of several shortest paths, the one with the highest "
    "confidence. If the lineage does not connect them, comparisons are followed as well, as "
    "edges with the relation COMPARES_WITH. Empty if there is no path."
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
