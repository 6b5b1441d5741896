"""The report: an evaluation as one HTML file to browse, which needs no network."""

import re
from collections import Counter
from collections.abc import Iterable, Sequence
from html import escape
from itertools import pairwise
from pathlib import Path
from string import Template

from stemma.extract.evaluation.alignment import Alignment, Support
from stemma.extract.evaluation.confusion import entity_table, error_key, relation_table
from stemma.extract.evaluation.diagram import reliability_diagram
from stemma.extract.evaluation.errors import Error, errors
from stemma.extract.evaluation.evaluation import Evaluation
from stemma.extract.evaluation.scoring import Figure
from stemma.schema.paper import Field
from stemma.schema.quantity import quantity

_HERE = Path(__file__).parent
_Mark = tuple[int, int, str]
"""Start, end, kind."""


def write_report(evaluation: Evaluation, path: Path) -> None:
    """Write the report to `path`. Raises OSError where that cannot be written."""
    path.write_text(report(evaluation), encoding="utf-8")


def report(evaluation: Evaluation) -> str:
    """Return the page: figures, calibration, confusions, and every paper with its errors."""
    found = [(paper, errors(paper)) for paper in evaluation.papers]
    all_errors = [error for _, of_paper in found for error in of_paper]
    calibration = evaluation.calibration
    return Template((_HERE / "report.html").read_text("utf-8")).substitute(
        style=(_HERE / "report.css").read_text("utf-8"),
        script=(_HERE / "report.js").read_text("utf-8"),
        papers=quantity(len(evaluation.papers), "paper"),
        annotated=quantity(len(evaluation.papers), "annotated paper"),
        errors=quantity(len(all_errors), "error"),
        missing=_missing(evaluation.missing),
        figures="".join(map(_figure, evaluation.scores.figures())),
        statements=quantity(calibration.statements, "statement"),
        expected_error=f"{calibration.expected_error:.3f}",
        error_by_chance=f"{calibration.error_by_chance:.3f}",
        diagram=reliability_diagram(calibration),
        by_relation="".join(
            f'<tr><th scope="row">{relation}</th><td>{each.expected_error:.3f}</td>'
            f"<td>{each.error_by_chance:.3f}</td><td>{each.statements}</td></tr>"
            for relation, each in evaluation.calibration_by_relation.items()
        ),
        entities=entity_table(evaluation.papers, all_errors),
        relations=relation_table(evaluation.papers, all_errors),
        options=_options(all_errors),
        articles="\n".join(_article(paper, its_errors) for paper, its_errors in found),
    )


def _missing(titles: Sequence[str]) -> str:
    if not titles:
        return ""
    items = "".join(f"<li>{escape(title)}</li>" for title in titles)
    return (
        f'<details class="missing"><summary>Annotated papers that were not found: {len(titles)}. '
        f"Everything in them counts as missed.</summary><ul>{items}</ul></details>"
    )


def _figure(figure: Figure) -> str:
    name, tally, is_part = figure
    part = ' class="part"' if is_part else ""
    shares = "".join(
        f'<td style="--share:{share:.1%}">{share:.3f}</td>'
        for share in (tally.precision, tally.recall, tally.f1)
    )
    return f'<tr{part}><th scope="row">{name}</th>{shares}<td>{tally.gold}</td></tr>'


def _options(all_errors: Iterable[Error]) -> str:
    """Return the choices of the filter, by sort, the commonest first."""
    by_sort: dict[str, Counter[tuple[str, str]]] = {}
    for error in all_errors:
        counted = by_sort.setdefault(error.sort.value, Counter())
        counted[error_key(error), error.label] += 1
    return "".join(
        f'<optgroup label="{sort} ({counted.total()})">'
        + "".join(
            f'<option value="{key}">{label} ({count})</option>'
            for (key, label), count in counted.most_common()
        )
        + "</optgroup>"
        for sort, counted in sorted(by_sort.items(), key=lambda each: -each[1].total())
    )


def _article(paper: Alignment, its_errors: Sequence[Error]) -> str:
    title = escape(paper.gold.title)
    count = quantity(len(its_errors), "error")
    if paper.predicted is None:
        count = "not found"
    abstract = highlighted(paper, Field.ABSTRACT)
    items = "".join(_item(error) for error in its_errors)
    return (
        f'<details class="paper"><summary><span class="title">{title}</span> '
        f'<span class="count">{count}</span></summary>'
        f'<p class="text"><b>{highlighted(paper, Field.TITLE)}</b></p>'
        f'<p class="text">{abstract}</p><ul class="errors">{items}</ul></details>'
    )


def _item(error: Error) -> str:
    return (
        f'<li data-error="{error_key(error)}"><p><span class="label">{error.label}</span> '
        f"<b>{escape(error.entity)}</b></p>"
        f"{_quotes('gold', error.gold_support)}{_quotes('predicted', error.predicted_support)}</li>"
    )


def _quotes(whose: str, support: Support | None) -> str:
    if support is None:
        return ""
    name = "gold" if whose == "gold" else f"predicted, {support.confidence:.2f}"
    return "".join(
        f'<blockquote class="{whose}"><cite>{name}</cite> {escape(text)}</blockquote>'
        for text in dict.fromkeys(support.evidence)
    )


def highlighted(alignment: Alignment, field: Field) -> str:
    """Return the text of `field` as HTML with <mark> around names.

    Its class says who marked it: `both`, `gold` (missed) or `predicted` (spurious); its title,
    as which kind. The annotator's names are marked wherever they stand as whole words.
    """
    if alignment.paper is None:
        return escape(alignment.gold.title) if field is Field.TITLE else ""
    text = alignment.paper.text(field)
    gold, predicted = _gold_marks(alignment, text), _predicted_marks(alignment, field)
    ends = {end for start, stop, _ in (*gold, *predicted) for end in (start, stop)}
    bounds = sorted({0, len(text), *ends})
    return "".join(
        _stretch(text[start:end], _kinds(gold, start), _kinds(predicted, start))
        for start, end in pairwise(bounds)
    )


def _gold_marks(alignment: Alignment, text: str) -> list[_Mark]:
    return [
        (found.start(), found.end(), entity.kind.value)
        for entity in alignment.gold.entities
        for form in entity.mentions
        if form
        for found in re.finditer(rf"(?<!\w){re.escape(form)}(?!\w)", text)
    ]


def _predicted_marks(alignment: Alignment, field: Field) -> list[_Mark]:
    return [
        (mention.start, mention.end, entity.kind.value)
        for entity in alignment.found
        for mention in entity.mentions
        if mention.field is field
    ]


def _kinds(marks: Iterable[_Mark], position: int) -> str:
    return ", ".join(sorted({kind for start, end, kind in marks if start <= position < end}))


def _stretch(text: str, gold: str, predicted: str) -> str:
    if not gold and not predicted:
        return escape(text)
    by = "both" if gold and predicted else "gold" if gold else "predicted"
    if by == "both" and gold != predicted:
        by = "both kind"
    title = f"gold: {gold or 'no entity'}; predicted: {predicted or 'no entity'}"
    return f'<mark class="{by}" title="{title}">{escape(text)}</mark>'
