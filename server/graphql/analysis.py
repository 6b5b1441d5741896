"""The analysis of a graph, as GraphQL types."""

from collections.abc import Iterable

import strawberry

from stemma.graph import Selection
from stemma.graph import Work as ModelWork
from stemma.graph.analysis import Analysis as ModelAnalysis
from stemma.graph.analysis import analyse as analysis_of
from stemma.server.graphql.context import StemmaInfo
from stemma.server.graphql.objects import (
    FIRST,
    FirstArgument,
    Shown,
    count,
    of_view,
    show_view,
    some,
    with_selection,
)
from stemma.server.graphql.works import Work, show
from stemma.server.views.analysis import (
    MOST_YEARS,
    AnalysisView,
    CommunityView,
    InfluenceView,
    LineOfDescentView,
    YearView,
)
from stemma.server.views.view import help_of

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
        shown = self.view.works[: count(info, first)]
        return [
            show(self.context, work)
            for work in self.context.works.fetch(each.id for each in shown)
            if work
        ]


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
        works = _named(info, (each.work for each in found))
        return [show_view(info.context, InfluenceView.of(each, works)) for each in found]

    @strawberry.field(description=help_of(AnalysisView, "lines_of_descent"), directives=[FIRST])
    def lines_of_descent(self, info: StemmaInfo, first: FirstArgument = 10) -> list[LineOfDescent]:
        found = self.model.lines_of_descent(count(info, first))
        works = _named(info, (id_ for line in found for step in line.steps for id_ in step))
        return [show_view(info.context, LineOfDescentView.of(each, works)) for each in found]

    @strawberry.field(description=help_of(AnalysisView, "communities"), directives=[FIRST])
    def communities(self, info: StemmaInfo, first: FirstArgument = 10) -> list[Community]:
        found = self.model.communities(count(info, first))
        most = info.context.settings.page_size if "works" in info.context.asked else 0
        works = _named(
            info, (id_ for each in found for id_ in (*each.named_by, *each.works[:most]))
        )
        return [show_view(info.context, CommunityView.of(each, works, most)) for each in found]

    @strawberry.field(description=help_of(AnalysisView, "years"), directives=[some(MOST_YEARS)])
    def years(self, info: StemmaInfo) -> list[YearOfResearch]:
        found = self.model.years()[-MOST_YEARS:]
        return [show_view(info.context, YearView.of(each, {})) for each in found]


@with_selection(("include_catalogue",))
def analyse(info: StemmaInfo, selection: Selection) -> Analysis:
    """Analyse the lineage of the whole graph."""
    return Analysis(model=analysis_of(info.context.reader, selection.include_catalogue))


def _named(info: StemmaInfo, ids: Iterable[str]) -> dict[str, ModelWork]:
    works = info.context.works.fetch(dict.fromkeys(ids))
    return {work.id: work for work in works if work}
