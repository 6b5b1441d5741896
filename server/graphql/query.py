"""The questions that GraphQL answers, and whatever has an id: papers, entities, statements …"""

import re
from collections.abc import Sequence
from typing import Any, cast
from urllib.parse import parse_qsl

import strawberry

from stemma.graph import (
    BadCursorError,
    FilterError,
    PageOrder,
    Reader,
    Selection,
    UnknownNameError,
    WorkType,
    trace,
)
from stemma.graph.analysis import analyse
from stemma.graph.comparing import compare as compare_works
from stemma.graph.history import since as builds_since
from stemma.graph.path import LONGEST_PATH, find_path
from stemma.graph.reader import UnknownAuthorError, page_of
from stemma.graph.searching import MOST_CRITERIA, criteria_of, entities_where, papers_filter, search
from stemma.graph.selection import (
    ENTITIES,
    LARGEST_LINEAGE,
    LINEAGE,
    PAPERS,
    SEARCH,
    STATEMENTS,
    filters,
)
from stemma.schema import RelationType
from stemma.schema.name import AUTHOR, is_id
from stemma.server import asking
from stemma.server.graphql.context import StemmaInfo
from stemma.server.graphql.lineage import (
    Lineage,
    LineageEdge,
    Statement,
    StatementConnection,
    edges_of,
    learn_lineage,
    statement_connection,
)
from stemma.server.graphql.objects import (
    A_WORK,
    Connection,
    Level,
    ListSize,
    Node,
    Shown,
    attempted,
    count,
    described,
    of_view,
    selected_field,
    some,
    type_of,
)
from stemma.server.graphql.whole_graph import ANALYSIS, CHANGES, Analysis, Build
from stemma.server.graphql.works import (
    Author,
    Entity,
    EntityConnection,
    Paper,
    PaperConnection,
    Work,
)
from stemma.server.views.analysis import AnalysisView
from stemma.server.views.answer import AnswerView
from stemma.server.views.build import LISTED, BuildView, StatisticsView
from stemma.server.views.lineage import LineageView
from stemma.server.views.page import cut_statements, statements_of_graph
from stemma.server.views.side_by_side import ComparisonOfWorks
from stemma.server.views.statement import StatementView, edge_id, statement_key

_EDGE = re.compile(r"edge/((?:paper|entity)/[^/?]+)/((?:paper|entity)/[^/?]+)(?:\?(.*))?")


class _WrongTypeError(UnknownNameError):
    """A work of the other type has this name."""

    def __init__(self, name: str, type_: str) -> None:
        super().__init__(name)
        self.args = (f"{name!r} is the name of another type of work: query `{type_}`.",)


def node_of(info: StemmaInfo, id_: str) -> Node:
    """Return the node with an id. Raises LookupError if there is none."""
    if id_.startswith("statement/"):
        return _statement(info, id_)
    if id_.startswith("edge/"):
        return _edge(info, id_)
    if id_.startswith(AUTHOR):
        return author_of(info, id_)
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
        raise _WrongTypeError(name, type(shown).__name__.lower())
    return shown


def author_of(info: StemmaInfo, id_: str) -> Author:
    """Return the author with an id or an ORCID. Raises UnknownAuthorError."""
    called = info.context.reader.people_called(id_)
    people = [person for person in called if id_ in (person.id, person.orcid)]
    if not people:
        raise UnknownAuthorError(id_)
    return cast(Author, Level(info.context).work(people[0]))


def _statement(info: StemmaInfo, id_: str) -> Statement:
    try:
        subject, relation, entity = statement_key(id_)
    except BadCursorError:
        raise UnknownNameError(id_) from None
    stated = info.context.reader.statements([subject], (relation,)).get(subject, [])
    statement = next((statement for statement in stated if statement.entity == entity), None)
    if statement is None:
        raise UnknownNameError(id_)
    return Statement(level=Level(info.context), view=StatementView(model=statement))


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
        if edge_id(edge, selection) == id_:
            return edges_of(info.context, [edge], selection)[0]
    raise UnknownNameError(id_)


