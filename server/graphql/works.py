"""Papers, entities and authors, as GraphQL types."""

from collections.abc import Callable, Sequence
from functools import partial
from typing import Annotated, Any, Self, cast

import strawberry
from strawberry.utils.await_maybe import AwaitableOrValue

from stemma.graph import LineageDirection, Page, StatementFilter
from stemma.graph import Work as ModelWork
from stemma.graph.criteria import MOST_SOURCES
from stemma.graph.linking.people import Person
from stemma.graph.store import page_bounds
from stemma.schema import Entity as ModelEntity
from stemma.schema import EntityKind, PartialDate, RelationType
from stemma.schema import Paper as ModelPaper
from stemma.schema import Statement as ModelStatement
from stemma.schema.paper import Author as ModelAuthor
from stemma.server.graphql.context import (
    MOST_NAMESAKES,
    Batch,
    Context,
    RelatedKey,
    StemmaInfo,
    then,
)
from stemma.server.graphql.lineage import (
    Statement,
    StatementConnection,
    lineage_field,
    statement_connection,
)
from stemma.server.graphql.objects import (
    PAGE,
    AfterArgument,
    AnyConnection,
    Connection,
    Edge,
    FirstArgument,
    LazyEntity,
    LazyPaper,
    LazyWork,
    Node,
    count,
    iri,
    of_view,
    own_field,
    some,
)
from stemma.server.views.bibliography import CitationFormat, bibliography
from stemma.server.views.page import cut_statements
from stemma.server.views.view import help_of
from stemma.server.views.work import WHEN_PUBLISHED, EntityView, PaperTextView

_LazyPaperConnection = Annotated["PaperConnection", strawberry.lazy("stemma.server.graphql.works")]
RelationsArgument = Annotated[
    list[RelationType] | None, strawberry.argument(description="Only these relations.")
]


@strawberry.interface(description="A paper or an entity.")
class Work(Node):
    """A paper or an entity."""

    model: strawberry.Private[ModelWork]

    @property
    def view(self) -> Self:
        """What has its plain fields: those of the view of a work are derived from the model."""
        return self

    @own_field(description="Readable and typed: `entity/zero-infinity`, `paper/…`.")
    def id(self) -> strawberry.ID:
        return strawberry.ID(self.model.id)

    @own_field(description="The name of an entity, or the title of a paper.")
    def name(self) -> str:
        return self.model.name

    iri = iri()

    @own_field(graphql_type=PartialDate | None, description=WHEN_PUBLISHED)
    def published(self) -> AwaitableOrValue[PartialDate | None]:
        return self.context.published.get(self.model.id)

    @own_field(
        graphql_type=list[LazyWork],
        description=f"Other works that one of its names may mean, at most {MOST_NAMESAKES}.",
        directives=(some(1),),
    )
    def namesakes(self) -> AwaitableOrValue[list["Work"]]:
        def show_all(ids: list[str]) -> list["Work"]:
            return [show(self.context, each) for each in self.context.works.fetch(ids)]

        return then(self.context.namesakes.get(self.model.id), show_all)

    descendants = lineage_field(
        "What builds on it, on that, and so on. A paper stands for what it introduces.",
        LineageDirection.DESCENDANTS,
    )
    ancestors = lineage_field(
        "What it builds on, what that builds on, and so on.", LineageDirection.ANCESTORS
    )


def _papers_field(description: str, batch: Callable[[Context], Batch[str, list[str]]]) -> Any:
    """Make a field with pages of the papers that a batch has for a paper or an author."""

    def papers(
        self: Any,
        info: StemmaInfo,
        first: FirstArgument = 20,
        after: AfterArgument = None,
    ) -> AwaitableOrValue["PaperConnection"]:
        number = count(info, first)
        return then(
            batch(self.context).get(self.model.id),
            partial(_page_of, self.context, number, after, ()),
        )

    return strawberry.field(
        papers, graphql_type=_LazyPaperConnection, description=description, directives=[PAGE]
    )


