"""The tools about lineage: lineage, timeline, path."""

from stemma.graph.shown_works import ShownWorks

from stemma.graph import LineageDirection, LineageFilter, LineageNode, Reader, trace
from stemma.graph.filters import Years, date_asked
from stemma.graph.path import find_path
from stemma.graph.timeline import draw_timeline
from stemma.server.asking.answer import Window
from stemma.server.mcp.answers import LineageAnswer, PathAnswer, TimelineAnswer, Year
from stemma.server.mcp.arguments import (
    AfterArgument,
    AsOfArgument,
    CatalogueArgument,
    DepthArgument,
    DirectionArgument,
    FirstArgument,
    KindsArgument,
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
    quotes: QuotesArgument = 2,
    first: FirstArgument = 20,
    after: AfterArgument = None,
) -> LineageAnswer:
    """What builds on a work (descendants), or what it builds on (ancestors), with sentences.

    Works come by distance, then date; each edge comes with the later of its two works.
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
        found = trace(reader, root, direction, max_depth, chosen, size, after, show=show)
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


def timeline(
    reader: Reader,
    of: NameArgument,
    direction: DirectionArgument = LineageDirection.DESCENDANTS,
    max_depth: DepthArgument = 3,
    relations: RelationsArgument = None,
    min_confidence: MinConfidenceArgument = 0.0,
    include_catalogue: CatalogueArgument = True,
    kinds: KindsArgument = None,
    since: SinceArgument = None,
    until: UntilArgument = None,
    quotes: QuotesArgument = 1,
    first: FirstArgument = 20,
    after: AfterArgument = None,
) -> TimelineAnswer:
    """The descendants or ancestors of a work by year, the oldest first, with sentences.

    `kinds`, `since` and `until` choose what is shown, not which works the lineage leads through.
    """
    names = Names(reader)
    root = names.resolve(of)
    chosen = LineageFilter(tuple(relations or ()), min_confidence, include_catalogue)
    years = Years(since, until)
    present = Presenter(reader, quotes)
    coverage = present.coverage()

    def answer(size: int) -> TimelineAnswer:
        window = Window.after(after, size)
        found = draw_timeline(
            reader, root, direction, max_depth, chosen, tuple(kinds or ()), years, window.end
        )
        shown = window.of(found.nodes)
        new = {node.work.id for node in shown}
        edges = [each for each in found.edges if each.child in new or each.parent in new]
        note = None if found.total else why_empty(found.emptied_by, _NOTHING[direction])
        return TimelineAnswer(
            root=work_name(found.root.work),
            direction=direction.value,
            years=_by_year(shown, present),
            edges=present.edges(edges),
            total=found.total,
            truncated=found.truncated,
            next_cursor=window.cursor(found.total),
            note=note,
            namesakes=names.namesakes,
            coverage=coverage,
        )

    return fitting(answer, first)


def _by_year(nodes: tuple[LineageNode, ...], present: Presenter) -> list[Year]:
    by_year: dict[int | None, list[LineageNode]] = {}
    for node in nodes:
        by_year.setdefault(node.published.year if node.published else None, []).append(node)
    return [Year(year=year, works=present.nodes(own)) for year, own in by_year.items()]


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
