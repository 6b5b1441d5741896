"""The tool that says what the latest builds changed."""

from typing import Annotated

from pydantic import Field

from stemma.graph import Reader
from stemma.graph.added_edges import edges_added
from stemma.graph.history import Build, since
from stemma.graph.store import page_bounds
from stemma.schema import Paper
from stemma.server.mcp.answers import BuildChanges, ChangesAnswer, WorkName
from stemma.server.mcp.arguments import AfterArgument, FirstArgument
from stemma.server.mcp.page import fitting
from stemma.server.mcp.presenter import LONGEST_NAME, Presenter, cut, paper_reference

_MOST_OF_BUILD = 15
StartArgument = Annotated[
    str | None,
    Field(
        description="Only builds since this date (2026-11-23), or after the build of this number.",
        max_length=40,
    ),
]


def changes(
    reader: Reader,
    start: StartArgument = None,
    first: FirstArgument = 3,
    after: AfterArgument = None,
) -> ChangesAnswer:
    """What the latest builds of this graph added and removed, newest first.

    That is when papers were loaded, not when they were published: for this use `papers`.
    Of the first build, only the numbers are kept.
    """
    builds = since(reader.builds(), start)
    present = Presenter(reader, supports=1)
    coverage = present.coverage()

    def answer(size: int) -> ChangesAnswer:
        begin, end = page_bounds([str(each.number) for each in builds], size, after)
        shown, more = builds[begin:end], end < len(builds)
        return ChangesAnswer(
            builds=[_build(reader, present, each) for each in shown],
            total=len(builds),
            truncated=more,
            next_cursor=str(shown[-1].number) if more else None,
            note=None if builds else "No builds recorded.",
            coverage=coverage,
        )

    return fitting(answer, first)


def _build(reader: Reader, present: Presenter, build: Build) -> BuildChanges:
    papers = reader.works([id_ for id_, _ in build.papers.added.some[:_MOST_OF_BUILD]])
    edges = edges_added(reader, [build], _MOST_OF_BUILD).by_ends
    removed = (*build.papers.removed.some, *build.entities.removed.some)[:_MOST_OF_BUILD]
    return BuildChanges(
        number=build.number,
        finished=build.finished,
        papers_added=build.papers.added.count,
        papers_updated=build.updated,
        papers_removed=build.papers.removed.count,
        entities_added=build.entities.added.count,
        entities_removed=build.entities.removed.count,
        edges_added=build.edges.added.count,
        edges_removed=build.edges.removed.count,
        papers=[paper_reference(each) for each in papers.values() if isinstance(each, Paper)],
        edges=present.edges(edges[ends] for ends in build.edges.added.some if ends in edges),
        entities=[_name(*each) for each in build.entities.added.some[:_MOST_OF_BUILD]],
        removed=[_name(*each) for each in removed],
    )


def _name(id_: str, name: str) -> WorkName:
    return WorkName(id=id_, name=cut(name, LONGEST_NAME))
