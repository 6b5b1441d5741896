"""Paths between works, as a terminal shows them."""

from collections.abc import Iterator, Mapping, Sequence
from itertools import pairwise

from rich.padding import Padding
from rich.text import Text

from stemma.graph import Work
from stemma.schema import RelationType
from stemma.server.cli.text import FROM_CATALOGUE, quotations, title_of
from stemma.server.views.edge import EdgeView
from stemma.server.views.path import PathView

_TURNED = {
    RelationType.BUILDS_ON: "is the basis of",
    RelationType.IMPROVES_ON: "is improved by",
    RelationType.COMPARES_WITH: "is a baseline of",
}


def path_text(path: PathView) -> Iterator[Text | Padding]:
    """Return a path step by step: work, relation with its sentence, work."""
    yield title_of(path.named[path.start.id])
    yield from steps_text(path.edges, path.model.works, path.named)


def steps_text(
    edges: Sequence[EdgeView], works: Sequence[str], named: Mapping[str, Work]
) -> Iterator[Text | Padding]:
    """Return the edges of a path over works (ids), each with the work that it leads to."""
    for edge, (here, there) in zip(edges, pairwise(works), strict=True):
        forwards = edge.child.id == here
        words = edge.phrase if forwards else edge.phrase_in(_TURNED)
        step = Text(f"{words}  ", style="cyan")
        step.append(f"{edge.confidence:.2f}", style="dim")
        if edge.in_catalogue:
            step.append("\n").append(FROM_CATALOGUE)
        for quotation in quotations(edge)[:1]:
            step.append("\n").append(quotation)
        yield Padding(step, (0, 0, 0, 3))
        yield title_of(named[there])
