"""A family tree: some of a work's ancestors and descendants, with the edges among them."""

from collections import defaultdict
from collections.abc import Collection
from dataclasses import dataclass, replace

from stemma.graph import (
    FilterField,
    Lineage,
    LineageDirection,
    LineageEdge,
    LineageNode,
    Reader,
    Work,
)
from stemma.graph.general_terms import GeneralTerms
from stemma.graph.lineage import edges_within, fields_that_empty, root_of, traverse
from stemma.schema import PartialDate
from stemma.schema.partial_date import UNDATED
from stemma.schema.quantity import quantity
from stemma.server.views.lineage import LineageView
from stemma.server.web.explorer.tree_request import MOST, TreeRequest
from stemma.server.web.picture import Drawing
from stemma.server.web.reduction import SURE, implied

MOST_EDGES = 5000
_LOOKED_AT = 2000
"""How many works are looked at to find those that can be folded."""
_SIGNS = {LineageDirection.ANCESTORS: -1, LineageDirection.DESCENDANTS: 1}
_SHOWN = 12
"""Works that are connected to only one other work, shown at that work; more are folded."""
_FOLDED_AT_LEAST = 4
"""Fewer than this many more are shown too."""


@dataclass(frozen=True, slots=True)
class FamilyTree:
    """A part of the lineage of `root` that is drawn.

    `nodes` begin with the root; ancestors have depths below 0. `reached` counts the works of each
    direction that there are, `other` those of them of kinds and years that are not shown, `folded`
    those behind "and 43 more", and `hidden` the others that are not drawn. `more` counts, for works
    of the picture, neighbours that are not in it. `following` counts the edges that follow from
    others; they are `implied`, unless `edges` has them. `general` counts the general terms left
    out, `weaker` the edges left out because there are too many. `works` are those that the evidence
    mentions.
    """

    root: Work
    nodes: tuple[LineageNode, ...]
    edges: tuple[LineageEdge, ...]
    implied: tuple[LineageEdge, ...]
    following: int
    reached: dict[LineageDirection, int]
    other: int
    folded: int
    hidden: int
    more: dict[str, int]
    general: int
    weaker: int
    works: dict[str, Work]
    emptied_by: tuple[FilterField, ...]

    @property
    def drawn(self) -> int:
        """How many works are drawn besides the root."""
        return len(self.nodes) - 1

    @property
    def is_full(self) -> bool:
        """Whether nothing can be added to the picture."""
        return self.drawn >= MOST

    @property
    def all_edges(self) -> tuple[LineageEdge, ...]:
        """The edges among the works of the picture, whether they are drawn or not."""
        return tuple(sorted((*self.edges, *self.implied), key=_ends))

    @property
    def unsure(self) -> int:
        """How many edges are drawn faint."""
        return sum(each.confidence < SURE for each in self.edges)

    @property
    def title(self) -> str:
        """What the picture is of."""
        return f"Family tree of {self.root.name}"

    def view(self) -> LineageView:
        """Return the view of the works and edges that are drawn, with all depths above 0."""
        nodes = tuple(replace(each, depth=abs(each.depth)) for each in self.nodes[1:])
        lineage = Lineage(
            self.root,
            LineageDirection.DESCENDANTS,
            nodes,
            self.edges,
            truncated=False,
            end_cursor=None,
        )
        dates = {each.work.id: each.published for each in self.nodes if each.published}
        return replace(LineageView.of_works(lineage, self.works), dates=dates)

    def drawing(self) -> Drawing:
        """Return what is drawn."""
        left_out = self.hidden + self.folded
        note = quantity(self.drawn, "work") + (f", and {left_out} more" if left_out else "")
        if self.general:
            note += f", without {quantity(self.general, 'general term')}"
        if self.implied:
            are = "edge is" if len(self.implied) == 1 else "edges are"
            note += f"; {len(self.implied)} implied {are} not drawn"
        return Drawing(self.title, self.nodes, self.edges, self.works, note)


def family_tree(reader: Reader, work: str, asked: TreeRequest) -> FamilyTree:
    """Gather the family tree of a work (an id). Raises UnknownNameError where there is none."""
    terms = GeneralTerms(reader, asked.selection.include_general)
    root = root_of(reader, work)
    found = _lineages(reader, root.id, asked, terms)
    emptied_by: dict[FilterField, None] = {}
    for direction in found.empty:
        fields = fields_that_empty(reader, root.id, direction, asked.selection.edges)
        emptied_by |= dict.fromkeys(fields)
    order = list(found.depths)
    # Whatever it is, the root is shown.
    shown = [order[0], *_of_kind(reader, asked, order[1:])]
    other = len(order) - len(shown)
    behind = _folded(reader, asked, shown)
    unfolded = [each for each in shown if each not in behind]
    drawn = {each: found.depths[each] for each in unfolded[: asked.first + 1]}
    _expand(reader, asked, terms, drawn)
    dates = reader.published(drawn)
    works = reader.works(drawn)
    edges = list(edges_within(reader, sorted(drawn), drawn, asked.selection.edges))
    kept = sorted(sorted(edges, key=lambda edge: -edge.confidence)[:MOST_EDGES], key=_ends)
    following = implied(kept)
    papers = {each.subject for edge in kept for each in edge.statements}
    return FamilyTree(
        root,
        tuple(
            LineageNode(works[each], depth, dates.get(each))
            for each, depth in drawn.items()
            if each in works
        ),
        tuple(each for each in kept if asked.implied or _ends(each) not in following),
        tuple(each for each in kept if not asked.implied and _ends(each) in following),
        len(following),
        found.reached,
        other,
        len(behind - drawn.keys()),
        len(set(unfolded) - drawn.keys()) + found.further,
        _not_drawn(reader, asked, terms, drawn),
        len(terms.left_out),
        len(edges) - len(kept),
        {**reader.works(papers - works.keys()), **works},
        tuple(emptied_by) if len(drawn) == 1 else (),
    )


