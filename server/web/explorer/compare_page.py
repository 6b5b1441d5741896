"""Two works: how they are related, and side by side: ``/compare?a=LoRA&b=QLoRA``."""

from collections.abc import Sequence
from dataclasses import dataclass
from http import HTTPStatus
from itertools import pairwise
from typing import Any
from urllib.parse import urlencode

from starlette.requests import Request
from starlette.responses import HTMLResponse, Response

from stemma.graph import (
    AmbiguousNameError,
    LineageDirection,
    LineageEdge,
    Reader,
    UnknownNameError,
    Work,
)
from stemma.graph.comparing import Aspect, SideBySide, compare
from stemma.graph.lineage import GeneralTerms, traverse
from stemma.graph.path import Path, find_path
from stemma.graph.searching import works_called
from stemma.server.http.query_parameters import QueryParameters
from stemma.server.views.comparison import ComparisonOfWorks
from stemma.server.views.edge import works_of_edges
from stemma.server.views.notes import asked_as
from stemma.server.views.statement import works_of
from stemma.server.web import pages
from stemma.server.web.explorer.explorer_page import ExplorerPage
from stemma.server.web.graphql_text import string
from stemma.server.web.linked_data.responses import prefers_page
from stemma.server.web.paper_table import table_of

_NAMES = ("a", "b")
_KIN = {
    LineageDirection.ANCESTORS: "what it builds on",
    LineageDirection.DESCENDANTS: "what builds on it",
}
_DEPTH = 3
_MOST_SHOWN = 50


@dataclass(frozen=True, slots=True)
class Misnamed:
    """A name that does not lead to one work, and works that may be meant, with what asks for them.

    `problem` says why it does not.
    """

    problem: str
    instead: list[tuple[str, Work]]


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


def make_compare_page(request: Request, reader: Reader) -> ExplorerPage | Response:
    """Compare two works, or ask for those that the address leaves out or misspells."""
    given = QueryParameters(request.query_params, _NAMES)
    names = {each: given.text(each) or "" for each in _NAMES}
    ids: dict[str, str] = {}
    misnamed = list[Misnamed]()
    for name, text in names.items():
        try:
            ids |= {name: reader.resolve(text)} if text else {}
        except (UnknownNameError, AmbiguousNameError) as error:
            if request.url.path != "/compare" or not prefers_page(request):
                raise
            misnamed.append(_misnamed(reader, names, name, error))
    chosen = names | {e: asked_as(reader, reader.works([id_])[id_]) for e, id_ in ids.items()}
    if len(ids) < len(_NAMES):
        body = pages.render("compare.html", chosen=chosen, misnamed=misnamed, sides=None)
        return HTMLResponse(body, HTTPStatus.NOT_FOUND if misnamed else HTTPStatus.OK)
    return _page(reader, ids["a"], ids["b"], chosen)


def _page(reader: Reader, left: str, right: str, chosen: dict[str, str]) -> ExplorerPage:
    sides = compare(reader, left, right)
    path = sides.lineage if sides.lineage.edges else find_path(reader, left, right)
    statements = (*sides.statements, *(s for edge in path.edges for s in edge.statements))

    def values() -> dict[str, Any]:
        kin = {words: _kin(reader, left, right, each) for each, words in _KIN.items()}
        ids = {id_ for parts in kin.values() for part in parts for id_ in part}
        ids |= works_of_edges(path.edges) | works_of(sides.statements)
        works = reader.works({left, right, path.start, path.goal, *ids})
        return {
            "sides": sides,
            "kin": {
                words: [[works[e] for e in part] for part in parts] for words, parts in kin.items()
            },
            "works": works,
            "steps": _steps(path, works),
            "compared_by": table_of(reader, sides.compared_by[:_MOST_SHOWN]),
            "chosen": chosen,
            "misnamed": (),
        }

    papers = [paper.id for side in (sides.left, sides.right) for paper in side.papers]
    return ExplorerPage(
        name=f"compare-{left.partition('/')[2]}-{right.partition('/')[2]}",
        template="compare.html",
        values=values,
        view=lambda: ComparisonOfWorks.of(reader, sides),
        papers=[*papers, *(e.subject for e in statements), *(e.id for e in sides.compared_by)],
        graphql=_graphql(sides),
    )


def _misnamed(
    reader: Reader,
    names: dict[str, str],
    name: str,
    error: UnknownNameError | AmbiguousNameError,
) -> Misnamed:
    if isinstance(error, AmbiguousNameError):
        problem, works = f"{error.name} is the name of several entities.", list(error.candidates)
    else:
        problem = f"Nothing in this graph is called “{error.name}”."
        works = works_called(reader, error.nearest)
    asked = [urlencode({**names, name: asked_as(reader, each)}, safe="/") for each in works]
    return Misnamed(problem, list(zip(asked, works, strict=True)))


def _steps(path: Path, works: dict[str, Work]) -> list[Step]:
    return [
        Step(works[here], edge, works[there])
        for edge, (here, there) in zip(path.edges, pairwise(path.works), strict=True)
    ]


def _kin(reader: Reader, left: str, right: str, direction: LineageDirection) -> list[list[str]]:
    """Return the relatives (ids) of one work alone, of both, and of the other in a direction.

    Those of both are up to some steps away, those of one alone one step.
    """
    terms = GeneralTerms(reader, wanted=False)
    one, other = (traverse(reader, e, direction, _DEPTH, keep=terms.others) for e in (left, right))
    shared = (one.depths.keys() & other.depths.keys()) - {one.root.id, other.root.id}

    def nearest(ids: Sequence[tuple[int, Any, str]]) -> list[str]:
        return [id_ for depth, _, id_ in ids if depth == 1 and id_ not in shared]

    common = [id_ for *_, id_ in one.places() if id_ in shared]
    common.sort(key=lambda each: one.depths[each] + other.depths[each])
    parts = (nearest(one.places()), common, nearest(other.places()))
    return [part[:_MOST_SHOWN] for part in parts]


def _graphql(found: SideBySide) -> str:
    left, right = string(found.left.work.id), string(found.right.work.id)
    aspects = " ".join(
        f"{aspect.value} {{ shared {{ id name }} left {{ id name }} right {{ id name }} }}\n   "
        for aspect in Aspect
    )
    return (
        f"query Compare {{\n  compare(left: {left}, right: {right}) {{\n"
        "    left { work { id name } published papers { title } }\n"
        "    right { work { id name } published papers { title } }\n"
        f"    {aspects} statements {{ relation confidence subject {{ name }} entity {{ name }} "
        "evidence { text } }\n    comparedBy { title }\n  }\n"
        f"  path(from: {left}, to: {right}) {{\n    child {{ id name }}\n    parent {{ id name }}\n"
        "    relations\n    confidence\n    statements { paper { name } evidence { text } }\n"
        "  }\n}\n"
    )
