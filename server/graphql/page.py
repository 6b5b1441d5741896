"""Pages of long answers, as Relay has them."""

from collections.abc import Sequence
from typing import Annotated, TypedDict

import strawberry

from stemma.graph import Page
from stemma.graph.store import page_bounds
from stemma.server.graphql.context import StemmaInfo

USUAL_PAGE = 20
FirstArgument = Annotated[
    int,
    strawberry.argument(
        description="Size of the page: at most 100, unless the server is configured otherwise."
    ),
]
FirstOfPageArgument = Annotated[
    int | None,
    strawberry.argument(
        description=f"Number of items from the start, or after `after`; by default {USUAL_PAGE}, "
        "unless `last` is given. A page has at most 100, unless configured otherwise."
    ),
]
LastOfPageArgument = Annotated[
    int | None,
    strawberry.argument(
        description="Number of items from the end, or before `before`, in the same order; "
        "instead of `first`."
    ),
]
AfterArgument = Annotated[
    str | None, strawberry.argument(description="Continue after this cursor.")
]
BeforeArgument = Annotated[str | None, strawberry.argument(description="Stop before this cursor.")]


class _Keywords(TypedDict):
    first: int
    after: str | None
    before: str | None
    backward: bool


def count(info: StemmaInfo, first: int, largest: int | None = None, name: str = "`first`") -> int:
    """Return how much is asked for. Raises ValueError where it is out of bounds."""
    most = info.context.settings.page_size if largest is None else largest
    if not 0 <= first <= most:
        raise ValueError(f"{name} must be between 0 and {most}, not {first}")
    return first


class PageArguments:
    """Which page of a connection is asked for. Raises ValueError for what makes no sense."""

    def __init__(
        self,
        info: StemmaInfo,
        first: int | None = None,
        after: str | None = None,
        last: int | None = None,
        before: str | None = None,
    ) -> None:
        if first is not None and last is not None:
            raise ValueError("`first` and `last` are both given; give one of them")
        self.backward = last is not None
        if last is not None:
            self.count = count(info, last, name="`last`")
        elif first is not None:
            self.count = count(info, first)
        else:
            self.count = min(USUAL_PAGE, info.context.settings.page_size)
        self.after, self.before = after, before

    def as_keywords(self) -> _Keywords:
        """Return them as keyword arguments of the store."""
        return {
            "first": self.count,
            "after": self.after,
            "before": self.before,
            "backward": self.backward,
        }

    def cut(self, ids: Sequence[str]) -> tuple[Sequence[str], bool, bool]:
        """Return the page of `ids`, whether more come before it, and whether more follow.

        Raises BadCursorError if a cursor is not one of them.
        """
        begin, end = page_bounds(ids, self.count, self.after, self.before, self.backward)
        return ids[begin:end], begin > 0, end < len(ids)


@strawberry.type(description="The position of a page.")
class PageInfo:
    """The position of a page."""

    has_next_page: bool = strawberry.field(description="Whether there are more after `endCursor`.")
    has_previous_page: bool = strawberry.field(
        description="Whether there are more before `startCursor`."
    )
    start_cursor: str | None = strawberry.field(
        description="Pass it as `before` for the previous page; null if the page is empty."
    )
    end_cursor: str | None = strawberry.field(
        description="Pass it as `after` for the next page; null if the page is empty."
    )

    @classmethod
    def of(cls, page: Page) -> "PageInfo":
        """Return where `page` is."""
        return cls(
            has_next_page=page.has_next,
            has_previous_page=page.has_previous,
            start_cursor=page.works[0].id if page.works else None,
            end_cursor=page.works[-1].id if page.works else None,
        )
