"""A family tree: some of a work's ancestors and descendants, with the edges among them."""

from collections.abc import Collection, Iterable
from dataclasses import dataclass, field

from stemma.graph import (
    FilterField,
    LineageDirection,
    LineageEdge,
    LineageNode,
    Reader,
    Work,
)
from stemma.graph.lineage import edges_within, reach
from stemma.schema import PartialDate
from stemma.schema.partial_date import UNDATED
from stemma.server.explorer.tree_request import MOST, TreeRequest
from stemma.server.presentation.picture import Drawing, count_of_works

MOST_EDGES = 1500


@dataclass(frozen=True, slots=True)
class FamilyTree:
    """A part of the lineage of `root` that is drawn.

    `nodes` begin with the root; ancestors have depths below 0. `reached` counts the works of each
    direction that there are, `hidden` those of them that are not drawn. `more` counts, for works of
    the picture, neighbours that are not in it. `general` counts the general terms left out,
    `weaker` the edges left out as there are too many. `works` are those that the evidence speaks
    of.
    """

    root: Work
    nodes: tuple[LineageNode, ...]
    edges: tuple[LineageEdge, ...]
    reached: dict[LineageDirection, int]
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
    def title(self) -> str:
        """What the picture is of."""
        return f"Family tree of {self.root.name}"

    def drawing(self) -> Drawing:
        """Return what is drawn."""
        note = count_of_works(self.drawn) + (f", and {self.hidden} more" if self.hidden else "")
        return Drawing(self.title, self.nodes, self.edges, self.works, note)


def family_tree(reader: Reader, work: str, asked: TreeRequest) -> FamilyTree:
    """Gather the family tree of a work (an id). Raises UnknownNameError where there is none."""
    terms = _GeneralTerms(reader, asked.general)
    depths: dict[str, int] = {}
    dates: dict[str, PartialDate] = {}
    reached: dict[LineageDirection, int] = {}
    emptied_by: dict[FilterField, None] = {}
    for direction in asked.directions:
        found = reach(
            reader, work, direction, asked.asked.max_depth, asked.asked.filter, terms.others
        )
        root = found.root
        sign = 1 if direction is LineageDirection.DESCENDANTS else -1
        # In a circle a work is both; it is counted once.
        new = {each: sign * depth for each, depth in found.depths.items() if each not in depths}
        reached[direction] = sum(depth != 0 for depth in new.values())
        depths |= new
        dates |= found.dates
        if len(found.depths) == 1:
            emptied_by |= dict.fromkeys(found.emptied_by(reader))
    order = sorted(depths, key=lambda each: _place(each, depths, dates))
    drawn = {each: depths[each] for each in order[: asked.first + 1]}
    _expand(reader, asked, terms, drawn)
    dates |= reader.published([each for each in drawn if each not in dates])
    works = reader.works(drawn)
    edges = list(edges_within(reader, sorted(drawn), drawn, asked.asked.filter))
    kept = sorted(edges, key=lambda edge: -edge.confidence)[:MOST_EDGES]
    papers = {each.subject for edge in kept for each in edge.statements}
    return FamilyTree(
        root,
        tuple(
            LineageNode(works[each], depth, dates.get(each))
            for each, depth in drawn.items()
            if each in works
        ),
        tuple(sorted(kept, key=lambda edge: (edge.child, edge.parent))),
        reached,
        len(depths.keys() - drawn.keys()),
        _not_drawn(reader, asked, terms, drawn),
        len(terms.left_out),
        len(edges) - len(kept),
        {**reader.works(papers - works.keys()), **works},
        tuple(emptied_by) if len(drawn) == 1 else (),
    )


@dataclass(slots=True)
class _GeneralTerms:
    """Which works are general terms, as far as they were met; all pass if they are `wanted`."""

    reader: Reader
    wanted: bool
    left_out: set[str] = field(default_factory=set)
    _known: dict[str, bool] = field(default_factory=dict)

    def others(self, ids: Collection[str]) -> Collection[str]:
        """Return those that are not general terms, in their order; the rest is left out."""
        if self.wanted:
            return ids
        general = self.are_general(ids)
        found = [each for each in ids if not general[each]]
        self.left_out |= set(ids).difference(found)
        return found

    def are_general(self, ids: Collection[str]) -> dict[str, bool]:
        """Tell of each work whether it is a general term."""
        unknown = [each for each in ids if each not in self._known]
        works = self.reader.works(unknown) if unknown else {}
        for each in unknown:
            self._known[each] = bool(getattr(works.get(each), "general", False))
        return self._known


def _place(
    work: str, depths: dict[str, int], dates: dict[str, PartialDate]
) -> tuple[int, tuple[int, int, int], str]:
    """Order works as a lineage does: by steps, date and id."""
    date = dates.get(work)
    return (abs(depths[work]), date.sort_key if date else UNDATED, work)


def _expand(
    reader: Reader, asked: TreeRequest, terms: _GeneralTerms, drawn: dict[str, int]
) -> None:
    """Add the neighbours of the works that are asked for, as long as there is room."""
    for work in asked.expanded:
        if work not in drawn:
            continue
        for direction, step in (
            (LineageDirection.ANCESTORS, -1),
            (LineageDirection.DESCENDANTS, 1),
        ):
            near = reader.neighbours([work], direction, asked.asked.filter).get(work, [])
            for each in terms.others(near):
                if len(drawn) <= MOST:
                    drawn.setdefault(each, drawn[work] + step)


def _not_drawn(
    reader: Reader, asked: TreeRequest, terms: _GeneralTerms, drawn: Collection[str]
) -> dict[str, int]:
    """Count the neighbours of each work that are not drawn, without general terms left out."""
    near: dict[str, set[str]] = {each: set() for each in drawn}
    for direction in LineageDirection:
        for work, found in reader.neighbours(drawn, direction, asked.asked.filter).items():
            near[work].update(each for each in found if each not in drawn)
    if not asked.general:
        every = sorted(set().union(*near.values()))
        general = terms.are_general(every)
        near = {work: {e for e in found if not general[e]} for work, found in near.items()}
    return {work: len(found) for work, found in near.items() if found}


def rows(tree: FamilyTree) -> Iterable[tuple[str, ...]]:
    """Yield the edges as rows of a table, one for each sentence, below a row of headings."""
    yield (
        *("child", "child_name", "child_published", "parent", "parent_name", "parent_published"),
        *("relation", "confidence", "edge_confidence", "origin", "paper", "paper_title"),
        "sentence",
    )
    dates = {node.work.id: str(node.published or "") for node in tree.nodes}
    names = {node.work.id: node.work.name for node in tree.nodes}
    for edge in tree.edges:
        ends = (
            *(edge.child, names[edge.child], dates[edge.child]),
            *(edge.parent, names[edge.parent], dates[edge.parent]),
        )
        for each in edge.statements:
            paper = tree.works.get(each.subject)
            title = paper.name if paper else ""
            for text in [evidence.text for evidence in each.evidence] or [""]:
                yield (
                    *(*ends, each.relation.value, f"{each.confidence:g}"),
                    *(f"{edge.confidence:g}", each.origin, each.subject, title, text),
                )
