"""The tools about lineage: lineage, path."""

from collections.abc import Sequence

from stemma.graph import FilterField, LineageDirection, Reader, Selection, trace
from stemma.graph.path import find_path
from stemma.graph.selection import LINEAGE, spelled
from stemma.server.mcp.answers import Answer, coverage, fitting
from stemma.server.mcp.arguments import NameArgument, QuotesArgument, with_selection
from stemma.server.mcp.names import Names
from stemma.server.views.lineage import LineageView
from stemma.server.views.path import PathView

_NOTHING = {
    LineageDirection.DESCENDANTS: "Nothing in this graph builds on it.",
    LineageDirection.ANCESTORS: "It builds on nothing in this graph.",
}


@with_selection(LINEAGE, first=20)
def lineage(
    reader: Reader, of: NameArgument, selection: Selection, quotes: QuotesArgument = 2
) -> Answer:
    """What builds on a work (descendants), or what it builds on (ancestors), with sentences.

    By default works come by distance, then date; each edge comes with the later of its two works.
    If `truncated` is true, more follow: pass `endCursor` as `after`.
    """
    names = Names(reader)
    root, known = names.resolve(of), coverage(reader)

    def answer(size: int) -> Answer:
        found = trace(reader, root, selection.changed(first=size))
        view = LineageView.of(reader, found, selection.edges)
        note = None if found.total else _why_empty(found.emptied_by, _NOTHING[found.direction])
        most = {"nodes": size, "edges": len(view.edges)}
        return Answer(view, known, quotes, most, note, names.namesakes)

    return fitting(answer, selection.first)


def _why_empty(emptied_by: Sequence[FilterField], otherwise: str) -> str:
    """Say why there are no results: because of these arguments, or otherwise."""
    if not emptied_by:
        return otherwise
    return f"Everything is excluded by {spelled(emptied_by, lambda each: f'`{each.shown}`')}."


@with_selection(("min_confidence", "include_catalogue"))
def path(
    reader: Reader,
    start: NameArgument,
    goal: NameArgument,
    selection: Selection,
    comparisons: bool = True,
    quotes: QuotesArgument = 2,
) -> Answer:
    """How two works are related: the shortest path through the lineage, each step with sentences.

    If there is none, the path may use comparisons (`comparisons`).
    """
    names = Names(reader)
    ends = (names.resolve(start), names.resolve(goal))
    found = find_path(reader, *ends, selection=selection, comparisons=comparisons)
    note = None
    if not found.edges:
        same = found.start == found.goal
        note = "Both names mean the same work." if same else "No path of at most 6 steps is known."
    view = PathView.of(reader, found, selection.edges)
    return Answer(view, coverage(reader), quotes, note=note, namesakes=names.namesakes)
