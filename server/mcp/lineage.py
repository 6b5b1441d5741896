"""The tools about lineage: lineage, path."""

from stemma.graph import LineageDirection, LineageFilter, LineageOrder, Reader, trace
from stemma.graph.criteria import Years
from stemma.graph.filters import date_asked
from stemma.graph.path import find_path
from stemma.graph.shown_works import ShownWorks
from stemma.server.mcp.answers import LineageAnswer, PathAnswer
from stemma.server.mcp.arguments import (
    AfterArgument,
    AsOfArgument,
    CatalogueArgument,
    DepthArgument,
    DirectionArgument,
    FirstArgument,
    KindsArgument,
    LineageOrderArgument,
    MinConfidenceArgument,
    NameArgument,
    QuotesArgument,
    RelationsArgument,
    SinceArgument,
    UntilArgument,
)
from stemma.server.mcp.names import Names
from stemma.server.mcp.page import fitting, why_empty
from stemma.server.mcp.presenter import Presenter, work_name

_NOTHING = {
    LineageDirection.DESCENDANTS: "Nothing in this graph builds on it.",
    LineageDirection.ANCESTORS: "It builds on nothing in this graph.",
}


def lineage(
    reader: Reader,
    of: NameArgument,
    direction: DirectionArgument = LineageDirection.DESCENDANTS,
    max_depth: DepthArgument = 3,
    relations: RelationsArgument = None,
    min_confidence: MinConfidenceArgument = 0.0,
    include_catalogue: CatalogueArgument = True,
    as_of: AsOfArgument = None,
    kinds: KindsArgument = None,
    since: SinceArgument = None,
    until: UntilArgument = None,
    order: LineageOrderArgument = LineageOrder.DEPTH,
    quotes: QuotesArgument = 2,
    first: FirstArgument = 20,
    after: AfterArgument = None,
) -> LineageAnswer:
    """What builds on a work (descendants), or what it builds on (ancestors), with sentences.

    By default works come by distance, then date; each edge comes with the later of its two works.
    """
    names = Names(reader)
    root = names.resolve(of)
    chosen = LineageFilter(
        tuple(relations or ()), min_confidence, include_catalogue, date_asked(as_of)
    )
    show = ShownWorks(tuple(kinds or ()), Years(since, until))
    present = Presenter(reader, quotes)
    coverage = present.coverage()

    def answer(size: int) -> LineageAnswer:
        found = trace(
            reader, root, direction, max_depth, chosen, size, after, show=show, order=order
        )
        note = None if found.total else why_empty(found.emptied_by, _NOTHING[direction])
        return LineageAnswer(
            root=work_name(found.root),
            direction=direction.value,
            works=present.nodes(found.nodes),
            edges=present.edges(found.edges),
            total=found.total,
            truncated=found.truncated,
            next_cursor=found.end_cursor if found.truncated else None,
            note=note,
            namesakes=names.namesakes,
            coverage=coverage,
        )

    return fitting(answer, first)


def path(
    reader: Reader,
    start: NameArgument,
    goal: NameArgument,
    min_confidence: MinConfidenceArgument = 0.0,
    include_catalogue: CatalogueArgument = True,
    comparisons: bool = True,
    quotes: QuotesArgument = 2,
) -> PathAnswer:
    """How two works are related: the shortest path through the lineage, each step with sentences.

    If there is none, the path may use comparisons (`comparisons`).
    """
    names, present = Names(reader), Presenter(reader, quotes)
    chosen = LineageFilter((), min_confidence, include_catalogue)
    found = find_path(
        reader, names.resolve(start), names.resolve(goal), filter=chosen, comparisons=comparisons
    )
    works = reader.works([found.start, found.goal])
    note = None
    if not found.edges:
        same = found.start == found.goal
        note = "Both names mean the same work." if same else "No path of at most 6 steps is known."
    return PathAnswer(
        start=work_name(works[found.start]),
        goal=work_name(works[found.goal]),
        steps=present.edges(found.edges),
        total=len(found.edges),
        truncated=False,
        note=note,
        namesakes=names.namesakes,
        coverage=present.coverage(),
    )
