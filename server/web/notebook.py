"""Views as HTML, for notebooks: a lineage as a picture, anything else as a plain table."""

from markupsafe import Markup

from stemma.server.views.answer import AnswerView
from stemma.server.views.lineage import LineageView
from stemma.server.views.page import PageView
from stemma.server.views.view import View
from stemma.server.web.pages import macro
from stemma.server.web.picture import lineage_svg

_TEMPLATE = "notebook.html"
_MOST_ROWS = 100
"""A browser cannot show the hundred thousands of rows that a view may have."""


def html_of(view: View) -> Markup:
    """Return a view as HTML: its first rows, without the columns that are empty in all of these."""
    rows = view.to_rows()
    shown = rows[:_MOST_ROWS]
    columns = [name for name in view.headings() if any(row[name] is not None for row in shown)]
    total = view.total_count if isinstance(view, PageView) else len(rows)
    table = macro(_TEMPLATE, "table", columns, shown, total)
    match view:
        case LineageView():
            return macro(_TEMPLATE, "lineage", Markup(svg_of(view)), table)
        case AnswerView():
            return macro(_TEMPLATE, "answer", view.text, table)
    return table


def svg_of(view: LineageView) -> str:
    """Return a lineage as a picture: older works left, later ones right."""
    return lineage_svg(view.model, view.named, view.dates.get(view.root.id))
