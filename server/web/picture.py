"""Lineages as pictures: SVG that stands alone, in a notebook or a file, or has links, on a page.

A picture runs along the years, from left to right or, on narrow screens, from top to bottom. A
point of it is (along, across): its distance in the direction of the years, and beside it.
"""

from collections import Counter, defaultdict
from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass
from itertools import pairwise
from math import ceil, sqrt
from statistics import fmean
from textwrap import wrap
from typing import NamedTuple
from unicodedata import east_asian_width

from stemma.graph import Lineage, LineageDirection, LineageEdge, LineageNode, Work, kind_of
from stemma.graph.export.graphml import fit_for_xml
from stemma.schema import PartialDate, RelationType
from stemma.schema.quantity import quantity
from stemma.server.views.wording import in_section, readable, relation_phrase
from stemma.server.web import pages

_FILLS = {
    "hardware": ("#f6e3f5", "#a04a9c", 0),
    "framework": ("#e2f2e4", "#3d8a4a", 7),
    "technique": ("#dff1f3", "#2c8791", 19),
    "model": ("#fbf0d3", "#b08414", 12),
    "dataset": ("#e1e8fa", "#4566bd", 3),
    "paper": ("#f0f0f0", "#777777", 0),
}
"""The colours of a box and of its border by kind, and how round its corners are."""
_WIDTH, _HEIGHT, _LETTERS = 146, 40, 17
"""The size of a box, and how many letters a line in it has."""
_GAP, _MARGIN, _AXIS, _LEGEND = 38, 12, 24, 28
_TURN = 26
"""How far an edge between two works of one layer bends out of it."""
_MOST_LAYERS, _LEAST_ROWS = 5, (6, 9)
"""How many columns a wide picture has, so that its letters have 11 pixels beside the evidence in a
window of 1280, and how high they may be at any rate, in small pictures and in others."""
_FEW, _MANY_LAYERS = 30, (10, 15)
"""With more works, a picture is scrolled: it is as high as with so many full columns, and has at
most so many, as those of a year need not be full."""
_SWEEPS = 8
_LANE, _CLEAR = 4, 5
"""How far apart edges are that pass through one gap between two boxes, and from the boxes."""
_PORTS = {True: 0.85, False: 0.6}
"""On how much of the side of a box edges begin, and end."""
SURE = 0.5
"""Edges with less confidence are drawn faint."""
_LETTER = 6.4
"""About the width of a letter of 12 pixels, on average."""
_Point = tuple[float, float]


@dataclass(frozen=True, slots=True)
class Shape:
    """How a picture is laid out: `pitch` is the distance from one box of a layer to the next.

    `length` and `breadth` are the size of a box in pixels, along and across the axis of years. With
    `most_rows`, a layer has so many boxes side by side; otherwise as many as it takes to have few
    layers.
    """

    downwards: bool
    length: int
    breadth: int
    pitch: int
    most_rows: int | None = None

    @property
    def lanes(self) -> list[int]:
        """Where edges pass through a gap between two boxes, from its middle."""
        reach = ((self.pitch - self.breadth) // 2 - _CLEAR) // _LANE * _LANE
        return list(range(-reach, reach + 1, _LANE))

    def xy(self, point: _Point) -> _Point:
        """Return the x and y of a point, which is given along and across the axis of years."""
        along, across = point
        return (across, along) if self.downwards else (along, across)

    def written(self, *points: _Point) -> str:
        """Return points as they are written in a path."""
        return " ".join([f"{x:g} {y:g}" for x, y in map(self.xy, points)])

    def moved(self, point: _Point, turned: str = "") -> str:
        """Return how the head of an arrow is moved to a point, in the direction of the years."""
        return f"translate({self.written(point)}){' rotate(90)' * self.downwards}{turned}"


WIDE = Shape(downwards=False, length=_WIDTH, breadth=_HEIGHT, pitch=58)
TALL = Shape(downwards=True, length=_HEIGHT, breadth=_WIDTH, pitch=174, most_rows=2)


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
        *(LineageNode(node.work, sign * node.depth, node.published) for node in lineage.nodes),
    ]
    drawn = {node.work.id for node in nodes}
    edges = [edge for edge in lineage.edges if edge.child in drawn and edge.parent in drawn]
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
    layout = _Layout(drawing, shape)
    width, height = shape.xy(layout.size)
    legend, right, below = _legend(drawing, width)
    svg = pages.render(
        "picture.svg",
        drawing=drawing,
        shape=shape,
        links=links,
        layout=layout,
        width=max(width, right + _MARGIN * 2),
        height=height + _LEGEND + below,
        legend=legend,
        legend_at=(_MARGIN, height + _LEGEND / 2),
        nodes=[
            _Box(node, shape.xy(layout.places[node.work.id]), node is drawing.nodes[0])
            for node in sorted(drawing.nodes, key=lambda node: layout.places[node.work.id])
        ],
        edges=[
            (
                edge,
                _look(edge.relations),
                *layout.path(edge),
                _tooltip(edge, drawing.works),
                links and links.edge(edge),
                f"{0.8 + 1.2 * edge.confidence:.2g}",
                f"{0.35 + 0.6 * edge.confidence if edge.confidence >= SURE else 0.4:.2g}",
            )
            for edge in drawing.edges
        ],
    )
    return fit_for_xml(svg)


