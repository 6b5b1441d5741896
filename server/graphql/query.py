"""The questions that GraphQL answers, and whatever has an id: papers, entities, statements …"""

import re
from collections.abc import Sequence
from typing import Annotated, Any, cast
from urllib.parse import parse_qsl

import strawberry

from stemma.graph import (
    BadCursorError,
    FilterError,
    PageOrder,
    Reader,
    UnknownNameError,
    WorkFilter,
    WorkType,
    trace,
)
from stemma.graph.comparing import compare as compare_works
from stemma.graph.criteria import MOST_CRITERIA, papers_filter
from stemma.graph.path import LONGEST_PATH, find_path
from stemma.graph.searching import search
from stemma.graph.selection import (
    ENTITIES,
    LARGEST_LINEAGE,
    LINEAGE,
    PAPERS,
    SEARCH,
    Selection,
    filters,
)
from stemma.graph.store import UnknownAuthorError
from stemma.schema import RelationType
from stemma.schema.name import AUTHOR, is_id
from stemma.server import asking
from stemma.server.graphql.analysis import ANALYSIS, Analysis, analyse
from stemma.server.graphql.builds import CHANGES, Build, Statistics, changes
from stemma.server.graphql.context import StemmaInfo
from stemma.server.graphql.criteria import (
    ENTITIES_WHERE,
    PaperCriterion,
    criteria_of,
    entities_where,
)
from stemma.server.graphql.lineage import (
    STATEMENTS,
    Lineage,
    LineageEdge,
    Statement,
    StatementConnection,
    edges_of,
    shown_lineage,
    statements,
)
from stemma.server.graphql.objects import (
    FIRST,
    PAGE,
    AfterArgument,
    Connection,
    FirstArgument,
    Level,
    ListSize,
    NameArgument,
    Node,
    Shown,
    attempted,
    bounded,
    count,
    of_view,
    some,
    with_selection,
)
from stemma.server.graphql.works import (
    Author,
    Entity,
    EntityConnection,
    Paper,
    PaperConnection,
    Work,
    entity_connection,
    paper_connection,
)
from stemma.server.views.answer import AnswerView
from stemma.server.views.build import StatisticsView
from stemma.server.views.comparison import ComparedWorkView, ComparisonOfWorks, SharedView
from stemma.server.views.statement import StatementView, edge_id, statement_key

_EDGE = re.compile(r"edge/((?:paper|entity)/[^/?]+)/((?:paper|entity)/[^/?]+)(?:\?(.*))?")


def node_of(info: StemmaInfo, id_: str) -> Node:
    """Return the node with an id. Raises UnknownNameError if there is none,
    ValueError if the text is no id.
    """
    if id_.startswith("statement/"):
        return _statement(info, id_)
    if id_.startswith("edge/"):
        return _edge(info, id_)
    if id_.startswith(AUTHOR):
        return author_of(info, id_)
    if not is_id(id_):
        raise ValueError(
            f"{id_!r} is not an id; ids begin with entity/, paper/, author/, statement/ or edge/"
        )
    return cast(Node, work_of(info, id_))


def nodes_of(info: StemmaInfo, ids: Sequence[str]) -> list[Any]:
    """Return the nodes with ids, in their order, with an error in place of an unknown one."""
    level = Level(info.context)
    works = info.context.works(id_ for id_ in ids if is_id(id_))
    return [
        level.work(works[id_]) if id_ in works else attempted(node_of, info, id_) for id_ in ids
    ]


def work_of(info: StemmaInfo, name: str, type_: type[Any] | None = None) -> Any:
    """Return the work with a name or an id, of a type if one is given. Raises LookupError."""
    id_ = info.context.reader.resolve(name)
    shown = Level(info.context).work(info.context.works([id_])[id_])
    if type_ and not isinstance(shown, type_):
        raise UnknownNameError(name, [f"`{'paper' if isinstance(shown, Paper) else 'entity'}`"])
    return shown


def author_of(info: StemmaInfo, id_: str) -> Author:
    """Return the author with an id or an ORCID. Raises UnknownAuthorError."""
    reader = info.context.reader
    people = list(reader.people([id_]).values()) or [
        person for person in reader.people_called(id_) if person.orcid == id_
    ]
    if not people:
        raise UnknownAuthorError(id_)
    return Author.of(Level(info.context), people[0])


def _statement(info: StemmaInfo, id_: str) -> Statement:
    try:
        subject, relation, entity = statement_key(id_)
    except BadCursorError:
        raise UnknownNameError(id_) from None
    stated = info.context.reader.statements([subject], (relation,)).get(subject, [])
    found = next((one for one in stated if one.entity == entity), None)
    if found is None:
        raise UnknownNameError(id_)
    return Statement(level=Level(info.context), view=StatementView(model=found))