@strawberry.type(
    description="A person who wrote papers. Two authors with the same name count as one person "
    "only if they share an ORCID, a registry id or a co-author."
)
class Author(Node):
    """A person who wrote papers; from a paper, as that paper names them."""

    model: strawberry.Private[Person]
    name: str = strawberry.field(
        description="The full name, given names first; from a paper, as the paper writes it."
    )
    orcid: str | None = strawberry.field(
        description="Such as `0000-0002-1825-0097`; null if unknown."
    )
    affiliation: str | None = strawberry.field(
        description="From a paper, the affiliation that it names; else null."
    )

    @own_field(description="Such as `author/ada-quill`.")
    def id(self) -> strawberry.ID:
        return strawberry.ID(self.model.id)

    iri = iri()

    @classmethod
    def of(cls, context: Context, person: Person, named: ModelAuthor | None = None) -> "Author":
        return cls(
            name=named.name if named else person.name,
            orcid=person.orcid,
            affiliation=named.affiliation if named else None,
            context=context,
            model=person,
        )

    @own_field(description="The other spellings of the name in papers.")
    def other_names(self) -> list[str]:
        names = (self.model.name, *self.model.other_names)
        return [each for each in names if each != self.name]

    @own_field(description="The affiliations that papers name.")
    def affiliations(self) -> list[str]:
        return list(self.model.affiliations)

    @own_field(description="The ids at registries, such as `openalex:A123`.")
    def registry_ids(self) -> list[str]:
        return list(self.model.ids)

    papers = _papers_field(
        "The papers that they wrote, oldest first.", lambda context: context.written_by
    )


def _entities_field(
    description: str,
    size: int,
    relation: RelationType | None = None,
    kind: EntityKind | None = None,
) -> Any:
    """Make a field with the entities that a paper names, of a relation or a kind."""

    def named(self: "Paper") -> AwaitableOrValue[list["Entity"]]:
        def show_all(ids: list[str]) -> list["Entity"]:
            works = self.context.works.fetch(ids)
            return [
                entity
                for entity in entities_shown(self.context, works)
                if kind in (None, entity.model.kind)
            ]

        key = _key(self, [relation] if relation else None)
        return then(self.context.named.get(key), show_all)

    return own_field(description, (some(size),), list[LazyEntity])(named)


@of_view(PaperTextView, sizes={"references": 40, "sources": 1})
class Paper(Work):
    """A research paper."""

    model: strawberry.Private[ModelPaper]

    @own_field(description=help_of(PaperTextView, "published"))
    def published(self) -> PartialDate | None:
        return self.model.published

    @own_field(
        graphql_type=list[Author],
        description="The authors in their order, as far as they are known.",
        directives=(some(5),),
    )
    def authors(self) -> AwaitableOrValue[list[Author]]:
        if not self.model.authors:
            return []

        def find(ids: list[str]) -> AwaitableOrValue[list[Author]]:
            return then(self.context.people.get_all(ids), show_all)

        def show_all(people: list[Person | None]) -> list[Author]:
            return [
                Author.of(self.context, person, named)
                for person, named in zip(people, self.model.authors, strict=True)
                if person
            ]

        return then(self.context.authors.get(self.model.id), find)

    cites = _papers_field(
        "The papers of the graph in its list of references, oldest first. "
        "Citations are not lineage: see `lineage`.",
        lambda context: context.cites,
    )

    cited_by = _papers_field(
        "The papers of the graph that have it in their lists of references, oldest first.",
        lambda context: context.cited_by,
    )

    @strawberry.field(description="An entry for a bibliography, to cite the paper.")
    def citation(
        self,
        format: Annotated[
            CitationFormat, strawberry.argument(description="BibTeX or CSL-JSON.")
        ] = CitationFormat.BIBTEX,
    ) -> str:
        return bibliography([self.model], format)

    @own_field(description="The title.")
    def title(self) -> str:
        return self.model.title

    @strawberry.field(
        graphql_type=StatementConnection,
        description="Statements of the paper about entities, by confidence.",
        directives=[PAGE],
    )
    def statements(
        self,
        info: StemmaInfo,
        relations: RelationsArgument = None,
        kinds: Annotated[
            list[EntityKind] | None,
            strawberry.argument(description="Only about entities of these kinds."),
        ] = None,
        first: FirstArgument = 20,
        after: AfterArgument = None,
    ) -> AwaitableOrValue[StatementConnection]:
        context, number = self.context, count(info, first)

        def show_page(found: list[ModelStatement]) -> StatementConnection:
            if kinds:
                works = context.works.fetch(each.entity for each in found)
                found = [
                    statement
                    for statement, work in zip(found, works, strict=True)
                    if isinstance(work, ModelEntity) and work.kind in kinds
                ]
            return statement_connection(context, cut_statements(found, number, after))

        if kinds:
            context.asked |= {"entity"}
        return then(context.statements.get((*_key(self, relations), None)), show_page)

    introduces = _entities_field(
        "Its own named contributions.", 2, relation=RelationType.INTRODUCES
    )
    baselines = _entities_field(
        "The baselines it compares with.", 5, relation=RelationType.COMPARES_WITH
    )
    hardware = _entities_field("The hardware that it names.", 5, kind=EntityKind.HARDWARE)
    frameworks = _entities_field("The software that it names.", 5, kind=EntityKind.FRAMEWORK)
    techniques = _entities_field("The methods that it names.", 5, kind=EntityKind.TECHNIQUE)
    models = _entities_field("The models that it names.", 5, kind=EntityKind.MODEL)
    datasets = _entities_field("The data and benchmarks that it names.", 5, kind=EntityKind.DATASET)


