"""Charts of numbers by year as SVG that stands alone."""

from collections.abc import Mapping

from stemma.server.web.picture import svg_head, svg_text

_BAR_HEIGHT = 96


def bar_chart(
    title: str, numbers: Mapping[int, int], hrefs: Mapping[int, str] | None = None
) -> str:
    """Return a bar for each year from the first to the last; a bar leads to its address."""
    years = list(range(min(numbers), max(numbers) + 1)) if numbers else []
    width = max(len(years) * 34 + 16, 120)
    height = _BAR_HEIGHT + 40
    most = max(numbers.values(), default=1)
    lines = svg_head(title, width, height, 'class="chart"', is_group=True)
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
            f'<a href="{svg_text(href)}" aria-label="{label}">{bar}</a>'
            if href
            else f"<g>{bar}</g>"
        )
    return "\n".join([*lines, "</svg>"])
