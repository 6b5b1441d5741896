"""Family trees: the most built-upon works of a work's ancestors and descendants, with edges, and
the query parameters that ask for them."""

from collections.abc import Collection, Iterator, Mapping
from dataclasses import dataclass, replace
from heapq import heappop, heappush
from typing import Any
from urllib.parse import urlencode

from starlette.datastructures import QueryParams

from stemma.graph import Lineage, LineageDirection, LineageNode, Reader, Selection, Work
from stemma.graph.lineage import Traversal, led_through, root_of, traverse
from stemma.graph.selection import DEEPEST_LINEAGE, LINEAGE, member
from stemma.server.http.query_parameters import read_parameters, written
from stemma.server.views.lineage import LineageView
from stemma.server.web.pages import path
from stemma.server.web.picture import Drawing, counted

BOTH = "both"
FIRST = 24
"""How many works are drawn by default: as many as a window has room for in legible letters."""
MOST = 500
"""How many works a picture has at most."""
_MOST_EXPANDED = 40
_USUAL = {"max_depth": DEEPEST_LINEAGE, "first": FIRST, "include_general": False}
_FAMILY = Selection(**_USUAL)  # type: ignore[arg-type]
_BOTH = (LineageDirection.ANCESTORS, LineageDirection.DESCENDANTS)
_FILTERS = [name for name in LINEAGE if name not in ("direction", "after", "lineage_order")]
MOST_EDGES = 1000
_LOOKED_AT = 2000
"""How many works of a direction are looked at, the nearest first, to find the most built upon."""
_SIGNS = {LineageDirection.ANCESTORS: -1, LineageDirection.DESCENDANTS: 1}


@dataclass(frozen=True, slots=True)
class TreeRequest:
    """The part of a family tree that a request asks for, by default in both `directions`.

    The `first` works of the selection are drawn, and the neighbours of those in `expanded` (ids).
    """

    selection: Selection = _FAMILY
    directions: tuple[LineageDirection, ...] = _BOTH
    expanded: tuple[str, ...] = ()

    @classmethod
    def parse(cls, parameters: QueryParams) -> "TreeRequest":
        """Parse query parameters: those of a selection, and `expand`.

        What a form left empty is not given. Raises ValueError, which names what is allowed.
        """
        names = ("direction", "expand")
        selection, others = read_parameters(parameters, _FILTERS, names, **_USUAL)
        if not 1 <= selection.first <= MOST:
            raise ValueError(f"'first' must be between 1 and {MOST}, not {selection.first}")
        direction = (others.text("direction") or BOTH).lower()
        directions = _BOTH if direction == BOTH else (member(LineageDirection, direction),)
        return cls(selection, directions, others.texts("expand", _MOST_EXPANDED))

    @property
    def direction(self) -> str:
        """The directions as one word."""
        return BOTH if len(self.directions) > 1 else self.directions[0].value

    @property
    def is_filtered(self) -> bool:
        """Whether some works of the family are left out by a filter."""
        return self.selection.changed(first=FIRST, direction=_FAMILY.direction) != _FAMILY

    @property
    def parameters(self) -> list[tuple[str, str]]:
        """The query parameters that ask for this, without what is so by default."""
        given = [*written(self.selection, _FILTERS, **_USUAL).items()]
        if self.direction != BOTH:
            given.append(("direction", self.direction))
        return [*given, *(("expand", work) for work in self.expanded)]

    def address(self, root: str) -> str:
        """Return the address of the page of the tree of a work (an id)."""
        query = urlencode(self.parameters, safe="/,")
        return f"/lineage/{path(root)}{'?' * bool(query)}{query}"

    def expanding(self, work: str) -> "TreeRequest":
        """Ask for the neighbours of a work as well, or not any more if they were asked for."""
        others = tuple(id_ for id_ in self.expanded if id_ != work)
        return replace(self, expanded=others if work in self.expanded else (*others, work))

    def towards(self, direction: LineageDirection) -> Selection:
        """Select in a direction: a work keeps the general terms that it builds on."""
        general = self.selection.include_general or direction is LineageDirection.ANCESTORS
        return self.selection.changed(direction=direction, include_general=general)

    def changed(self, **choices: Any) -> "TreeRequest":
        """Return this request with other choices of its selection."""
        return replace(self, selection=self.selection.changed(**choices))


@dataclass(frozen=True, slots=True)
class FamilyTree(Drawing):
    """The picture of a part of the lineage of a work, its first node.

    `total` counts the works that there are, whether they are drawn or not, `kin` those of each
    direction. `more` counts, for works of the picture, neighbours that are not in it; `general` the
    general terms left out, `weaker` the edges left out because there are too many.
    """

    total: int
    kin: Mapping[LineageDirection, int]
    more: Mapping[str, int]
    general: int
    weaker: int

    @property
    def root(self) -> Work:
        """The work whose family it is."""
        return self.nodes[0].work

    @property
    def drawn(self) -> int:
        """The number of works that are drawn besides the root."""
        return len(self.nodes) - 1

    def view(self) -> LineageView:
        """Return the view of the works and edges that are drawn, with all depths above 0."""
        nodes = tuple(replace(node, depth=abs(node.depth)) for node in self.nodes[1:])
        lineage = Lineage(
            self.root, LineageDirection.DESCENDANTS, nodes, tuple(self.edges), False, None
        )
        dates = {node.work.id: node.published for node in self.nodes if node.published}
        return replace(LineageView(model=lineage, named=self.works), dates=dates)


