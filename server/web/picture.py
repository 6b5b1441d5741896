"""Lineages as pictures: SVG that stands alone, in a notebook or a file, or has links, on a page."""

from collections import Counter, defaultdict
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from html import escape
from itertools import pairwise
from typing import NamedTuple, Protocol
from unicodedata import east_asian_width

from stemma.graph import Lineage, LineageDirection, LineageEdge, LineageNode, Work, kind_of
from stemma.schema import PartialDate, RelationType
from stemma.schema.quantity import quantity
from stemma.server.views.wording import in_section, readable, relation_phrase
from stemma.server.web.layout import columns, heights, steps_within, wrapped
from stemma.server.web.reduction import SURE

_FILLS = {
    "hardware": ("#f6e3f5", "#a04a9c", 0),
    "framework": ("#e2f2e4", "#3d8a4a", 7),
    "technique": ("#dff1f3", "#2c8791", 19),
    "model": ("#fbf0d3", "#b08414", 12),
    "dataset": ("#e1e8fa", "#4566bd", 3),
    "paper": ("#f0f0f0", "#777777", 0),
}
"""Of each kind the colours of a box and of its line, and how round its corners are."""
_WIDTH, _HEIGHT, _GAP, _ROW = 200, 38, 84, 52
_MARGIN, _AXIS, _LEGEND = 16, 24, 30
_DASHES = ' stroke-dasharray="5 4"'
_WIDTH_OF_LETTER = 6
"""About the width of a letter of the legend, on average."""
_LANES = (-4, 0, 4)
"""How edges in one gap stand beside each other."""
DENSE = 150
"""From more edges than these on, only the surest of each work stands out."""
_MOST_STEPS = 3
"""How many steps of lineage within one year have a column of their own."""
_LONGEST_NAME = 25
_BUILDS, _IMPROVES = "#51606f", "#c2572b"
_SOLID, _HOLLOW, _DOUBLE = "M0 0l-8-4v8z", "M-1 0l-8-4v8z", "M0 0l-7-4v8zm-7 0l-7-4v8z"
"""Heads of arrows. They differ as the colours do, for people who do not distinguish these."""
_SAYS = {"builds": "builds on", "improves": "improves on", "both": "builds and improves on"}
_UNDATED = "undated"
_MOST_BANDS, _MOST_TOGETHER = 5, 6
"""Of more years than these, those next to each other are joined, up to so many works."""
_Point = tuple[float, float]


class _Band(NamedTuple):
    """A part of the axis: years, from the first to the last, or what is `before` or after them."""

    place: int
    first: int = 0
    last: int = 0

    @property
    def label(self) -> str:
        if self.place != _IN_YEARS:
            return _UNDATED
        return str(self.first) + (f"–{self.last}" if self.last > self.first else "")


_IN_YEARS = 1
_BEFORE, _AFTER = _Band(_IN_YEARS - 1), _Band(_IN_YEARS + 1)


class PictureLinks(Protocol):
    """Where a click on a picture leads; `more` counts the neighbours of a work not drawn."""

    def work(self, work: str) -> str:
        """Return the address of a work."""

    def edge(self, edge: LineageEdge) -> str:
        """Return the address of what supports an edge."""

    def more(self, work: str) -> tuple[int, str]:
        """Return how many neighbours of a work are not drawn, and the address that adds them."""

    def fold(self, work: str) -> str | None:
        """Return the address without the neighbours that were added to a work, if any were."""


@dataclass(frozen=True, slots=True)
class Drawing:
    """What is drawn: works, the root first, with the depth of ancestors below 0, and edges.

    `works` are those that the evidence mentions, `note` is shown in the legend.
    """

    title: str
    nodes: Sequence[LineageNode]
    edges: Sequence[LineageEdge]
    works: Mapping[str, Work]
    note: str


def lineage_svg(
    lineage: Lineage, works: Mapping[str, Work], published: PartialDate | None = None
) -> str:
    """Return a lineage as SVG that stands alone.

    `works` are those that its evidence mentions, `published` the date of its root.
    """
    later = lineage.direction is LineageDirection.DESCENDANTS
    sign = 1 if later else -1
    nodes = [
        LineageNode(lineage.root, 0, published),
        *(LineageNode(each.work, sign * each.depth, each.published) for each in lineage.nodes),
    ]
    drawn = {node.work.id for node in nodes}
    edges = [each for each in lineage.edges if each.child in drawn and each.parent in drawn]
    title = f"{'What builds on' if later else 'What came before'} {lineage.root.name}"
    note = quantity(len(nodes) - 1, "work") + (", and there are more" if lineage.truncated else "")
    return draw(Drawing(title, nodes, edges, works, note))