def _edge(info: StemmaInfo, id_: str) -> LineageEdge:
    """Return an edge of a lineage or a path, as the filters that its id names leave it."""
    parts = _EDGE.fullmatch(id_)
    known = {one.camel_case: one.name for one in filters().values()}
    given = dict(parse_qsl(parts[3] or "")) if parts else {}
    if given.get("relations") == RelationType.COMPARES_WITH:
        del given["relations"]
    try:
        selection = Selection.read(**{known[name]: value for name, value in given.items()})
        path = find_path(info.context.reader, parts[1], parts[2], 1, selection) if parts else None
    except (FilterError, KeyError):
        path = None
    for edge in path.edges if path else ():
        if edge_id(edge, selection.edges) == id_:
            return edges_of(info.context, [edge], selection.edges)[0]
    raise UnknownNameError(id_)


IdArgument = Annotated[
    strawberry.ID, strawberry.argument(description="Such as `entity/zero-infinity`.")
]
AuthorIdArgument = Annotated[
    strawberry.ID, strawberry.argument(description="Such as `author/ada-quill`, or an ORCID.")
]
SearchArgument = Annotated[
    str, strawberry.argument(description="Words or parts of words; all must match.")
]


PATH = (
    "How two works are related: the shortest path over the lineage, in either direction, as "
    "edges in order from the first work; of several shortest paths, the one with the highest "
    "confidence. If the lineage does not connect them, comparisons are followed as well, as "
    "edges with the relation COMPARES_WITH. Empty if there is no path."
)
COMPARE = (
    "Two works side by side: what they share, what only one of them has, how they are related, "
    "and what their papers say about each other."
)
ASK = (
    "Ask in English: “what builds on ZeRO-Infinity”, “which papers run on H100”, “what compares "
    "with vLLM since 2024”, “how is Fuyou related to ZeRO”. What has no such form is a search of "
    "titles and abstracts; if nothing matches, the answer suggests other questions."
)


@of_view(ComparedWorkView, works={"papers": "Paper"})
class ComparedWork(Shown):
    """One of two works that are compared."""


@of_view(SharedView, works=dict.fromkeys(("shared", "left", "right"), "Entity"))
class SharedAndOwn(Shown):
    """Entities that both works name, and those of one alone."""


@of_view(ComparisonOfWorks, works={"compared_by": "Paper"})
class SideBySide(Shown):
    """Two works side by side."""


@of_view(AnswerView)
class Answer(Shown):
    """The answer to a question in English."""


