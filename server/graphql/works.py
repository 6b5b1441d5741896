"""Papers, entities and authors, as GraphQL types."""

from collections.abc import Callable, Collection, Hashable, Iterable, Mapping, Sequence
from functools import cache, partial
from typing import Annotated, Any, ClassVar, Self

import strawberry

from stemma.graph import Criterion, LineageDirection, Page, Reader, Selection
from stemma.graph import Work as ModelWork
from stemma.graph.linking.people import Person
from stemma.graph.reader import page_of, spellings
from stemma.graph.searching import MOST_SOURCES
from stemma.graph.selection import EVERYTHING
from stemma.schema import Entity as ModelEntity
from stemma.schema import EntityKind, PartialDate, RelationType
from stemma.schema import Paper as ModelPaper
from stemma.schema import Statement as ModelStatement
from stemma.server.graphql.context import Context
from stemma.server.graphql.lineage import (
    Statement,
    StatementConnection,
    lineage_field,
    statement_connection,
)
from stemma.server.graphql.objects import (
    AnyConnection,
    Compute,
    LazyEntity,
    LazyPaper,
    LazyWork,
    Level,
    Node,
    Placed,
    Shown,
    attempted,
    edges_field,
    graphql_types,
    iri,
    level_field,
    model_field,
    of_view,
    own_field,
    selected_level_field,
    shown_works,
    view_field,
)
from stemma.server.views.bibtex import bibtex
from stemma.server.views.page import cut_statements
from stemma.server.views.statement import StatementView
from stemma.server.views.work import WHEN_PUBLISHED, AuthorView, EntityView, PaperTextView, WorkView

MOST_NAMESAKES = 20
"""Of one work: thousands of papers may be titled "Editorial"."""
_LazyPaperConnection = Annotated["PaperConnection", strawberry.lazy("stemma.server.graphql.works")]


def _published(context: Context, works: list[Any]) -> list[PartialDate | None]:
    dates = context.read(Reader.published, (work.model.id for work in works))
    return [dates.get(work.model.id) for work in works]


def _namesakes(context: Context, works: list[Any]) -> list[list[Any]]:
    names = {work.model.id: spellings(work.model) for work in works}
    called = context.reader.all_called(
        list(dict.fromkeys(name for own in names.values() for name in own))
    )
    others = [
        sorted({other for name in own for other in called[name]} - {id_})[:MOST_NAMESAKES]
        for id_, own in names.items()
    ]
    return shown_works(context, others)


@strawberry.interface(description="A paper or an entity.")
class Work(Node):
    """A paper or an entity."""

    model: strawberry.Private[ModelWork]
    named: ClassVar[Mapping[str, ModelWork]] = {}
    """Those that a view of it names: here these are fields of their own."""
    selection: ClassVar = EVERYTHING

    @property
    def view(self) -> Self:
        """What has its plain fields: those of the view of a work are derived from the model."""
        return self

    id = view_field(WorkView, "id")
    name = view_field(WorkView, "name")
    iri = iri()
    published = level_field(WHEN_PUBLISHED, _published, PartialDate | None)
    namesakes = level_field(
        f"Other works that one of its names may mean, at most {MOST_NAMESAKES}.",
        _namesakes,
        list[LazyWork],
        size=1,
    )
    descendants = lineage_field(
        "What builds on it, on that, and so on. A paper stands for what it introduces.",
        LineageDirection.DESCENDANTS,
    )
    ancestors = lineage_field(
        "What it builds on, what that builds on, and so on.", LineageDirection.ANCESTORS
    )


def _related(
    what: Callable[..., Mapping[str, Sequence[str]]],
    *arguments: Hashable,
    kind: EntityKind | None = None,
) -> Compute:
    """Return what computes the works that a method of a reader has for others, or those of a kind.

    `what` is the method, with more arguments.
    """

    def related(context: Context, objects: list[Any]) -> list[list[Any]]:
        read = context.read(what, (each.model.id for each in objects), *arguments)
        lists = [read.get(each.model.id, []) for each in objects]
        if kind:
            works = context.works(id_ for ids in lists for id_ in ids)
            lists = [[each for each in ids if _is_of(works[each], (kind,))] for ids in lists]
        return shown_works(context, lists)

    return related


def _is_of(work: ModelWork, kinds: Collection[EntityKind]) -> bool:
    return isinstance(work, ModelEntity) and work.kind in kinds


