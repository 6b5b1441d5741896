"""The shortest way between two works, as a GraphQL field."""

from typing import Annotated

import strawberry

from stemma.graph import LineageFilter
from stemma.graph.path import LONGEST_PATH, find_path
from stemma.server.graphql.arguments import IncludeCatalogueArgument, MinConfidenceArgument
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
    min_confidence: MinConfidenceArgument = 0.0,
    include_catalogue: IncludeCatalogueArgument = True,
    comparisons: Annotated[
        bool,
        strawberry.argument(
            description="Also follow comparisons, if the lineage does not connect them."
        ),
    ] = True,
) -> list[LineageEdge]:
    """Find the way."""
    reader = info.context.reader
    chosen = LineageFilter((), min_confidence, include_catalogue)
    found = find_path(
        reader,
        reader.resolve(from_),
        reader.resolve(to),
        max_length=max_length,
        filter=chosen,
        comparisons=comparisons,
    )
    return edges_of(info.context, found.edges, chosen)
