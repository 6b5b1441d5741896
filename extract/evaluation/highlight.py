"""Highlighting: a paper's text with the annotator's and the extractor's names marked in it."""

import re
from collections.abc import Iterable
from html import escape
from itertools import pairwise

from stemma.extract.evaluation.alignment import Alignment
from stemma.schema.paper import Field

_Mark = tuple[int, int, str]
"""Start, end, kind."""


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
