"""Pages of long answers."""

from typing import TypedDict

import strawberry

from stemma.graph import Page

LARGEST_PAGE = 100


class _Keywords(TypedDict):
    first: int
    after: str | None


class PageArguments:
    """How much of a long answer is asked for. Raises ValueError for what is out of bounds."""

    def __init__(self, first: int, after: str | None = None, largest: int = LARGEST_PAGE) -> None:
        if not 0 <= first <= largest:
            raise ValueError(f"`first` is {first}; it goes from 0 to {largest}")
        self.first = first
        self.after = after

    def as_keywords(self) -> _Keywords:
        """Return them as keyword arguments of the store."""
        return {"first": self.first, "after": self.after}


@strawberry.type(description="Whether and where a page goes on.")
class PageInfo:
    """Whether and where a page goes on."""

    has_next_page: bool = strawberry.field(description="Whether there is more.")
    end_cursor: str | None = strawberry.field(description="Give it as `after` for the next page.")

    @classmethod
    def of(cls, page: Page) -> "PageInfo":
        """Tell how `page` goes on."""
        return cls(
            has_next_page=page.has_next, end_cursor=page.works[-1].id if page.works else None
        )
