"""The analysis of a graph, as GraphQL types."""

from collections.abc import Iterable
from typing import Any

import strawberry

from stemma.graph import Selection
from stemma.graph.analysis import Analysis as ModelAnalysis
from stemma.graph.analysis import analyse as analysis_of
from stemma.server.graphql.context import Context, StemmaInfo
from stemma.server.graphql.objects import (
    FIRST,
    FirstArgument,
    Level,
    Shown,
    count,
    of_view,
    shown_works,
    some,
    with_selection,
)
from stemma.server.graphql.works import Work
from stemma.server.views.analysis import (
    MOST_YEARS,
    AnalysisView,
    CommunityView,
    InfluenceView,
    LineOfDescentView,
    YearView,
)
from stemma.server.views.view import View, help_of

ANALYSIS = "The lineage of the whole graph: influence, lines of descent, communities, years."


@of_view(InfluenceView)
class Influence(Shown):
    """The influence of a work."""


@of_view(LineOfDescentView)
class LineOfDescent(Shown):
    """A line of works, of which the later derive from the earlier."""


@of_view(CommunityView)
class Community(Shown):
    """Works with more lineage edges between them than to others."""

    @strawberry.field(description=help_of(CommunityView, "works"), directives=[FIRST])
    def works(self, info: StemmaInfo, first: FirstArgument = 20) -> list[Work]:
        most = count(info, first)

        def works(context: Context, communities: list[Community]) -> list[list[Work]]:
            return shown_works(context, [each.view.model.works[:most] for each in communities])

        found: list[Work] = self.level.value(self, most, works)
        return found


@of_view(YearView)
class YearOfResearch(Shown):
    """Figures of a year."""


@strawberry.type(description=ANALYSIS)
class Analysis:
    """The lineage of the whole graph."""

    model: strawberry.Private[ModelAnalysis]

    @strawberry.field(description=help_of(AnalysisView, "influential"), directives=[FIRST])
    @with_selection(("kinds", "general", "since", "until", "first"), first=10)
    def influential(self, info: StemmaInfo, selection: Selection) -> list[Influence]:
        number = count(info, selection.first)
        found = self.model.influential(number, selection.kinds, selection.years, selection.general)
        return _shown(info, (InfluenceView(model=each) for each in found))

    @strawberry.field(description=help_of(AnalysisView, "lines_of_descent"), directives=[FIRST])
    def lines_of_descent(self, info: StemmaInfo, first: FirstArgument = 10) -> list[LineOfDescent]:
        found = self.model.lines_of_descent(count(info, first))
        return _shown(info, (LineOfDescentView(model=each) for each in found))

    @strawberry.field(description=help_of(AnalysisView, "communities"), directives=[FIRST])
    def communities(self, info: StemmaInfo, first: FirstArgument = 10) -> list[Community]:
        found = self.model.communities(count(info, first))
        named = info.context.works(id_ for each in found for id_ in each.named_by)
        return _shown(info, (CommunityView(model=each, named=named) for each in found))

    @strawberry.field(description=help_of(AnalysisView, "years"), directives=[some(MOST_YEARS)])
    def years(self, info: StemmaInfo) -> list[YearOfResearch]:
        found = self.model.years()[-MOST_YEARS:]
        return _shown(info, (YearView(model=each) for each in found))


@with_selection(("include_catalogue",))
def analyse(info: StemmaInfo, selection: Selection) -> Analysis:
    """Analyse the lineage of the whole graph."""
    return Analysis(model=analysis_of(info.context.reader, selection.include_catalogue))


def _shown(info: StemmaInfo, views: Iterable[View]) -> list[Any]:
    level = Level(info.context)
    return [level.show(each) for each in views]
