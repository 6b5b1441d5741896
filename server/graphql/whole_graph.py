"""The graph as a whole, as GraphQL types: its analysis, what builds changed, its size."""

from typing import Any

import strawberry

from stemma.graph import Selection
from stemma.graph.analysis import Analysis as ModelAnalysis
from stemma.graph.history import LATEST, MOST_LISTED, edges_added
from stemma.server.graphql.context import Context, StemmaInfo
from stemma.server.graphql.lineage import LineageEdge, edges_of
from stemma.server.graphql.objects import (
    Level,
    Shown,
    field_of,
    of_view,
    selected_field,
    shown_works,
    some,
)
from stemma.server.graphql.works import Entity, Paper
from stemma.server.views.analysis import (
    MOST_YEARS,
    AnalysisView,
    CommunityView,
    InfluenceView,
    LineOfDescentView,
    YearOfResearchView,
)
from stemma.server.views.build import BuildView

ANALYSIS = "The lineage of the whole graph: influence, lines of descent, communities, years."
CHANGES = (
    f"What the latest builds changed, newest first. A graph remembers {LATEST} builds, and for "
    f"each at most {MOST_LISTED} papers, {MOST_LISTED} entities and {MOST_LISTED} edges; for the "
    "first build, where everything is new, only the counts."
)


@of_view(CommunityView)
class Community(Shown):
    """Works with more lineage edges between them than to others."""

    @field_of(CommunityView, "first")
    def works(self, info: StemmaInfo, selection: Selection) -> Any:
        def listed(context: Context, communities: list[Community]) -> list[list[Any]]:
            lists = [community.view.model.works[: selection.first] for community in communities]
            return shown_works(context, lists)

        return self.level.value(self, selection, listed)


@strawberry.type(description=ANALYSIS)
class Analysis:
    """The lineage of the whole graph."""

    model: strawberry.Private[ModelAnalysis]

    @field_of(AnalysisView, "kinds", "general", "since", "until", "first", first=10)
    def influential(self, info: StemmaInfo, selection: Selection) -> Any:
        influences = self.model.influential(selection)
        return Level(info.context).views(InfluenceView(model=influence) for influence in influences)

    @field_of(AnalysisView, "first", first=10)
    def lines_of_descent(self, info: StemmaInfo, selection: Selection) -> Any:
        descents = self.model.lines_of_descent(selection.first)
        return Level(info.context).views(LineOfDescentView(model=descent) for descent in descents)

    @field_of(AnalysisView, "first", first=10)
    def communities(self, info: StemmaInfo, selection: Selection) -> Any:
        found = self.model.communities(selection.first)
        named = info.context.works(id_ for community in found for id_ in community.named_by)
        return Level(info.context).views(
            CommunityView(model=community, named=named) for community in found
        )

    @field_of(AnalysisView, directives=[some(MOST_YEARS)])
    def years(self, info: StemmaInfo, selection: Selection) -> Any:
        researches = self.model.years()[-MOST_YEARS:]
        return Level(info.context).views(
            YearOfResearchView(model=research) for research in researches
        )


def _added_field(description: str, what: str, type_: Any) -> Any:
    """Make a field with the papers or the entities that builds added."""

    @selected_field(description, "first", graphql_type=type_)
    def added(self: Any, info: StemmaInfo, selection: Selection) -> Any:
        def listed(context: Context, builds: list[Build]) -> list[list[Any]]:
            new = [
                getattr(build.view.model, what).added.some[: selection.first] for build in builds
            ]
            return shown_works(context, [[id_ for id_, _ in some] for some in new])

        return self.level.value(self, (what, selection), listed)

    return added


@of_view(BuildView)
class Build(Shown):
    """The changes of one build."""

    papers = _added_field("New papers that are still in the graph.", "papers", list[Paper])
    entities = _added_field("New entities that are still in the graph.", "entities", list[Entity])

    @selected_field("New lineage edges that are still in the graph.", "first")
    def edges(self, info: StemmaInfo, selection: Selection) -> list[LineageEdge]:
        model = self.view.model
        found, _ = edges_added(info.context.reader, [model], selection.first)
        return edges_of(info.context, (found[e] for e in model.edges.added.some if e in found))

    @field_of(BuildView, "first")
    def removed(self, info: StemmaInfo, selection: Selection) -> Any:
        return Level(info.context).views(self.view.removed[: selection.first])