@strawberry.type(description="A paper on a page.")
class PaperEdge:
    """A paper on a page."""

    stated: strawberry.Private[tuple[StatementFilter, ...]]
    cursor: str = strawberry.field(description="Pass it as `after`.")
    node: Paper = strawberry.field(description="The paper.")

    @own_field(
        graphql_type=list[Statement],
        description="Why the paper is on the page: its statements about the requested entities, "
        "by confidence.",
        directives=(some(2),),
    )
    def statements(self) -> AwaitableOrValue[list[Statement]]:
        if not self.stated:
            return []

        def show_some(found: list[ModelStatement]) -> list[Statement]:
            return [
                Statement.of(self.node.context, each)
                for each in found
                if any(one.is_met_by(each) for one in self.stated)
            ]

        return then(self.node.context.statements.get((*_key(self.node), None)), show_some)


@strawberry.type(description="A page of papers.")
class PaperConnection(AnyConnection):
    """A page of papers."""

    nodes: list[Paper] = strawberry.field(description="The papers, in order.")

    @own_field("The papers, each with its cursor.")
    def edges(self) -> list[PaperEdge]:
        return self.all_edges()

    @classmethod
    def of(
        cls, context: Context, page: Page, stated: tuple[StatementFilter, ...] = ()
    ) -> "PaperConnection":
        """Show a page of papers, which are there for what they have `stated`."""
        return cls(
            nodes=papers_shown(context, page.works),
            edge=lambda paper: PaperEdge(stated=stated, cursor=paper.model.id, node=paper),
            page=page,
        )


@of_view(EntityView)
class Entity(Work):
    """A named thing that papers introduce, build on, use and compare with."""

    model: strawberry.Private[ModelEntity]

    @own_field(help_of(EntityView, "broader"), (some(3),), list[LazyEntity])
    def broader(self) -> AwaitableOrValue[list["Entity"]]:
        return self._shown(self.model.broader)

    @own_field("Narrower entities.", (some(10),), list[LazyEntity])
    def narrower(self) -> AwaitableOrValue[list["Entity"]]:
        return then(self.context.narrower.get(self.model.id), self._shown)

    def _shown(self, ids: Sequence[str]) -> AwaitableOrValue[list["Entity"]]:
        works = self.context.works.get_all(ids)
        return then(works, partial(entities_shown, self.context))

    @own_field(
        graphql_type=list[LazyPaper],
        description="The papers that introduce it, oldest first.",
        directives=(some(2),),
    )
    def introduced_by(self) -> AwaitableOrValue[list[Paper]]:

        def find(ids: list[str]) -> AwaitableOrValue[list[Paper]]:
            works = self.context.works.get_all(ids)
            return then(works, partial(papers_shown, self.context))

        key = _key(self, [RelationType.INTRODUCES])
        return then(self.context.naming.get(key), find)

    @strawberry.field(
        graphql_type=StatementConnection,
        description="Statements of papers and the catalogue about it, by confidence.",
        directives=[PAGE],
    )
    def statements(
        self,
        info: StemmaInfo,
        relations: RelationsArgument = None,
        first: FirstArgument = 20,
        after: AfterArgument = None,
    ) -> AwaitableOrValue[StatementConnection]:
        number, key = count(info, first), _key(self, relations)

        def read(most: int | None) -> AwaitableOrValue[list[ModelStatement]]:
            return self.context.statements.get((*key, most))

        def show_page(found: list[ModelStatement]) -> StatementConnection:
            page = cut_statements(found, number, after)
            return statement_connection(self.context, page, lambda: then(read(None), len))

        # What follows a statement is not known without all of them.
        return then(read(None if after else number + 1), show_page)

    @strawberry.field(
        graphql_type=PaperConnection,
        description="The papers that name it, oldest first.",
        directives=[PAGE],
    )
    def papers(
        self,
        info: StemmaInfo,
        relations: RelationsArgument = None,
        first: FirstArgument = 20,
        after: AfterArgument = None,
    ) -> AwaitableOrValue[PaperConnection]:
        number = count(info, first)
        stated = StatementFilter((self.model.id,), tuple(relations or ()))

        return then(
            self.context.naming.get(_key(self, relations)),
            partial(_page_of, self.context, number, after, (stated,)),
        )


