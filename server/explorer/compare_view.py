"""Two works side by side: ``/compare?a=LoRA&b=QLoRA``."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Any
from urllib.parse import urlencode

from starlette.requests import Request
from starlette.responses import Response

from stemma.graph import LineageDirection, Reader, Work
from stemma.graph.comparing import Aspect, SharedAndOwn, SideBySide, compare
from stemma.graph.lineage import Traversal, traverse
from stemma.graph.shown_works import GeneralTerms
from stemma.server.explorer.graphql_text import string
from stemma.server.explorer.pair import choose_pair
from stemma.server.explorer.view import Row, View
from stemma.server.http.query_parameters import QueryParameters
from stemma.server.presentation.data import (
    reference,
    works_of_edges,
    works_of_statements,
)
from stemma.server.presentation.notes import asked_as
from stemma.server.presentation.side_by_side import side_by_side_json

_FIRST, _MOST = 12, 300
_DEPTH, _DEEPEST = 3, 20
_PARAMETERS = ("a", "b", "maxDepth", "includeGeneral", "first")


@dataclass(frozen=True, slots=True)
class Compared:
    """Two works side by side, with their kin by direction (ids, the nearest first); `works` has
    whatever is shown."""

    sides: SideBySide
    kin: dict[LineageDirection, SharedAndOwn[str]]
    works: dict[str, Work]
    first: int

    def works_of(self, ids: Sequence[str]) -> list[Work]:
        return [self.works[each] for each in ids]


def compare_view(request: Request, reader: Reader) -> View | Response:
    """Compare two works, or ask for them."""
    given = QueryParameters(request.query_params, _PARAMETERS)
    pair = choose_pair(request, reader, "compare", ("a", "b"))
    if isinstance(pair, Response):
        return pair
    left, right = pair
    depth = given.number("maxDepth", _DEPTH, _DEEPEST)
    general = given.truth("includeGeneral", default=False)
    first = given.number("first", _FIRST, _MOST)
    found = compare(reader, left, right)
    kin = {each: _kin(reader, left, right, each, depth, general) for each in LineageDirection}
    ids = {id_ for each in kin.values() for part in each.columns() for id_ in part}
    works = {
        **works_of_edges(reader, found.lineage.edges),
        **works_of_statements(reader, found.statements),
        **reader.works({left, right, found.lineage.start, found.lineage.goal, *ids}),
    }
    compared = Compared(found, kin, works, first)
    chosen = {
        "a": asked_as(reader, found.left.work),
        "b": asked_as(reader, found.right.work),
        **({"maxDepth": str(depth)} if depth != _DEPTH else {}),
        **({"includeGeneral": "true"} if general else {}),
    }
    values: dict[str, Any] = {
        "page": compared,
        "chosen": chosen,
        "depth": depth,
        "deepest": _DEEPEST,
        "general": general,
        "more": urlencode({**chosen, "first": min(first * 5, _MOST)}),
    }
    return View(
        name=f"compare-{left.partition('/')[2]}-{right.partition('/')[2]}",
        template="compare.html",
        values=values,
        data=lambda: _data(compared),
        table=lambda: _rows(compared),
        papers=_papers(found),
        graphql=_graphql(found, depth, general),
    )


def _kin(
    reader: Reader, left: str, right: str, direction: LineageDirection, depth: int, general: bool
) -> SharedAndOwn[str]:
    """Return the relatives of two works in a direction; those of one alone only if one step off."""
    terms = GeneralTerms(reader, general)
    one, other = (
        traverse(reader, each, direction, depth, keep=terms.others) for each in (left, right)
    )
    roots = {one.root.id, other.root.id}
    shared = (one.depths.keys() & other.depths.keys()) - roots
    steps = {each: one.depths[each] + other.depths[each] for each in shared}
    order = {work: place for place, (*_, work) in enumerate([*one.places(), *other.places()])}
    return SharedAndOwn(
        sorted(shared, key=lambda each: (steps[each], order[each])),
        _nearest(one, shared),
        _nearest(other, shared),
    )


def _nearest(traversal: Traversal, shared: set[str]) -> list[str]:
    return [id_ for depth, _, id_ in traversal.places() if depth == 1 and id_ not in shared]


def _papers(found: SideBySide) -> list[str]:
    statements = (*found.statements, *(s for edge in found.lineage.edges for s in edge.statements))
    return list(
        dict.fromkeys(
            (
                *(paper.id for side in (found.left, found.right) for paper in side.papers),
                *(each.subject for each in statements),
                *(paper.id for paper in found.compared_by),
            )
        )
    )


def _data(compared: Compared) -> dict[str, Any]:
    return {
        **side_by_side_json(compared.sides, compared.works),
        **{
            direction.value: {
                side: [reference(each, compared.works) for each in part]
                for side, part in zip(("left", "shared", "right"), kin.columns(), strict=True)
            }
            for direction, kin in compared.kin.items()
        },
    }


def _rows(compared: Compared) -> Iterator[Row]:
    """Yield a row for each work that one or both have something to do with."""
    yield ("aspect", "side", "id", "name", "sentence")
    sides = ("left", "shared", "right")
    for aspect, both in compared.sides.aspects.items():
        for side, part in zip(sides, (both.left, both.shared, both.right), strict=True):
            for each in part:
                yield (aspect.value, side, each.id, each.name, "")
    for direction, kin in compared.kin.items():
        for side, ids in zip(sides, kin.columns(), strict=True):
            for id_ in ids:
                yield (direction.value, side, id_, compared.works[id_].name, "")
    for statement in compared.sides.statements:
        for text in [each.text for each in statement.evidence] or [""]:
            name = compared.works[statement.entity].name
            yield (statement.relation.words, statement.subject, statement.entity, name, text)


def _graphql(found: SideBySide, depth: int, general: bool) -> str:
    ids = (found.left.work.id, found.right.work.id)
    aspects = " ".join(
        f"{aspect.value} {{ shared {{ id name }} left {{ id name }} right {{ id name }} }}\n   "
        for aspect in Aspect
    )
    lineages = "".join(
        f"  {side}{direction.name.capitalize()}: lineage(of: {string(id_)}, direction: "
        f"{direction.name}, maxDepth: {depth}{'' if general else ', includeGeneral: false'}) "
        "{ nodes { depth work { id name } } }\n"
        for side, id_ in zip(("left", "right"), ids, strict=True)
        for direction in LineageDirection
    )
    return (
        f"query Compare {{\n  compare(left: {string(ids[0])}, right: {string(ids[1])}) {{\n"
        "    left { work { id name } published papers { title } }\n"
        "    right { work { id name } published papers { title } }\n"
        f"    {aspects} lineage {{ child {{ name }} parent {{ name }} confidence }}\n"
        "    statements { relation confidence subject { name } entity { name } "
        "evidence { text } }\n    comparedBy { title }\n  }\n"
        f"{lineages}}}\n"
    )