def descendants_of(reader: Reader, work: str) -> tuple[int, int]:
    """Return how many works build on a work (an id): directly, and in all.

    General terms are not counted, as in family trees.
    """
    named = Selection(max_depth=DEEPEST_LINEAGE, include_general=False)
    depths = traverse(reader, work, named).depths
    return sum(depth == 1 for depth in depths.values()), len(depths) - 1


def family_tree(reader: Reader, work: str, asked: TreeRequest) -> FamilyTree:
    """Gather the family tree of a work (an id). Raises UnknownNameError where there is none."""
    root, left_out = root_of(reader, work), set[str]()
    sides: list[list[str]] = []
    kin: dict[LineageDirection, int] = {}
    depths: dict[str, int] = {}
    for direction in asked.directions:
        traversal = traverse(reader, root.id, asked.towards(direction), left_out)
        fitting = {*_fitting(reader, asked, traversal.depths)} - {root.id}
        kin[direction] = len(fitting)
        fitting -= depths.keys()  # In a circle a work is both; it is drawn once.
        sides.append(list(_most_built_upon(reader, asked, traversal, direction, fitting)))
        depths |= {e: _SIGNS[direction] * n for e, n in traversal.depths.items() if e in fitting}
    total, first = len(depths), asked.selection.first
    # Where there are many of both, each direction has half of the room.
    later = min(len(sides[-1]), max(first // 2, first - sum(map(len, sides[:-1]))))
    chosen = [*(sides[0][: first - later] if len(sides) > 1 else ()), *sides[-1][:later]]
    drawn = {root.id: 0} | {id_: depths[id_] for id_ in chosen}
    _expand(reader, asked, left_out, drawn)
    dates, works = reader.published(drawn), reader.works(drawn)
    derived = reader.lineage_edges([*drawn], LineageDirection.ANCESTORS, asked.selection, drawn)
    edges = [edge for edges in derived.values() for edge in edges]
    kept = sorted(edges, key=lambda edge: -edge.confidence)[:MOST_EDGES]
    kept.sort(key=lambda edge: (edge.child, edge.parent))
    papers = {statement.subject for edge in kept for statement in edge.statements}
    total = max(total, len(drawn) - 1)
    return FamilyTree(
        title=f"Family tree of {root.name}",
        nodes=[LineageNode(works[e], depth, dates.get(e)) for e, depth in drawn.items()],
        edges=kept,
        works={**reader.works(papers - works.keys()), **works},
        note=counted(len(drawn) - 1, total),
        total=total,
        kin=kin,
        more=_not_drawn(reader, asked, drawn),
        general=len(left_out - drawn.keys()),
        weaker=len(edges) - len(kept),
    )


def _most_built_upon(
    reader: Reader,
    asked: TreeRequest,
    lineage: Traversal,
    direction: LineageDirection,
    fitting: Collection[str],
) -> Iterator[str]:
    """Yield the works of a lineage that fit, each after one that leads to it.

    Of those that are led to, the one comes next on which most others build; of several, that of
    fewest steps, then the one to which the surest edge leads, then the newest.
    """
    near_root = [id_ for *_, id_ in lineage.places()[:_LOOKED_AT]]
    ids, selection = [lineage.root.id, *near_root], asked.towards(direction)
    children = reader.neighbours(ids, LineageDirection.DESCENDANTS, selection)
    near = reader.edge_confidences(ids, direction, selection)

    def place(work: str, confidence: float) -> tuple[int, int, float, tuple[int, ...], str]:
        date = lineage.dates.get(work)
        newest = tuple(-number for number in date.sort_key) if date and date.year else (0,)
        return -len(children[work]), lineage.depths[work], -confidence, newest, work

    waiting = [place(lineage.root.id, 1)]
    known, looked_at = {lineage.root.id}, set(ids)
    while waiting:
        work = heappop(waiting)[-1]
        if work in fitting and work != lineage.root.id:
            yield work
        for neighbour, confidence in near[work].items():
            if neighbour in looked_at and neighbour not in known:
                known.add(neighbour)
                heappush(waiting, place(neighbour, confidence))


def _expand(reader: Reader, asked: TreeRequest, left_out: set[str], drawn: dict[str, int]) -> None:
    """Add the neighbours of the works that are asked for, as long as there is room."""
    for work in asked.expanded:
        for direction in LineageDirection if work in drawn else ():
            selection = asked.towards(direction)
            near = reader.neighbours([work], direction, selection)[work]
            others = led_through(reader, near, selection, left_out)
            for neighbour in _fitting(reader, asked, others):
                if len(drawn) <= MOST:
                    drawn.setdefault(neighbour, drawn[work] + _SIGNS[direction])


def _fitting(reader: Reader, asked: TreeRequest, ids: Collection[str]) -> Collection[str]:
    """Return those of these works that are of the kinds and years to show."""
    if asked.selection.shows_all:
        return ids
    works, dates = reader.works(ids), reader.published(ids)
    return [
        id_
        for id_ in ids
        if id_ in works and asked.selection.shows(LineageNode(works[id_], 0, dates.get(id_)))
    ]


def _not_drawn(reader: Reader, asked: TreeRequest, drawn: Collection[str]) -> dict[str, int]:
    """Count the neighbours of each work that could be drawn, and are not."""
    near: dict[str, set[str]] = {work: set() for work in drawn}
    for direction in LineageDirection:
        selection = asked.towards(direction)
        around = reader.neighbours(drawn, direction, selection)
        others = sorted(set().union(*around.values()) - {*drawn})
        fitting = {*_fitting(reader, asked, led_through(reader, others, selection, set()))}
        for work, neighbours in around.items():
            near[work] |= fitting.intersection(neighbours)
    return {work: len(others) for work, others in near.items() if others}
