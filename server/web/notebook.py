"""Views as HTML, for notebooks: plain tables, with the sentences behind what they say."""

from collections.abc import Iterable, Sequence

from markupsafe import Markup

from stemma.server.views.answer import AnswerView
from stemma.server.views.comparison import ComparisonOfWorks
from stemma.server.views.lineage import LineageView
from stemma.server.views.page import PageView
from stemma.server.views.path import PathView
from stemma.server.views.statement import EdgeView, StatementView
from stemma.server.views.view import View
from stemma.server.views.wording import readable
from stemma.server.views.work import WorkView
from stemma.server.web.pages import macro
from stemma.server.web.picture import lineage_svg

_TEMPLATE = "notebook.html"


def html_of(view: View) -> Markup:
    """Return a view as HTML: a lineage as a picture, anything else as tables."""
    match view:
        case LineageView():
            evidence = macro(_TEMPLATE, "folded", "Evidence", _edges(view.edges))
            picture = Markup('<div style="overflow-x:auto">{}</div>')
            return picture.format(Markup(svg_of(view))) + evidence
        case PathView():
            return _edges(view.edges)
        case PageView():
            return _page(view)
        case ComparisonOfWorks():
            return _side_by_side(view)
        case AnswerView():
            return macro(_TEMPLATE, "answer", view, _statements(view.statements))
        case _:
            rows = [[str(cell or "") for cell in row.values()] for row in view.to_rows()]
            return _table(view.headings(), rows)


def svg_of(view: LineageView) -> str:
    """Return a lineage as a picture: older works left, later ones right."""
    return lineage_svg(view.model, view.named, view.dates.get(view.root.id))


def _page(page: PageView[View]) -> Markup:
    statements = [each for each in page.nodes if isinstance(each, StatementView)]
    if statements:
        table = _statements(statements)
    else:
        works = [each for each in page.nodes if isinstance(each, WorkView)]
        table = _table(
            ("work", "kind", "published"),
            [(each.name, each.kind_name, str(each.published or "")) for each in works],
        )
    more = page.total_count - len(page)
    return table + macro(_TEMPLATE, "paragraph", f"{more:,} more", dim=True) if more > 0 else table


def _edges(edges: Iterable[EdgeView]) -> Markup:
    rows = [
        (
            edge.child.name,
            edge.phrase,
            edge.parent.name,
            f"{edge.confidence:.2f}",
            _source(edge.statements),
        )
        for edge in edges
    ]
    return _table(("later work", "", "earlier work", "confidence", "source"), rows)


def _statements(statements: Iterable[StatementView]) -> Markup:
    rows = [
        (
            each.subject.name,
            each.relation.words,
            each.entity.name,
            f"{each.confidence:.2f}",
            (f"{each.comparison}: " if each.comparison else "") + _source([each]),
        )
        for each in statements
    ]
    return _table(("work", "", "entity", "confidence", "source"), rows)


def _side_by_side(view: ComparisonOfWorks) -> Markup:
    aspects = [
        ("published", str(view.left.published or ""), "", str(view.right.published or "")),
        *(
            (
                aspect.value,
                *(", ".join(e.name for e in part) for part in (both.left, both.shared, both.right)),
            )
            for aspect, both in view.aspects().items()
            if both
        ),
    ]
    return macro(
        _TEMPLATE, "side_by_side", view, aspects, _edges(view.lineage), _statements(view.statements)
    )


def _table(heading: Sequence[str], rows: Sequence[Sequence[str]]) -> Markup:
    return macro(_TEMPLATE, "table", heading, rows)


def _source(statements: Sequence[StatementView]) -> str:
    """Return the first sentence behind statements, and the paper it is from."""
    for statement in statements:
        for evidence in statement.evidence[:1]:
            section = f", {evidence.section}" if evidence.section else ""
            return f"“{readable(evidence.text)}” — {statement.subject.name}{section}"
    return "the catalogue" if any(each.paper is None for each in statements) else ""
