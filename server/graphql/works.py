"""Papers, entities and what is said of them, as GraphQL types."""

import asyncio
from collections.abc import Iterable, Sequence
from typing import Annotated

import strawberry

from stemma.graph import PageOrder, WorkFilter, WorkType
from stemma.graph import Work as ModelWork
from stemma.schema import Entity as ModelEntity
from stemma.schema import EntityKind, PartialDate, RelationType
from stemma.schema import Evidence as ModelEvidence
from stemma.schema import Paper as ModelPaper
from stemma.schema import Statement as ModelStatement
from stemma.server.graphql.comparison import Comparison
from stemma.server.graphql.context import StemmaInfo
from stemma.server.graphql.page import PageArguments, PageInfo

FirstArgument = Annotated[int, strawberry.argument(description="How many, 100 at the most.")]
AfterArgument = Annotated[
    str | None, strawberry.argument(description="The cursor after which to go on.")
]
RelationsArgument = Annotated[
    list[RelationType] | None, strawberry.argument(description="These relations alone.")
]


@strawberry.interface(description="Anything with an id.")
class Node:
    """Anything with an id."""

    id: strawberry.ID = strawberry.field(
        description="Readable and typed: `entity/zero-infinity`, `paper/…`; the end of its IRI."
    )


@strawberry.interface(description="A paper or an entity.")
class Work(Node):
    """A paper or an entity."""

    name: str = strawberry.field(description="An entity's name, a paper's title.")


@strawberry.type(description="The exact sentence that states a relation.")
class Evidence:
    """The exact sentence that states a relation."""

    text: str = strawberry.field(description="The sentence as it stands in the paper.")
    field: str = strawberry.field(description="Where it stands: title or abstract.")
    start: int = strawberry.field(description="Its first character, counted from 0.")
    end: int = strawberry.field(description="The character after its last.")

    @classmethod
    def of(cls, model: ModelEvidence) -> "Evidence":
        """Show `model`."""
        return cls(text=model.text, field=model.field.value, start=model.start, end=model.end)


@strawberry.type(description="A work has a relation to an entity; unique by these three.")
class Statement:
    """A work has a relation to an entity."""

    model: strawberry.Private[ModelStatement]

    @strawberry.field(description="A paper; an entity where the catalogue says so.")
    async def subject(self, info: StemmaInfo) -> Work:
        """Return the work that the statement is about."""
        return show(await info.context.works.load(self.model.subject))

    @strawberry.field(description="The paper that says so; none where the catalogue does.")
    async def paper(self, info: StemmaInfo) -> "Paper | None":
        """Return the paper whose text the evidence is."""
        work = await info.context.works.load(self.model.subject)
        return Paper.of(work) if isinstance(work, ModelPaper) else None

    @strawberry.field(description="What the work has to do with the entity.")
    def relation(self) -> RelationType:
        """Return the relation."""
        return self.model.relation

    @strawberry.field(description="The entity that the statement leads to.")
    async def entity(self, info: StemmaInfo) -> "Entity":
        """Return the entity."""
        work = await info.context.works.load(self.model.entity)
        if not isinstance(work, ModelEntity):
            raise LookupError(f"{self.model.entity} is not in this graph")
        return Entity.of(work)

    @strawberry.field(description="How sure it is, from 0 to 1.")
    def confidence(self) -> float:
        """Return the confidence."""
        return self.model.confidence

    @strawberry.field(description="The sentences that state it, the strongest first.")
    def evidence(self) -> list[Evidence]:
        """Return the evidence."""
        return [Evidence.of(each) for each in self.model.evidence]

    @strawberry.field(description="How a COMPARES_WITH turned out, where the evidence says.")
    def comparison(self) -> Comparison | None:
        """Return the comparison."""
        return Comparison.of(self.model.comparison) if self.model.comparison else None

    @strawberry.field(description="The component and version that found it, or `catalogue`.")
    def origin(self) -> str:
        """Return the origin."""
        return self.model.origin

    @strawberry.field(description="Whether people confirmed it; its confidence is 1 then.")
    def confirmed(self) -> bool:
        """Tell whether people confirmed it."""
        return self.model.confirmed