ENTITIES_WHERE = (
    "Entities in the papers that meet several criteria, by number of papers: for example, the "
    "datasets on which papers that build on Mamba are evaluated. The entities of the criteria "
    "are excluded."
)
ALL_STATEMENTS = (
    "Statements of all papers, by confidence, then those of the catalogue: for example, all that "
    "build on a model with a confidence of at least 0.8, or all that compare with vLLM and state "
    "at least twice its throughput."
)
_OF_STATEMENTS = {
    "kinds": "About entities of these kinds.",
    "since": "From papers of this year or later, without facts of the catalogue.",
    "until": "From papers of this year or earlier, without facts of the catalogue.",
}
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


@strawberry.input(description="A condition on papers: a relation to an entity.")
class PaperCriterion:
    """A condition on papers: a relation to an entity."""

    entity: str = strawberry.field(
        description="A name, in any spelling, or an id. The id of a paper selects this paper."
    )
    relations: list[RelationType] | None = strawberry.field(
        default=None, description="One of these relations; by default any."
    )
    include_narrower: bool = strawberry.field(
        default=False, description="Include narrower entities: an H100 is a GPU."
    )
    others: list[str] | None = strawberry.field(
        default=None, name="or", description="Or a relation to one of these, by name or id."
    )
    excluded: bool = strawberry.field(
        default=False, name="not", description="Papers that do not state such a relation."
    )


@of_view(AnswerView)
class Answer(Shown):
    """The answer to a question."""

    question: strawberry.Private[str]

    @selected_field("The works that answer the question.", "first", "after")
    def works(self, info: StemmaInfo, selection: Selection) -> Connection[Work]:
        found = self.view.model
        if selection.after is not None:
            reader = info.context.reader
            found = asking.ask(reader, self.question, selection.first, selection.after)
        page, cursors = found.page(selection.first)
        places = {work.id: cursor for work, cursor in zip(page.items, cursors, strict=True)}
        return Connection(
            level=Level(info.context),
            nodes=Level(info.context).works(page.items),
            page=page,
            cursor=lambda work: places[work.model.id],
        )

    @selected_field("Statements that the answer rests on.", "first", "after")
    def statements(self, info: StemmaInfo, selection: Selection) -> StatementConnection:
        page = cut_statements(self.view.model.statements, selection.first, selection.after)
        return statement_connection(Level(info.context), Level(info.context), page)


@of_view(ComparisonOfWorks)
class SideBySide(Shown):
    """Two works side by side."""