@strawberry.type(description="The queries of the graph.")
class Query:
    """The questions that GraphQL answers.

    All of its fields are nullable: one that fails is null, and leaves the others their answers.
    """

    analysis: Analysis | None = strawberry.field(resolver=analyse, description=ANALYSIS)
    entities_where: EntityConnection | None = strawberry.field(
        resolver=entities_where, description=ENTITIES_WHERE, directives=[PAGE]
    )

    changes: list[Build] | None = strawberry.field(
        resolver=changes, description=CHANGES, directives=[FIRST]
    )
    statements: StatementConnection | None = strawberry.field(
        resolver=statements, description=STATEMENTS, directives=[PAGE]
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
        found = trace(reader, reader.resolve(of), selection)
        return shown_lineage(info.context, found, selection)

    @strawberry.field(description=ASK)
    def ask(
        self,
        info: StemmaInfo,
        question: Annotated[
            str,
            strawberry.argument(
                description=f"In English, at most {asking.LONGEST_QUESTION} characters."
            ),
        ],
        first: FirstArgument = 20,
        after: AfterArgument = None,
    ) -> Answer | None:
        number = count(info, first)
        reader = info.context.reader
        view = AnswerView.of(reader, asking.ask(reader, question, number, after))
        info.context.learn(Reader.works, view.named)
        return Answer(level=Level(info.context), view=view)

    @strawberry.field(description=PATH, directives=[some(6)])
    @with_selection(("min_confidence", "include_catalogue"))
    def path(
        self,
        info: StemmaInfo,
        from_: Annotated[
            str,
            strawberry.argument(
                name="from", description="The start: a name, in any spelling, or an id."
            ),
        ],
        to: Annotated[
            str, strawberry.argument(description="The end: a name, in any spelling, or an id.")
        ],
        max_length: Annotated[
            int,
            strawberry.argument(description=f"Maximum number of steps, at most {LONGEST_PATH}."),
        ] = 6,
        *,
        selection: Selection,
        comparisons: Annotated[
            bool,
            strawberry.argument(
                description="Also follow comparisons, if the lineage does not connect them."
            ),
        ] = True,
    ) -> list[LineageEdge] | None:
        reader = info.context.reader
        start, end = reader.resolve(from_), reader.resolve(to)
        found = find_path(reader, start, end, max_length, selection, comparisons)
        return edges_of(info.context, found.edges, selection.edges)

    @strawberry.field(description=COMPARE)
    def compare(
        self, info: StemmaInfo, left: NameArgument, right: NameArgument
    ) -> SideBySide | None:
        reader = info.context.reader
        found = compare_works(reader, reader.resolve(left), reader.resolve(right))
        view = ComparisonOfWorks.of(reader, found)
        info.context.learn(Reader.works, view.named)
        return SideBySide(level=Level(info.context), view=view)

    @strawberry.field(description="The entity with this id or name.")
    def entity(
        self,
        info: StemmaInfo,
        id: Annotated[
            strawberry.ID | None, strawberry.argument(description="Such as `entity/lora`.")
        ] = None,
        name: Annotated[
            str | None, strawberry.argument(description="In any spelling, or an alias.")
        ] = None,
    ) -> Entity | None:
        return cast(Entity, work_of(info, _one_of(id=id, name=name), Entity))

    @strawberry.field(description="The paper with this id or title.")
    def paper(
        self,
        info: StemmaInfo,
        id: Annotated[
            strawberry.ID | None,
            strawberry.argument(description="Such as `paper/…`; or a DOI, or an arXiv id."),
        ] = None,
        title: Annotated[
            str | None, strawberry.argument(description="The whole title, in any spelling.")
        ] = None,
    ) -> Paper | None:
        return cast(Paper, work_of(info, _one_of(id=id, title=title), Paper))

    @strawberry.field(description="The author with this id or ORCID.")
    def author(self, info: StemmaInfo, id: AuthorIdArgument) -> Author | None:
        return author_of(info, id)

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
        level = Level(info.context)
        return [Author.of(level, each) for each in found]

    @strawberry.field(
        description="Whatever has this id: a paper, entity, author, statement or lineage edge."
    )
    def node(self, info: StemmaInfo, id: IdArgument) -> Node | None:
        return node_of(info, id)

    @strawberry.field(
        description="Whatever has these ids, in their order; null, with an error, for an id that "
        "nothing has.",
        directives=[some(20)],
    )
    def nodes(
        self,
        info: StemmaInfo,
        ids: Annotated[
            list[strawberry.ID],
            strawberry.argument(description="At most 100, unless configured otherwise."),
        ],
    ) -> list[Node | None] | None:
        count(info, len(ids), name="the length of `ids`")
        return nodes_of(info, ids)

    @strawberry.field(
        description="Works whose names or titles match a text, best matches first; if there are "
        "none, those with a similar spelling.",
        directives=[PAGE],
    )
    @with_selection(SEARCH, first=20)
    def search(
        self, info: StemmaInfo, text: SearchArgument, selection: Selection
    ) -> Connection[Work] | None:
        found = search(info.context.reader, text, bounded(info, selection))
        level = Level(info.context)
        return Connection(level=level, nodes=Level(info.context).works(found.works), page=found)

    @strawberry.field(description="Entities, page by page.", directives=[PAGE])
    @with_selection(
        (*ENTITIES, "first", "after"),
        {
            "relations": "Entities with one of these relations from a paper.",
            "since": "First introduced in this year or later.",
            "until": "First introduced in this year or earlier.",
        },
        order=PageOrder.NAME,
        first=20,
    )
    def entities(
        self,
        info: StemmaInfo,
        selection: Selection,
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
        number = count(info, selection.first)
        order = selection.order or PageOrder.NAME
        found = reader.page(WorkType.ENTITY, chosen, order, first=number, after=selection.after)
        return entity_connection(info.context, found)

    @strawberry.field(description="Papers, page by page.", directives=[PAGE])
    @with_selection(
        (*PAPERS, "first", "after"),
        {
            "entity": "Papers that name it: a name or an id.",
            "relations": "Papers with one of these relations, to `entity` if it is given.",
            "text": "Text that the title contains.",
        },
        order=PageOrder.PUBLISHED,
        first=20,
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
    ) -> PaperConnection | None:
        reader = info.context.reader
        chosen = papers_filter(reader, selection, criteria_of(info, all or []))
        number = count(info, selection.first)
        order = selection.order or PageOrder.PUBLISHED
        found = reader.page(WorkType.PAPER, chosen, order, first=number, after=selection.after)
        papers = Level(info.context).works(found.works)
        return paper_connection(Level(info.context), papers, found, chosen.stated)

    @strawberry.field(description="The size of the graph.")
    def statistics(self, info: StemmaInfo) -> Statistics | None:
        view = StatisticsView(model=info.context.reader.statistics())
        return Statistics(level=Level(info.context), view=view)


def _one_of(**arguments: str | None) -> str:
    given = [value for value in arguments.values() if value]
    if len(given) != 1:
        raise ValueError(f"give one of {' or '.join(arguments)}")
    return given[0]