@strawberry.type(description="An entity on a page.")
class EntityEdge:
    """An entity on a page."""

    cursor: str = strawberry.field(description="Pass it as `after`.")
    node: Entity = strawberry.field(description="The entity.")
    statements: list[Statement] = strawberry.field(
        description="With criteria, what the papers say of the entity, by confidence; else empty.",
        directives=[some(5)],
        default=(),
    )


@strawberry.type(description="A page of entities.")
class EntityConnection(AnyConnection):
    """A page of entities."""

    nodes: list[Entity] = strawberry.field(description="The entities, in order.")
    truncated: bool = strawberry.field(
        description=f"Whether more than {MOST_SOURCES} papers meet the criteria: only the oldest "
        "were considered.",
        default=False,
    )

    @own_field("The entities, each with its cursor.")
    def edges(self) -> list[EntityEdge]:
        return self.all_edges()


def entity_connection(context: Context, page: Page) -> EntityConnection:
    """Show a page of entities."""
    return EntityConnection(
        nodes=entities_shown(context, page.works),
        edge=lambda entity: EntityEdge(cursor=entity.model.id, node=entity),
        page=page,
    )


def work_connection(context: Context, page: Page) -> Connection[Work]:
    """Show a page of works."""
    return Connection(
        nodes=[show(context, each) for each in page.works],
        edge=lambda work: Edge(cursor=work.model.id, node=work),
        page=page,
    )


def show(context: Context, work: ModelWork | None) -> Paper | Entity:
    """Return the GraphQL object for `work`, always the same. Raises LookupError without one."""
    if work is None:
        raise LookupError("there is no such work in the graph")
    found: Paper | Entity | None = context.shown.get(work.id)
    if found:
        return found
    if isinstance(work, ModelPaper):
        found = Paper(context=context, model=work)
    else:
        found = Entity(context=context, model=work)
    context.shown[work.id] = found
    return found


def _page_of(
    context: Context,
    first: int,
    after: str | None,
    stated: tuple[StatementFilter, ...],
    ids: Sequence[str],
) -> AwaitableOrValue[PaperConnection]:
    """Return the page of papers (ids) that is asked for."""
    begin, end = page_bounds(ids, first, after)

    def show_page(works: list[ModelWork | None]) -> PaperConnection:
        papers = tuple(work for work in works if work)
        page = Page(papers, len(ids), end < len(ids), begin > 0)
        return PaperConnection.of(context, page, stated)

    return then(context.works.get_all(ids[begin:end]), show_page)


def _key(work: Paper | Entity, relations: Sequence[RelationType] | None = None) -> RelatedKey:
    return (work.model.id, tuple(relations or ()))


def entities_shown(context: Context, works: Sequence[ModelWork | None]) -> list[Entity]:
    return [cast(Entity, show(context, each)) for each in works if isinstance(each, ModelEntity)]


def papers_shown(context: Context, works: Sequence[ModelWork | None]) -> list[Paper]:
    return [cast(Paper, show(context, each)) for each in works if isinstance(each, ModelPaper)]