class _Lanes:
    """Where edges pass between the boxes of columns, side by side.

    `columns` have the left side of each column, with the middles of its boxes from top to bottom.
    """

    def __init__(self, columns: Mapping[float, Sequence[float]]) -> None:
        self.columns = columns
        self._used: Counter[_Point] = Counter()

    def nearest(self, left: float, y: float) -> float:
        """Return how the next edge passes a column: at `y` or through the nearest gap."""
        boxes = self.columns[left]
        if all(abs(each - y) > _HEIGHT / 2 + 3 for each in boxes):
            return y
        gaps = [boxes[0] - _ROW / 2, *(each + _ROW / 2 for each in boxes)]
        gap = min(gaps, key=lambda gap: abs(gap - y))
        self._used[left, gap] += 1
        return gap + _LANES[self._used[left, gap] % len(_LANES)]


def draw(drawing: Drawing, links: PictureLinks | None = None) -> str:
    """Return SVG: a column or more for each year, older works left, later ones right.

    Years next to each other share a column where there are many with few works each.
    Works without a date stand left of all years, or right of them if they descend from the root or
    from dated works alone.
    Works and edges have a tooltip. With `links`, they lead somewhere.
    """
    main = _main_edges(drawing)
    places, starts, lanes = _arranged(drawing, main)
    # What stands out is drawn above the others.
    edges = sorted(drawing.edges, key=lambda edge: (edge.child, edge.parent) in main)
    right = max(lanes.columns, default=0) + _WIDTH
    width = max(right + _MARGIN, 560, _legend_width(drawing) + 2 * _MARGIN)
    lowest = max((y for _, y in places.values()), default=0)
    height = lowest + _HEIGHT + _MARGIN + _LEGEND
    name = "lineage dense" if len(edges) > DENSE else "lineage"
    lines = [
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {width:g} {height:g}" '
        f'width="{width:g}" height="{height:g}" style="max-width:100%;height:auto" '
        f'role="{"group" if links else "img"}" class="{name}" aria-label="{_text(drawing.title)}" '
        'font-family="system-ui, -apple-system, Segoe UI, Helvetica, Arial, sans-serif">',
        f"<title>{_text(drawing.title)}</title>",
        f'<rect class="canvas" width="{width:g}" height="{height:g}" fill="#ffffff"/>',
        *(_year(band, at, height - _LEGEND) for band, at in starts.items()),
        *(
            _edge(edge, places, lanes, drawing.works, links, (edge.child, edge.parent) in main)
            for edge in edges
        ),
        *(
            _node(node, *places[node.work.id], root=node is drawing.nodes[0], links=links)
            for node in drawing.nodes
        ),
        _legend(drawing, _MARGIN, height - _LEGEND + 8),
        "</svg>",
    ]
    return "\n".join(lines)


def _arranged(
    drawing: Drawing, main: Collection[tuple[str, str]]
) -> tuple[dict[str, _Point], dict[_Band, float], _Lanes]:
    """Return where works are, where bands begin, and the lanes for edges between the works."""
    bands = _bands(drawing)
    steps = steps_within(bands, [(edge.child, edge.parent) for edge in drawing.edges])
    slots = {work: (band, min(steps[work], _MOST_STEPS)) for work, band in bands.items()}
    order = sorted(set(slots.values()))
    layers = columns({work: order.index(slot) for work, slot in slots.items()}, sorted(main))
    parts = wrapped(layers)
    rows = heights([column for layer in parts for column in layer])
    places: dict[str, _Point] = {}
    columns_at: dict[float, list[float]] = {}
    starts: dict[_Band, float] = {}
    x = float(_MARGIN)
    for (band, _), layer in zip(order, parts, strict=True):
        starts.setdefault(band, x)
        for column in layer:
            tops = {work: _AXIS + _MARGIN + rows[work] * _ROW for work in column}
            places |= {work: (x, top) for work, top in tops.items()}
            columns_at[x] = [top + _HEIGHT / 2 for top in tops.values()]
            x += _WIDTH + _GAP
    return places, starts, _Lanes(columns_at)