class _Layer:
    """What edges pass: boxes, by their middles, and `lanes` between these, with the number of edges
    in each. `taken` are the places across it where no other edge has room."""

    def __init__(self, boxes: Sequence[int], shape: Shape, end: int) -> None:
        self.half, clear = shape.pitch // 2, shape.breadth // 2 + _CLEAR
        gaps = [boxes[0] - self.half, *(box + self.half for box in boxes)]
        lanes = [min(max(3, gap + lane), end - 3) for gap in gaps for lane in shape.lanes]
        self.lanes = dict.fromkeys(lanes, 0)
        self.taken = {n for box in boxes for n in range(box - clear + 1, box + clear)}

    def passed(self, across: float, before: float) -> float:
        """Return where an edge passes: straight, where it was `before`, beside that, or in a lane
        near there that few others take."""
        places = (across, before, *(across + n * _LANE for n in (1, -1, 2, -2)))
        place = next((place for place in places if round(place) not in self.taken), None)
        if place is None:
            costs = {
                lane: abs(lane - across) + max(edges, lane in self.taken) * self.half
                for lane, edges in self.lanes.items()
            }
            place = min(costs, key=costs.__getitem__)
            self.lanes[place] += 1
        self.taken.update(range(round(place) - _LANE + 1, round(place) + _LANE))
        return place


