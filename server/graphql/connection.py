"""Pages of long answers: the connections of Relay."""

from collections.abc import Callable, Sequence
from typing import Any, Generic, TypeVar

import strawberry
from strawberry.utils.await_maybe import AwaitableOrValue

from stemma.graph import Page
from stemma.graph.selection import StatementPage
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
    """What all connections have, besides the types of their nodes and edges.

    Edges and cursors are made only for queries that have them.
    """

    nodes: strawberry.Private[Sequence[Any]]
    edge: strawberry.Private[Callable[[Any], Any]]
    """Makes the edge of a node."""
    page: strawberry.Private[Page | StatementPage]
    count: strawberry.Private[Callable[[], AwaitableOrValue[int]] | None] = None
    """Counts the items on all pages, where `page` does not know their number."""

    def all_edges(self) -> list[Any]:
        return [self.edge(node) for node in self.nodes]

    @own_field("The number on all pages.", graphql_type=int)
    def total_count(self) -> AwaitableOrValue[int]:
        return self.count() if self.count else self.page.total

    @own_field("The position of the page.")
    def page_info(self) -> PageInfo:
        ends = [self.nodes[0], self.nodes[-1]] if self.nodes else []
        view = page_info([self.edge(node).cursor for node in ends], self.page)
        return PageInfo(context=None, view=view)  # type: ignore[arg-type]  # It reads nothing.


@strawberry.type(description="A page.")
class Connection(AnyConnection, Generic[Item]):
    """A page of items of one type."""

    nodes: list[Item] = strawberry.field(description="The items, in order.")

    @own_field("The items, each with its cursor.")
    def edges(self) -> list[Edge[Item]]:
        return self.all_edges()
