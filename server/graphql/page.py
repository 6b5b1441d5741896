"""Pages of long answers: the connections of Relay."""

from collections.abc import Callable, Sequence
from typing import Annotated, Any, Generic, TypeVar

import strawberry

from stemma.graph import Page
from stemma.graph.selection import Selection
from stemma.graph.statement_page import StatementPage
from stemma.server.graphql.context import StemmaInfo
from stemma.server.graphql.of_view import Shown, of_view
from stemma.server.views.page import PageInfo as PageInfoView
from stemma.server.views.page import page_info

USUAL_PAGE = 20
Item = TypeVar("Item")
FirstArgument = Annotated[
    int, strawberry.argument(description="How many: at most 100, unless configured otherwise.")
]
AfterArgument = Annotated[
    str | None, strawberry.argument(description="Continue after this cursor.")
]


def count(info: StemmaInfo, first: int, largest: int | None = None, name: str = "`first`") -> int:
    """Return how much is asked for. Raises ValueError where it is out of bounds."""
    most = info.context.settings.page_size if largest is None else largest
    if first == USUAL_PAGE:  # The default, on a server with smaller pages.
        return min(first, most)
    if not 0 <= first <= most:
        bound = f"at most {most}" if first > most else "at least 0"
        raise ValueError(f"{name} must be {bound}, not {first}")
    return first


def bounded(info: StemmaInfo, selection: Selection) -> Selection:
    """Return a selection whose page has no more items than it may. Raises ValueError as `count`."""
    return selection.changed(first=count(info, selection.first))


@of_view(PageInfoView)
class PageInfo(Shown):
    """The position of a page."""


@strawberry.type(description="An item on a page.")
class Edge(Generic[Item]):
    """An item on a page."""

    cursor: str = strawberry.field(description="Pass it as `after`.")
    node: Item = strawberry.field(description="The item.")


@strawberry.type(description="A page.")
class Connection(Generic[Item]):
    """A page of items of one type."""

    edges: list[Edge[Item]] = strawberry.field(description="The items, each with its cursor.")
    nodes: list[Item] = strawberry.field(description="The items, in order.")
    total_count: int = strawberry.field(description="The number on all pages.")
    page_info: PageInfo = strawberry.field(description="The position of the page.")


def connect(
    type_: Callable[..., Any],
    page: Page | StatementPage,
    edges: Sequence[Any],
) -> Any:
    """Return a connection of a type with the edges of a page."""
    return type_(
        edges=edges,
        nodes=[edge.node for edge in edges],
        total_count=page.total,
        page_info=PageInfo(
            context=None,  # type: ignore[arg-type]  # It has nothing to read.
            view=page_info([edge.cursor for edge in edges], page),
        ),
    )