def _main_edges(drawing: Drawing) -> set[tuple[str, str]]:
    """Return the edges (child and parent) that stand out: all, or if there are many the surest.

    Of a descendant of the root, that is the surest edge to what it builds on, and of an ancestor
    the surest to what builds on it.
    """
    if len(drawing.edges) <= DENSE:
        return {(edge.child, edge.parent) for edge in drawing.edges}
    depths = {node.work.id: node.depth for node in drawing.nodes}
    surest: dict[str, LineageEdge] = {}
    for edge in sorted(drawing.edges, key=lambda edge: -edge.confidence):
        if depths[edge.child] > 0:
            surest.setdefault(edge.child, edge)
        if depths[edge.parent] < 0:
            surest.setdefault(edge.parent, edge)
    return {(edge.child, edge.parent) for edge in surest.values()}


def _bands(drawing: Drawing) -> dict[str, _Band]:
    """Return where on the axis works stand: in their years, or before or after all years.

    A work without a date stands after all years if it descends from the root, unless more dated
    works derive from it than it derives from; and if it derives from dated works, and none from it.
    """
    bands = {node.work.id: _band(node) for node in drawing.nodes}
    parents, children = defaultdict[str, list[str]](list), defaultdict[str, list[str]](list)
    for edge in drawing.edges:
        parents[edge.child].append(edge.parent)
        children[edge.parent].append(edge.child)
    dated = {work for work, band in bands.items() if band.place == _IN_YEARS}
    for work in bands.keys() - dated:
        if not dated.isdisjoint(parents[work]) and dated.isdisjoint(children[work]):
            bands[work] = _AFTER
    undated = [work for work, band in bands.items() if band == _AFTER]
    moved = True
    while moved:
        moved = False
        for work in undated:
            later = sum(bands[each] != _AFTER for each in children[work])
            earlier = sum(bands[each] not in (_BEFORE, _AFTER) for each in parents[work])
            if bands[work] == _AFTER and later > earlier:
                bands[work] = _BEFORE
                moved = True
    return _joined(bands, drawing.edges)


def _band(node: LineageNode) -> _Band:
    if node.published and node.published.year is not None:
        return _Band(_IN_YEARS, node.published.year, node.published.year)
    return _AFTER if node.depth > 0 else _BEFORE


def _joined(bands: dict[str, _Band], edges: Iterable[LineageEdge]) -> dict[str, _Band]:
    """Join years next to each other until few are left, those with the fewest works first.

    So a picture of few works is not wide and flat. Works with an edge between them stay apart.
    """
    near = defaultdict[str, set[str]](set)
    for edge in edges:
        near[edge.child].add(edge.parent)
        near[edge.parent].add(edge.child)
    works = defaultdict[_Band, set[str]](set)
    for work, band in bands.items():
        if band.place == _IN_YEARS:
            works[band].add(work)
    while len(works) > _MOST_BANDS:
        together = [
            (count, one, other)
            for one, other in pairwise(sorted(works))
            if (count := len(works[one]) + len(works[other])) <= _MOST_TOGETHER
            and not any(near[work] & works[other] for work in works[one])
        ]
        if not together:
            break
        _, one, other = min(together)
        works[_Band(_IN_YEARS, one.first, other.last)] = works.pop(one) | works.pop(other)
    return bands | {work: band for band, own in works.items() for work in own}


def _year(band: _Band, x: float, height: float) -> str:
    line = f'<path class="axis" d="M{x - 8:g} 8V{height:g}" stroke="#d9dde2" fill="none"/>'
    text = f'<text class="dim" x="{x:g}" y="20" font-size="12" fill="#5b6774">{band.label}</text>'
    return line + text


def _edge(
    edge: LineageEdge,
    places: Mapping[str, _Point],
    lanes: _Lanes,
    works: Mapping[str, Work],
    links: PictureLinks | None,
    is_main: bool,
) -> str:
    path, (x1, x2, y2) = _path(places[edge.parent], places[edge.child], lanes)
    name, colour, head = _looks(edge.relations)
    dashes = _DASHES if edge.only_in_catalogue else ""
    opacity = 0.35 + 0.6 * edge.confidence if edge.confidence >= SURE else 0.4
    width = 0.8 + 1.8 * edge.confidence
    if not is_main:
        name, opacity, width = f"{name} minor", 0.15, 0.8
    tooltip = _tooltip(edge, works)
    shape = (
        f'<title>{_text(tooltip)}</title><path class="line" d="{path}" fill="none" '
        f'stroke="{colour}" stroke-width="{width:.2g}" '
        f'stroke-opacity="{opacity:.2g}"{dashes}/>'
        f"{_arrow(head, colour, x2, y2, turned=x1 >= x2) if is_main else ''}"
    )
    if links is None:
        return f'<g class="edge {name}">{shape}</g>'
    label = _text(tooltip.split("\n")[0])
    # A line of some width can be hit with a finger. It is not painted, which would take time.
    hit = (
        f'<path class="hit" d="{path}" fill="none" stroke="none" stroke-width="14" '
        'pointer-events="stroke"/>'
    )
    address = _text(links.edge(edge))
    ends = f'data-child="{_text(edge.child)}" data-parent="{_text(edge.parent)}"'
    return f'<a class="edge {name}" href="{address}" {ends} aria-label="{label}">{shape}{hit}</a>'


