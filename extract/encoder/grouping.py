"""Which mentions of a paper are one entity, and which of them stand."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass

import numpy as np

from stemma.extract.encoder.document import Document, Span, normal_form
from stemma.extract.encoder.network import MentionSpans
from stemma.schema import Catalogue

LEAST = 0.03
"""The probability of a name from which a span is looked at."""
_MOST = 160
"""Spans of a paper that are looked at: the likeliest."""
_SURE = 0.75
"""The probability from which an entity holds together against names within its own."""
_LIKELY = 0.3
"""The probability of a name from which a span does so."""


def preferred_forms(catalogue: Catalogue) -> dict[str, str]:
    """Return the form of each name of the catalogue -> that of the concept's preferred name; of
    several senses the first by id."""
    result: dict[str, str] = {}
    for _, concept in sorted(catalogue.concepts.items()):
        for name in (concept.name, *concept.aliases):
            if form := normal_form(name):
                result.setdefault(form, normal_form(concept.name))
    return result


@dataclass(frozen=True, slots=True)
class Group:
    """Spans that name one thing, in order, each with the probability that it is a name."""

    spans: dict[Span, float]

    @property
    def sure(self) -> list[Span]:
        """The spans that are probably names."""
        return [span for span, likely in self.spans.items() if likely >= _LIKELY]


def group(
    document: Document, spans: Iterable[tuple[Span, float]], preferred: Mapping[str, str]
) -> list[Group]:
    """Return the groups of spans, each with the probability that it is a name.

    Spans are one thing if they differ only in spelling and plural, an acronym and its long
    form, or names of one concept of the catalogue, which an acronym may be too.
    """
    names: dict[str, str] = {}
    for short, long in document.long_forms.items():
        names[short] = names[long] = preferred.get(long) or preferred.get(short) or long
    groups: dict[str, dict[Span, float]] = {}
    for span, likely in spans:
        form = document.form(span)
        if form := names.get(form) or preferred.get(form, form):
            groups.setdefault(form, {})[span] = likely
    return [Group(spans) for spans in groups.values()]


def likely_spans(likely: np.ndarray, sentences: Sequence[int]) -> list[tuple[Span, float]]:
    """Return the spans to look at, in order, each with the probability that it is a name.

    `likely`: (words, widths), that of the span of so many words that begins at each word;
    `sentences`: the sentence of each word, which no span leaves.
    """
    words, widths = likely.shape
    padded = np.pad(np.array(sentences[:words]), (0, widths), constant_values=-1)
    within = np.stack([padded[w : w + words] == padded[:words] for w in range(widths)], 1)
    likely = np.where(within, likely, 0)
    begin, width = np.nonzero(likely > LEAST)
    if len(begin) > _MOST:
        best = np.sort(np.argsort(-likely[begin, width], kind="stable")[:_MOST])
        begin, width = begin[best], width[best]
    return [
        ((int(a), int(a + w) + 1), float(likely[a, w])) for a, w in zip(begin, width, strict=True)
    ]


def mentions_of(groups: Sequence[Group]) -> MentionSpans:
    """Return the spans of all groups as the network reads them."""
    rows = [(a, b - 1, k) for k, each in enumerate(groups) for a, b in each.spans]
    return MentionSpans(*np.array(rows, np.int64).reshape(-1, 3).T)


def choose_groups(
    groups: Sequence[Group], probabilities: Sequence[float], least: float
) -> list[tuple[int, list[Span]]]:
    """Return the groups that stand, by number, the likeliest first, each with its spans that no
    likelier one, of it or of another, overlaps.

    A name within one that is surely an entity is part of that: "CUDA" of "CUDA-LLM".
    """
    ranked = sorted(range(len(groups)), key=lambda k: -probabilities[k])
    sure = [span for k in ranked if probabilities[k] >= _SURE for span in groups[k].sure]
    taken: set[int] = set()
    chosen = []
    for k in ranked:
        if probabilities[k] < least:
            break
        free = []
        for span in sorted(groups[k].spans, key=lambda span: -groups[k].spans[span]):
            if taken.isdisjoint(range(*span)) and not any(_within(span, each) for each in sure):
                taken.update(range(*span))
                free.append(span)
        if free:
            chosen.append((k, sorted(free)))
    return chosen


def _within(span: Span, longer: Span) -> bool:
    return longer[0] <= span[0] and span[1] <= longer[1] and span != longer
