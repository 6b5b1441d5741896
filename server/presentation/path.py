"""Paths between works, as data and as a terminal shows them."""

from collections.abc import Iterator, Mapping
from itertools import pairwise
from typing import Any

from rich.padding import Padding
from rich.text import Text

from stemma.graph import LineageEdge, Work
from stemma.graph.path import Path
from stemma.schema import RelationType
from stemma.server.presentation.data import edge_json, reference
from stemma.server.presentation.text import FROM_CATALOGUE, quotations, title
from stemma.server.presentation.wording import relation_phrase

_TURNED = {
    RelationType.BUILDS_ON: "is the basis of",
    RelationType.IMPROVES_ON: "is improved by",
    RelationType.COMPARES_WITH: "is a baseline of",
}


def path_json(path: Path, works: Mapping[str, Work]) -> dict[str, Any]:
    """Return a path with its ends and its edges in order."""
    return {
        "from": reference(path.start, works),
        "to": reference(path.goal, works),
        "edges": [{**edge_json(edge, works), **_ends(edge, works)} for edge in path.edges],
    }


def path_text(path: Path, works: Mapping[str, Work]) -> Iterator[Text | Padding]:
    """Return a path step by step: work, relation with its sentence, work."""
    yield title(works[path.start])
    for edge, (here, there) in zip(path.edges, pairwise(path.works), strict=True):
        forwards = edge.child == here
        step = Text(f"{relation_phrase(edge, None if forwards else _TURNED)}  ", style="cyan")
        step.append(f"{edge.confidence:.2f}", style="dim")
        if edge.in_catalogue:
            step.append("\n").append(FROM_CATALOGUE)
        for quotation in quotations(edge, works)[:1]:
            step.append("\n").append(quotation)
        yield Padding(step, (0, 0, 0, 3))
        yield title(works[there])


def _ends(edge: LineageEdge, works: Mapping[str, Work]) -> dict[str, Any]:
    return {"child": reference(edge.child, works), "parent": reference(edge.parent, works)}
