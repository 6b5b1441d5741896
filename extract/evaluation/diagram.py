"""The reliability diagram: accuracy by confidence, as SVG."""

from stemma.extract.evaluation.calibration import Bin, Calibration
from stemma.schema.quantity import quantity

_SIDE = 300
"""The side of the plot, in units of the drawing."""
_LEFT, _TOP, _BELOW = 44, 12, 92
_COUNTS = 40
"""The height of the tallest bar of the counts beneath."""


def reliability_diagram(calibration: Calibration) -> str:
    """Return an SVG: a point a bin with its 95% interval, the diagonal, counts beneath.

    Colours come from the page: classes axis, grid, ideal, gap, point, interval, counts.
    """
    width, height = _LEFT + _SIDE + 12, _TOP + _SIDE + _BELOW
    described = (
        f"Reliability diagram of {quantity(calibration.statements, 'statement')}, "
        f"expected calibration error {calibration.expected_error:.3f}"
    )
    return "\n".join(
        [
            f'<svg viewBox="0 0 {width} {height}" role="img" aria-label="{described}">',
            *_axes(),
            *(_bin(each) for each in calibration.bins),
            *_counts(calibration),
            "</svg>",
        ]
    )


def _axes() -> list[str]:
    lines = []
    for step in range(0, 11, 2):
        share = step / 10
        x, y = _x(share), _y(share)
        lines += [
            f'<line class="grid" x1="{_x(0)}" x2="{_x(1)}" y1="{y}" y2="{y}"/>',
            f'<line class="grid" x1="{x}" x2="{x}" y1="{_y(0)}" y2="{_y(1)}"/>',
            f'<text class="axis" x="{_LEFT - 6}" y="{y + 4}" text-anchor="end">{share:.1f}</text>',
            f'<text class="axis" x="{x}" y="{_y(0) + 16}" text-anchor="middle">{share:.1f}</text>',
        ]
    middle = _y(0.5)
    return [
        *lines,
        f'<line class="ideal" x1="{_x(0)}" y1="{_y(0)}" x2="{_x(1)}" y2="{_y(1)}"/>',
        f'<text class="axis" x="{_x(0.5)}" y="{_y(0) + 32}" text-anchor="middle">confidence</text>',
        f'<text class="axis" x="12" y="{middle}" text-anchor="middle" '
        f'transform="rotate(-90 12 {middle})">accuracy</text>',
    ]


def _bin(each: Bin) -> str:
    x, low, high = _x(each.mean_confidence), *map(_y, each.interval)
    return (
        f"<g><title>{_described(each)}</title>"
        f'<line class="gap" x1="{x}" x2="{x}" y1="{_y(each.mean_confidence)}" '
        f'y2="{_y(each.accuracy)}"/>'
        f'<line class="interval" x1="{x}" x2="{x}" y1="{low}" y2="{high}"/>'
        f'<circle class="point" cx="{x}" cy="{_y(each.accuracy)}" r="5"/></g>'
    )


def _counts(calibration: Calibration) -> list[str]:
    most = max((each.statements for each in calibration.bins), default=1)
    floor = _TOP + _SIDE + _BELOW - 2
    bars = []
    for each in calibration.bins:
        height = round(_COUNTS * each.statements / most, 1)
        bars.append(
            f'<rect class="counts" x="{_x(each.lower) + 2}" width="{_SIDE / 10 - 4}" '
            f'y="{floor - height}" height="{height}"><title>{_described(each)}</title></rect>'
        )
    label = f'<text class="axis" x="{_LEFT - 6}" y="{floor - 4}" text-anchor="end">count</text>'
    return [*bars, label]


def _described(each: Bin) -> str:
    return (
        f"confidence {each.lower:.1f} to {each.upper:.1f}: "
        f"{each.right:,} of {quantity(each.statements, 'statement')} right"
    )


def _x(share: float) -> float:
    return round(_LEFT + share * _SIDE, 1)


def _y(share: float) -> float:
    return round(_TOP + (1 - share) * _SIDE, 1)
