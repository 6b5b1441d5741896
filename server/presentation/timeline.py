"""Timelines, as data and as a chart in a terminal."""

from collections.abc import Iterator, Mapping
from typing import Any

from rich.console import RenderableType
from rich.table import Table
from rich.text import Text

from stemma.graph import LineageDirection, LineageNode, Work
from stemma.graph.timeline import Timeline
from stemma.server.presentation.data import edge_json, reference
from stemma.server.presentation.text import title
from stemma.server.presentation.wording import nothing

_WIDEST = 20


def timeline_json(timeline: Timeline, works: Mapping[str, Work]) -> dict[str, Any]:
    """Return a timeline as GraphQL would."""
    return {
        "root": _node(timeline.root, works),
        "direction": timeline.direction.value,
        "years": [
            {"year": year.year, "nodes": [_node(node, works) for node in year.nodes]}
            for year in timeline.years
        ],
        "edges": [edge_json(edge, works) for edge in timeline.edges],
        "truncated": timeline.truncated,
        "emptiedBy": list(timeline.emptied_by),
    }


def timeline_text(timeline: Timeline) -> Iterator[RenderableType]:
    """Return a timeline as a chart: a bar a year, with the works of the year."""
    root = timeline.root
    yield title(root.work, str(root.published) if root.published else None)
    downwards = timeline.direction is LineageDirection.DESCENDANTS
    if not timeline.years:
        yield Text(nothing(timeline.direction, timeline.emptied_by), style="dim")
        return
    yield Text("what builds on it, by year" if downwards else "what it builds on, by year")
    yield Text("")
    most = max(len(year.nodes) for year in timeline.years)
    rows = Table(box=None, pad_edge=False, show_header=False)
    rows.add_column(justify="right", style="bold")
    rows.add_column(no_wrap=True, style="green")
    rows.add_column(justify="right", style="dim")
    rows.add_column(overflow="fold")
    for year in timeline.years:
        length = max(1, round(len(year.nodes) * min(_WIDEST, most) / most))
        names = Text(", ").join(
            Text(node.work.name, style="bold" if node.depth == 1 else "") for node in year.nodes
        )
        rows.add_row(str(year.year or "undated"), "█" * length, str(len(year.nodes)), names)
    yield rows
    yield Text("\nbold: in one step", style="dim")


def _node(node: LineageNode, works: Mapping[str, Work]) -> dict[str, Any]:
    return {
        "work": reference(node.work.id, {**works, node.work.id: node.work}),
        "depth": node.depth,
        "published": str(node.published) if node.published else None,
    }
