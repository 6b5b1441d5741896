"""What builds changed, and the size of the graph, as GraphQL types."""

from typing import Annotated, Any

import strawberry

from stemma.graph.history import LATEST, MOST_LISTED, edges_added, since
from stemma.server.graphql.context import Context, StemmaInfo
from stemma.server.graphql.lineage import LineageEdge, edges_of
from stemma.server.graphql.objects import (
    FIRST,
    FirstArgument,
    Level,
    Shown,
    count,
    of_view,
    shown_works,
)
from stemma.server.graphql.works import Entity, Paper
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


def _added_field(description: str, what: str, type_: Any) -> Any:
    """Make a field with the papers or the entities that builds added."""

    def added(self: Any, info: StemmaInfo, first: FirstArgument = 20) -> Any:
        most = count(info, first)

        def listed(context: Context, builds: list[Build]) -> list[list[Any]]:
            new = [getattr(each.view.model, what).added.some[:most] for each in builds]
            return shown_works(context, [[id_ for id_, _ in some] for some in new])

        return self.level.value(self, (what, first), listed)

    return strawberry.field(added, description=description, graphql_type=type_, directives=[FIRST])


@of_view(BuildView)
class Build(Shown):
    """The changes of one build."""

    papers = _added_field("New papers that are still in the graph.", "papers", list[Paper])
    entities = _added_field("New entities that are still in the graph.", "entities", list[Entity])

    @strawberry.field(
        description="New lineage edges that are still in the graph.", directives=[FIRST]
    )
    def edges(self, info: StemmaInfo, first: FirstArgument = 20) -> list[LineageEdge]:
        found = edges_added(info.context.reader, [self.view.model], count(info, first)).by_ends
        ordered = (found[ends] for ends in self.view.model.edges.added.some if ends in found)
        return edges_of(info.context, ordered)

    @strawberry.field(description=help_of(BuildView, "removed"), directives=[FIRST])
    def removed(self, info: StemmaInfo, first: FirstArgument = 20) -> list[RemovedWork]:
        gone = self.view.removed[: count(info, first)]
        level = Level(info.context)
        return [level.show(each) for each in gone]


def changes(
    info: StemmaInfo, start: SinceArgument = None, first: FirstArgument = 20
) -> list[Build]:
    """Return what the latest builds changed."""
    builds = since(info.context.reader.builds(), start)[: count(info, first)]
    level, most = Level(info.context), info.context.settings.page_size
    return [level.show(BuildView.of(each, most)) for each in builds]


@of_view(StatisticsView, sizes={"entities_by_kind": 5, "statements_by_relation": 8})
class Statistics(Shown):
    """The size of a graph."""
