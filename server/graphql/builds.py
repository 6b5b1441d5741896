"""What builds changed, as GraphQL types."""

from functools import partial
from itertools import chain
from typing import Annotated

import strawberry
from strawberry.utils.await_maybe import AwaitableOrValue

from stemma.graph.added_edges import edges_added
from stemma.graph.history import LATEST, MOST_LISTED, since
from stemma.graph.history import Build as ModelBuild
from stemma.server.graphql.context import Context, StemmaInfo, then
from stemma.server.graphql.lineage import LineageEdge, edges_of
from stemma.server.graphql.list_size import FIRST
from stemma.server.graphql.page import FirstArgument, count
from stemma.server.graphql.works import Entity, Paper, entities_shown, papers_shown

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


@strawberry.type(description="A paper or an entity that is no longer in the graph.")
class RemovedWork:
    """A work that a build removed."""

    id: strawberry.ID = strawberry.field(description="The id that it had.")
    name: str = strawberry.field(description="The name or title that it had.")


@strawberry.type(description="What one build changed.")
class Build:
    """What one build changed."""

    context: strawberry.Private[Context]
    model: strawberry.Private[ModelBuild]
    number: int = strawberry.field(description="The first build of a graph has the number 1.")
    started: str = strawberry.field(description="When the build started, in UTC (ISO 8601).")
    finished: str = strawberry.field(description="When the build finished, in UTC (ISO 8601).")
    generation: str = strawberry.field(description="The generation of the graph that it made.")
    papers_added: int = strawberry.field(description="The number of new papers.")
    papers_updated: int = strawberry.field(description="The number of papers that changed.")
    papers_removed: int = strawberry.field(description="The number of papers removed.")
    entities_added: int = strawberry.field(description="The number of new entities.")
    entities_removed: int = strawberry.field(description="The number of entities removed.")
    edges_added: int = strawberry.field(description="The number of new lineage edges.")
    edges_removed: int = strawberry.field(description="The number of lineage edges removed.")

    @classmethod
    def of(cls, context: Context, model: ModelBuild) -> "Build":
        return cls(
            context=context,
            model=model,
            number=model.number,
            started=model.started,
            finished=model.finished,
            generation=model.generation,
            papers_added=model.papers.added.count,
            papers_updated=model.updated,
            papers_removed=model.papers.removed.count,
            entities_added=model.entities.added.count,
            entities_removed=model.entities.removed.count,
            edges_added=model.edges.added.count,
            edges_removed=model.edges.removed.count,
        )

    @strawberry.field(
        description="New papers that are still in the graph.",
        graphql_type=list[Paper],
        directives=[FIRST],
    )
    def papers(self, info: StemmaInfo, first: FirstArgument = 20) -> AwaitableOrValue[list[Paper]]:
        ids = [id_ for id_, _ in self.model.papers.added.some[: count(info, first)]]
        return then(self.context.works.get_all(ids), partial(papers_shown, self.context))

    @strawberry.field(
        description="New entities that are still in the graph.",
        graphql_type=list[Entity],
        directives=[FIRST],
    )
    def entities(
        self, info: StemmaInfo, first: FirstArgument = 20
    ) -> AwaitableOrValue[list[Entity]]:
        ids = [id_ for id_, _ in self.model.entities.added.some[: count(info, first)]]
        return then(self.context.works.get_all(ids), partial(entities_shown, self.context))

    @strawberry.field(
        description="New lineage edges that are still in the graph.", directives=[FIRST]
    )
    def edges(self, info: StemmaInfo, first: FirstArgument = 20) -> list[LineageEdge]:
        found = edges_added(self.context.reader, [self.model], count(info, first)).by_ends
        ordered = (found[ends] for ends in self.model.edges.added.some if ends in found)
        return edges_of(self.context, ordered)

    @strawberry.field(description="Papers and entities that were removed.", directives=[FIRST])
    def removed(self, info: StemmaInfo, first: FirstArgument = 20) -> list[RemovedWork]:
        some = chain(self.model.papers.removed.some, self.model.entities.removed.some)
        return [
            RemovedWork(id=strawberry.ID(id_), name=name)
            for _, (id_, name) in zip(range(count(info, first)), some, strict=False)
        ]


def changes(
    info: StemmaInfo, start: SinceArgument = None, first: FirstArgument = 20
) -> list[Build]:
    """Return what the latest builds changed."""
    builds = since(info.context.reader.builds(), start)
    return [Build.of(info.context, each) for each in builds[: count(info, first)]]