@strawberry.type(description="Where a paper was read.")
class Source:
    """Where a paper was read."""

    file: str = strawberry.field(description="Relative to the folder that was read.")
    position: int = strawberry.field(description="The line at which the paper begins, from 1.")


@strawberry.type(description="A research paper: title, abstract, and what they say of entities.")
class Paper(Work):
    """A research paper."""

    model: strawberry.Private[ModelPaper]
    abstract: str = strawberry.field(description="The abstract as stored; offsets point into it.")
    published: PartialDate | None = strawberry.field(description="As far as it is known.")
    author_count: int | None = strawberry.field(description="How many authors it has.")
    organization: str | None = strawberry.field(description="Who published it, where that is said.")
    links: list[str] = strawberry.field(description="Web addresses that the abstract names.")
    sources: list[Source] = strawberry.field(description="The files it was read from.")

    @classmethod
    def of(cls, model: ModelPaper) -> "Paper":
        """Show `model`."""
        return cls(
            id=strawberry.ID(model.id),
            name=model.title,
            model=model,
            abstract=model.abstract,
            published=model.published,
            author_count=model.author_count,
            organization=model.organization,
            links=list(model.links),
            sources=[Source(file=each.file, position=each.position) for each in model.sources],
        )

    @strawberry.field(description="The same as `name`.")
    def title(self) -> str:
        """Return the title."""
        return self.model.title

    @strawberry.field(description="What the paper says of entities, the surest first.")
    async def statements(
        self,
        info: StemmaInfo,
        relations: RelationsArgument = None,
        kinds: Annotated[
            list[EntityKind] | None, strawberry.argument(description="On these kinds alone.")
        ] = None,
    ) -> list[Statement]:
        """Return the paper's statements."""
        found = await self._statements(info, relations or ())
        if kinds:
            entities = await info.context.works.load_many([each.entity for each in found])
            found = [
                statement
                for statement, entity in zip(found, entities, strict=True)
                if isinstance(entity, ModelEntity) and entity.kind in kinds
            ]
        return [Statement(model=each) for each in found]

    @strawberry.field(description="Its own named contributions.")
    async def introduces(self, info: StemmaInfo) -> list["Entity"]:
        """Return the entities that the paper introduces."""
        return await self._entities(info, relation=RelationType.INTRODUCES)

    @strawberry.field(description="What its results are compared with.")
    async def baselines(self, info: StemmaInfo) -> list["Entity"]:
        """Return the entities that the paper compares with."""
        return await self._entities(info, relation=RelationType.COMPARES_WITH)

    @strawberry.field(description="The hardware that it names.")
    async def hardware(self, info: StemmaInfo) -> list["Entity"]:
        """Return the paper's hardware."""
        return await self._entities(info, kind=EntityKind.HARDWARE)

    @strawberry.field(description="The software that it names.")
    async def frameworks(self, info: StemmaInfo) -> list["Entity"]:
        """Return the paper's frameworks."""
        return await self._entities(info, kind=EntityKind.FRAMEWORK)

    @strawberry.field(description="The methods that it names.")
    async def techniques(self, info: StemmaInfo) -> list["Entity"]:
        """Return the paper's techniques."""
        return await self._entities(info, kind=EntityKind.TECHNIQUE)

    @strawberry.field(description="The models that it names.")
    async def models(self, info: StemmaInfo) -> list["Entity"]:
        """Return the paper's models."""
        return await self._entities(info, kind=EntityKind.MODEL)

    @strawberry.field(description="The data and benchmarks that it names.")
    async def datasets(self, info: StemmaInfo) -> list["Entity"]:
        """Return the paper's datasets."""
        return await self._entities(info, kind=EntityKind.DATASET)

    async def _statements(
        self, info: StemmaInfo, relations: Iterable[RelationType]
    ) -> list[ModelStatement]:
        return await info.context.statements.load((self.model.id, tuple(relations)))

    async def _entities(
        self,
        info: StemmaInfo,
        relation: RelationType | None = None,
        kind: EntityKind | None = None,
    ) -> list["Entity"]:
        statements = await self._statements(info, (relation,) if relation else ())
        ids = list(dict.fromkeys(statement.entity for statement in statements))
        works = await info.context.works.load_many(ids)
        return [
            Entity.of(work)
            for work in works
            if isinstance(work, ModelEntity) and kind in (None, work.kind)
        ]