class _Layout:
    """Where works are, as the corners of their boxes, and where bands with these labels begin.

    `size` is how far the picture reaches along and across. `layers` are by where they begin;
    `ports` say how far from the middle of a box an edge (child and parent) ends at a work.
    """

    def __init__(self, drawing: Drawing, shape: Shape) -> None:
        self.shape = shape
        self.corners = {node.work.id: _FILLS[kind_of(node.work)][2] for node in drawing.nodes}
        self.places: dict[str, tuple[int, int]] = {}
        self.starts: list[tuple[int, str]] = []
        boxes: dict[int, list[int]] = {}
        bands = _bands(drawing)
        high = min(max(len(bands) // 2, _LEAST_ROWS[0]), _LEAST_ROWS[1])
        columns, most = (_MOST_LAYERS, _MOST_LAYERS) if len(bands) <= _FEW else _MANY_LAYERS
        rows = shape.most_rows or max(high, ceil(len(bands) / (columns - 1)))
        bands = _joined(drawing, bands, rows if shape.most_rows is None else len(bands), most)
        order = sorted(set(bands.values()))
        ends = [(edge.child, edge.parent) for edge in drawing.edges]
        ordered = _ordered({work: order.index(band) for work, band in bands.items()}, ends)
        parts = [_wrapped(layer, rows, ends) for layer in ordered]
        longest = max(len(column) for columns in parts for column in columns)
        along = _MARGIN
        for band, layer in zip(order, parts, strict=True):
            years = "–".join(map(str, sorted({*band})))
            label = "date unknown" if band in (_BEFORE, _AFTER) else years
            if not self.starts or self.starts[-1][1] != label:
                self.starts.append((along, label))
            along += _AXIS if shape.downwards else 0
            for column in layer:
                begin = _MARGIN + (0 if shape.downwards else _AXIS)
                begin += (longest - len(column)) * shape.pitch // 2
                for number, work in enumerate(column):
                    self.places[work] = along, begin + number * shape.pitch
                boxes[along] = [self.places[work][1] + shape.breadth // 2 for work in column]
                along += shape.length + _GAP
        # An edge between two works of the last layer bends out of it.
        far = along - _GAP + _TURN
        across = max(at for _, at in self.places.values()) + shape.breadth + _MARGIN
        self.size = far, across
        self.layers = {at: _Layer(middles, shape, across) for at, middles in boxes.items()}
        self.ports = self._spread(drawing.edges)

    def _spread(self, edges: Iterable[LineageEdge]) -> dict[tuple[str, str, str], float]:
        """Spread the ends of edges on the side of a box, in the order of where they lead."""
        at: dict[tuple[str, bool], list[tuple[int, str, str]]] = defaultdict(list)
        for edge in edges:
            at[edge.parent, True].append((self.places[edge.child][1], edge.child, edge.parent))
            at[edge.child, False].append((self.places[edge.parent][1], edge.child, edge.parent))
        ports = {}
        for (work, begins), ends in at.items():
            step = min(10, _PORTS[begins] * self.shape.breadth / len(ends))
            for number, (_, child, parent) in enumerate(sorted(ends)):
                ports[child, parent, work] = (number - (len(ends) - 1) / 2) * step
        return ports

    def path(self, edge: LineageEdge) -> tuple[str, str]:
        """Return the path of an edge, and how the head of its arrow is moved to the end."""
        shape = self.shape
        length, half = shape.length, shape.breadth // 2
        (a1, b1), (a2, b2) = self.places[edge.parent], self.places[edge.child]
        c1 = b1 + half + self.ports[edge.child, edge.parent, edge.parent]
        c2 = b2 + half + self.ports[edge.child, edge.parent, edge.child]
        # Where the corner of the box is round, the edge begins further in.
        corner = self.corners[edge.parent]
        deep = max(0, abs(c1 - b1 - half) - (half - corner))
        inset = corner - sqrt(corner**2 - deep**2)
        if a1 == a2:
            far = a1 + length
            curve = shape.written((far + _TURN, c1), (far + _TURN, c2), (far, c2))
            start = shape.written((far - inset, c1), (far, c1))
            return f"M{start}C{curve}", shape.moved((far, c2), " scale(-1 1)")
        # Backwards, if it is older than what it builds on, or has no date.
        ahead = a1 < a2
        along, end = (float(a1 + length), a2) if ahead else (float(a1), a2 + length)
        near, far = (-6, length + 6) if ahead else (length + 6, -6)
        across, path = c1, f"M{shape.written((along - inset if ahead else along + inset, c1))}"
        for begin in sorted(self.layers, reverse=not ahead):
            if min(a1, a2) < begin < max(a1, a2):
                straight = across + (c2 - across) * (begin + length / 2 - along) / (end - along)
                free = self.layers[begin].passed(straight, across)
                if free != across:
                    curve = self._curve(along, across, begin + near, free)
                    path += f"L{shape.written((along, across))}{curve}"
                along, across = begin + far, free
        path += f"L{shape.written((along, across))}{self._curve(along, across, end, c2)}"
        return path, shape.moved((end, c2), "" if ahead else " scale(-1 1)")

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
        places = {w: n - len(layer) / 2 for layer in ordered for n, w in enumerate(layer)}
        for layer in ordered[::sign]:
            middles = {}
            for work in layer:
                tied = [places[e] for e in near[work] if sign * (layers[e] - layers[work]) < 0]
                middles[work] = fmean(tied) if tied else places[work]
            layer.sort(key=middles.__getitem__)
            places |= {work: n - len(layer) / 2 for n, work in enumerate(layer)}
    return ordered


def _wrapped(
    layer: Sequence[str], rows: int, edges: Iterable[tuple[str, str]]
) -> list[Sequence[str]]:
    """Return a layer in one part, or in several of much the same length where it is too long, with
    works after those of the layer that they build on."""
    if len(layer) <= rows:
        return [layer]
    steps = dict.fromkeys(layer, 0)
    inside = [(child, parent) for child, parent in edges if child in steps and parent in steps]
    for _ in range(_SWEEPS):  # Works may build on each other in a circle.
        for child, parent in inside:
            steps[child] = max(steps[child], min(steps[parent] + 1, _SWEEPS))
    layer = sorted(layer, key=steps.__getitem__)
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


def _joined(drawing: Drawing, bands: dict[str, _Band], rows: int, most: int) -> dict[str, _Band]:
    """Join years next to each other until there are at most so many layers of so many rows.

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
        if sum(ceil(n / rows) for n in works.values()) <= most or len(years) < 2:
            return bands
        one, other = min(pairwise(years), key=cost)
        both = (one[0], other[1])
        bands = {work: both if band in (one, other) else band for work, band in bands.items()}


class _Look(NamedTuple):
    """How edges of some relations look: the name of their style, their colour and arrow head."""

    name: str
    colour: str
    head: str
    fill: str


# The heads differ as the colours do, for people who do not distinguish these.
_BUILDS = _Look("builds", "#51606f", "M0 0l-8-4v8z", "#51606f")
_IMPROVES = _Look("improves", "#c2572b", "M-1 0l-8-4v8z", "#ffffff")
_BOTH = _Look("both", "#c2572b", "M0 0l-7-4v8zm-7 0l-7-4v8z", "#c2572b")
_COMPARES = _Look("compares", "#777777", "M0 0l-5-4l-5 4l5 4z", "#ffffff")
_SAYS = {
    _BOTH: "built and improved upon by",
    _BUILDS: "built upon by",
    _IMPROVES: "improved upon by",
    _COMPARES: "compared with by",
}
"""What an edge says, read along its arrow, in the order of the legend."""


def _look(relations: Collection[RelationType]) -> _Look:
    if RelationType.COMPARES_WITH in relations:
        return _COMPARES
    if RelationType.IMPROVES_ON not in relations:
        return _BUILDS
    return _BOTH if RelationType.BUILDS_ON in relations else _IMPROVES


class _Box:
    """The box of a work with its `name` in one or two lines; `corner` is its x and y."""

    def __init__(self, node: LineageNode, corner: _Point, root: bool) -> None:
        self.work, self.root = node.work, root
        (self.x, self.y), self.width = corner, _WIDTH
        self.kind = kind_of(node.work)
        self.fill, self.line, self.corners = _FILLS[self.kind]
        # A long name goes on where a short one has its kind, which the shape of the box says too.
        self.year = f", {node.published.year}" if node.published and node.published.year else ""
        room = _LETTERS - root
        self.name, self.rest = _in_lines(node.work.name, room, len(self.year))
        date = f", {node.published}" if node.published else ""
        self.tooltip = f"{node.work.name} ({self.kind}{date})"


def _legend(
    drawing: Drawing, width: float
) -> tuple[list[tuple[_Look | None, bool, str, _Point]], float, float]:
    """Return what explains the edges, and how far to the right and down it reaches.

    Each part has a look, if it is about edges, whether these are in the catalogue only, a label,
    and its place.
    """
    looks = {_look(edge.relations) for edge in drawing.edges}
    labels: list[tuple[_Look | None, bool, str]] = [
        (look, False, label) for look, label in _SAYS.items() if look in looks
    ]
    if any(edge.only_in_catalogue for edge in drawing.edges):
        labels.append((_BUILDS, True, "catalogue only"))
    if drawing.note:
        labels.append((None, False, drawing.note))
    parts, far, x, y = list[tuple[_Look | None, bool, str, _Point]](), 0.0, 0.0, 0.0
    for look, dashed, label in labels:
        room = _LETTER * len(label) + (46 if look else 0)
        if x and x + room > width - 2 * _MARGIN:
            x, y = 0.0, y + 18
        parts.append((look, dashed, label, (x, y)))
        x += room
        far = max(far, x)
    return parts, far, y


def _tooltip(edge: LineageEdge, works: Mapping[str, Work]) -> str:
    """Return what an edge says, with its strongest sentence."""
    ends = [works[id_].name if id_ in works else id_ for id_ in (edge.child, edge.parent)]
    sure = "" if edge.only_in_catalogue else f" ({edge.confidence:.2f})"
    text = f"{ends[0]} {relation_phrase(edge.confidences)} {ends[1]}{sure}"
    for statement in edge.statements:
        for evidence in statement.evidence[:1]:
            paper = works.get(statement.subject)
            source = f"\n— {paper.name}{in_section(evidence.section)}" if paper else ""
            return f"{text}\n“{readable(evidence.text)}”{source}"
    return f"{text}\nEntered by hand in the catalogue, without a sentence."


def _in_lines(name: str, room: int, taken: int) -> tuple[str, str]:
    """Return as much of a name as the two lines of a box hold, of so many letters each.

    So many letters of the second line are taken; it may be empty. Wide characters take the place
    of two.
    """
    name = " ".join(name.split())
    wide = sum(east_asian_width(letter) in "WF" for letter in name)
    room = room * len(name) // (len(name) + wide) if wide else room
    line = wrap(name, room)[0] if name else ""
    rest = name[len(line) :].strip()
    left = room - taken
    return line, rest if len(rest) <= left else f"{rest[: left - 1].rstrip()}…"
