"""The tool that says what the latest builds changed."""

from dataclasses import dataclass
from typing import Annotated

from pydantic import Field

from stemma.graph import Reader, Selection
from stemma.graph.history import since
from stemma.graph.store import page_bounds
from stemma.server.mcp.answers import Answer, coverage, fitting
from stemma.server.mcp.arguments import with_selection
from stemma.server.views.build import BuildView, build_views
from stemma.server.views.view import View, documented

_MOST_OF_BUILD = 15
StartArgument = Annotated[
    str | None,
    Field(
        description="Only builds since this date (2026-11-23), or after the build of this number.",
        max_length=40,
    ),
]


@dataclass(frozen=True, slots=True, kw_only=True)
class ChangesView(View):
    """The latest builds."""

    builds: tuple[BuildView, ...] = documented("The builds, newest first.")
    total_count: int = documented("The number of builds on all pages.")
    end_cursor: str | None = documented("Pass it as `after` for the next page.")


@with_selection(("first", "after"), first=3)
def changes(reader: Reader, selection: Selection, start: StartArgument = None) -> Answer:
    """What the latest builds of this graph added and removed, newest first.

    That is when papers were loaded, not when they were published: for this use `papers`.
    Of the first build, only the numbers are kept.
    """
    builds, known = since(reader.builds(), start), coverage(reader)

    def answer(size: int) -> Answer:
        begin, end = page_bounds([str(each.number) for each in builds], size, selection.after)
        shown, more = builds[begin:end], end < len(builds)
        view = ChangesView(
            builds=build_views(reader, shown, _MOST_OF_BUILD),
            total_count=len(builds),
            end_cursor=str(shown[-1].number) if more else None,
        )
        return Answer(view, known, 1, note=None if builds else "No builds recorded.")

    return fitting(answer, selection.first)