@strawberry.type(description="A page of papers.")
class PaperConnection:
    """A page of papers."""

    nodes: list[Paper] = strawberry.field(description="The papers, in order.")
    total_count: int = strawberry.field(description="How many there are on all pages.")
    page_info: PageInfo = strawberry.field(description="Whether and where it goes on.")


@strawberry.type(
    description="Hardware, a framework, a technique, a model or a dataset that papers name."
)
class Entity(Work):
    """A named thing that papers introduce, build on, use and compare with."""

    model: strawberry.Private[ModelEntity]
    kind: EntityKind = strawberry.field(description="What it is.")
    aliases: list[str] = strawberry.field(description="Its other names.")

    @classmethod
    def of(cls, model: ModelEntity) -> "Entity":
        """Show `model`."""
        return cls(
            id=strawberry.ID(model.id),
            name=model.name,
            model=model,
            kind=model.kind,
            aliases=list(model.aliases),
        )

    @strawberry.field(description="What it is a case of: A100 has Ampere and GPU above it.")
    async def broader(self, info: StemmaInfo) -> list["Entity"]:
        """Return the entities directly above."""
        return await _entities_with_ids(info, self.model.broader)

    @strawberry.field(description="The cases of it.")
    async def narrower(self, info: StemmaInfo) -> list["Entity"]:
        """Return the entities directly below."""
        return await _entities_with_ids(info, await info.context.narrower.load(self.model.id))

    @strawberry.field(description="The papers that introduce it.")
    async def introduced_by(self, info: StemmaInfo) -> list[Paper]:
        """Return the papers whose own contribution it is."""
        key = (self.model.id, (RelationType.INTRODUCES,))
        statements = await info.context.statements.load(key)
        works = await info.context.works.load_many([each.subject for each in statements])
        return [Paper.of(work) for work in works if isinstance(work, ModelPaper)]

    @strawberry.field(description="What papers and the catalogue say of it, the surest first.")
    async def statements(
        self, info: StemmaInfo, relations: RelationsArgument = None, first: FirstArgument = 20
    ) -> list[Statement]:
        """Return statements with this entity as subject or object."""
        count = PageArguments(first).first
        found = await info.context.statements.load((self.model.id, tuple(relations or ())))
        return [Statement(model=each) for each in found[:count]]

    @strawberry.field(description="The papers that name it, oldest first.")
    async def papers(
        self,
        info: StemmaInfo,
        relations: RelationsArgument = None,
        first: FirstArgument = 20,
        after: AfterArgument = None,
    ) -> PaperConnection:
        """Return a page of the papers with a statement on this entity."""
        page = await asyncio.to_thread(
            info.context.reader.page,
            WorkType.PAPER,
            WorkFilter(entity=self.model.id, relations=tuple(relations or ())),
            PageOrder.PUBLISHED,
            **PageArguments(first, after).as_keywords(),
        )
        return PaperConnection(
            nodes=[Paper.of(work) for work in page.works if isinstance(work, ModelPaper)],
            total_count=page.total,
            page_info=PageInfo.of(page),
        )


@strawberry.type(description="A page of entities.")
class EntityConnection:
    """A page of entities."""

    nodes: list[Entity] = strawberry.field(description="The entities, in order.")
    total_count: int = strawberry.field(description="How many there are on all pages.")
    page_info: PageInfo = strawberry.field(description="Whether and where it goes on.")


def show(work: ModelWork | None) -> Paper | Entity:
    """Return the GraphQL object for `work`. Raises LookupError where there is none."""
    if work is None:
        raise LookupError("the graph has no such work")
    return Paper.of(work) if isinstance(work, ModelPaper) else Entity.of(work)


async def _entities_with_ids(info: StemmaInfo, ids: Sequence[str]) -> list[Entity]:
    works = await info.context.works.load_many(ids)
    return [Entity.of(work) for work in works if isinstance(work, ModelEntity)]
