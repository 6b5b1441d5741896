"""The graph as a whole, as GraphQL types: its analysis, and what builds changed."""

from stemma.graph.history import LATEST, edges_added
from stemma.server.graphql.context import Context
from stemma.server.graphql.lineage import LineageEdge, edges_of
from stemma.server.graphql.objects import Shown, level_field, of_view, type_of
from stemma.server.views.analysis import AnalysisView
from stemma.server.views.build import LISTED, BuildView

ANALYSIS = "The lineage of the whole graph: influence, lines of descent, communities, years."
CHANGES = (
    f"What the latest builds changed, newest first. A graph remembers {LATEST} builds, and for "
    f"each lists at most {LISTED} papers, entities and edges; for the first build, where "
    "everything is new, only the counts."
)


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
