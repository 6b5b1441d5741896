"""The graph as a whole, as GraphQL types: its analysis, and what builds changed."""

from typing import Any

from stemma.graph.history import LATEST, edges_added
from stemma.server.graphql.context import Context
from stemma.server.graphql.lineage import LineageEdge, edges_of
from stemma.server.graphql.objects import (
    LazyWork,
    Shown,
    level_field,
    of_view,
    shown_works,
    type_of,
)
from stemma.server.views.analysis import AnalysisView, CommunityView
from stemma.server.views.build import LISTED, BuildView

ANALYSIS = "The lineage of the whole graph: influence, lines of descent, communities, years."
CHANGES = (
    f"What the latest builds changed, newest first. A graph remembers {LATEST} builds, and for "
    f"each lists at most {LISTED} papers, entities and edges; for the first build, where "
    "everything is new, only the counts."
)


def _labels(context: Context, communities: list["Community"]) -> list[str]:
    works = context.works(
        work for community in communities for work in community.view.model.named_by
    )
    return [community.view.label(works) for community in communities]


def _members(context: Context, communities: list["Community"]) -> list[list[Any]]:
    views = (community.view for community in communities)
    return shown_works(context, [view.model.works[: view.first] for view in views])


@of_view(CommunityView)
class Community(Shown):
    """Works with more lineage edges between them than to others."""

    name = level_field("The names of its most influential works, as a label.", _labels, str)
    works = level_field("The most influential, in order.", _members, list[LazyWork], size=100)


def _edges_added(context: Context, builds: list["Build"]) -> list[list[LineageEdge]]:
    models = [build.view.model for build in builds]
    edges, _ = edges_added(context.reader, models, LISTED)
    return [
        edges_of(
            context, (edges[ends] for ends in model.edges.added.some[:LISTED] if ends in edges)
        )
        for model in models
    ]


@of_view(BuildView)
class Build(Shown):
    """The changes of one build."""

    edges = level_field(
        "The first of the new lineage edges that are still in the graph.",
        _edges_added,
        list[LineageEdge],
        size=LISTED,
    )


Analysis = type_of(AnalysisView)