def _papers_field(
    description: str, what: Callable[..., Mapping[str, Sequence[str]]], *names: str
) -> Any:
    """Make a field with pages of the papers that a method of a reader has for works or authors.

    With the filter "relations", they are papers that state such a relation to the work.
    """

    def pages(context: Context, objects: list[Any], selection: Selection) -> Iterable[Any]:
        ids = [each.model.id for each in objects]
        read = context.read(what, ids, *(getattr(selection, name) for name in names))
        first, after = selection.first, selection.after
        cut = [attempted(page_of, read.get(id_, []), first, after) for id_ in ids]
        on_page = [() if isinstance(page, Exception) else page.items for page in cut]
        shown, level = shown_works(context, on_page), Level(context)
        for id_, page, papers in zip(ids, cut, shown, strict=True):
            stated = (Criterion((id_,), selection.relations),) if names else ()
            if isinstance(page, Exception):
                yield page
            else:
                yield PaperConnection(level=level, nodes=papers, page=page, stated=stated)

    return selected_level_field(description, pages, _LazyPaperConnection, *names, "first", "after")


@strawberry.type(
    description="A person who wrote papers. Two authors with the same name count as one person "
    "only if they share an ORCID, a registry id or a co-author."
)
class Author(Node):
    """A person who wrote papers."""

    model: strawberry.Private[Person]
    id = model_field("id", "Such as `author/ada-quill`.", strawberry.ID)
    name = model_field("name", "The full name, given names first.", str)
    orcid = model_field("orcid", "Such as `0000-0002-1825-0097`; null if unknown.", str | None)
    iri = iri()
    other_names = model_field(
        "other_names", "The other spellings of the name in papers.", list[str]
    )
    affiliations = model_field("affiliations", "The affiliations that papers name.", list[str])
    registry_ids = model_field("ids", "The ids at registries, such as `openalex:A123`.", list[str])
    papers = _papers_field("The papers that they wrote, oldest first.", Reader.written_by)


def _entities_field(
    description: str,
    size: int,
    relation: RelationType | None = None,
    kind: EntityKind | None = None,
) -> Any:
    """Make a field with the entities that a paper names, of a relation or a kind."""
    relations = (relation,) if relation else ()
    named = _related(Reader.entities_named, relations, kind=kind)
    return level_field(description, named, list[LazyEntity], size)


@of_view(AuthorView)
class PaperAuthor(Shown):
    """An author, as the paper names them."""

    person: Author = strawberry.field(description="The author, with what all papers say.")


def _authors(context: Context, papers: list["Paper"]) -> list[list[PaperAuthor]]:
    named = {paper.model.id: paper.model.authors for paper in papers if paper.model.authors}
    ids = context.read(Reader.authors, named)
    people = context.read(Reader.people, (id_ for own in ids.values() for id_ in own))
    level = Level(context)
    return [
        [
            PaperAuthor(level=level, view=AuthorView(model=author), person=level.work(people[id_]))
            for id_, author in zip(
                ids.get(paper.model.id, ()), named.get(paper.model.id, ()), strict=True
            )
            if id_ in people
        ]
        for paper in papers
    ]


def _statements(
    context: Context,
    works: list[Any],
    relations: tuple[RelationType, ...] = (),
    most: int | None = None,
) -> list[Sequence[ModelStatement]]:
    """Return the statements of papers, or about entities."""
    ids = [work.model.id for work in works]
    read = context.read(Reader.statements, ids, relations, most)
    return [read.get(id_, ()) for id_ in ids]


def _statement_pages(
    context: Context,
    lists: Iterable[Sequence[ModelStatement]],
    selection: Selection,
    counted: Callable[[int], int] | None = None,
) -> list[Any]:
    """Return a page of each list of statements; where it is not whole, `counted` counts all."""
    pages, below = Level(context), Level(context)

    def page(place: int, listed: Sequence[ModelStatement]) -> StatementConnection:
        cut = cut_statements(listed, selection.first, selection.after)
        return statement_connection(pages, below, cut, counted and partial(counted, place))

    return [attempted(page, place, listed) for place, listed in enumerate(lists)]


def _statements_of_papers(
    context: Context, papers: list["Paper"], selection: Selection
) -> list[Any]:
    lists = _statements(context, papers, selection.relations)
    if kinds := selection.kinds:
        works = context.works(statement.entity for stated in lists for statement in stated)
        lists = [[e for e in stated if _is_of(works[e.entity], kinds)] for stated in lists]
    return _statement_pages(context, lists, selection)


@of_view(PaperTextView)
class Paper(Work):
    """A research paper."""

    model: strawberry.Private[ModelPaper]

    published = view_field(PaperTextView, "published")
    authors = level_field(
        "The authors in their order, as far as they are known.", _authors, list[PaperAuthor], size=5
    )
    cites = _papers_field(
        "The papers of the graph in its list of references, oldest first. "
        "Citations are not lineage: see `lineage`.",
        Reader.cites,
    )
    cited_by = _papers_field(
        "The papers of the graph that have it in their lists of references, oldest first.",
        Reader.cited_by,
    )

    @strawberry.field(description="An entry of BibTeX, to cite the paper.")
    def citation(self) -> str:
        return bibtex([self.model])

    title = model_field("title", "The title.", str)
    statements = selected_level_field(
        "Statements of the paper about entities, by confidence.",
        _statements_of_papers,
        StatementConnection,
        *("relations", "kinds", "first", "after"),
        help={"kinds": "Only about entities of these kinds."},
    )
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