def _path(parent: _Point, child: _Point, lanes: _Lanes) -> tuple[str, tuple[float, float, float]]:
    """Return the path of an edge, and (where it begins, where it ends) for its arrow."""
    (x1, y1), (x2, y2) = parent, child
    y1, y2 = y1 + _HEIGHT / 2, y2 + _HEIGHT / 2
    if x1 == x2:
        x1 += _WIDTH
        return f"M{x1:g} {y1:g}C{x1 + 46:g} {y1:g} {x1 + 46:g} {y2:g} {x1:g} {y2:g}", (x1, x1, y2)
    if x1 > x2:  # Older than what it builds on, or without a date.
        x2 += _WIDTH
        return f"M{x1:g} {y1:g}{_curve(x1, y1, x2, y2)}", (x1, x2, y2)
    x, y = x1 + _WIDTH, y1
    path = [f"M{x:g} {y:g}"]
    for left in lanes.columns:
        if x1 < left < x2:
            straight = y + (y2 - y) * (left + _WIDTH / 2 - x) / (x2 - x)
            free = lanes.nearest(left, straight)
            path.append(f"{_curve(x, y, left - 6, free)}H{left + _WIDTH + 6:g}")
            x, y = left + _WIDTH + 6, free
    path.append(_curve(x, y, x2, y2))
    return "".join(path), (x1, x2, y2)


def _curve(x1: float, y1: float, x2: float, y2: float) -> str:
    """Return a curve that begins and ends level."""
    bend = (x2 - x1) / 2
    return f"C{x1 + bend:g} {y1:g} {x2 - bend:g} {y2:g} {x2:g} {y2:g}"


def _looks(relations: Collection[RelationType]) -> tuple[str, str, str]:
    """Return the name, the colour and the head of the arrow of an edge."""
    if RelationType.IMPROVES_ON not in relations:
        return "builds", _BUILDS, _SOLID
    both = RelationType.BUILDS_ON in relations
    return ("both", _IMPROVES, _DOUBLE) if both else ("improves", _IMPROVES, _HOLLOW)


def _arrow(head: str, colour: str, x: float, y: float, turned: bool = False) -> str:
    """Return the head of an arrow that ends here, as it comes in from the left."""
    turn = " scale(-1 1)" if turned else ""
    fill = "#ffffff" if head == _HOLLOW else colour
    return (
        f'<path class="head" d="{head}" transform="translate({x:g} {y:g}){turn}" '
        f'fill="{fill}" stroke="{colour}"/>'
    )


def _node(node: LineageNode, x: float, y: float, root: bool, links: PictureLinks | None) -> str:
    kind = kind_of(node.work)
    fill, line, corners = _FILLS[kind]
    date = str(node.published) if node.published else ""
    facts = ", ".join(part for part in (kind, date) if part)
    tooltip = _text(f"{node.work.name} ({facts})")
    bold = ' font-weight="700"' if root else ""
    box = (
        f'<g class="node {kind}{" root" if root else ""}"><title>{tooltip}</title>'
        f'<rect x="{x:g}" y="{y:g}" width="{_WIDTH}" height="{_HEIGHT}" rx="{corners}" '
        f'fill="{fill}" stroke="{line}" stroke-width="{2.4 if root else 1}"/>'
        f'<text class="name" x="{x + 12:g}" y="{y + 16:g}" font-size="13" fill="#1d2733"{bold}>'
        f"{_text(_shortened(node.work.name))}</text>"
        f'<text class="dim" x="{x + 12:g}" y="{y + 30:g}" font-size="10" fill="#5b6774">'
        f"{_text(facts)}</text></g>"
    )
    if links is None:
        return box
    address, id_ = _text(links.work(node.work.id)), _text(node.work.id)
    linked = f'<a href="{address}" data-work="{id_}" aria-label="{tooltip}">{box}</a>'
    return linked + _badge(node.work, links, x, y)


