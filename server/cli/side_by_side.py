"""Two works side by side, as a terminal shows them."""

from collections.abc import Iterable, Iterator

from rich.console import RenderableType
from rich.table import Table
from rich.text import Text

from stemma.server.cli.path_text import steps_text
from stemma.server.cli.text import quoted, sentence, title_of
from stemma.server.views.comparison import ComparisonOfWorks
from stemma.server.views.work import NameView


def side_by_side_text(view: ComparisonOfWorks) -> Iterator[RenderableType]:
    """Return a comparison in parts: what both have, how they are related, their statements."""
    found = view.model
    left, right = found.left.work, found.right.work
    rows = Table(box=None, pad_edge=False, header_style="not bold")
    rows.add_column("", style="dim")
    rows.add_column(title_of(found.left.work, found.left.published), overflow="fold", ratio=1)
    rows.add_column(Text("both", style="bold"), overflow="fold", ratio=1)
    rows.add_column(title_of(found.right.work, found.right.published), overflow="fold", ratio=1)
    for aspect, both in view.aspects().items():
        if both:
            rows.add_row(aspect.value, _names(both.left), _names(both.shared), _names(both.right))
    yield rows
    for side in (found.left, found.right):
        if not side.papers:
            yield Text(f"No paper in this graph introduces {side.work.name}.", style="dim")
    if view.lineage:
        yield Text("\nLineage", style="bold underline")
        yield title_of(view.named[found.lineage.start])
        yield from steps_text(view.lineage, found.lineage.works, view.named)
    if view.statements:
        yield Text("\nWhat they say about each other", style="bold underline")
        for statement in view.statements:
            yield sentence(statement)
            yield from quoted(statement)
    if found.compared_by:
        yield Text("\nCompared with both", style="bold underline")
        for paper in found.compared_by:
            yield title_of(paper, paper.published)
    if not (found.lineage.edges or found.statements or found.compared_by):
        yield Text(
            f"\nNo lineage or comparison directly connects {left.name} and {right.name}.",
            style="dim",
        )


def _names(entities: Iterable[NameView]) -> Text:
    return Text(", ".join(entity.name for entity in entities) or "–")
