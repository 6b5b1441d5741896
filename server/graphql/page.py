"""Pages of long answers: the connections of Relay."""

from collections.abc import Callable, Sequence
from typing import Annotated, Any, Generic, Protocol, TypeVar

import strawberry

from stemma.graph.selection import Selection
from stemma.server.graphql.context import StemmaInfo
from stemma.server.graphql.of_view import Shown, of_view
from stemma.server.views.page import PageInfo as PageInfoView

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


class Position(Protocol):
    """A page, as the graph has it: how many items there are, and whether some are not on it."""

    @property
    def total(self) -> int: ...
    @property
    def has_next(self) -> bool: ...
    @property
    def has_previous(self) -> bool: ...


def connect(
    type_: Callable[..., Any],
    page: Position,
    edges: Sequence[Any],
) -> Any:
    """Return a connection of a type with the edges of a page."""
    cursors = [edge.cursor for edge in edges]
    return type_(
        edges=edges,
        nodes=[edge.node for edge in edges],
        total_count=page.total,
        page_info=PageInfo(
            context=None,  # type: ignore[arg-type]  # It has nothing to read.
            view=PageInfoView(
                has_next_page=page.has_next,
                has_previous_page=page.has_previous,
                start_cursor=cursors[0] if cursors else None,
                end_cursor=cursors[-1] if cursors else None,
            ),
        ),
    )
