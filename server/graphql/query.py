"""The questions that GraphQL answers."""

import asyncio
from typing import Annotated

import strawberry

from stemma.graph import LineageDirection, PageOrder, WorkFilter, WorkType, trace
from stemma.graph import Statistics as ModelStatistics
from stemma.schema import Entity as ModelEntity
from stemma.schema import EntityKind, RelationType
from stemma.schema import Paper as ModelPaper
from stemma.schema.identifier import is_id
from stemma.server.graphql.context import StemmaInfo
from stemma.server.graphql.lineage import Lineage
from stemma.server.graphql.page import PageArguments, PageInfo
from stemma.server.graphql.works import (
    AfterArgument,
    Entity,
    EntityConnection,
    FirstArgument,
    Node,
    Paper,
    PaperConnection,
    RelationsArgument,
    Work,
    show,
)

DEEPEST_LINEAGE = 20
LARGEST_LINEAGE = 2000
LARGEST_SEARCH = 100


@strawberry.type(description="The size of the graph.")
class Statistics:
    """The size of the graph."""

    papers: int
    entities: int
    statements: int
    lineage_edges: int
    decisions: int = strawberry.field(description="What people decided about the graph.")
    generation: str = strawberry.field(description="Changes whenever the graph does.")

    @classmethod
    def of(cls, model: ModelStatistics) -> "Statistics":
        """Show `model`."""
        return cls(
            papers=model.papers,
            entities=model.entities,
            statements=model.statements,
            lineage_edges=model.lineage_edges,
            decisions=model.decisions,
            generation=model.generation,
        )


