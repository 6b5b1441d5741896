"""Answers as HTML, for notebooks: plain tables, with the sentences behind what they say."""

from collections.abc import Iterable, Mapping, Sequence
from html import escape

from stemma.graph import LineageEdge, Work
from stemma.graph.comparing import SideBySide
from stemma.graph.timeline import Timeline
from stemma.schema import CATALOGUE_ORIGIN, Statement
from stemma.server.asking import Answer
from stemma.server.presentation.wording import said

_DIM = "color:#777"


def answer_html(answer: Answer, works: Mapping[str, Work]) -> str:
    """Return an answer: its sentence, its works, what it rests on, what else to ask."""
    parts = [_paragraph(answer.text)]
    if len(answer.works) > 1:
        parts.append(_items(work.name for work in answer.works))
    if answer.understood_as:
        parts.append(_paragraph(f"Read as: {answer.understood_as}", _DIM))
    if answer.suggestions:
        parts += [_paragraph("Ask also:", _DIM), _items(answer.suggestions)]
    if answer.statements:
        parts.append(folded("Evidence", statements_html(answer.statements, works)))
    return "<div>" + "".join(parts) + "</div>"


def edges_html(edges: Iterable[LineageEdge], works: Mapping[str, Work]) -> str:
    """Return edges as rows: later work, relation, earlier work, confidence, sentence."""
    rows = [
        (
            _name(edge.child, works),
            said(edge),
            _name(edge.parent, works),
            f"{edge.confidence:.2f}",
            _said(edge.statements, works),
        )
        for edge in edges
    ]
    return _table(("later work", "", "earlier work", "confidence", "said by"), rows)


def statements_html(statements: Iterable[Statement], works: Mapping[str, Work]) -> str:
    """Return statements as rows: work, relation, entity, confidence, sentence."""
    rows = [
        (
            _name(each.subject, works),
            each.relation.words,
            _name(each.entity, works),
            f"{each.confidence:.2f}",
            (f"{each.comparison}: " if each.comparison else "") + _said([each], works),
        )
        for each in statements
    ]
    return _table(("work", "", "entity", "confidence", "said by"), rows)


def timeline_html(timeline: Timeline) -> str:
    """Return a timeline as rows, one a year."""
    rows = [
        (
            str(year.year or "undated"),
            str(len(year.nodes)),
            ", ".join(node.work.name for node in year.nodes),
        )
        for year in timeline.years
    ]
    more = _paragraph("There are more works.", _DIM) if timeline.truncated else ""
    return _table(("year", "works", timeline.root.work.name), rows) + more


def side_by_side_html(found: SideBySide, works: Mapping[str, Work]) -> str:
    """Return two works side by side, with what is said of both."""
    rows = [
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
    heading = ("", found.left.work.name, "both", found.right.work.name)
    parts = [_table(heading, rows)]
    if found.lineage.edges:
        parts.append(folded("Lineage", edges_html(found.lineage.edges, works), opened=True))
    if found.statements:
        said = statements_html(found.statements, works)
        parts.append(folded("What they say of each other", said, opened=True))
    if found.compared_by:
        parts.append(folded("Compared with both", _items(p.name for p in found.compared_by)))
    return "<div>" + "".join(parts) + "</div>"


def folded(title: str, html: str, opened: bool = False) -> str:
    """Return HTML that opens and closes when its title is clicked."""
    return f"<details{' open' if opened else ''}><summary>{escape(title)}</summary>{html}</details>"


def _said(statements: Sequence[Statement], works: Mapping[str, Work]) -> str:
    for statement in statements:
        for evidence in statement.evidence[:1]:
            return f"“{evidence.text}” — {_name(statement.subject, works)}"
    from_catalogue = any(each.origin == CATALOGUE_ORIGIN for each in statements)
    return "the catalogue" if from_catalogue else ""


def _table(heading: Sequence[str], rows: Iterable[Sequence[str]]) -> str:
    head = "".join(f'<th style="text-align:left">{escape(each)}</th>' for each in heading)
    body = "".join(
        "<tr>"
        + "".join(
            f'<td style="text-align:left;vertical-align:top">{escape(cell)}</td>' for cell in row
        )
        + "</tr>"
        for row in rows
    )
    return f"<table><thead><tr>{head}</tr></thead><tbody>{body}</tbody></table>"


def _items(texts: Iterable[str]) -> str:
    return "<ul>" + "".join(f"<li>{escape(text)}</li>" for text in texts) + "</ul>"


def _paragraph(text: str, style: str = "") -> str:
    return f'<p style="{style}">{escape(text)}</p>' if style else f"<p>{escape(text)}</p>"


def _name(work: str, works: Mapping[str, Work]) -> str:
    return works[work].name if work in works else work
