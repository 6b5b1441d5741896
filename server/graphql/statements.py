"""Statements and comparisons of the whole graph, as connections of GraphQL."""

import re
from typing import Annotated

import strawberry

from stemma.graph import BadCursorError
from stemma.graph.statement_page import (
    ComparisonFilter,
    StatementChoice,
    StatementKey,
    StatementPage,
)
from stemma.schema import Direction, EntityKind, RelationType
from stemma.server.graphql.arguments import (
    IncludeCatalogueArgument,
    MinConfidenceArgument,
    YearFromArgument,
    YearToArgument,
)
from stemma.server.graphql.context import Context, StemmaInfo
from stemma.server.graphql.page import AfterArgument, FirstArgument, PageInfo, count
from stemma.server.graphql.works import RelationsArgument, Statement

STATEMENTS = (
    "Statements of all papers and of the catalogue, by confidence: for example, all that build on "
    "a model with a confidence of at least 0.8."
)
COMPARISONS = (
    "Statements of papers that compare with an entity and give a result, by confidence: for "
    "example, all with at least twice the throughput of vLLM."
)
_ID = re.compile(r"statement/((?:paper|entity)/[^/]+)/([a-z-]+)/(entity/[^/]+)")
EntityArgument = Annotated[
    str | None,
    strawberry.argument(description="About this entity: a name, in any spelling, or an id."),
]
KindsOfEntityArgument = Annotated[
    list[EntityKind] | None, strawberry.argument(description="About entities of these kinds.")
]


@strawberry.type(description="A statement on a page.")
class StatementEdge:
    """A statement on a page."""

    cursor: str = strawberry.field(description="Pass it as `after`.")
    node: Statement = strawberry.field(description="The statement.")


@strawberry.type(description="A page of statements.")
class StatementConnection:
    """A page of statements."""

    edges: list[StatementEdge] = strawberry.field(
        description="The statements in order, each with its cursor."
    )
    nodes: list[Statement] = strawberry.field(description="The statements, in order.")
    total_count: int = strawberry.field(description="The number on all pages.")
    page_info: PageInfo = strawberry.field(description="The position of the page.")

    @classmethod
    def of(cls, context: Context, page: StatementPage) -> "StatementConnection":
        """Show a page of statements, with the works that they are about if the query asks."""
        context.fetch_ends(page.statements)
        nodes = [Statement.of(context, each) for each in page.statements]
        return cls(
            edges=[StatementEdge(cursor=each.id, node=each) for each in nodes],
            nodes=nodes,
            total_count=page.total,
            page_info=PageInfo(
                has_next_page=page.has_next,
                has_previous_page=page.has_previous,
                start_cursor=nodes[0].id if nodes else None,
                end_cursor=nodes[-1].id if nodes else None,
            ),
        )


def statements(
    info: StemmaInfo,
    entity: EntityArgument = None,
    relations: RelationsArgument = None,
    kinds: KindsOfEntityArgument = None,
    min_confidence: MinConfidenceArgument = 0.0,
    include_catalogue: IncludeCatalogueArgument = True,
    year_from: YearFromArgument = None,
    year_to: YearToArgument = None,
    first: FirstArgument = 20,
    after: AfterArgument = None,
) -> StatementConnection:
    """Page through statements."""
    chosen = StatementChoice(
        info.context.reader.resolve(entity) if entity else None,
        tuple(relations or ()),
        tuple(kinds or ()),
        min_confidence,
        year_from,
        year_to,
        include_catalogue,
    )
    return _page(info, chosen, first, after)


def comparisons(
    info: StemmaInfo,
    entity: EntityArgument = None,
    kinds: KindsOfEntityArgument = None,
    metric: Annotated[
        str | None,
        strawberry.argument(description="Text that the metric contains, such as `throughput`."),
    ] = None,
    min_factor: Annotated[
        float | None,
        strawberry.argument(
            description="The smallest factor, as sentences state it: 2 for “2.2x”, not for “half”. "
            "Of a range of factors, the lowest counts."
        ),
    ] = None,
    max_factor: Annotated[
        float | None,
        strawberry.argument(description="The largest factor; of a range, the highest counts."),
    ] = None,
    direction: Annotated[
        Direction | None,
        strawberry.argument(description="How the paper's contribution performs."),
    ] = None,
    min_confidence: MinConfidenceArgument = 0.0,
    year_from: YearFromArgument = None,
    year_to: YearToArgument = None,
    first: FirstArgument = 20,
    after: AfterArgument = None,
) -> StatementConnection:
    """Page through comparisons."""
    chosen = StatementChoice(
        info.context.reader.resolve(entity) if entity else None,
        (RelationType.COMPARES_WITH,),
        tuple(kinds or ()),
        min_confidence,
        year_from,
        year_to,
        compared=ComparisonFilter(metric, min_factor, max_factor, direction),
    )
    return _page(info, chosen, first, after)


def _page(
    info: StemmaInfo, chosen: StatementChoice, first: int, after: str | None
) -> StatementConnection:
    key = _key(after) if after is not None else None
    page = info.context.reader.statement_page(chosen, key, count(info, first))
    return StatementConnection.of(info.context, page)


def _key(cursor: str) -> StatementKey:
    """Read the id of a statement. Raises BadCursorError."""
    found = _ID.fullmatch(cursor)
    relation = found[2].upper().replace("-", "_") if found else ""
    if not found or relation not in RelationType.__members__:
        raise BadCursorError(cursor)
    return (found[1], RelationType(relation), found[3])
