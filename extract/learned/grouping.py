"""Which candidates of a paper are one entity: equal up to case, spelling and plural, acronym and
long form, or one concept of the catalogue."""

from collections import defaultdict
from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from stemma.extract.learned.document import Document, Span
from stemma.extract.learned.lexicon import KnownNames
from stemma.extract.learned.proposal import Proposal


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
    places = {
        key: sorted(span for form in held for span in document.phrases.get(form, ()))
        for key, held in forms.items()
    }
    return [
        Group(key, found, forms[key], places[key], max(found, key=lambda c: c.score))
        for key, found in members.items()
    ]


def choose(
    groups: Sequence[Group], probabilities: Sequence[float], least: float
) -> list[tuple[int, list[Span]]]:
    """Indices of the groups to keep, the likeliest first, each with its spans that no likelier
    group holds."""
    taken: list[Span] = []
    chosen = []
    for i in sorted(range(len(groups)), key=lambda k: -probabilities[k]):
        if probabilities[i] < least:
            break
        free = [c.span for c in groups[i].candidates if not any(_overlap(c.span, t) for t in taken)]
        if free:
            taken += free
            chosen.append((i, free))
    return chosen


def _overlap(a: Span, b: Span) -> bool:
    return a[0] == b[0] and a[1] < b[2] and b[1] < a[2]
