"""The questions that GraphQL answers."""

from typing import Annotated, cast

import strawberry

from stemma.graph import PageOrder, WorkFilter, WorkType, trace
from stemma.graph import Work as ModelWork
from stemma.graph.criteria import MOST_CRITERIA, Criterion, papers_filter
from stemma.graph.searching import search
from stemma.graph.selection import ENTITIES, LINEAGE, PAPERS, SEARCH, Selection
from stemma.schema import Entity as ModelEntity
from stemma.schema import Paper as ModelPaper
from stemma.schema import RelationType
from stemma.schema.identifier import AUTHOR, is_id
from stemma.server.graphql.analysis import ANALYSIS, Analysis, analyse
from stemma.server.graphql.arguments import NameArgument, with_selection
from stemma.server.graphql.asking import ASK, Answer, ask
from stemma.server.graphql.builds import CHANGES, Build, Statistics, changes
from stemma.server.graphql.context import StemmaInfo
from stemma.server.graphql.criteria import (
    ENTITIES_WHERE,
    MATCHES,
    EntityMatches,
    PaperCriterion,
    criteria_of,
    entities_where,
)
from stemma.server.graphql.lineage import Lineage, LineageEdge
from stemma.server.graphql.lineages import LINEAGES, LINEAGES_SIZE, LineageResult, lineages
from stemma.server.graphql.list_size import FIRST, FORWARD_PAGE, PAGE, ListSize, some
from stemma.server.graphql.of_view import show_view
from stemma.server.graphql.page import (
    AfterArgument,
    BeforeArgument,
    FirstArgument,
    FirstOfPageArgument,
    LastOfPageArgument,
    PageArguments,
    count,
)
from stemma.server.graphql.statements import (
    STATEMENTS,
    StatementConnection,
    statements,
)
from stemma.server.graphql.two_works import COMPARE, PATH, SideBySide, compare, path
from stemma.server.graphql.works import (
    Author,
    Entity,
    EntityConnection,
    Node,
    Paper,
    PaperConnection,
    Work,
    WorkConnection,
    show,
)
from stemma.server.views.build import StatisticsView

LARGEST_LINEAGE = 2000

IdArgument = Annotated[
    strawberry.ID, strawberry.argument(description="Such as `entity/zero-infinity`.")
]
AuthorIdArgument = Annotated[
    strawberry.ID, strawberry.argument(description="Such as `author/ada-quill`, or an ORCID.")
]
OptionalIdArgument = Annotated[
    strawberry.ID | None, strawberry.argument(description="Such as `entity/zero-infinity`.")
]
SearchArgument = Annotated[
    str, strawberry.argument(description="Words or parts of words; all must match.")
]