def _reasons(context: Context, edges: list["PaperEdge"]) -> list[list[Statement]]:
    level, papers = Level(context), [edge.node for edge in edges if edge.stated]
    stated = dict(zip(map(id, papers), _statements(context, papers), strict=True))
    return [
        [
            level.show(StatementView(model=statement))
            for statement in stated.get(id(edge.node), ())
            if any(reason.is_met_by(statement) for reason in edge.stated)
        ]
        for edge in edges
    ]


@strawberry.type(description="A paper on a page.")
class PaperEdge(Placed):
    """A paper on a page."""

    stated: strawberry.Private[tuple[Criterion, ...]]
    cursor: str = strawberry.field(description="Pass it as `after`.")
    node: Paper = strawberry.field(description="The paper.")
    statements = level_field(
        "Why the paper is on the page: its statements about the requested entities, by confidence.",
        _reasons,
        list[Statement],
        size=2,
    )


@strawberry.type(description="A page of papers.")
class PaperConnection(AnyConnection):
    """A page of papers."""

    nodes: list[Paper] = strawberry.field(description="The papers, in order.")
    edges = edges_field("The papers, each with its cursor.", list[PaperEdge])
    stated: strawberry.Private[tuple[Criterion, ...]] = ()
    """What the papers are there for."""

    def edge(self, level: Level, cursor: str, node: Paper) -> PaperEdge:
        return PaperEdge(level=level, stated=self.stated, cursor=cursor, node=node)


def _statements_about(
    context: Context, entities: list["Entity"], selection: Selection
) -> list[Any]:
    # What follows a statement is not known without all of them.
    most = None if selection.after else selection.first + 1
    lists = _statements(context, entities, selection.relations, most)

    @cache
    def numbers() -> list[int]:
        return list(map(len, _statements(context, entities, selection.relations)))

    return _statement_pages(context, lists, selection, lambda place: numbers()[place])


@of_view(EntityView)
class Entity(Work):
    """A named thing that papers introduce, build on, use and compare with."""

    model: strawberry.Private[ModelEntity]

    broader = view_field(EntityView, "broader")
    narrower = level_field(
        "Narrower entities.", _related(Reader.narrower), list[LazyEntity], size=10
    )
    introduced_by = level_field(
        "The papers that introduce it, oldest first.",
        _related(Reader.papers_naming, (RelationType.INTRODUCES,)),
        list[LazyPaper],
        size=2,
    )

    statements = selected_level_field(
        "Statements with it as entity or subject, by confidence; facts of the catalogue last.",
        _statements_about,
        StatementConnection,
        *("relations", "first", "after"),
    )
    papers = _papers_field(
        "The papers that name it, oldest first.", Reader.papers_naming, "relations"
    )


graphql_types[Person] = Author
graphql_types[ModelPaper], graphql_types[ModelEntity] = Paper, Entity


def _said(context: Context, edges: list["EntityEdge"]) -> list[list[Statement]]:
    level = Level(context)
    return [
        level.views(StatementView(model=statement) for statement in edge.stated) for edge in edges
    ]


@strawberry.type(description="An entity on a page.")
class EntityEdge(Placed):
    """An entity on a page."""

    stated: strawberry.Private[Sequence[ModelStatement]]
    cursor: str = strawberry.field(description="Pass it as `after`.")
    node: Entity = strawberry.field(description="The entity.")

    @own_field("With criteria, the number of papers that name the entity; else null.")
    def paper_count(self) -> int | None:
        return len({statement.subject for statement in self.stated}) or None

    statements = level_field(
        "With criteria, what the papers say of the entity, by confidence; else empty.",
        _said,
        list[Statement],
        size=5,
    )


@strawberry.type(description="A page of entities.")
class EntityConnection(AnyConnection):
    """A page of entities."""

    nodes: list[Entity] = strawberry.field(description="The entities, in order.")
    truncated: bool = strawberry.field(
        description=f"Whether more than {MOST_SOURCES} papers meet the criteria: only the oldest "
        "were considered."
    )
    edges = edges_field("The entities, each with its cursor.", list[EntityEdge])
    stated: strawberry.Private[Mapping[str, Sequence[ModelStatement]]]
    """What papers state of the entities, by id."""

    @classmethod
    def of(
        cls,
        context: Context,
        entities: Sequence[ModelWork],
        page: Page[Any],
        stated: Mapping[str, Sequence[ModelStatement]],
    ) -> Self:
        """Show the entities of a page, of which papers have `stated` something."""
        nodes, truncated = Level(context).works(entities), page.truncated
        return cls(level=Level(context), nodes=nodes, page=page, truncated=truncated, stated=stated)

    def edge(self, level: Level, cursor: str, node: Entity) -> EntityEdge:
        stated = self.stated.get(node.model.id, ())
        return EntityEdge(level=level, stated=stated, cursor=cursor, node=node)
