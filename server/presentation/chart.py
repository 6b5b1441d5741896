"""Charts of numbers by year as SVG that stands alone: lines for several series, bars for one."""

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from html import escape

_WIDTH, _HEIGHT = 720, 300
_LEFT, _RIGHT, _TOP, _BOTTOM = 44, 176, 18, 34
_BAR_HEIGHT = 96
_LINE_HEIGHT = 15
_STEPS = (1, 2, 5)
# Okabe and Ito's colours, which colour-blind people distinguish, with dashes and markers too.
_STYLES = (
    ("#0072b2", "", "circle"),
    ("#d55e00", "6 3", "square"),
    ("#009e73", "2 3", "diamond"),
    ("#cc79a7", "8 3 2 3", "triangle"),
    ("#b08414", "", "square"),
    ("#4aa3d8", "6 3", "diamond"),
    ("#8a6d3b", "2 3", "triangle"),
    ("#6b6676", "8 3 2 3", "circle"),
)
MOST_SERIES = len(_STYLES)


@dataclass(frozen=True, slots=True)
class Series:
    """A name, and a number for each year that has one; `href` leads to what it is of."""

    name: str
    numbers: Mapping[int, int]
    href: str | None = None


def line_chart(title: str, series: Sequence[Series], years: Sequence[int]) -> str:
    """Return a line for each of at most MOST_SERIES series, named at its end."""
    most = max((each.numbers.get(year, 0) for each in series for year in years), default=0)
    top = _nice_top(most)
    inner_width, inner_height = _WIDTH - _LEFT - _RIGHT, _HEIGHT - _TOP - _BOTTOM
    step = inner_width / max(len(years) - 1, 1)

    def x(index: int) -> float:
        return _LEFT + (index * step if len(years) > 1 else inner_width / 2)

    def y(number: float) -> float:
        return _TOP + inner_height * (1 - number / top)

    ends = [y(each.numbers.get(years[-1], 0)) if years else 0.0 for each in series]
    labels = _apart(ends, _TOP, _HEIGHT - _BOTTOM)
    lines = [
        *_frame(title, _WIDTH, _HEIGHT),
        *_scale(top, y),
        *_years(years, x, _HEIGHT - _BOTTOM + 18, every=max(1, -(-len(years) // 14))),
    ]
    for number, (each, label) in enumerate(zip(series, labels, strict=True)):
        colour, dashes, marker = _STYLES[number % MOST_SERIES]
        points = [(x(index), y(each.numbers.get(year, 0))) for index, year in enumerate(years)]
        path = "M" + "L".join(f"{px:.1f} {py:.1f}" for px, py in points)
        dashed = f' stroke-dasharray="{dashes}"' if dashes else ""
        lines.append(
            f'<g class="series s{number}"><path d="{path}" fill="none" stroke="{colour}" '
            f'stroke-width="2"{dashed}/>'
        )
        for (px, py), year in zip(points, years, strict=True):
            if not each.numbers.get(year):
                continue  # Markers of several series on the axis would hide each other.
            title = f"{each.name}, {year}: {each.numbers[year]:,}"
            lines.append(f"<g>{_marker(marker, px, py, colour)}<title>{_text(title)}</title></g>")
        at = _WIDTH - _RIGHT + 10
        lines.append(
            f'<path d="M{points[-1][0] + 4:.1f} {points[-1][1]:.1f}L{at + 8:g} {label:.1f}" '
            f'stroke="{colour}" stroke-width="0.7" fill="none"/>'
            f"{_marker(marker, at + 14, label, colour)}"
        )
        name = (
            f'<text class="name" x="{at + 24:g}" y="{label + 4:.1f}" font-size="12" '
            f'fill="#1d2733">{_text(_shortened(each.name, 21))}</text>'
        )
        lines.append(f'<a href="{_text(each.href)}">{name}</a>' if each.href else name)
        lines.append("</g>")
    return "\n".join([*lines, "</svg>"])


def bar_chart(
    title: str, numbers: Mapping[int, int], hrefs: Mapping[int, str] | None = None
) -> str:
    """Return a bar for each year from the first to the last; a bar leads to its address."""
    years = list(range(min(numbers), max(numbers) + 1)) if numbers else []
    width = max(len(years) * 34 + 16, 120)
    height = _BAR_HEIGHT + 40
    most = max(numbers.values(), default=1)
    lines = _frame(title, width, height)
    for index, year in enumerate(years):
        count = numbers.get(year, 0)
        tall = _BAR_HEIGHT * count / most
        left, top = 8 + index * 34, 20 + _BAR_HEIGHT - tall
        label = f"{count:,} in {year}"
        bar = (
            f'<title>{label}</title><rect class="bar" x="{left + 4:g}" y="{top:.1f}" width="26" '
            f'height="{max(tall, 0.5):.1f}" rx="2" fill="#7536b8"/>'
            f'<text class="dim" x="{left + 17:g}" y="{top - 4:.1f}" font-size="11" '
            f'text-anchor="middle" fill="#5b6774">{count or ""}</text>'
            f'<text class="name" x="{left + 17:g}" y="{height - 6:g}" font-size="11" '
            f'text-anchor="middle" fill="#1d2733">{year}</text>'
        )
        href = (hrefs or {}).get(year)
        lines.append(
            f'<a href="{_text(href)}" aria-label="{label}">{bar}</a>' if href else f"<g>{bar}</g>"
        )
    return "\n".join([*lines, "</svg>"])


def _frame(title: str, width: float, height: float) -> list[str]:
    return [
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {width:g} {height:g}" '
        f'width="{width:g}" height="{height:g}" style="max-width:100%;height:auto" role="group" '
        f'class="chart" aria-label="{_text(title)}" '
        'font-family="system-ui, -apple-system, Segoe UI, Helvetica, Arial, sans-serif">',
        f"<title>{_text(title)}</title>",
        f'<rect class="canvas" width="{width:g}" height="{height:g}" fill="#ffffff"/>',
    ]


def _scale(top: int, y: Callable[[int], float]) -> Iterator[str]:
    step = max(1, top // 5)
    for number in range(0, top + 1, step):
        yield (
            f'<path class="axis" d="M{_LEFT} {y(number):.1f}H{_WIDTH - _RIGHT}" stroke="#d9dde2"/>'
            f'<text class="dim" x="{_LEFT - 8}" y="{y(number) + 4:.1f}" font-size="11" '
            f'text-anchor="end" fill="#5b6774">{number:,}</text>'
        )


def _years(years: Sequence[int], x: Callable[[int], float], y: float, every: int) -> Iterator[str]:
    for index, year in enumerate(years):
        if (len(years) - 1 - index) % every == 0:
            yield (
                f'<text class="dim" x="{x(index):.1f}" y="{y:g}" font-size="11" '
                f'text-anchor="middle" fill="#5b6774">{year}</text>'
            )


def _marker(shape: str, x: float, y: float, colour: str) -> str:
    if shape == "circle":
        return f'<circle cx="{x:.1f}" cy="{y:.1f}" r="3.6" fill="{colour}"/>'
    path = {
        "square": "m-3.2 -3.2h6.4v6.4h-6.4z",
        "diamond": "m0 -4.4l4.4 4.4l-4.4 4.4l-4.4 -4.4z",
        "triangle": "m0 -4.4l4.2 7.4h-8.4z",
    }[shape]
    return f'<path d="M{x:.1f} {y:.1f}{path}" fill="{colour}"/>'


def _apart(wanted: Sequence[float], top: float, bottom: float) -> list[float]:
    """Return places near those wanted, a line of text apart."""
    order = sorted(range(len(wanted)), key=lambda index: wanted[index])
    places = [0.0] * len(wanted)
    above = top - _LINE_HEIGHT
    for index in order:
        above = places[index] = max(wanted[index], above + _LINE_HEIGHT)
    below = bottom + _LINE_HEIGHT
    for index in reversed(order):
        below = places[index] = min(places[index], below - _LINE_HEIGHT)
    return places


def _nice_top(most: int) -> int:
    """Return the end of a scale that has round numbers: five steps of 1, 2 or 5 times a ten."""
    ten = 1
    while True:
        for step in _STEPS:
            if step * ten * 5 >= most:
                return step * ten * 5
        ten *= 10


def _shortened(name: str, longest: int) -> str:
    return name if len(name) <= longest else f"{name[: longest - 1].rstrip()}…"


def _text(text: str) -> str:
    return escape("".join(each if each.isprintable() else " " for each in text))
