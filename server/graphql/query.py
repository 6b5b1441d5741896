"""The questions that GraphQL answers."""

from dataclasses import replace
from typing import Annotated

import strawberry

from stemma.graph import (
    LineageDirection,
    LineageFilter,
    LineageOrder,
    PageOrder,
    WorkFilter,
    WorkType,
    trace,
)
from stemma.graph import Work as ModelWork
from stemma.graph.criteria import MOST_CRITERIA, Criterion, Years, filter_of
from stemma.graph.filters import date_asked
from stemma.graph.provenance import provenance_named
from stemma.graph.searching import search
from stemma.graph.shown_works import ShownWorks
from stemma.schema import Entity as ModelEntity
from stemma.schema import Paper as ModelPaper
from stemma.schema import RelationType
from stemma.schema.identifier import AUTHOR, is_id
from stemma.server.graphql.analysis import ANALYSIS, Analysis, analyse
from stemma.server.graphql.arguments import (
    AsOfArgument,
    AuthorArgument,
    BroaderArgument,
    DepthArgument,
    DirectionArgument,
    GeneralArgument,
    IncludeCatalogueArgument,
    IncludeGeneralArgument,
    KindsArgument,
    LineageRelationsArgument,
    MinConfidenceArgument,
    NameArgument,
    OrganizationArgument,
    TitleTextArgument,
    VenueArgument,
    YearFromArgument,
    YearToArgument,
    check_depth,
)
from stemma.server.graphql.asking import ASK, Answer, ask
from stemma.server.graphql.builds import CHANGES, Build, changes
from stemma.server.graphql.comparing import COMPARE, SideBySide, compare
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
from stemma.server.graphql.page import (
    AfterArgument,
    BeforeArgument,
    FirstArgument,
    FirstOfPageArgument,
    LastOfPageArgument,
    PageArguments,
    count,
)
from stemma.server.graphql.path import PATH, path
from stemma.server.graphql.statements import (
    COMPARISONS,
    STATEMENTS,
    StatementConnection,
    comparisons,
    statements,
)
from stemma.server.graphql.statistics import Statistics
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
LineageOrderArgument = Annotated[
    LineageOrder, strawberry.argument(description="The order; a cursor belongs to one.")
]
OrderArgument = Annotated[PageOrder, strawberry.argument(description="The order.")]


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
    comparisons: StatementConnection | None = strawberry.field(
        resolver=comparisons, description=COMPARISONS, directives=[FORWARD_PAGE]
    )

    @strawberry.field(
        description="The descendants or ancestors of a work.",
        directives=[ListSize(slicing_arguments=["first"], sized_fields=["nodes", "edges"])],
    )
    def lineage(
        self,
        info: StemmaInfo,
        of: NameArgument,
        direction: DirectionArgument = LineageDirection.DESCENDANTS,
        max_depth: DepthArgument = 3,
        relations: LineageRelationsArgument = None,
        min_confidence: MinConfidenceArgument = 0.0,
        include_catalogue: IncludeCatalogueArgument = True,
        first: Annotated[
            int,
            strawberry.argument(description=f"Maximum number of works, at most {LARGEST_LINEAGE}."),
        ] = 100,
        after: AfterArgument = None,
        include_general: IncludeGeneralArgument = True,
        as_of: AsOfArgument = None,
        kinds: KindsArgument = None,
        year_from: YearFromArgument = None,
        year_to: YearToArgument = None,
        order: LineageOrderArgument = LineageOrder.DEPTH,
    ) -> Lineage | None:
        check_depth(max_depth)
        reader = info.context.reader
        chosen = LineageFilter(
            tuple(relations or ()), min_confidence, include_catalogue, date_asked(as_of)
        )
        found = trace(
            reader,
            reader.resolve(of),
            direction,
            max_depth=max_depth,
            filter=chosen,
            first=count(info, first, LARGEST_LINEAGE),
            after=after,
            include_general=include_general,
            show=ShownWorks(tuple(kinds or ()), Years(year_from, year_to)),
            order=order,
        )
        return Lineage.of(info.context, found, chosen)

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
    def search(
        self,
        info: StemmaInfo,
        text: SearchArgument,
        kinds: KindsArgument = None,
        general: GeneralArgument = None,
        first: FirstArgument = 20,
        after: Annotated[
            str | None, strawberry.argument(description="Continue after the work with this id.")
        ] = None,
    ) -> list[Work] | None:
        reader = info.context.reader
        found = search(reader, text, tuple(kinds or ()), count(info, first), after, general)
        return [show(info.context, work) for work in found.works]

    @strawberry.field(
        description="Works whose names or titles match a text, best matches first, in pages; if "
        "there are none, those with a similar spelling.",
        directives=[FORWARD_PAGE],
    )
    def works(
        self,
        info: StemmaInfo,
        text: SearchArgument,
        kinds: KindsArgument = None,
        general: GeneralArgument = None,
        first: FirstArgument = 20,
        after: AfterArgument = None,
    ) -> WorkConnection | None:
        reader = info.context.reader
        found = search(reader, text, tuple(kinds or ()), count(info, first), after, general)
        return WorkConnection.of(info.context, found)

    @strawberry.field(description="Entities, page by page.", directives=[PAGE])
    def entities(
        self,
        info: StemmaInfo,
        kinds: KindsArgument = None,
        general: GeneralArgument = None,
        relations: Annotated[
            list[RelationType] | None,
            strawberry.argument(description="Entities with one of these relations from a paper."),
        ] = None,
        text: Annotated[
            str | None,
            strawberry.argument(description="Text that the name or an alias contains."),
        ] = None,
        year_from: Annotated[
            int | None, strawberry.argument(description="First introduced in this year or later.")
        ] = None,
        year_to: Annotated[
            int | None, strawberry.argument(description="First introduced in this year or earlier.")
        ] = None,
        order: OrderArgument = PageOrder.NAME,
        first: FirstOfPageArgument = None,
        after: AfterArgument = None,
        last: LastOfPageArgument = None,
        before: BeforeArgument = None,
        broader: BroaderArgument = None,
    ) -> EntityConnection | None:
        reader = info.context.reader
        chosen = WorkFilter(
            text=text,
            kinds=tuple(kinds or ()),
            general=general,
            broader=reader.resolve(broader) if broader else None,
            relations=tuple(relations or ()),
            year_from=year_from,
            year_to=year_to,
        )
        asked = PageArguments(info, first, after, last, before)
        return EntityConnection.of(
            info.context,
            reader.page(WorkType.ENTITY, chosen, order, **asked.as_keywords()),
        )

    @strawberry.field(description="Papers, page by page.", directives=[PAGE])
    def papers(
        self,
        info: StemmaInfo,
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
        entity: Annotated[
            str | None, strawberry.argument(description="Papers that name it: a name or an id.")
        ] = None,
        relations: Annotated[
            list[RelationType] | None,
            strawberry.argument(
                description="Papers with one of these relations, to `entity` if it is given."
            ),
        ] = None,
        year_from: YearFromArgument = None,
        year_to: YearToArgument = None,
        text: TitleTextArgument = None,
        author: AuthorArgument = None,
        organization: OrganizationArgument = None,
        venue: VenueArgument = None,
        cites: Annotated[
            str | None,
            strawberry.argument(
                description="Papers with this one in their lists of references: a title or an id, "
                "or an entity, for the papers that introduce it."
            ),
        ] = None,
        cited_by: Annotated[
            str | None,
            strawberry.argument(description="Papers in the list of references of this one."),
        ] = None,
        order: OrderArgument = PageOrder.PUBLISHED,
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
        if entity:
            criteria.append(Criterion(reader.resolve(entity), tuple(relations or ())))
        provenance = provenance_named(reader, author, organization, venue, cites, cited_by)
        chosen = filter_of(reader, criteria, text, Years(year_from, year_to), provenance)
        if relations and not entity:
            chosen = replace(chosen, relations=tuple(relations))
        asked = PageArguments(info, first, after, last, before)
        page = reader.page(WorkType.PAPER, chosen, order, **asked.as_keywords())
        return PaperConnection.of(info.context, page, chosen.stated)

    @strawberry.field(description="The size of the graph.")
    def statistics(self, info: StemmaInfo) -> Statistics | None:
        return Statistics.of(info.context.reader.statistics())


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