def _badge(work: Work, links: PictureLinks, x: float, y: float) -> str:
    """Return the badge on a work that adds its neighbours, or removes those that it added."""
    (count, address), fold = links.more(work.id), links.fold(work.id)
    if fold is not None:
        label, address = "fold", fold
        tooltip = _text(f"Remove what was added to {work.name}")
    elif count:
        label = f"and {count} more"
        tooltip = _text(f"Add {quantity(count, 'neighbour')} of {work.name}")
    else:
        return ""
    width = 12 + 5.6 * len(label)
    left = x + _WIDTH - width - 5
    return (
        f'<a class="more" href="{_text(address)}" data-work="{_text(work.id)}" '
        f'aria-label="{tooltip}"><title>{tooltip}</title>'
        f'<rect x="{left:g}" y="{y + _HEIGHT - 9:g}" width="{width:g}" height="18" rx="9" '
        f'fill="#ffffff" stroke="#7536b8"/><text x="{left + width / 2:g}" '
        f'y="{y + _HEIGHT + 4:g}" font-size="10.5" text-anchor="middle" fill="#7536b8">{label}'
        "</text></a>"
    )


def _legend(drawing: Drawing, x: float, y: float) -> str:
    parts = []
    for name, colour, label, head, dashes in _looks_explained(drawing):
        parts.append(_line(x, y, name, colour, label, head, dashes))
        x += _width_of_line(label)
    parts.append(
        f'<text class="dim" x="{x:g}" y="{y + 4:g}" font-size="11" fill="#5b6774">'
        f"{_text(drawing.note)}</text>"
    )
    return f'<g class="legend">{"".join(parts)}</g>'


def _legend_width(drawing: Drawing) -> float:
    lines = sum(_width_of_line(label) for _, _, label, _, _ in _looks_explained(drawing))
    return lines + _WIDTH_OF_LETTER * len(drawing.note)


def _looks_explained(drawing: Drawing) -> Iterator[tuple[str, str, str, str, str]]:
    """Yield how edges look, with a label: class, colour, label, head and dashes."""
    for name, colour, head in sorted({_looks(edge.relations) for edge in drawing.edges}):
        yield name, colour, _SAYS[name], head, ""
    if any(edge.only_in_catalogue for edge in drawing.edges):
        yield "builds", _BUILDS, "catalogue only", "", _DASHES


def _width_of_line(label: str) -> float:
    return 44 + _WIDTH_OF_LETTER * len(label)


def _line(
    x: float, y: float, name: str, colour: str, label: str, head: str = "", dashes: str = ""
) -> str:
    arrow = _arrow(head, colour, x + 22, y) if head else ""
    return (
        f'<g class="edge {name}"><path class="line" d="M{x:g} {y:g}h22" stroke="{colour}" '
        f'stroke-width="2"{dashes}/>{arrow}</g><text class="dim" x="{x + 27:g}" y="{y + 4:g}" '
        f'font-size="11" fill="#5b6774">{label}</text>'
    )


def _tooltip(edge: LineageEdge, works: Mapping[str, Work]) -> str:
    """Return what an edge says, with its strongest sentence."""
    ends = [works[each].name if each in works else each for each in (edge.child, edge.parent)]
    text = f"{ends[0]} {relation_phrase(edge.confidences)} {ends[1]} ({edge.confidence:.2f})"
    for statement in edge.statements:
        for evidence in statement.evidence[:1]:
            paper = works.get(statement.subject)
            source = f"\n— {paper.name}{in_section(evidence)}" if paper else ""
            return f"{text}\n“{readable(evidence.text)}”{source}"
    return f"{text}\nFrom the catalogue."


def _shortened(name: str) -> str:
    """Return as much of a name as a box holds; wide characters take the place of two."""
    room = _LONGEST_NAME
    for index, each in enumerate(name):
        room -= 2 if east_asian_width(each) in "WF" else 1
        if room < 0:
            return name[: max(index - 1, 1)].rstrip() + "…"
    return name


def _text(text: str) -> str:
    """Return text that XML can hold, whatever it was: XML has no control characters."""
    allowed = "".join(
        each if each in "\n\t" or (each.isprintable() and each not in "￾￿") else " "
        for each in text
    )
    return escape(allowed)