@strawberry.type(description="The queries of the graph.")
class Query:
    """The questions that GraphQL answers.

    All of its fields are nullable: one that fails is null, and leaves the others their answers.
    """

    ask: Answer | None = strawberry.field(resolver=ask, description=ASK)
    path: list[LineageEdge] | None = strawberry.field(
        resolver=path, description=PATH, directives=[some(6)]
    )
    compare: SideBySide | None = strawberry.field(resolver=compare, description=COMPARE)
    analysis: Analysis | None = strawberry.field(resolver=analyse, description=ANALYSIS)
    entities_where: EntityMatches | None = strawberry.field(
        resolver=entities_where, description=ENTITIES_WHERE, directives=[MATCHES]
    )

    lineages: list[LineageResult] | None = strawberry.field(
        resolver=lineages, description=LINEAGES, directives=[LINEAGES_SIZE]
    )
    changes: list[Build] | None = strawberry.field(
        resolver=changes, description=CHANGES, directives=[FIRST]
    )
    statements: StatementConnection | None = strawberry.field(
        resolver=statements, description=STATEMENTS, directives=[FORWARD_PAGE]
    )

    @strawberry.field(
        description="The descendants or ancestors of a work.",
        directives=[ListSize(slicing_arguments=["first"], sized_fields=["nodes", "edges"])],
    )
    @with_selection(
        LINEAGE, {"first": f"Maximum number of works, at most {LARGEST_LINEAGE}."}, first=100
    )
    def lineage(self, info: StemmaInfo, of: NameArgument, selection: Selection) -> Lineage | None:
        count(info, selection.first, LARGEST_LINEAGE)
        reader = info.context.reader
        return Lineage.of(info.context, trace(reader, reader.resolve(of), selection), selection)

    @strawberry.field(description="The entity with this id or name; null if it is a paper.")
    def entity(
        self,
        info: StemmaInfo,
        id: OptionalIdArgument = None,
        name: Annotated[
            str | None, strawberry.argument(description="In any spelling, or an alias.")
        ] = None,
    ) -> Entity | None:
        work = _work(info, _one_of(id=id, name=name))
        return Entity.of(info.context, work) if isinstance(work, ModelEntity) else None

    @strawberry.field(description="The paper with this id or title; null if it is an entity.")
    def paper(
        self,
        info: StemmaInfo,
        id: OptionalIdArgument = None,
        title: Annotated[
            str | None, strawberry.argument(description="The whole title, in any spelling.")
        ] = None,
    ) -> Paper | None:
        work = _work(info, _one_of(id=id, title=title))
        return Paper.of(info.context, work) if isinstance(work, ModelPaper) else None

    @strawberry.field(description="The author with this id or ORCID; null if there is none.")
    def author(self, info: StemmaInfo, id: AuthorIdArgument) -> Author | None:
        context = info.context
        found = context.reader.people([id]) or {
            each.id: each for each in context.reader.people_called(id) if each.orcid == id
        }
        return next((Author.of(context, each) for each in found.values()), None)

    @strawberry.field(
        description="The authors with a name, in any spelling that papers use, or with an id at a "
        "registry; those with the most papers first.",
        directives=[some(2)],
    )
    def authors(
        self,
        info: StemmaInfo,
        name: Annotated[
            str,
            strawberry.argument(
                description="The full name, or an id at a registry such as `openalex:A123`."
            ),
        ],
        first: FirstArgument = 20,
    ) -> list[Author] | None:
        found = info.context.reader.people_called(name)[: count(info, first)]
        return [Author.of(info.context, each) for each in found]

    @strawberry.field(description="The paper, entity or author with this id.")
    def node(self, info: StemmaInfo, id: IdArgument) -> Node | None:
        if id.startswith(AUTHOR):
            people = info.context.reader.people([id])
            return Author.of(info.context, people[id]) if id in people else None
        if not is_id(id):
            raise ValueError(f"{id!r} is not an id; ids begin with entity/, paper/ or author/")
        return show(info.context, _work(info, id))

    @strawberry.field(
        description="The papers and entities with these ids, in the same order; null for an id "
        "that is not in the graph.",
        directives=[some(20)],
    )
    def nodes(
        self,
        info: StemmaInfo,
        ids: Annotated[
            list[strawberry.ID],
            strawberry.argument(description="At most the maximum page size."),
        ],
    ) -> list[Node | None] | None:
        count(info, len(ids), name="the length of `ids`")
        found = info.context.reader.works(ids)
        return [show(info.context, found[id_]) if id_ in found else None for id_ in ids]

    @strawberry.field(
        description="Works whose names or titles match a text, best matches first; if there are "
        "none, those with a similar spelling. The field `works` has their number, and more pages.",
        directives=[FIRST],
    )
    @with_selection(SEARCH, first=20)
    def search(
        self, info: StemmaInfo, text: SearchArgument, selection: Selection
    ) -> list[Work] | None:
        count(info, selection.first)
        found = search(info.context.reader, text, selection)
        return [show(info.context, work) for work in found.works]

    @strawberry.field(
        description="Works whose names or titles match a text, best matches first, in pages; if "
        "there are none, those with a similar spelling.",
        directives=[FORWARD_PAGE],
    )
    @with_selection(SEARCH, first=20)
    def works(
        self, info: StemmaInfo, text: SearchArgument, selection: Selection
    ) -> WorkConnection | None:
        count(info, selection.first)
        return WorkConnection.of(info.context, search(info.context.reader, text, selection))

    @strawberry.field(description="Entities, page by page.", directives=[PAGE])
    @with_selection(
        ENTITIES,
        {
            "relations": "Entities with one of these relations from a paper.",
            "since": "First introduced in this year or later.",
            "until": "First introduced in this year or earlier.",
        },
        order=PageOrder.NAME,
    )
    def entities(
        self,
        info: StemmaInfo,
        selection: Selection,
        first: FirstOfPageArgument = None,
        after: AfterArgument = None,
        last: LastOfPageArgument = None,
        before: BeforeArgument = None,
    ) -> EntityConnection | None:
        reader = info.context.reader
        chosen = WorkFilter(
            text=selection.text,
            kinds=selection.kinds,
            general=selection.general,
            broader=reader.resolve(selection.broader) if selection.broader else None,
            relations=selection.relations,
            year_from=selection.since,
            year_to=selection.until,
        )
        page = PageArguments(info, first, after, last, before).as_keywords()
        order = selection.order or PageOrder.NAME
        return EntityConnection.of(
            info.context, reader.page(WorkType.ENTITY, chosen, order, **page)
        )

    @strawberry.field(description="Papers, page by page.", directives=[PAGE])
    @with_selection(
        PAPERS,
        {
            "entity": "Papers that name it: a name or an id.",
            "relations": "Papers with one of these relations, to `entity` if it is given.",
            "text": "Text that the title contains.",
        },
        order=PageOrder.PUBLISHED,
    )
    def papers(
        self,
        info: StemmaInfo,
        selection: Selection,
        all: Annotated[
            list[PaperCriterion] | None,
            strawberry.argument(
                description="Criteria that the papers must all meet, for example that they "
                f"compare with vLLM and run on an H100; at most {MOST_CRITERIA}."
            ),
        ] = None,
        hardware: Annotated[
            str | None,
            strawberry.argument(
                description="Papers that run on this hardware or a narrower one: a name or an id."
            ),
        ] = None,
        first: FirstOfPageArgument = None,
        after: AfterArgument = None,
        last: LastOfPageArgument = None,
        before: BeforeArgument = None,
    ) -> PaperConnection | None:
        reader = info.context.reader
        criteria = criteria_of(info, all or [])
        if hardware:
            runs_on = (RelationType.RUNS_ON,)
            criteria.append(Criterion(reader.resolve(hardware), runs_on, include_narrower=True))
        chosen = papers_filter(reader, selection, criteria)
        page = PageArguments(info, first, after, last, before).as_keywords()
        order = selection.order or PageOrder.PUBLISHED
        found = reader.page(WorkType.PAPER, chosen, order, **page)
        return PaperConnection.of(info.context, found, chosen.stated)

    @strawberry.field(description="The size of the graph.")
    def statistics(self, info: StemmaInfo) -> Statistics | None:
        view = StatisticsView.of(info.context.reader.statistics())
        return cast(Statistics, show_view(info.context, view))


def _work(info: StemmaInfo, name: str) -> ModelWork | None:
    reader = info.context.reader
    found = reader.resolve(name)
    info.context.alone.add(found)
    return info.context.works.fetch([found])[0]


def _one_of(**arguments: str | None) -> str:
    given = [value for value in arguments.values() if value]
    if len(given) != 1:
        raise ValueError(f"give one of {' or '.join(arguments)}")
    return given[0]
