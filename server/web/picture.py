"""Lineages as pictures: SVG that stands alone, in a notebook or a file, or has links, on a page.

A picture runs along the years, from left to right or, on narrow screens, from top to bottom. A
point of it is (along, across): its distance in the direction of the years, and beside it.
"""

from collections import Counter, defaultdict
from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from html import escape
from itertools import pairwise
from math import ceil
from statistics import fmean
from typing import NamedTuple
from unicodedata import east_asian_width

from stemma.graph import Lineage, LineageDirection, LineageEdge, LineageNode, Work, kind_of
from stemma.schema import PartialDate, RelationType
from stemma.schema.quantity import quantity
from stemma.server.views.wording import in_section, readable, relation_phrase
from stemma.server.web.pages import path

_FILLS = {
    "hardware": ("#f6e3f5", "#a04a9c", 0),
    "framework": ("#e2f2e4", "#3d8a4a", 7),
    "technique": ("#dff1f3", "#2c8791", 19),
    "model": ("#fbf0d3", "#b08414", 12),
    "dataset": ("#e1e8fa", "#4566bd", 3),
    "paper": ("#f0f0f0", "#777777", 0),
}
"""The colours of a box and of its border by kind, and how round its corners are."""
_HEIGHT, _MARGIN, _AXIS, _LEGEND = 40, 12, 24, 28
_TURN = 26
"""How far an edge between two works of one layer bends out of it."""
_MOST_LAYERS, _LEAST_ROWS = 5, 9
"""How many columns a wide picture has, so that its letters have 11 pixels beside the evidence in a
window of 1280, and how high they may be at any rate."""
_SWEEPS = 8
_LANES = (-4, 0, 4)
"""Where edges are in a gap between two boxes that several pass through."""
_PORTS = 0.6
"""On how much of the side of a box edges end."""
SURE = 0.5
"""Edges with less confidence are drawn faint."""
_LETTER = 6.4
"""About the width of a letter of 12 pixels, on average."""
_DASHES = ' stroke-dasharray="5 4"'
_BUILDS, _IMPROVES = "#51606f", "#c2572b"
_SOLID, _HOLLOW, _DOUBLE = "M0 0l-8-4v8z", "M-1 0l-8-4v8z", "M0 0l-7-4v8zm-7 0l-7-4v8z"
"""Heads of arrows. They differ as the colours do, for people who do not distinguish these."""
_SAYS = {
    "builds": "built upon by",
    "improves": "improved upon by",
    "both": "built and improved upon by",
}
"""What an edge says, read along its arrow."""
_Point = tuple[float, float]


@dataclass(frozen=True, slots=True)
class Shape:
    """How a picture is laid out: boxes of a `width`, with a `gap` along the years between layers.

    With `most_rows`, a layer has so many boxes side by side; otherwise as many as it takes to have
    few layers.
    """

    downwards: bool
    width: int
    gap: int
    pitch: int
    letters: int
    most_rows: int | None = None

    @property
    def length(self) -> int:
        """The size of a box in pixels along the axis of years."""
        return _HEIGHT if self.downwards else self.width

    @property
    def breadth(self) -> int:
        """The size of a box in pixels across the axis of years."""
        return self.width if self.downwards else _HEIGHT

    def xy(self, point: _Point) -> _Point:
        """Return the x and y of a point, which is given along and across the axis of years."""
        along, across = point
        return (across, along) if self.downwards else (along, across)

    def written(self, *points: _Point) -> str:
        """Return points as they are written in a path."""
        return " ".join(f"{x:g} {y:g}" for x, y in map(self.xy, points))


WIDE = Shape(downwards=False, width=146, gap=38, pitch=50, letters=17)
TALL = Shape(downwards=True, width=150, gap=38, pitch=160, letters=18, most_rows=2)


_Band = tuple[int, int]
"""A part of the axis: years, from the first to the last, or what is before or after them."""
_BEFORE, _AFTER = (0, 0), (10_000, 10_000)


