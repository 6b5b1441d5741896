"""How two works are related, step by step: ``/path?from=QLoRA&to=LoRA``."""

from collections.abc import Iterator
from dataclasses import dataclass
from functools import partial
from itertools import pairwise
from typing import Any

from starlette.requests import Request
from starlette.responses import Response

from stemma.graph import LineageEdge, LineageFilter, LineageNode, Reader, Work
from stemma.graph.path import LONGEST_PATH, Path, find_path
from stemma.schema import LINEAGE_RELATIONS
from stemma.schema.quantity import quantity
from stemma.server.explorer.graphql_text import arguments, string
from stemma.server.explorer.pair import choose_pair
from stemma.server.explorer.view import Row, View
from stemma.server.http.query_parameters import QueryParameters
from stemma.server.presentation.data import works_of_edges
from stemma.server.presentation.notes import asked_as
from stemma.server.presentation.path import path_json
from stemma.server.presentation.picture import Drawing, draw

_LENGTH = 6
_PARAMETERS = ("from", "to", "maxLength", "minConfidence", "includeCatalogue", "comparisons")


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


def path_view(request: Request, reader: Reader) -> View | Response:
    """Find a path, or ask for its ends."""
    given = QueryParameters(request.query_params, _PARAMETERS)
    pair = choose_pair(request, reader, "path", ("from", "to"))
    if isinstance(pair, Response):
        return pair
    length = given.number("maxLength", _LENGTH, LONGEST_PATH)
    chosen = LineageFilter(
        (), given.min_confidence(), given.truth("includeCatalogue", default=True)
    )
    comparisons = given.truth("comparisons", default=True)
    found = find_path(reader, *pair, length, chosen, comparisons)
    works = {
        **works_of_edges(reader, found.edges),
        **reader.works({found.start, found.goal}),
    }
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
        "filter": chosen,
        "comparisons": comparisons,
    }
    return View(
        name=f"path-{found.start.partition('/')[2]}-{found.goal.partition('/')[2]}",
        template="path.html",
        values=values,
        data=lambda: path_json(found, works),
        table=lambda: _rows(steps, works),
        papers=[each.subject for edge in found.edges for each in edge.statements],
        graphql=_graphql(found, length, chosen, comparisons),
        svg=partial(_picture, reader, found, works) if found.edges and is_lineage else None,
    )


def _picture(reader: Reader, path: Path, works: dict[str, Work]) -> str:
    dates = reader.published(path.works)
    nodes = [LineageNode(works[each], 0, dates.get(each)) for each in path.works]
    title = f"From {works[path.start].name} to {works[path.goal].name}"
    return draw(Drawing(title, nodes, path.edges, works, quantity(len(path.edges), "step")))


def _rows(steps: list[Step], works: dict[str, Work]) -> Iterator[Row]:
    yield (
        *("step", "child", "child_name", "parent", "parent_name", "relation", "confidence"),
        *("paper", "paper_title", "sentence"),
    )
    for number, step in enumerate(steps, 1):
        child, parent = step.edge.child, step.edge.parent
        ends = (number, child, works[child].name, parent, works[parent].name)
        for each in step.edge.statements:
            title = works[each.subject].name if each.subject in works else ""
            for text in [evidence.text for evidence in each.evidence] or [""]:
                confidence = f"{each.confidence:g}"
                yield (*ends, each.relation.value, confidence, each.subject, title, text)


def _graphql(path: Path, length: int, chosen: LineageFilter, comparisons: bool) -> str:
    given = arguments(
        {
            "from": string(path.start),
            "to": string(path.goal),
            "maxLength": str(length),
            "minConfidence": f"{chosen.min_confidence:g}" if chosen.min_confidence else None,
            "includeCatalogue": None if chosen.include_catalogue else "false",
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
