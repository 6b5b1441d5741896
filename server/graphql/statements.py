"""Statements and comparisons of the whole graph, as connections of GraphQL."""

import strawberry

from stemma.graph import selection as filters
from stemma.graph.selection import Selection
from stemma.graph.statement_page import StatementPage
from stemma.server.graphql.arguments import with_selection
from stemma.server.graphql.context import Context, StemmaInfo
from stemma.server.graphql.page import PageInfo, count
from stemma.server.graphql.works import Statement
from stemma.server.views.page import statements_of_graph

STATEMENTS = (
    "Statements of all papers and of the catalogue, by confidence: for example, all that build on "
    "a model with a confidence of at least 0.8, or all that compare with vLLM and state at least "
    "twice its throughput."
)


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
            edges=[StatementEdge(cursor=each.view.id, node=each) for each in nodes],
            nodes=nodes,
            total_count=page.total,
            page_info=PageInfo(
                has_next_page=page.has_next,
                has_previous_page=page.has_previous,
                start_cursor=nodes[0].view.id if nodes else None,
                end_cursor=nodes[-1].view.id if nodes else None,
            ),
        )


@with_selection(filters.STATEMENTS, {"kinds": "About entities of these kinds."}, first=20)
def statements(info: StemmaInfo, selection: Selection) -> StatementConnection:
    """Page through statements."""
    count(info, selection.first)
    page = statements_of_graph(info.context.reader, selection)
    return StatementConnection.of(info.context, page)