class Badge(NamedTuple):
    """A sign on a work that adds the neighbours of the work to the picture, or removes them."""

    label: str
    does: str
    address: str


@dataclass(frozen=True, slots=True)
class PictureLinks:
    """The addresses behind edges and behind the badges of works (ids) in a picture.

    Works themselves lead to their pages.
    """

    edge: Callable[[LineageEdge], str]
    badges: Mapping[str, Badge]


@dataclass(frozen=True, slots=True)
class Drawing:
    """The works of a picture, the root first, with the depth of ancestors below 0, and its edges.

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
    note = counted(len(nodes) - 1, lineage.total)
    return draw(Drawing(title, nodes, edges, works, note))


def counted(drawn: int, total: int) -> str:
    """Say how many works are drawn of how many: "19 of 26 works"."""
    return f"{drawn} of {quantity(total, 'work')}" if drawn < total else quantity(drawn, "work")


def draw(drawing: Drawing, links: PictureLinks | None = None, shape: Shape = WIDE) -> str:
    """Return SVG: layers of works by year, from older to later, and the edges between them.

    An edge is an arrow from a work to what builds on it, in the direction of time. Years next to
    each other share a layer where there are many. Works without a date stand before all years, or
    after them if they descend from the root or from dated works alone. Works and edges have a
    tooltip. With `links`, they lead somewhere, in the order of the works.
    """
    layout = _Layout.of(drawing, shape)
    width, height = shape.xy(layout.size)
    legend, right, below = _legend(drawing, width)
    width, top = max(width, right + _MARGIN * 2), height + _LEGEND / 2
    height += _LEGEND + below
    lines = [
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {width:g} {height:g}" '
        f'width="{width:g}" height="{height:g}" style="max-width:100%;height:auto" '
        f'role="{"group" if links else "img"}" class="lineage {"tall" if shape.downwards else ""}" '
        f'aria-label="{_text(drawing.title)}" '
        'font-family="system-ui, -apple-system, Segoe UI, Helvetica, Arial, sans-serif">',
        f"<title>{_text(drawing.title)}</title>",
        f'<rect class="canvas" width="{width:g}" height="{height:g}" fill="#ffffff"/>',
        *(layout.axis(band, at) for band, at in layout.starts.items()),
        *(
            _node(node, layout, root=node is drawing.nodes[0], links=links)
            for node in sorted(drawing.nodes, key=lambda each: layout.places[each.work.id])
        ),
        *(_edge(edge, layout, drawing.works, links) for edge in drawing.edges),
        *(
            _badge(links.badges[node.work.id], shape.xy(layout.places[node.work.id]), shape.width)
            for node in drawing.nodes
            if links and node.work.id in links.badges
        ),
        f'<g class="legend" transform="translate({_MARGIN} {top:g})">',
        *legend,
        "</g>",
        "</svg>",
    ]
    return "\n".join(lines)


@dataclass(slots=True)
class _Layout:
    """Where works are, as the corners of their boxes, and where their bands begin.

    `size` is how far the picture reaches along and across. `layers` have, by where a layer begins,
    the middles of its boxes; `ports` how far from the middle of a box an edge (child and parent)
    ends at a work. `passed` counts the edges that pass by layers.
    """

    shape: Shape
    places: dict[str, _Point]
    starts: dict[_Band, float]
    layers: dict[float, list[float]]
    size: _Point
    ports: dict[tuple[str, str, str], float] = field(default_factory=dict)
    passed: int = 0

    @classmethod
    def of(cls, drawing: Drawing, shape: Shape) -> "_Layout":
        bands = _bands(drawing)
        rows = shape.most_rows or max(_LEAST_ROWS, ceil(len(bands) / (_MOST_LAYERS - 1)))
        bands = _joined(drawing, bands, rows if shape.most_rows is None else len(bands))
        order = sorted(set(bands.values()))
        ends = [(edge.child, edge.parent) for edge in drawing.edges]
        places: dict[str, _Point] = {}
        starts: dict[_Band, float] = {}
        layers: dict[float, list[float]] = {}
        along = float(_MARGIN)
        ordered = _ordered({work: order.index(band) for work, band in bands.items()}, ends)
        parts = [_wrapped(layer, rows) for layer in ordered]
        longest = max(len(each) for part in parts for each in part)
        for band, layer in zip(order, parts, strict=True):
            starts[band] = along
            along += _AXIS if shape.downwards else 0
            for each in layer:
                begin = float(_MARGIN + (0 if shape.downwards else _AXIS))
                begin += (longest - len(each)) * shape.pitch / 2
                for number, work in enumerate(each):
                    places[work] = along, begin + number * shape.pitch
                layers[along] = [places[work][1] + shape.breadth / 2 for work in each]
                along += shape.length + shape.gap
        # An edge between two works of the last layer bends out of it.
        far = along - shape.gap + _TURN
        size = far, max(at for _, at in places.values()) + shape.breadth + _MARGIN
        layout = cls(shape, places, starts, layers, size)
        layout._spread(drawing.edges)
        return layout

    def _spread(self, edges: Iterable[LineageEdge]) -> None:
        """Spread the ends of edges on the side of a box, in the order of where they lead."""
        at: dict[tuple[str, bool], list[tuple[float, LineageEdge]]] = defaultdict(list)
        for each in edges:
            at[each.parent, True].append((self.places[each.child][1], each))
            at[each.child, False].append((self.places[each.parent][1], each))
        for (work, _), some in at.items():
            some.sort(key=lambda found: (found[0], found[1].child, found[1].parent))
            step = min(10, _PORTS * self.shape.breadth / len(some))
            for number, (_, edge) in enumerate(some):
                self.ports[edge.child, edge.parent, work] = (number - (len(some) - 1) / 2) * step

    def axis(self, band: _Band, at: float) -> str:
        """Return the line at which a band begins, with its years."""
        shape = self.shape
        far = self.size[1]
        start, end = ((at, _MARGIN), (at, far)) if shape.downwards else ((at - 8, 8), (at - 8, far))
        x, y = (float(_MARGIN), at + 15) if shape.downwards else (at, 20.0)
        years = "–".join(map(str, sorted({*band})))
        label = "undated" if band in (_BEFORE, _AFTER) else years
        return (
            f'<path class="axis" d="M{shape.written(start)}L{shape.written(end)}" '
            'stroke="#d9dde2" fill="none"/>'
            f'<text class="dim" x="{x:g}" y="{y:g}" font-size="12" fill="#5b6774">{label}</text>'
        )

    def path(self, edge: LineageEdge) -> tuple[str, _Point, bool]:
        """Return the path of an edge, where it ends, and whether it leads back there."""
        length, breadth = self.shape.length, self.shape.breadth
        (a1, c1), (a2, c2) = self.places[edge.parent], self.places[edge.child]
        c1 += breadth / 2 + self.ports[edge.child, edge.parent, edge.parent]
        c2 += breadth / 2 + self.ports[edge.child, edge.parent, edge.child]
        write = self.shape.written
        if a1 == a2:
            far = a1 + length
            curve = write((far + _TURN, c1), (far + _TURN, c2), (far, c2))
            return f"M{write((far, c1))}C{curve}", (far, c2), True
        if a1 > a2:  # Older than what it builds on, or without a date.
            a2 += length
            return f"M{write((a1, c1))}{self._curve(a1, c1, a2, c2)}", (a2, c2), True
        self.passed += 1
        lane = _LANES[self.passed % len(_LANES)]
        along, across = a1 + length, c1
        path = f"M{write((along, across))}"
        for begin in self.layers:
            if a1 < begin < a2:
                straight = across + (c2 - across) * (begin + length / 2 - along) / (a2 - along)
                free = self._free(begin, straight, lane)
                if free != across:
                    path += (
                        f"L{write((along, across))}{self._curve(along, across, begin - 6, free)}"
                    )
                along, across = begin + length + 6, free
        path += f"L{write((along, across))}{self._curve(along, across, a2, c2)}"
        return path, (a2, c2), False

    def _free(self, layer: float, across: float, lane: int) -> float:
        """Return how an edge passes a layer: straight, or through the nearest gap, in its lane."""
        boxes, shape = self.layers[layer], self.shape
        if all(abs(each - across) > shape.breadth / 2 + 3 for each in boxes):
            return across
        gaps = [boxes[0] - shape.pitch / 2, *(each + shape.pitch / 2 for each in boxes)]
        return max(3, min(gaps, key=lambda gap: abs(gap - across)) + lane)

    def _curve(self, a1: float, c1: float, a2: float, c2: float) -> str:
        """Return a curve that begins and ends in the direction of the years."""
        bend = (a2 - a1) / 2
        return f"C{self.shape.written((a1 + bend, c1), (a2 - bend, c2), (a2, c2))}"


def _ordered(layers: Mapping[str, int], edges: Iterable[tuple[str, str]]) -> list[list[str]]:
    """Return the works of each layer from 0 on, in order across it, with few crossings.

    Each work moves towards the middle of those that it is connected to on one side, back and
    forth a few times (the barycentre heuristic of Sugiyama, Tagawa and Toda 1981); the order given
    breaks ties, so the same works have the same picture.
    """
    ordered: list[list[str]] = [[] for _ in range(max(layers.values()) + 1)]
    for work, number in layers.items():
        ordered[number].append(work)
    near: dict[str, list[str]] = defaultdict(list)
    for one, other in edges:
        near[one].append(other)
        near[other].append(one)
    for sweep in range(_SWEEPS):
        sign = 1 if sweep % 2 == 0 else -1
        places = {w: n - len(each) / 2 for each in ordered for n, w in enumerate(each)}
        for layer in ordered[::sign]:
            middles = {}
            for work in layer:
                tied = [places[e] for e in near[work] if sign * (layers[e] - layers[work]) < 0]
                middles[work] = fmean(tied) if tied else places[work]
            layer.sort(key=middles.__getitem__)
            places |= {work: n - len(layer) / 2 for n, work in enumerate(layer)}
    return ordered


def _wrapped(layer: Sequence[str], rows: int) -> list[Sequence[str]]:
    """Return a layer in one part, or in several of much the same length where it is too long."""
    length = ceil(len(layer) / ceil(len(layer) / rows))
    return [layer[i : i + length] for i in range(0, len(layer), length)]


def _bands(drawing: Drawing) -> dict[str, _Band]:
    """Return where on the axis works stand: in their years, or before or after all years.

    A work without a date stands after all years if it derives from more dated works than derive
    from it; or from as many, and descends from the root.
    """
    dates = {node.work.id: node.published for node in drawing.nodes}
    years = {id_: date.year for id_, date in dates.items() if date and date.year}
    derives = Counter[str]()
    for edge in drawing.edges:
        derives[edge.child] += edge.parent in years
        derives[edge.parent] -= edge.child in years
    bands = {
        node.work.id: _AFTER if (derives[node.work.id], node.depth) > (0, 0) else _BEFORE
        for node in drawing.nodes
    }
    return bands | {id_: (year, year) for id_, year in years.items()}


def _joined(drawing: Drawing, bands: dict[str, _Band], rows: int) -> dict[str, _Band]:
    """Join years next to each other until there are few layers of so many rows.

    Those go together that have the fewest edges between them, and of these the fewest works; the
    root stays apart from its relatives as long as possible.
    """
    root = drawing.nodes[0].work.id
    ends = [(edge.child, edge.parent) for edge in drawing.edges]

    def cost(pair: tuple[_Band, _Band]) -> tuple[int, int, tuple[_Band, _Band]]:
        between = ((1 + 9 * (root in e)) for e in ends if {bands[e[0]], bands[e[1]]} == {*pair})
        return sum(between), works[pair[0]] + works[pair[1]], pair

    while True:
        works = Counter(bands.values())
        years = sorted(works.keys() - {_BEFORE, _AFTER})
        if sum(ceil(n / rows) for n in works.values()) <= _MOST_LAYERS or len(years) < 2:
            return bands
        one, other = min(pairwise(years), key=cost)
        both = (one[0], other[1])
        bands = {work: both if band in (one, other) else band for work, band in bands.items()}


def _edge(
    edge: LineageEdge, layout: _Layout, works: Mapping[str, Work], links: PictureLinks | None
) -> str:
    line, end, turned = layout.path(edge)
    name, colour, head = _looks(edge.relations)
    dashes = _DASHES if edge.only_in_catalogue else ""
    opacity = 0.35 + 0.6 * edge.confidence if edge.confidence >= SURE else 0.4
    tooltip = _tooltip(edge, works)
    arrow = _arrow(head, colour, layout.shape.xy(end), turned, layout.shape.downwards)
    # Nobody points at a picture for a phone.
    title = "" if layout.shape.downwards else f"<title>{_text(tooltip)}</title>"
    shape = (
        f'{title}<path class="line" d="{line}" fill="none" '
        f'stroke="{colour}" stroke-width="{0.8 + 1.8 * edge.confidence:.2g}" '
        f'stroke-opacity="{opacity:.2g}"{dashes}/>{arrow}'
    )
    if links is None:
        return f'<g class="edge {name}">{shape}</g>'
    # A line of some width can be hit with a finger. It is not painted, which would take time.
    hit = f'<path d="{line}" fill="none" stroke="none" stroke-width="12" pointer-events="stroke"/>'
    return (
        f'<a class="edge {name}" href="{_text(links.edge(edge))}" '
        f'data-child="{_text(edge.child)}" data-parent="{_text(edge.parent)}" '
        f'aria-label="{_text(tooltip.partition(chr(10))[0])}">{shape}{hit}</a>'
    )


def _looks(relations: Collection[RelationType]) -> tuple[str, str, str]:
    """Return the name, the colour and the head of the arrow of an edge."""
    if RelationType.IMPROVES_ON not in relations:
        return "builds", _BUILDS, _SOLID
    both = RelationType.BUILDS_ON in relations
    return ("both", _IMPROVES, _DOUBLE) if both else ("improves", _IMPROVES, _HOLLOW)


def _arrow(
    head: str, colour: str, end: _Point, turned: bool = False, downwards: bool = False
) -> str:
    """Return the head of an arrow that ends here, as it comes from the left or from above."""
    turn = (" rotate(90)" if downwards else "") + (" scale(-1 1)" if turned else "")
    fill = "#ffffff" if head == _HOLLOW else colour
    return (
        f'<path class="head" d="{head}" transform="translate({end[0]:g} {end[1]:g}){turn}" '
        f'fill="{fill}" stroke="{colour}"/>'
    )


def _node(node: LineageNode, layout: _Layout, root: bool, links: PictureLinks | None) -> str:
    shape = layout.shape
    x, y = shape.xy(layout.places[node.work.id])
    kind = kind_of(node.work)
    fill, line, corners = _FILLS[kind]
    date = f", {node.published}" if node.published else ""
    year = f", {node.published.year}" if node.published and node.published.year else ""
    tooltip = _text(f"{node.work.name} ({kind}{date})")
    bold = ' font-weight="700"' if root else ""
    # A long name goes on where a short one has its kind, which the shape of the box says as well.
    name, rest = _in_lines(node.work.name, shape.letters - root)
    second = f'<tspan class="name" fill="#1d2733">{_text(rest)}</tspan>' if rest else kind
    box = (
        f'<g class="node {kind}{" root" if root else ""}" color="{line}"><title>{tooltip}</title>'
        f'<rect x="{x:g}" y="{y:g}" width="{shape.width}" height="{_HEIGHT}" rx="{corners}" '
        f'fill="{fill}" stroke="{line}" stroke-width="{2.4 if root else 1}"/>'
        f'<text class="name" x="{x + 10:g}" y="{y + 17:g}" font-size="13" fill="#1d2733"{bold}>'
        f'{_text(name)}</text><text class="dim" x="{x + 10:g}" y="{y + 32:g}" font-size="12" '
        f'fill="#5b6774">{second}{year}</text></g>'
    )
    if links is None:
        return box
    address, id_ = _text(path(node.work.id)), _text(node.work.id)
    return f'<a href="/page/{address}" data-work="{id_}" aria-label="{tooltip}">{box}</a>'


def _badge(badge: Badge, corner: _Point, box: int) -> str:
    """Return a badge on the lower right corner of a box of some width."""
    width = 12 + 7 * len(badge.label)
    left, bottom = corner[0] + box - width - 5, corner[1] + _HEIGHT
    does = _text(badge.does)
    return (
        f'<a class="more" href="{_text(badge.address)}" aria-label="{does}"><title>{does}</title>'
        f'<rect x="{left:g}" y="{bottom - 10:g}" width="{width:g}" height="19" rx="9" '
        f'fill="#ffffff" stroke="#7536b8"/><text x="{left + width / 2:g}" y="{bottom + 4:g}" '
        f'font-size="12" text-anchor="middle" fill="#7536b8">{badge.label}</text></a>'
    )


def _legend(drawing: Drawing, width: float) -> tuple[list[str], float, float]:
    """Return what explains the edges in SVG, and how far to the right and down it reaches."""
    looks = sorted({_looks(edge.relations) for edge in drawing.edges})
    parts = [(name, colour, _SAYS[name], head) for name, colour, head in looks]
    if any(edge.only_in_catalogue for edge in drawing.edges):
        parts.append(("builds", _BUILDS, "catalogue only", ""))
    if drawing.note:
        parts.append(("", "", drawing.note, ""))
    lines, far, x, y = list[str](), 0.0, 0.0, 0.0
    for name, colour, label, head in parts:
        room = _LETTER * len(label) + (46 if name else 0)
        if x and x + room > width - 2 * _MARGIN:
            x, y = 0.0, y + 18
        if name:
            lines.append(
                f'<g class="edge {name}"><path class="line" d="M{x:g} {y:g}h22" stroke="{colour}" '
                f'stroke-width="2"{"" if head else _DASHES}/>'
                f"{_arrow(head, colour, (x + 22, y)) if head else ''}</g>"
            )
        lines.append(
            f'<text class="dim" x="{x + (28 if name else 0):g}" y="{y + 4:g}" font-size="12" '
            f'fill="#5b6774">{_text(label)}</text>'
        )
        x += room
        far = max(far, x)
    return lines, far, y


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


def _in_lines(name: str, room: int) -> tuple[str, str]:
    """Return as much of a name as the two lines of a box hold; the second may be empty.

    It has smaller letters, and room for a year.
    """
    end = _cut(name, room)
    if end < len(name):
        end = max(name.rfind(" ", 0, end + 1), name.rfind("-", 0, end) + 1)
    if end > 0:
        return name[:end], _shortened(name[end:].strip(), room + 2 - len(", 2020"))
    return _shortened(name, room), ""


def _shortened(name: str, room: int) -> str:
    end = _cut(name, room)
    return name if end == len(name) else name[: max(end - 1, 1)].rstrip() + "…"


def _cut(name: str, room: int) -> int:
    """Return how many letters of a name have room; wide characters take the place of two."""
    for index, each in enumerate(name):
        room -= 2 if east_asian_width(each) in "WF" else 1
        if room < 0:
            return index
    return len(name)


def _text(text: str) -> str:
    """Return text that XML can hold, whatever it was: XML has no control characters."""
    allowed = "".join(
        each if each in "\n\t" or (each.isprintable() and each not in "￾￿") else " "
        for each in text
    )
    return escape(allowed)