@strawberry.type
class Query:
    """The questions that GraphQL answers."""

    @strawberry.field(
        description="What builds on a work (DESCENDANTS), or what it builds on (ANCESTORS)."
    )
    async def lineage(
        self,
        info: StemmaInfo,
        of: Annotated[str, strawberry.argument(description="A name, in any spelling, or an id.")],
        direction: LineageDirection = LineageDirection.DESCENDANTS,
        max_depth: Annotated[
            int, strawberry.argument(description=f"How many steps, {DEEPEST_LINEAGE} at the most.")
        ] = 3,
        relations: Annotated[
            list[RelationType] | None,
            strawberry.argument(description="BUILDS_ON or IMPROVES_ON alone."),
        ] = None,
        min_confidence: Annotated[
            float, strawberry.argument(description="Leave out what is less sure, from 0 to 1.")
        ] = 0.0,
        include_catalogue: Annotated[
            bool, strawberry.argument(description="Whether to count what no paper here says.")
        ] = True,
        first: Annotated[
            int, strawberry.argument(description=f"How many works, {LARGEST_LINEAGE} at the most.")
        ] = 100,
        after: AfterArgument = None,
    ) -> Lineage:
        """Trace a lineage."""
        if not 1 <= max_depth <= DEEPEST_LINEAGE:
            raise ValueError(f"`maxDepth` is {max_depth}; it goes from 1 to {DEEPEST_LINEAGE}")
        count = PageArguments(first, after, LARGEST_LINEAGE).first
        reader = info.context.reader
        root = await asyncio.to_thread(reader.resolve, of)
        return Lineage.of(
            await asyncio.to_thread(
                trace,
                reader,
                root,
                direction,
                max_depth=max_depth,
                relations=tuple(relations or ()),
                min_confidence=min_confidence,
                include_catalogue=include_catalogue,
                first=count,
                after=after,
            )
        )

    @strawberry.field(description="The entity with this id or name.")
    async def entity(
        self, info: StemmaInfo, id: strawberry.ID | None = None, name: str | None = None
    ) -> Entity | None:
        """Find one entity."""
        work = await _work(info, _one_of(id=id, name=name))
        return Entity.of(work) if isinstance(work, ModelEntity) else None

    @strawberry.field(description="The paper with this id or title.")
    async def paper(
        self, info: StemmaInfo, id: strawberry.ID | None = None, title: str | None = None
    ) -> Paper | None:
        """Find one paper."""
        work = await _work(info, _one_of(id=id, title=title))
        return Paper.of(work) if isinstance(work, ModelPaper) else None

    @strawberry.field(description="The paper or entity with this id.")
    async def node(self, info: StemmaInfo, id: strawberry.ID) -> Node | None:
        """Find a work by its id."""
        if not is_id(id):
            raise ValueError(f"{id!r} is no id; ids begin with entity/ or paper/")
        return show(await _work(info, id))

    @strawberry.field(description="Works whose names or titles match a text, the best first.")
    async def search(
        self,
        info: StemmaInfo,
        text: str,
        kinds: Annotated[
            list[EntityKind] | None,
            strawberry.argument(description="Entities of these kinds alone."),
        ] = None,
        first: FirstArgument = 20,
    ) -> list[Work]:
        """Search works."""
        count = PageArguments(first, largest=LARGEST_SEARCH).first
        found = await asyncio.to_thread(info.context.reader.search, text, tuple(kinds or ()), count)
        return [show(work) for work in found]

    @strawberry.field(description="Entities, page by page.")
    async def entities(
        self,
        info: StemmaInfo,
        kind: EntityKind | None = None,
        relation: Annotated[
            RelationType | None,
            strawberry.argument(description="Entities that some paper has this relation to."),
        ] = None,
        text: Annotated[
            str | None, strawberry.argument(description="Contained in the name or an alias.")
        ] = None,
        order: PageOrder = PageOrder.NAME,
        first: FirstArgument = 20,
        after: AfterArgument = None,
    ) -> EntityConnection:
        """Page through entities."""
        page = await asyncio.to_thread(
            info.context.reader.page,
            WorkType.ENTITY,
            WorkFilter(
                text=text,
                kinds=(kind,) if kind else (),
                relations=(relation,) if relation else (),
            ),
            order,
            **PageArguments(first, after).as_keywords(),
        )
        return EntityConnection(
            nodes=[Entity.of(work) for work in page.works if isinstance(work, ModelEntity)],
            total_count=page.total,
            page_info=PageInfo.of(page),
        )

    @strawberry.field(description="Papers, page by page.")
    async def papers(
        self,
        info: StemmaInfo,
        entity: Annotated[
            str | None, strawberry.argument(description="Papers that name it: a name or an id.")
        ] = None,
        relations: RelationsArgument = None,
        year_from: int | None = None,
        year_to: int | None = None,
        text: Annotated[
            str | None, strawberry.argument(description="Contained in the title.")
        ] = None,
        order: PageOrder = PageOrder.PUBLISHED,
        first: FirstArgument = 20,
        after: AfterArgument = None,
    ) -> PaperConnection:
        """Page through papers."""
        reader = info.context.reader
        about = await asyncio.to_thread(reader.resolve, entity) if entity else None
        page = await asyncio.to_thread(
            reader.page,
            WorkType.PAPER,
            WorkFilter(
                text=text,
                relations=tuple(relations or ()),
                entity=about,
                year_from=year_from,
                year_to=year_to,
            ),
            order,
            **PageArguments(first, after).as_keywords(),
        )
        return PaperConnection(
            nodes=[Paper.of(work) for work in page.works if isinstance(work, ModelPaper)],
            total_count=page.total,
            page_info=PageInfo.of(page),
        )

    @strawberry.field(description="The size of the graph.")
    async def statistics(self, info: StemmaInfo) -> Statistics:
        """Count what the graph holds."""
        return Statistics.of(await asyncio.to_thread(info.context.reader.statistics))


async def _work(info: StemmaInfo, name: str) -> ModelPaper | ModelEntity | None:
    found = await asyncio.to_thread(info.context.reader.resolve, name)
    return await info.context.works.load(found)


def _one_of(**arguments: str | None) -> str:
    given = [value for value in arguments.values() if value]
    if len(given) != 1:
        raise ValueError(f"give one of {' or '.join(arguments)}")
    return given[0]