@strawberry.type(description="The queries of the graph.")
class Query:
    """The questions that GraphQL answers.

    All of its fields are nullable: one that fails is null, and leaves the others their answers.
    """

    @selected_field(
        ANALYSIS,
        *("include_catalogue", "first"),
        help={"first": "How many of each part: at most 100, unless configured otherwise."},
        graphql_type=Analysis | None,
        directives=[
            ListSize(
                slicing_arguments=["first"],
                sized_fields=["influential", "linesOfDescent", "communities"],
            )
        ],
        first=10,
    )
    def analysis(self, info: StemmaInfo, selection: Selection) -> Any:
        reader = info.context.reader
        model = analyse(reader, selection.include_catalogue)
        view = AnalysisView.of(reader, model, selection.first)
        info.context.learn(Reader.works, view.named)
        return Level(info.context).show(view)

    @selected_field(
        ENTITIES_WHERE,
        *("relations", "kinds", "general", "since", "until", "author", "organization", "venue"),
        *("broader", "first", "after"),
    )
    @described(
        all=f"Conditions that the papers must all meet; at most {MOST_CRITERIA} entities in all."
    )
    def entities_where(
        self, info: StemmaInfo, all: list[PaperCriterion], selection: Selection
    ) -> EntityConnection | None:
        reader = info.context.reader
        criteria = criteria_of(all, reader.resolve, "`all` names")
        page = entities_where(reader, criteria, selection)
        stated = {match.entity.id: match.statements for match in page.items}
        entities = [match.entity for match in page.items]
        return EntityConnection.of(info.context, entities, page, stated)

    @selected_field(CHANGES, "first", "after")
    @described(
        since="Only builds since this date or time (ISO 8601), or after the build of this number."
    )
    def changes(
        self, info: StemmaInfo, since: str | None = None, *, selection: Selection
    ) -> Connection[Build] | None:
        builds = builds_since(info.context.reader.builds(), since)
        page = page_of(builds, selection.first, selection.after, lambda build: str(build.number))
        nodes = Level(info.context).views(BuildView.of(build, LISTED) for build in page.items)
        return Connection(
            level=Level(info.context),
            nodes=nodes,
            page=page,
            cursor=lambda build: str(build.view.number),
        )

    @selected_field(ALL_STATEMENTS, *STATEMENTS, help=_OF_STATEMENTS)
    def statements(self, info: StemmaInfo, selection: Selection) -> StatementConnection | None:
        page = statements_of_graph(info.context.reader, selection)
        return statement_connection(Level(info.context), Level(info.context), page)

    @selected_field(
        "The descendants or ancestors of a work.",
        *LINEAGE,
        help={"first": f"Maximum number of works, at most {LARGEST_LINEAGE}."},
        directives=[ListSize(slicing_arguments=["first"], sized_fields=["nodes", "edges"])],
        first=100,
    )
    @described(of=A_WORK)
    def lineage(self, info: StemmaInfo, of: str, selection: Selection) -> Lineage | None:
        found = trace(info.context.reader, of, selection)
        learn_lineage(info.context, found)
        view = LineageView(model=found, selection=selection)
        return Lineage(level=Level(info.context), view=view)

    @strawberry.field(description=ASK)
    @described(question=f"In English, at most {asking.LONGEST_QUESTION} characters.")
    def ask(self, info: StemmaInfo, question: str) -> Answer | None:
        reader = info.context.reader
        view = AnswerView.of(reader, asking.ask(reader, question))
        info.context.learn(Reader.works, view.named)
        return Answer(level=Level(info.context), view=view, question=question)

    @selected_field(PATH, "min_confidence", "include_catalogue", directives=[some(6)])
    @described(
        from_="The start: a name, in any spelling, or an id.",
        to="The end: a name, in any spelling, or an id.",
        max_length=f"Maximum number of steps, at most {LONGEST_PATH}.",
        comparisons="Also follow comparisons, if the lineage does not connect them.",
    )
    def path(
        self,
        info: StemmaInfo,
        from_: str,
        to: str,
        max_length: int = 6,
        *,
        selection: Selection,
        comparisons: bool = True,
    ) -> list[LineageEdge] | None:
        reader = info.context.reader
        start, end = reader.resolve(from_), reader.resolve(to)
        found = find_path(reader, start, end, max_length, selection, comparisons)
        return edges_of(info.context, found.edges, selection)

    @strawberry.field(description=COMPARE)
    @described(left=A_WORK, right=A_WORK)
    def compare(self, info: StemmaInfo, left: str, right: str) -> SideBySide | None:
        reader = info.context.reader
        pair = compare_works(reader, reader.resolve(left), reader.resolve(right))
        view = ComparisonOfWorks.of(reader, pair)
        info.context.learn(Reader.works, view.named)
        return SideBySide(level=Level(info.context), view=view)

    @strawberry.field(description="The entity with this id or name.")
    @described(id="Such as `entity/lora`.", name="In any spelling, or an alias.")
    def entity(
        self, info: StemmaInfo, id: strawberry.ID | None = None, name: str | None = None
    ) -> Entity | None:
        return cast(Entity, work_of(info, _one_of(id=id, name=name), Entity))

    @strawberry.field(description="The paper with this id or title.")
    @described(
        id="Such as `paper/…`; or a DOI, or an arXiv id.", title="The whole title, in any spelling."
    )
    def paper(
        self, info: StemmaInfo, id: strawberry.ID | None = None, title: str | None = None
    ) -> Paper | None:
        return cast(Paper, work_of(info, _one_of(id=id, title=title), Paper))

    @strawberry.field(description="The author with this id or ORCID.")
    @described(id="Such as `author/ada-quill`, or an ORCID.")
    def author(self, info: StemmaInfo, id: strawberry.ID) -> Author | None:
        return author_of(info, id)

    @selected_field(
        "The authors with a name, in any spelling that papers use, or with an id at a registry; "
        "those with the most papers first.",
        *("first", "after"),
    )
    @described(name="A name, a surname, or an id at a registry such as `openalex:A123`.")
    def authors(
        self, info: StemmaInfo, name: str, selection: Selection
    ) -> Connection[Author] | None:
        persons = info.context.reader.people_meant(name)
        page = page_of(persons, selection.first, selection.after, lambda person: person.id)
        level = Level(info.context)
        return Connection(level=level, nodes=Level(info.context).works(page.items), page=page)

    @strawberry.field(
        description="Whatever has this id: a paper, entity, author, statement or lineage edge."
    )
    @described(id="Such as `entity/zero-infinity`.")
    def node(self, info: StemmaInfo, id: strawberry.ID) -> Node | None:
        return node_of(info, id)

    @strawberry.field(
        description="Whatever has these ids, in their order; null, with an error, for an id that "
        "nothing has.",
        directives=[some(20)],
    )
    @described(ids="At most 100, unless configured otherwise.")
    def nodes(self, info: StemmaInfo, ids: list[strawberry.ID]) -> list[Node | None] | None:
        count(info, len(ids), name="the length of `ids`")
        return nodes_of(info, ids)

    @selected_field(
        "Works whose names or titles match a text, best matches first; if there are none, those "
        "with a similar spelling.",
        *SEARCH,
    )
    @described(text="Words or parts of words; all must match.")
    def search(self, info: StemmaInfo, text: str, selection: Selection) -> Connection[Work] | None:
        page = search(info.context.reader, text, selection)
        level = Level(info.context)
        return Connection(level=level, nodes=Level(info.context).works(page.items), page=page)

    @selected_field(
        "Entities, page by page.",
        *ENTITIES,
        *("first", "after"),
        help={
            "relations": "Entities with one of these relations from a paper.",
            "since": "First introduced in this year or later.",
            "until": "First introduced in this year or earlier.",
        },
        order=PageOrder.NAME,
    )
    def entities(self, info: StemmaInfo, selection: Selection) -> EntityConnection | None:
        reader = info.context.reader
        broader = reader.resolve(selection.broader) if selection.broader else None
        page = reader.page(WorkType.ENTITY, selection.changed(broader=broader))
        return EntityConnection.of(info.context, page.items, page, {})

    @selected_field(
        "Papers, page by page.",
        *PAPERS,
        *("first", "after"),
        help={
            "entity": "Papers that name it: a name or an id.",
            "relations": "Papers with one of these relations, to `entity` if it is given.",
            "text": "Text that the title contains.",
        },
        order=PageOrder.PUBLISHED,
    )
    @described(
        all="Criteria that the papers must all meet, for example that they compare with vLLM and "
        f"run on an H100; at most {MOST_CRITERIA}."
    )
    def papers(
        self, info: StemmaInfo, selection: Selection, all: list[PaperCriterion] | None = None
    ) -> PaperConnection | None:
        reader = info.context.reader
        criteria = criteria_of(all or [], reader.resolve, "`all` names")
        ordered = selection.changed(order=selection.order or PageOrder.PUBLISHED)
        chosen = papers_filter(reader, ordered, criteria)
        page = reader.page(WorkType.PAPER, chosen)
        papers = Level(info.context).works(page.items)
        return PaperConnection(
            level=Level(info.context), nodes=papers, page=page, stated=chosen.criteria
        )

    @strawberry.field(
        description="The size of the graph.", graphql_type=type_of(StatisticsView) | None
    )
    def statistics(self, info: StemmaInfo) -> Any:
        return Level(info.context).show(StatisticsView(model=info.context.reader.statistics()))


def _one_of(**arguments: str | None) -> str:
    given = [value for value in arguments.values() if value]
    if len(given) != 1:
        raise ValueError(f"give one of {' or '.join(arguments)}")
    return given[0]
