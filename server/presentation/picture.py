"""Lineages as pictures: SVG that stands alone, in a notebook or a file."""

from collections.abc import Mapping
from html import escape
from unicodedata import east_asian_width

from stemma.graph import Lineage, LineageDirection, LineageEdge, LineageNode, Work
from stemma.schema import CATALOGUE_ORIGIN, Paper, PartialDate, RelationType
from stemma.server.presentation.layout import columns, heights
from stemma.server.presentation.wording import said

_FILLS = {
    "hardware": ("#f6e3f5", "#a04a9c"),
    "framework": ("#e2f2e4", "#3d8a4a"),
    "technique": ("#dff1f3", "#2c8791"),
    "model": ("#fbf0d3", "#b08414"),
    "dataset": ("#e1e8fa", "#4566bd"),
    "paper": ("#f0f0f0", "#777777"),
}
_WIDTH, _HEIGHT, _GAP, _ROW = 200, 38, 96, 50
_MARGIN, _LEGEND = 16, 30
_LONGEST_NAME = 25
_BUILDS, _IMPROVES = "#51606f", "#c2572b"


def lineage_svg(
    lineage: Lineage, works: Mapping[str, Work], published: PartialDate | None = None
) -> str:
    """Return a lineage as SVG: older works left, later ones right.

    `works` are those that its evidence speaks of, `published` the date of its root. Works and edges
    have a tooltip.
    """
    nodes = [LineageNode(lineage.root, 0, published), *lineage.nodes]
    depths = {node.work.id: node.depth for node in nodes}
    edges = [each for each in lineage.edges if each.child in depths and each.parent in depths]
    layers = columns(depths, [(edge.child, edge.parent) for edge in edges])
    rows = heights(layers)
    later = lineage.direction is LineageDirection.DESCENDANTS
    last = len(layers) - 1
    places = {
        work: (
            _MARGIN + (depth if later else last - depth) * (_WIDTH + _GAP),
            _MARGIN + rows[work] * _ROW,
        )
        for work, depth in depths.items()
    }
    width = 2 * _MARGIN + len(layers) * _WIDTH + last * _GAP
    width = max(width, 560)
    height = 2 * _MARGIN + max(map(len, layers)) * _ROW - (_ROW - _HEIGHT) + _LEGEND
    title = "What builds on" if later else "What came before"
    parts = [
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {width} {height}" '
        f'width="{width}" height="{height}" style="max-width:100%;height:auto" role="img" '
        'font-family="system-ui, -apple-system, Segoe UI, Helvetica, Arial, sans-serif">',
        f"<title>{_text(f'{title} {lineage.root.name}')}</title>",
        f'<rect width="{width}" height="{height}" fill="#ffffff"/>',
        *(_edge(edge, places, works) for edge in edges),
        *(_node(node, *places[node.work.id], root=node is nodes[0]) for node in nodes),
        _legend(nodes, edges, _MARGIN, height - _LEGEND + 8, lineage.truncated),
        "</svg>",
    ]
    return "\n".join(parts)


def _edge(
    edge: LineageEdge, places: Mapping[str, tuple[float, float]], works: Mapping[str, Work]
) -> str:
    (x1, y1), (x2, y2) = places[edge.parent], places[edge.child]
    y1, y2 = y1 + _HEIGHT / 2, y2 + _HEIGHT / 2
    if x1 < x2:
        x1 += _WIDTH
        bend = (x2 - x1) / 2
        path = f"M{x1:g} {y1:g}C{x1 + bend:g} {y1:g} {x2 - bend:g} {y2:g} {x2:g} {y2:g}"
    elif x1 == x2:
        x1 += _WIDTH
        path = f"M{x1:g} {y1:g}C{x1 + 46:g} {y1:g} {x1 + 46:g} {y2:g} {x1:g} {y2:g}"
    else:
        x2 += _WIDTH
        bend = (x1 - x2) / 2
        path = f"M{x1:g} {y1:g}C{x1 - bend:g} {y1:g} {x2 + bend:g} {y2:g} {x2:g} {y2:g}"
    colour = _BUILDS if RelationType.BUILDS_ON in edge.relations else _IMPROVES
    from_catalogue = all(each.origin == CATALOGUE_ORIGIN for each in edge.statements)
    dashes = ' stroke-dasharray="5 4"' if from_catalogue else ""
    thickness = 1 + 1.4 * edge.confidence
    tip = _arrow(x1, x2, y2, colour)
    return (
        f'<g><title>{_text(_tooltip(edge, works))}</title><path d="{path}" fill="none" '
        f'stroke="{colour}" stroke-width="{thickness:.2g}" '
        f'stroke-opacity="{0.35 + 0.6 * edge.confidence:.2g}"{dashes}/>{tip}</g>'
    )


