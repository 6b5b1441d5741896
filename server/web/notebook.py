"""Views as HTML, for notebooks: plain tables, with the sentences behind what they say."""

from typing import Any

from markupsafe import Markup

from stemma.server.views.answer import AnswerView
from stemma.server.views.lineage import LineageView
from stemma.server.views.page import PageView, StatementPage
from stemma.server.views.path import PathView
from stemma.server.views.side_by_side import ComparisonOfWorks
from stemma.server.views.view import View
from stemma.server.web.pages import macro
from stemma.server.web.picture import lineage_svg

_TEMPLATE = "notebook.html"


def html_of(view: View[Any]) -> Markup:
    """Return a view as HTML: a lineage as a picture, anything else as tables."""
    match view:
        case LineageView():
            return macro(_TEMPLATE, "lineage", view, Markup(svg_of(view)))
        case PathView():
            return macro(_TEMPLATE, "edges", view.edges)
        case PageView():
            return macro(_TEMPLATE, "page", view, isinstance(view, StatementPage))
        case ComparisonOfWorks():
            return macro(_TEMPLATE, "comparison", view)
        case AnswerView():
            return macro(_TEMPLATE, "answer", view)
        case _:
            return macro(_TEMPLATE, "table", view.headings(), [e.values() for e in view.to_rows()])


def svg_of(view: LineageView) -> str:
    """Return a lineage as a picture: older works left, later ones right."""
    return lineage_svg(view.model, view.named, view.dates.get(view.root.id))
