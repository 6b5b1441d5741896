"""Statements, as GraphQL types, and pages of those of the whole graph."""

from collections.abc import Callable
from typing import Any

from strawberry.utils.await_maybe import AwaitableOrValue

from stemma.graph import selection as filters
from stemma.graph.selection import Selection, StatementPage
from stemma.schema import Statement as ModelStatement
from stemma.schema.name import PAPER
from stemma.server.graphql.connection import Connection, Edge
from stemma.server.graphql.context import Context, StemmaInfo
from stemma.server.graphql.fields import bounded, own_field, with_selection
from stemma.server.graphql.objects import (
    LazyPaper,
    Node,
    Shown,
    of_view,
    shown_work,
)
from stemma.server.views.page import statements_of_graph
from stemma.server.views.statement import StatementView
from stemma.server.views.view import help_of

STATEMENTS = (
    "Statements of all papers and of the catalogue, by confidence: for example, all that build on "
    "a model with a confidence of at least 0.8, or all that compare with vLLM and state at least "
    "twice its throughput."
)


@of_view(StatementView, works={"entity": "Entity"}, sizes={"evidence": 2})
class Statement(Shown, Node):
    """A work has a relation to an entity."""

    @own_field(graphql_type=LazyPaper | None, description=help_of(StatementView, "paper"))
    def paper(self) -> AwaitableOrValue[Any]:
        subject = self.view.model.subject
        return shown_work(self.context, subject) if subject.startswith(PAPER) else None

    @classmethod
    def of(cls, context: Context, model: ModelStatement) -> "Statement":
        return cls(context=context, view=StatementView.of(model, {}))


StatementConnection = Connection[Statement]


def statement_connection(
    context: Context,
    page: StatementPage,
    count: Callable[[], AwaitableOrValue[int]] | None = None,
) -> StatementConnection:
    """Show a page of statements; `count`: see `AnyConnection`."""
    return Connection(
        nodes=[Statement.of(context, each) for each in page.statements],
        edge=lambda shown: Edge(cursor=shown.view.id, node=shown),
        page=page,
        count=count,
    )


@with_selection(filters.STATEMENTS, {"kinds": "About entities of these kinds."}, first=20)
def statements(info: StemmaInfo, selection: Selection) -> StatementConnection:
    """Page through statements."""
    page = statements_of_graph(info.context.reader, bounded(info, selection))
    info.context.fetch_ends(page.statements)
    return statement_connection(info.context, page)
