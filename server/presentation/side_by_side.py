"""Two works side by side, as data and as a terminal shows them."""

from collections.abc import Iterable, Iterator, Mapping
from typing import Any

from rich.console import RenderableType
from rich.table import Table
from rich.text import Text

from stemma.graph import Work
from stemma.graph.comparing import SharedAndOwn, Side, SideBySide
from stemma.schema import Entity
from stemma.server.presentation.data import edge_json, reference, statement_json, work_json
from stemma.server.presentation.path import path_text
from stemma.server.presentation.text import quoted, sentence, title


def side_by_side_json(found: SideBySide, works: Mapping[str, Work]) -> dict[str, Any]:
    """Return a comparison as GraphQL would; `works` are those of its statements and edges."""
    return {
        "left": _side_json(found.left),
        "right": _side_json(found.right),
        **{aspect.value: _shared_json(both) for aspect, both in found.aspects.items()},
        "lineage": [edge_json(edge, works) for edge in found.lineage.edges],
        "statements": [statement_json(each, works) for each in found.statements],
        "comparedBy": [{"id": paper.id, "name": paper.name} for paper in found.compared_by],
    }


def side_by_side_text(found: SideBySide, works: Mapping[str, Work]) -> Iterator[RenderableType]:
    """Return a comparison in parts: what both have, how they are related, their statements."""
    left, right = found.left.work, found.right.work
    rows = Table(box=None, pad_edge=False, header_style="not bold")
    rows.add_column("", style="dim")
    rows.add_column(_heading(found.left), overflow="fold", ratio=1)
    rows.add_column(Text("both", style="bold"), overflow="fold", ratio=1)
    rows.add_column(_heading(found.right), overflow="fold", ratio=1)
    for aspect, both in found.aspects.items():
        if both:
            rows.add_row(aspect.value, _names(both.left), _names(both.shared), _names(both.right))
    yield rows
    for side in (found.left, found.right):
        if not side.papers:
            yield Text(f"No paper in this graph introduces {side.work.name}.", style="dim")
    if found.lineage.edges:
        yield Text("\nLineage", style="bold underline")
        yield from path_text(found.lineage, works)
    if found.statements:
        yield Text("\nWhat they say about each other", style="bold underline")
        for statement in found.statements:
            yield sentence(statement, works)
            yield from quoted(statement)
    if found.compared_by:
        yield Text("\nCompared with both", style="bold underline")
        for paper in found.compared_by:
            yield title(paper, str(paper.published) if paper.published else None)
    if not (found.lineage.edges or found.statements or found.compared_by):
        yield Text(
            f"\nNo lineage or comparison directly connects {left.name} and {right.name}.",
            style="dim",
        )


def _heading(side: Side) -> Text:
    return title(side.work, str(side.published) if side.published else None)


def _names(entities: Iterable[Entity]) -> Text:
    return Text(", ".join(entity.name for entity in entities) or "–")


def _side_json(side: Side) -> dict[str, Any]:
    return {
        "work": work_json(side.work),
        "published": str(side.published) if side.published else None,
        "papers": [reference(paper.id, {paper.id: paper}) for paper in side.papers],
    }


def _shared_json(both: SharedAndOwn[Entity]) -> dict[str, Any]:
    return {
        side: [reference(each.id, {each.id: each}) for each in entities]
        for side, entities in (
            ("shared", both.shared),
            ("left", both.left),
            ("right", both.right),
        )
    }
