"""Timelines as a GraphQL field."""

from typing import Annotated

import strawberry

from stemma.graph import FilterField, LineageDirection, LineageFilter
from stemma.graph.criteria import Years
from stemma.graph.filters import date_asked
from stemma.graph.timeline import MOST_WORKS, draw_timeline
from stemma.graph.timeline import Timeline as ModelTimeline
from stemma.server.graphql.arguments import (
    AsOfArgument,
    DepthArgument,
    DirectionArgument,
    IncludeCatalogueArgument,
    KindsArgument,
    LineageRelationsArgument,
    MinConfidenceArgument,
    NameArgument,
    YearFromArgument,
    YearToArgument,
    check_depth,
)
from stemma.server.graphql.context import Context, StemmaInfo
from stemma.server.graphql.lineage import LineageEdge, LineageNode, edges_of
from stemma.server.graphql.list_size import ListSize, some
from stemma.server.graphql.page import count

SIZE = ListSize(slicing_arguments=["first"], sized_fields=["years", "edges"])
"""As many works as are asked for, in as many years at most."""
TIMELINE = "What builds on a work (DESCENDANTS), or what it builds on (ANCESTORS), by year."


@strawberry.type(description="The works of a year.")
class TimelineYear:
    """The works of a year."""

    year: int | None = strawberry.field(
        description="Null for works without a known year, which come last."
    )
    nodes: list[LineageNode] = strawberry.field(description="By date and id.", directives=[some(1)])


@strawberry.type(description="A lineage by year.")
class Timeline:
    """A lineage by year."""

    root: LineageNode = strawberry.field(
        description="The requested work, at depth 0; it is not part of `years`."
    )
    years: list[TimelineYear] = strawberry.field(description="The oldest first.")
    edges: list[LineageEdge] = strawberry.field(
        description="The edges between the root and the works of all years."
    )
    truncated: bool = strawberry.field(description="Whether there are more works.")
    emptied_by: list[FilterField] = strawberry.field(
        description="If no work is found: the filters that excluded the existing ones."
    )

    @classmethod
    def of(cls, context: Context, model: ModelTimeline, filter: LineageFilter) -> "Timeline":
        context.learn(node.work for node in (model.root, *model.nodes))
        return cls(
            root=LineageNode.of(context, model.root),
            years=[
                TimelineYear(
                    year=year.year, nodes=[LineageNode.of(context, node) for node in year.nodes]
                )
                for year in model.years
            ],
            edges=edges_of(context, model.edges, filter),
            truncated=model.truncated,
            emptied_by=list(model.emptied_by),
        )


def timeline(
    info: StemmaInfo,
    of: NameArgument,
    direction: DirectionArgument = LineageDirection.DESCENDANTS,
    max_depth: DepthArgument = 3,
    relations: LineageRelationsArgument = None,
    min_confidence: MinConfidenceArgument = 0.0,
    include_catalogue: IncludeCatalogueArgument = True,
    kinds: KindsArgument = None,
    year_from: YearFromArgument = None,
    year_to: YearToArgument = None,
    as_of: AsOfArgument = None,
    first: Annotated[
        int, strawberry.argument(description=f"Maximum number of works, at most {MOST_WORKS}.")
    ] = 100,
    newest_first: Annotated[
        bool,
        strawberry.argument(
            description="Start with the newest works, where there are more than `first`."
        ),
    ] = False,
) -> Timeline:
    """Put a lineage into its years."""
    check_depth(max_depth)
    reader = info.context.reader
    chosen = LineageFilter(
        tuple(relations or ()), min_confidence, include_catalogue, date_asked(as_of)
    )
    found = draw_timeline(
        reader,
        reader.resolve(of),
        direction,
        max_depth=max_depth,
        filter=chosen,
        kinds=tuple(kinds or ()),
        years=Years(year_from, year_to),
        first=count(info, first, MOST_WORKS),
        newest_first=newest_first,
    )
    return Timeline.of(info.context, found, chosen)
