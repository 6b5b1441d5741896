"""What builds changed, and the size of the graph, as GraphQL types."""

from functools import partial
from typing import Annotated

import strawberry
from strawberry.utils.await_maybe import AwaitableOrValue

from stemma.graph.history import LATEST, MOST_LISTED, edges_added, since
from stemma.server.graphql.context import StemmaInfo, then
from stemma.server.graphql.lineage import LineageEdge, edges_of
from stemma.server.graphql.objects import FIRST, FirstArgument, Shown, count, of_view, show_view
from stemma.server.graphql.works import Entity, Paper, entities_shown, papers_shown
from stemma.server.views.build import (
    BuildView,
    RemovedView,
    StatisticsView,
)
from stemma.server.views.view import help_of

CHANGES = (
    f"What the latest builds changed, newest first. A graph remembers {LATEST} builds, and for "
    f"each at most {MOST_LISTED} papers, {MOST_LISTED} entities and {MOST_LISTED} edges; for the "
    "first build, where everything is new, only the counts."
)
SinceArgument = Annotated[
    str | None,
    strawberry.argument(
        name="since",
        description="Only builds since this date or time (ISO 8601), or after the build of this "
        "number.",
    ),
]


@of_view(RemovedView)
class RemovedWork(Shown):
    """A paper or an entity that is no longer in the graph."""


@of_view(BuildView)
class Build(Shown):
    """The changes of one build."""

    @strawberry.field(
        description="New papers that are still in the graph.",
        graphql_type=list[Paper],
        directives=[FIRST],
    )
    def papers(self, info: StemmaInfo, first: FirstArgument = 20) -> AwaitableOrValue[list[Paper]]:
        ids = [id_ for id_, _ in self.view.model.papers.added.some[: count(info, first)]]
        return then(self.context.works.get_all(ids), partial(papers_shown, self.context))

    @strawberry.field(
        description="New entities that are still in the graph.",
        graphql_type=list[Entity],
        directives=[FIRST],
    )
    def entities(
        self, info: StemmaInfo, first: FirstArgument = 20
    ) -> AwaitableOrValue[list[Entity]]:
        ids = [id_ for id_, _ in self.view.model.entities.added.some[: count(info, first)]]
        return then(self.context.works.get_all(ids), partial(entities_shown, self.context))

    @strawberry.field(
        description="New lineage edges that are still in the graph.", directives=[FIRST]
    )
    def edges(self, info: StemmaInfo, first: FirstArgument = 20) -> list[LineageEdge]:
        found = edges_added(self.context.reader, [self.view.model], count(info, first)).by_ends
        ordered = (found[ends] for ends in self.view.model.edges.added.some if ends in found)
        return edges_of(self.context, ordered)

    @strawberry.field(description=help_of(BuildView, "removed"), directives=[FIRST])
    def removed(self, info: StemmaInfo, first: FirstArgument = 20) -> list[RemovedWork]:
        gone = self.view.removed[: count(info, first)]
        return [show_view(self.context, each) for each in gone]


def changes(
    info: StemmaInfo, start: SinceArgument = None, first: FirstArgument = 20
) -> list[Build]:
    """Return what the latest builds changed."""
    builds = since(info.context.reader.builds(), start)[: count(info, first)]
    most = info.context.settings.page_size
    return [show_view(info.context, BuildView.of(each, most)) for each in builds]


@of_view(StatisticsView, sizes={"entities_by_kind": 5, "statements_by_relation": 8})
class Statistics(Shown):
    """The size of a graph."""
