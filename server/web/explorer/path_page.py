"""How two works are related, step by step: ``/path?from=QLoRA&to=LoRA``."""

from dataclasses import dataclass
from functools import partial
from itertools import pairwise
from typing import Any

from starlette.requests import Request
from starlette.responses import Response

from stemma.graph import LineageEdge, LineageNode, Reader, Selection, Work
from stemma.graph.path import LONGEST_PATH, Path, find_path
from stemma.schema import LINEAGE_RELATIONS
from stemma.schema.quantity import quantity
from stemma.server.http.selection_parameters import read_parameters
from stemma.server.views.edge import works_of_edges
from stemma.server.views.notes import asked_as
from stemma.server.views.path import PathView
from stemma.server.web.explorer.explorer_page import ExplorerPage
from stemma.server.web.explorer.pair import choose_pair
from stemma.server.web.graphql_text import arguments, selected, string
from stemma.server.web.picture import Drawing, draw

_LENGTH = 6
_FILTERS = ("min_confidence", "include_catalogue")
_OTHERS = ("from", "to", "maxLength", "comparisons")


@dataclass(frozen=True, slots=True)
class Step:
    """An edge of a path, from the work `here` to the work `there`."""

    here: Work
    edge: LineageEdge
    there: Work

    @property
    def is_forwards(self) -> bool:
        """Whether the edge leads from the later work to the earlier one."""
        return self.edge.child == self.here.id


def make_path_page(request: Request, reader: Reader) -> ExplorerPage | Response:
    """Find a path, or ask for its ends."""
    selection, given = read_parameters(request.query_params, _FILTERS, _OTHERS)
    pair = choose_pair(request, reader, "path", ("from", "to"))
    if isinstance(pair, Response):
        return pair
    length = given.number("maxLength", _LENGTH, LONGEST_PATH)
    comparisons = given.truth("comparisons", default=True)
    found = find_path(reader, *pair, length, selection, comparisons)
    works = reader.works({found.start, found.goal, *works_of_edges(found.edges)})
    steps = [
        Step(works[here], edge, works[there])
        for edge, (here, there) in zip(found.edges, pairwise(found.works), strict=True)
    ]
    is_lineage = _is_lineage(found)
    values: dict[str, Any] = {
        "path": found,
        "steps": steps,
        "works": works,
        "dates": reader.published(found.works),
        "is_lineage": is_lineage,
        "chosen": {
            "from": asked_as(reader, works[found.start]),
            "to": asked_as(reader, works[found.goal]),
        },
        "length": length,
        "longest": LONGEST_PATH,
        "filter": selection,
        "comparisons": comparisons,
    }
    return ExplorerPage(
        name=f"path-{found.start.partition('/')[2]}-{found.goal.partition('/')[2]}",
        template="path.html",
        values=values,
        view=lambda: PathView.of(reader, found, selection.edges),
        papers=[each.subject for edge in found.edges for each in edge.statements],
        graphql=_graphql(found, length, selection, comparisons),
        svg=partial(_picture, reader, found, works) if found.edges and is_lineage else None,
    )


def _picture(reader: Reader, path: Path, works: dict[str, Work]) -> str:
    dates = reader.published(path.works)
    nodes = [LineageNode(works[each], 0, dates.get(each)) for each in path.works]
    title = f"From {works[path.start].name} to {works[path.goal].name}"
    return draw(Drawing(title, nodes, path.edges, works, quantity(len(path.edges), "step")))


def _graphql(path: Path, length: int, selection: Selection, comparisons: bool) -> str:
    given = arguments(
        {
            "from": string(path.start),
            "to": string(path.goal),
            "maxLength": str(length),
            **selected(selection, _FILTERS),
            "comparisons": None if comparisons else "false",
        }
    )
    return (
        f"query Path {{\n  path({given}) {{\n    child {{ id name }}\n    parent {{ id name }}\n"
        "    relations\n    confidence\n    statements { paper { name } evidence { text } }\n"
        "  }\n}\n"
    )


def _is_lineage(path: Path) -> bool:
    return all(set(edge.relations) <= set(LINEAGE_RELATIONS) for edge in path.edges)
