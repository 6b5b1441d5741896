"""Lineages as pictures: SVG that stands alone, in a notebook or a file, or has links, on a page."""

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from html import escape
from typing import Protocol
from unicodedata import east_asian_width

from stemma.graph import Lineage, LineageDirection, LineageEdge, LineageNode, Work
from stemma.schema import CATALOGUE_ORIGIN, Paper, PartialDate, RelationType
from stemma.server.presentation.layout import columns, heights, steps_within, wrapped
from stemma.server.presentation.wording import relation_phrase

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
_LANES = (-4, 0, 4)
"""How edges in one gap stand beside each other."""
_LONGEST_NAME = 25
_BUILDS, _IMPROVES = "#51606f", "#c2572b"
_UNDATED = "undated"
_Band = tuple[int, int]
_Point = tuple[float, float]


class Links(Protocol):
    """Where a click on a picture leads; `more` counts the neighbours of a work not drawn."""

    def work(self, work: str) -> str:
        """Return the address of a work."""

    def edge(self, edge: LineageEdge) -> str:
        """Return the address of what supports an edge."""

    def more(self, work: str) -> tuple[int, str]:
        """Return how many neighbours of a work are not drawn, and the address that adds them."""


@dataclass(frozen=True, slots=True)
class Drawing:
    """What is drawn: works, the root first, with the depth of ancestors below 0, and edges.

    `works` are those that the evidence speaks of, `note` is shown in the legend.
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

    `works` are those that its evidence speaks of, `published` the date of its root.
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
    note = count_of_works(len(nodes) - 1) + (", and there are more" if lineage.truncated else "")
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


def count_of_works(number: int) -> str:
    """Return a number of works in words."""
    return f"{number} {'work' if number == 1 else 'works'}"


def draw(drawing: Drawing, links: Links | None = None) -> str:
    """Return SVG: a column or more for each year, older works left, later ones right.

    Works without a date stand left of all years, or right of them if they descend from the root.
    Works and edges have a tooltip. With `links`, they lead somewhere.
    """
    bands = {node.work.id: _band(node) for node in drawing.nodes}
    pairs = [(edge.child, edge.parent) for edge in drawing.edges]
    steps = steps_within(bands, pairs)
    slots = {work: (band, steps[work]) for work, band in bands.items()}
    order = sorted(set(slots.values()))
    layers = columns({work: order.index(slot) for work, slot in slots.items()}, pairs)
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
    lanes = _Lanes(columns_at)
    width = max(x - _GAP + _MARGIN, 560)
    lowest = max((y for _, y in places.values()), default=0)
    height = lowest + _HEIGHT + _MARGIN + _LEGEND
    lines = [
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {width:g} {height:g}" '
        f'width="{width:g}" height="{height:g}" style="max-width:100%;height:auto" '
        f'role="{"group" if links else "img"}" class="lineage" aria-label="{_text(drawing.title)}" '
        'font-family="system-ui, -apple-system, Segoe UI, Helvetica, Arial, sans-serif">',
        f"<title>{_text(drawing.title)}</title>",
        f'<rect class="canvas" width="{width:g}" height="{height:g}" fill="#ffffff"/>',
        *(_year(band, at, height - _LEGEND) for band, at in starts.items()),
        *(_edge(edge, places, lanes, drawing.works, links) for edge in drawing.edges),
        *(
            _node(node, *places[node.work.id], root=node is drawing.nodes[0], links=links)
            for node in drawing.nodes
        ),
        _legend(drawing, _MARGIN, height - _LEGEND + 8),
        "</svg>",
    ]
    return "\n".join(lines)


def _band(node: LineageNode) -> _Band:
    """Return where on the axis a work stands: its year, or before or after all years."""
    if node.published and node.published.year is not None:
        return (1, node.published.year)
    return (2 if node.depth > 0 else 0, 0)


def _year(band: _Band, x: float, height: float) -> str:
    label = str(band[1]) if band[0] == 1 else _UNDATED
    line = f'<path class="axis" d="M{x - 8:g} 8V{height:g}" stroke="#d9dde2" fill="none"/>'
    return f'{line}<text class="dim" x="{x:g}" y="20" font-size="12" fill="#5b6774">{label}</text>'


def _edge(
    edge: LineageEdge,
    places: Mapping[str, _Point],
    lanes: _Lanes,
    works: Mapping[str, Work],
    links: Links | None,
) -> str:
    path, (x1, x2, y2) = _path(places[edge.parent], places[edge.child], lanes)
    builds = RelationType.BUILDS_ON in edge.relations
    colour, name = (_BUILDS, "builds") if builds else (_IMPROVES, "improves")
    from_catalogue = all(each.origin == CATALOGUE_ORIGIN for each in edge.statements)
    dashes = ' stroke-dasharray="5 4"' if from_catalogue else ""
    tooltip = _tooltip(edge, works)
    shape = (
        f'<title>{_text(tooltip)}</title><path class="line" d="{path}" fill="none" '
        f'stroke="{colour}" stroke-width="{1 + 1.4 * edge.confidence:.2g}" '
        f'stroke-opacity="{0.35 + 0.6 * edge.confidence:.2g}"{dashes}/>'
        f"{_arrow(x1, x2, y2, colour)}"
    )
    if links is None:
        return f'<g class="edge {name}">{shape}</g>'
    label = _text(tooltip.split("\n")[0])
    # A line of some width can be hit with a finger.
    hit = f'<path class="hit" d="{path}" fill="none" stroke="transparent" stroke-width="14"/>'
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


def _arrow(x1: float, x2: float, y2: float, colour: str) -> str:
    """Return the head of an arrow at the later work, as it comes in there."""
    turn = 7 if x1 >= x2 else -7
    return f'<path class="head" d="M{x2:g} {y2:g}l{turn} -3.5v7z" fill="{colour}"/>'


def _node(node: LineageNode, x: float, y: float, root: bool, links: Links | None) -> str:
    kind = "paper" if isinstance(node.work, Paper) else node.work.kind.value
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
    count, more = links.more(node.work.id)
    return linked + (_more(node.work, count, more, x, y) if count else "")


def _more(work: Work, count: int, address: str, x: float, y: float) -> str:
    """Return the badge on a work that says how many of its neighbours are not drawn."""
    label = f"and {count} more"
    width = 12 + 5.6 * len(label)
    left = x + _WIDTH - width - 5
    tooltip = _text(f"Add {count} {'neighbour' if count == 1 else 'neighbours'} of {work.name}")
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
    for name, colour, label, relation in (
        ("builds", _BUILDS, "builds on", RelationType.BUILDS_ON),
        ("improves", _IMPROVES, "improves on", RelationType.IMPROVES_ON),
    ):
        if any(relation in edge.relations for edge in drawing.edges):
            parts.append(_line(x, y, name, colour, label))
            x += 44 + 6 * len(label)
    statements = (each for edge in drawing.edges for each in edge.statements)
    if any(each.origin == CATALOGUE_ORIGIN for each in statements):
        label = "catalogue only"
        parts.append(_line(x, y, "builds", _BUILDS, label, ' stroke-dasharray="5 4"'))
        x += 44 + 6 * len(label)
    parts.append(
        f'<text class="dim" x="{x:g}" y="{y + 4:g}" font-size="11" fill="#5b6774">'
        f"{_text(drawing.note)}</text>"
    )
    return "".join(parts)


def _line(x: float, y: float, name: str, colour: str, label: str, dashes: str = "") -> str:
    return (
        f'<g class="edge {name}"><path class="line" d="M{x:g} {y:g}h22" stroke="{colour}" '
        f'stroke-width="2"{dashes}/></g><text class="dim" x="{x + 27:g}" y="{y + 4:g}" '
        f'font-size="11" fill="#5b6774">{label}</text>'
    )


def _tooltip(edge: LineageEdge, works: Mapping[str, Work]) -> str:
    """Return what an edge says, with its strongest sentence."""
    ends = [works[each].name if each in works else each for each in (edge.child, edge.parent)]
    text = f"{ends[0]} {relation_phrase(edge)} {ends[1]} ({edge.confidence:.2f})"
    for statement in edge.statements:
        for evidence in statement.evidence[:1]:
            paper = works.get(statement.subject)
            source = f"\n— {paper.name}" if paper else ""
            return f"{text}\n“{evidence.text}”{source}"
    return f"{text}\n(from the catalogue)"


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
