"""Which candidates of a paper are one entity: equal up to case, spelling and plural, acronym and
long form, or one concept of the catalogue."""

from collections import defaultdict
from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from stemma.extract.learned.document import Document, Span
from stemma.extract.learned.form_index import FormIndex
from stemma.extract.learned.lexicon import KnownNames
from stemma.extract.learned.proposal import Proposal

_SURE = 0.75
"""The probability from which a name holds together against those within it."""


@dataclass(slots=True)
class Group:
    """Proposals that name one thing.

    `places`: all spans with one of its forms, proposed or not; `best`: the proposal of which the
    tagger is surest.
    """

    key: str
    candidates: list[Proposal]
    forms: set[str]
    places: list[Span]
    best: Proposal


def group(document: Document, candidates: Iterable[Proposal], catalogue: KnownNames) -> list[Group]:
    """Groups in order of their first candidate."""
    members: dict[str, list[Proposal]] = defaultdict(list)
    forms: dict[str, set[str]] = defaultdict(set)
    for candidate in sorted(candidates, key=lambda c: c.span):
        form = document.form(candidate.span)
        if not form:
            continue
        key = document.full_names.get(form, form)
        key = catalogue.concepts.get(key, key)
        members[key].append(candidate)
        forms[key].add(form)
    owners = {form: key for key, held in forms.items() for form in held}
    places: dict[str, list[Span]] = defaultdict(list)
    for span, form in document.places(FormIndex(owners)):
        places[owners[form]].append(span)
    return [
        Group(key, found, forms[key], sorted(places[key]), max(found, key=lambda c: c.score))
        for key, found in members.items()
    ]


def choose(
    groups: Sequence[Group], probabilities: Sequence[float], least: float
) -> list[tuple[int, list[Span]]]:
    """Indices of the groups to keep, the likeliest first, each with its spans that no likelier
    group holds.

    A name within one that is surely an entity is part of that: "CUDA" of "CUDA-LLM".
    """
    sure = [
        c.span
        for held, likely in zip(groups, probabilities, strict=True)
        if likely >= _SURE
        for c in held.candidates
    ]
    taken: list[Span] = []
    chosen = []
    for i in sorted(range(len(groups)), key=lambda k: -probabilities[k]):
        if probabilities[i] < least:
            break
        free = [
            c.span
            for c in groups[i].candidates
            if not any(_overlap(c.span, t) for t in taken)
            and not any(_within(c.span, longer) for longer in sure)
        ]
        if free:
            taken += free
            chosen.append((i, free))
    return chosen


def _overlap(a: Span, b: Span) -> bool:
    return a[0] == b[0] and a[1] < b[2] and b[1] < a[2]


def _within(a: Span, b: Span) -> bool:
    return a[0] == b[0] and b[1] <= a[1] and a[2] <= b[2] and a != b
