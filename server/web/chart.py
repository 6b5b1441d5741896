"""Charts of numbers by year as SVG that stands alone."""

from collections.abc import Mapping
from html import escape

_BAR_HEIGHT = 96


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


def _text(text: str) -> str:
    return escape("".join(each if each.isprintable() else " " for each in text))
