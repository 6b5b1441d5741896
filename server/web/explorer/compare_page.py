"""Two works side by side: ``/compare?a=LoRA&b=QLoRA``."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any
from urllib.parse import urlencode

from starlette.requests import Request
from starlette.responses import Response

from stemma.graph import LineageDirection, Reader, Work
from stemma.graph.comparing import Aspect, SharedAndOwn, SideBySide, compare
from stemma.graph.general_terms import GeneralTerms
from stemma.graph.lineage import Traversal, traverse
from stemma.server.http.query_parameters import QueryParameters
from stemma.server.views.comparison import ComparisonOfWorks, SharedView
from stemma.server.views.edge import works_of_edges
from stemma.server.views.notes import asked_as
from stemma.server.views.statement import works_of
from stemma.server.views.view import documented
from stemma.server.views.work import NameView
from stemma.server.web.explorer.explorer_page import ExplorerPage
from stemma.server.web.explorer.pair import choose_pair
from stemma.server.web.graphql_text import string

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

    def named(self, direction: LineageDirection) -> SharedView:
        """Return the view of the kin in a direction."""
        kin = self.kin[direction]
        shared, left, right = (
            tuple(NameView.of(each, self.works) for each in part)
            for part in (kin.shared, kin.left, kin.right)
        )
        return SharedView(shared=shared, left=left, right=right)


@dataclass(frozen=True, slots=True, kw_only=True, repr=False)
class ComparisonWithLineage(ComparisonOfWorks):
    """Two works side by side, with their ancestors and descendants."""

    ancestors: SharedView = documented("The works that they build on.")
    descendants: SharedView = documented("The works that build on them.")

    def parts(self) -> dict[str, SharedView]:
        kin = {each.value: getattr(self, each.value) for each in LineageDirection}
        return ComparisonOfWorks.parts(self) | kin


def make_compare_page(request: Request, reader: Reader) -> ExplorerPage | Response:
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
    ids |= works_of_edges(found.lineage.edges) | works_of(found.statements)
    works = reader.works({left, right, found.lineage.start, found.lineage.goal, *ids})
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
    return ExplorerPage(
        name=f"compare-{left.partition('/')[2]}-{right.partition('/')[2]}",
        template="compare.html",
        values=values,
        view=lambda: ComparisonWithLineage.of(
            reader, found, **{each.value: compared.named(each) for each in LineageDirection}
        ),
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
