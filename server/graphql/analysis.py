"""The analysis of the whole graph as a GraphQL field."""

from collections.abc import Iterable

import strawberry
from strawberry.utils.await_maybe import AwaitableOrValue

from stemma.graph.analysis import Analysis as ModelAnalysis
from stemma.graph.analysis import Community as ModelCommunity
from stemma.graph.analysis import Influence as ModelInfluence
from stemma.graph.analysis import LineOfDescent as ModelLine
from stemma.graph.analysis import YearOfResearch as ModelYear
from stemma.graph.analysis import analyse as analysis_of
from stemma.graph.selection import Selection
from stemma.server.graphql.arguments import with_selection
from stemma.server.graphql.context import StemmaInfo
from stemma.server.graphql.list_size import FIRST, some
from stemma.server.graphql.page import FirstArgument, count
from stemma.server.graphql.works import Work, show, shown

ANALYSIS = "The lineage of the whole graph: influence, lines of descent, communities, years."
MOST_YEARS = 100


def _works(info: StemmaInfo, ids: Iterable[str]) -> list[Work]:
    return [show(info.context, work) for work in info.context.works.fetch(ids) if work]


@strawberry.type(description="The influence of a work.")
class Influence:
    """The influence of a work."""

    model: strawberry.Private[ModelInfluence]

    @strawberry.field(graphql_type=Work, description="The work.")
    def work(self, info: StemmaInfo) -> AwaitableOrValue[Work]:
        return shown(info.context, self.model.work)

    @strawberry.field(
        description="Its PageRank over the lineage; the values of all works sum to 1."
    )
    def share(self) -> float:
        return self.model.share

    @strawberry.field(description="The number of works that derive from it directly.")
    def children(self) -> int:
        return self.model.children

    @strawberry.field(description="The number of works that derive from it in any number of steps.")
    def descendants(self) -> int:
        return self.model.descendants


@strawberry.type(description="Works in which each derives from the previous one.")
class LineOfDescent:
    """Works in which each derives from the previous one."""

    model: strawberry.Private[ModelLine]

    @strawberry.field(
        description="Oldest first; several works in one place if they derive from each other."
    )
    def steps(self, info: StemmaInfo) -> list[list[Work]]:
        return [_works(info, step) for step in self.model.steps]


@strawberry.type(description="Works with more lineage edges between them than to others.")
class Community:
    """Works with more lineage edges between them than to others."""

    model: strawberry.Private[ModelCommunity]

    @strawberry.field(description="The names of its most influential works, as a label.")
    def name(self, info: StemmaInfo) -> str:
        return ", ".join(work.name for work in _works(info, self.model.named_by))

    @strawberry.field(description="The number of its works.")
    def size(self) -> int:
        return len(self.model.works)

    @strawberry.field(description="The most influential first.", directives=[FIRST])
    def works(self, info: StemmaInfo, first: FirstArgument = 20) -> list[Work]:
        return _works(info, self.model.works[: count(info, first)])


@strawberry.type(description="Figures of a year.")
class YearOfResearch:
    """Figures of a year."""

    model: strawberry.Private[ModelYear]

    @strawberry.field(description="The year.")
    def year(self) -> int:
        return self.model.year

    @strawberry.field(description="The number of papers.")
    def papers(self) -> int:
        return self.model.papers

    @strawberry.field(description="The number of entities that were first introduced.")
    def entities(self) -> int:
        return self.model.entities

    @strawberry.field(description="The number of edges from the year's works to earlier ones.")
    def edges(self) -> int:
        return self.model.edges

    @strawberry.field(description="The most influential new entities with descendants.")
    def new(self, info: StemmaInfo) -> list[Work]:
        return _works(info, self.model.new)

    @strawberry.field(description="The works that the year's works build and improve on most.")
    def built_on(self, info: StemmaInfo) -> list[Work]:
        return _works(info, self.model.built_on)


@strawberry.type(description=ANALYSIS)
class Analysis:
    """The lineage of the whole graph."""

    model: strawberry.Private[ModelAnalysis]

    @strawberry.field(
        description="The works that most of the others descend from; general terms come after "
        "named works.",
        directives=[FIRST],
    )
    @with_selection(("kinds", "general", "since", "until", "first"), first=10)
    def influential(self, info: StemmaInfo, selection: Selection) -> list[Influence]:
        number = count(info, selection.first)
        found = self.model.influential(number, selection.kinds, selection.years, selection.general)
        info.context.works.fetch(each.work for each in found)
        return [Influence(model=each) for each in found]

    @strawberry.field(description="The longest lines; no two share a work.", directives=[FIRST])
    def lines_of_descent(self, info: StemmaInfo, first: FirstArgument = 10) -> list[LineOfDescent]:
        number = count(info, first)
        found = self.model.lines_of_descent(number)
        info.context.works.fetch(id_ for line in found for step in line.steps for id_ in step)
        return [LineOfDescent(model=each) for each in found]

    @strawberry.field(
        description="The largest ones, by the Louvain method with a fixed seed.", directives=[FIRST]
    )
    def communities(self, info: StemmaInfo, first: FirstArgument = 10) -> list[Community]:
        number = count(info, first)
        found = self.model.communities(number)
        info.context.works.fetch(id_ for each in found for id_ in each.named_by)
        if "works" in info.context.asked:
            most = info.context.settings.page_size
            info.context.works.fetch(id_ for each in found for id_ in each.works[:most])
        return [Community(model=each) for each in found]

    @strawberry.field(
        description=f"At most the latest {MOST_YEARS}, in ascending order.",
        directives=[some(MOST_YEARS)],
    )
    def years(self) -> list[YearOfResearch]:
        found = self.model.years()
        return [YearOfResearch(model=each) for each in found[-MOST_YEARS:]]


@with_selection(("include_catalogue",))
def analyse(info: StemmaInfo, selection: Selection) -> Analysis:
    """Analyse the lineage of the whole graph."""
    return Analysis(model=analysis_of(info.context.reader, selection.include_catalogue))