@dataclass(frozen=True, slots=True)
class _Lineages:
    """What is reached from a work: ids with their depths in the order of a lineage, the root first.

    `further` counts the works after those, and `reached` all of each direction. Nothing is reached
    in the directions that are `empty`.
    """

    depths: dict[str, int]
    further: int
    reached: dict[LineageDirection, int]
    empty: tuple[LineageDirection, ...]


def _lineages(reader: Reader, root: str, asked: TreeRequest, terms: GeneralTerms) -> _Lineages:
    directions, depth, filter_ = asked.directions, asked.selection.max_depth, asked.selection.edges
    depths: dict[str, int] = {}
    dates: dict[str, PartialDate] = {}
    reached: dict[LineageDirection, int] = {}
    empty = list[LineageDirection]()
    for direction in directions:
        found = traverse(reader, root, direction, depth, filter_, terms.others)
        # In a circle a work is both; it is counted once.
        sign = _SIGNS[direction]
        new = {id_: sign * steps for id_, steps in found.depths.items() if id_ not in depths}
        reached[direction] = sum(steps != 0 for steps in new.values())
        depths |= new
        dates |= found.dates
        if len(found.depths) == 1:
            empty.append(direction)
    order = sorted(depths, key=lambda each: _place(each, depths, dates))
    return _Lineages({each: depths[each] for each in order}, 0, reached, tuple(empty))


def _ends(edge: LineageEdge) -> tuple[str, str]:
    return edge.child, edge.parent


def _folded(reader: Reader, asked: TreeRequest, order: list[str]) -> set[str]:
    """Return the works to fold, from the end of `order`: many that are connected to only one."""
    if not asked.folds:
        return set()
    works = order[:_LOOKED_AT]
    near: dict[str, set[str]] = defaultdict(set)
    for direction in LineageDirection:
        for work, found in reader.neighbours(works, direction, asked.selection.edges).items():
            near[work].update(found)
    among = set(works)
    leaves: dict[str, list[str]] = defaultdict(list)
    for work in works[1:]:  # The root stays.
        connected = among & near[work]
        if len(connected) == 1:
            leaves[connected.pop()].append(work)
    return {
        leaf
        for work, own in leaves.items()
        if work not in asked.expanded and len(own) >= _SHOWN + _FOLDED_AT_LEAST
        for leaf in own[_SHOWN:]
    }


def _place(
    work: str, depths: dict[str, int], dates: dict[str, PartialDate]
) -> tuple[int, tuple[int, int, int], str]:
    """Order works as a lineage does: by steps, date and id."""
    date = dates.get(work)
    return (abs(depths[work]), date.sort_key if date else UNDATED, work)


def _expand(reader: Reader, asked: TreeRequest, terms: GeneralTerms, drawn: dict[str, int]) -> None:
    """Add the neighbours of the works that are asked for, as long as there is room."""
    for work in asked.expanded:
        if work not in drawn:
            continue
        for direction, step in (
            (LineageDirection.ANCESTORS, -1),
            (LineageDirection.DESCENDANTS, 1),
        ):
            near = reader.neighbours([work], direction, asked.selection.edges).get(work, [])
            for each in _of_kind(reader, asked, terms.others(near)):
                if len(drawn) <= MOST:
                    drawn.setdefault(each, drawn[work] + step)


def _of_kind(reader: Reader, asked: TreeRequest, ids: Collection[str]) -> Collection[str]:
    """Return those of these works that are of the kinds and years to show."""
    if asked.selection.shows_all:
        return ids
    works, dates = reader.works(ids), reader.published(ids)
    return [
        e
        for e in ids
        if e in works and asked.selection.shows(LineageNode(works[e], 0, dates.get(e)))
    ]


def _not_drawn(
    reader: Reader, asked: TreeRequest, terms: GeneralTerms, drawn: Collection[str]
) -> dict[str, int]:
    """Count the neighbours of each work that could be drawn, and are not."""
    near: dict[str, set[str]] = {each: set() for each in drawn}
    for direction in LineageDirection:
        for work, found in reader.neighbours(drawn, direction, asked.selection.edges).items():
            near[work].update(each for each in found if each not in drawn)
    if not asked.selection.include_general:
        every = sorted(set().union(*near.values()))
        general = terms.are_general(every)
        near = {work: {e for e in found if not general[e]} for work, found in near.items()}
    fitting = set(_of_kind(reader, asked, sorted(set().union(*near.values()))))
    near = {work: found & fitting for work, found in near.items()}
    return {work: len(found) for work, found in near.items() if found}
