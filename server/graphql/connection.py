"""Pages of long answers: the connections of Relay."""

from collections.abc import Callable, Sequence
from typing import Any, Generic, TypeVar

import strawberry
from strawberry.utils.await_maybe import AwaitableOrValue

from stemma.graph import Page
from stemma.graph.statement_page import StatementPage
from stemma.server.graphql.fields import own_field
from stemma.server.graphql.objects import Shown, of_view
from stemma.server.views.page import PageInfo as PageInfoView
from stemma.server.views.page import page_info

Item = TypeVar("Item")


@of_view(PageInfoView)
class PageInfo(Shown):
    """The position of a page."""


@strawberry.type(description="An item on a page.")
class Edge(Generic[Item]):
    """An item on a page."""

    cursor: str = strawberry.field(description="Pass it as `after`.")
    node: Item = strawberry.field(description="The item.")


@strawberry.type
class AnyConnection:
    """What all connections have, besides their `edges` and `nodes`."""

    count: strawberry.Private[Callable[[], AwaitableOrValue[int]]]
    page_info: PageInfo = strawberry.field(description="The position of the page.")

    @own_field("The number on all pages.", graphql_type=int)
    def total_count(self) -> AwaitableOrValue[int]:
        return self.count()


@strawberry.type(description="A page.")
class Connection(AnyConnection, Generic[Item]):
    """A page of items of one type."""

    edges: list[Edge[Item]] = strawberry.field(description="The items, each with its cursor.")
    nodes: list[Item] = strawberry.field(description="The items, in order.")


def connect(
    type_: Callable[..., Any],
    page: Page | StatementPage,
    edges: Sequence[Any],
    count: Callable[[], AwaitableOrValue[int]] | None = None,
) -> Any:
    """Return a connection of a type with the edges of a page.

    `count` counts the items on all pages, where the page does not know their number.
    """
    cursors = [edge.cursor for edge in edges]
    return type_(
        edges=edges,
        nodes=[edge.node for edge in edges],
        count=count or (lambda: page.total),
        page_info=PageInfo(
            context=None,  # type: ignore[arg-type]  # It has nothing to read.
            view=page_info(cursors, page),
        ),
    )