def _arrow(x1: float, x2: float, y2: float, colour: str) -> str:
    """Return the head of an arrow at the later work, as it comes in there."""
    turn = 7 if x1 >= x2 else -7
    return f'<path d="M{x2:g} {y2:g}l{turn} -3.5v7z" fill="{colour}"/>'


def _node(node: LineageNode, x: float, y: float, root: bool) -> str:
    kind = "paper" if isinstance(node.work, Paper) else node.work.kind.value
    fill, line = _FILLS[kind]
    date = str(node.published) if node.published else ""
    facts = ", ".join(part for part in (kind, date) if part)
    return (
        f"<g><title>{_text(f'{node.work.name} ({facts})')}</title>"
        f'<rect x="{x:g}" y="{y:g}" width="{_WIDTH}" height="{_HEIGHT}" rx="7" fill="{fill}" '
        f'stroke="{line}" stroke-width="{2.4 if root else 1}"/>'
        f'<text x="{x + 10:g}" y="{y + 16:g}" font-size="13" fill="#1d2733"'
        f"{' font-weight=' + chr(34) + '700' + chr(34) if root else ''}>"
        f"{_text(_shortened(node.work.name))}</text>"
        f'<text x="{x + 10:g}" y="{y + 30:g}" font-size="10" fill="#5b6774">{_text(facts)}</text>'
        "</g>"
    )


def _legend(
    nodes: list[LineageNode], edges: list[LineageEdge], x: float, y: float, truncated: bool
) -> str:
    parts = []
    for colour, label, relation in (
        (_BUILDS, "builds on", RelationType.BUILDS_ON),
        (_IMPROVES, "improves on", RelationType.IMPROVES_ON),
    ):
        if any(relation in edge.relations for edge in edges):
            parts.append(_line(x, y, colour, label))
            x += 44 + 6 * len(label)
    if any(each.origin == CATALOGUE_ORIGIN for edge in edges for each in edge.statements):
        label = "catalogue only"
        parts.append(_line(x, y, _BUILDS, label, ' stroke-dasharray="5 4"'))
        x += 44 + 6 * len(label)
    note = f"{len(nodes) - 1} works" + (", and there are more" if truncated else "")
    parts.append(f'<text x="{x:g}" y="{y + 4:g}" font-size="11" fill="#5b6774">{note}</text>')
    return "".join(parts)


def _line(x: float, y: float, colour: str, label: str, dashes: str = "") -> str:
    return (
        f'<path d="M{x:g} {y:g}h22" stroke="{colour}" stroke-width="2"{dashes}/>'
        f'<text x="{x + 27:g}" y="{y + 4:g}" font-size="11" fill="#5b6774">{label}</text>'
    )


def _tooltip(edge: LineageEdge, works: Mapping[str, Work]) -> str:
    """Return what an edge says, with its strongest sentence."""
    ends = [works[each].name if each in works else each for each in (edge.child, edge.parent)]
    text = f"{ends[0]} {said(edge)} {ends[1]} ({edge.confidence:.2f})"
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
