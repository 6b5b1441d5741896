"""Answers as HTML, for notebooks: plain tables, with the sentences behind what they say."""

from collections.abc import Iterable, Mapping, Sequence

from markupsafe import Markup

from stemma.graph import LineageEdge, Work, kind_of
from stemma.graph.comparing import SideBySide
from stemma.schema import CATALOGUE_ORIGIN, PartialDate, Statement
from stemma.server.asking import Answer
from stemma.server.pages import macro
from stemma.server.presentation.wording import in_section, readable, relation_phrase

_TEMPLATE = "notebook.html"


def answer_html(answer: Answer, works: Mapping[str, Work]) -> Markup:
    """Return an answer: its sentence, its works, what it rests on, what else to ask."""
    return macro(_TEMPLATE, "answer", answer, statements_html(answer.statements, works))


def edges_html(edges: Iterable[LineageEdge], works: Mapping[str, Work]) -> Markup:
    """Return edges as rows: later work, relation, earlier work, confidence, sentence."""
    rows = [
        (
            _name(edge.child, works),
            relation_phrase(edge),
            _name(edge.parent, works),
            f"{edge.confidence:.2f}",
            _source(edge.statements, works),
        )
        for edge in edges
    ]
    return _table(("later work", "", "earlier work", "confidence", "source"), rows)


def statements_html(statements: Iterable[Statement], works: Mapping[str, Work]) -> Markup:
    """Return statements as rows: work, relation, entity, confidence, sentence."""
    rows = [
        (
            _name(each.subject, works),
            each.relation.words,
            _name(each.entity, works),
            f"{each.confidence:.2f}",
            (f"{each.comparison}: " if each.comparison else "") + _source([each], works),
        )
        for each in statements
    ]
    return _table(("work", "", "entity", "confidence", "source"), rows)


def works_html(works: Iterable[Work], dates: Mapping[str, PartialDate], more: str) -> Markup:
    """Return works as rows: name, kind, date; and how many `more` there are, in words."""
    table = _table(
        ("work", "kind", "published"),
        [(each.name, kind_of(each), str(dates.get(each.id, ""))) for each in works],
    )
    return table + macro(_TEMPLATE, "paragraph", more, dim=True) if more else table


def side_by_side_html(found: SideBySide, works: Mapping[str, Work]) -> Markup:
    """Return two works side by side, with the statements about both."""
    aspects = [
        ("published", str(found.left.published or ""), "", str(found.right.published or "")),
        *(
            (
                aspect.value,
                *(", ".join(e.name for e in part) for part in (both.left, both.shared, both.right)),
            )
            for aspect, both in found.aspects.items()
            if both
        ),
    ]
    edges = edges_html(found.lineage.edges, works)
    statements = statements_html(found.statements, works)
    return macro(_TEMPLATE, "side_by_side", found, aspects, edges, statements)


def folded(title: str, html: Markup) -> Markup:
    """Return HTML that opens and closes when its title is clicked."""
    return macro(_TEMPLATE, "folded", title, html)


def _table(heading: Sequence[str], rows: Sequence[Sequence[str]]) -> Markup:
    return macro(_TEMPLATE, "table", heading, rows)


def _source(statements: Sequence[Statement], works: Mapping[str, Work]) -> str:
    """Return the first sentence behind statements, and the paper it is from."""
    for statement in statements:
        for evidence in statement.evidence[:1]:
            source = f"{_name(statement.subject, works)}{in_section(evidence)}"
            return f"“{readable(evidence.text)}” — {source}"
    from_catalogue = any(each.origin == CATALOGUE_ORIGIN for each in statements)
    return "the catalogue" if from_catalogue else ""


def _name(work: str, works: Mapping[str, Work]) -> str:
    return works[work].name if work in works else work
