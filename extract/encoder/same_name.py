"""Which names of a paper are of one thing, though they are written in other words."""

import re
from collections.abc import Sequence
from itertools import permutations, product

from stemma.extract.acronym import spells
from stemma.extract.encoder.document import Document, Span
from stemma.extract.encoder.form import normal_form, singular
from stemma.schema.name import without_possessive
from stemma.schema.vendor import split_vendor

_SHARED = 3
"""Words from which two names are of one thing, if one of them has no others."""
_INTRODUCED = 0.4
"""The probability from which a paper introduces a name."""
_SPARE = 3
"""Words of a long form for which an acronym may have no letter, if the paper introduces both, or
if one stands in brackets behind the other."""
_WORD = re.compile(r"[^\W_]+")
_IN_BRACKETS = re.compile(r"\([^()]*\)")
_UNIMPORTANT = frozenset(["a", "an", "and", "for", "in", "of", "on", "the", "to", "with"])
_KINDS_OF_WORK = frozenset(
    (
        "algorithm", "architecture", "engine", "framework", "head", "heads", "library", "method",
        "methodology", "model", "network", "platform", "system", "toolkit",
    )
)  # fmt: skip
"""What may be added to the name of a work: "Kelpie framework"."""

Chosen = tuple[int, list[Span]]
"""The number of a group, and its spans."""


def join_names(
    document: Document, chosen: Sequence[Chosen], introduced: Sequence[float]
) -> list[Chosen]:
    """Join groups whose names are of one thing, each with the likeliest of them.

    `chosen`: what `choose_groups` returns; `introduced`: the probability that the paper introduces
    each group. Joined are names that are spelt alike, and a name and one in which acronyms stand
    for words of it ("Range BN", "Range Batch Normalization"), unless that could stand for several
    names. Of what the paper introduces also names of which one stands in brackets behind the other,
    long forms of which one has more words, and a name with a word such as "framework" behind it.
    """
    names = {
        k: {without_possessive(document.surface(span)) for span in spans} for k, spans in chosen
    }
    forms = {k: set(map(normal_form, some)) for k, some in names.items()}
    result: dict[int, list[Span]] = {}
    for k, spans in chosen:
        own = introduced[k] > _INTRODUCED
        alike = [other for other in result if not forms[other].isdisjoint(forms[k])]
        same = alike or [
            other
            for other in result
            if _are_of_one_thing(
                names[other],
                names[k],
                beside=_beside(document, result[other], spans),
                own=own and introduced[other] > _INTRODUCED,
            )
        ]
        if len(same) == 1 or (same and (own or alike)):
            one = same[0]
            result[one] = sorted([*result[one], *spans])
            names[one] |= names[k]
            forms[one] |= forms[k]
        else:
            result[k] = spans
    return list(result.items())


def _are_of_one_thing(names: set[str], others: set[str], *, beside: bool, own: bool) -> bool:
    """Whether two sets of names are of one thing; `own`: the paper introduces both."""
    if _abbreviate(names, others, _SPARE if beside else 0):
        return True
    return own and (beside or _are_one(names, others))


def _are_one(names: set[str], others: set[str]) -> bool:
    """Whether two sets of names that a paper introduces are of one thing: not if each has a short
    form of its own."""
    if any(_with_its_kind(a, b) or _with_vendor(a, b) for a, b in product(names, others)):
        return True
    short, other_short = ({each for each in some if " " not in each} for some in (names, others))
    long, other_long = names - short, others - other_short
    if short and other_short:
        return False
    if (short and not long) or (other_short and not other_long):
        pairs = product(short or other_short, long or other_long)
        return any(spells(full, acronym) for acronym, full in pairs) or _abbreviate(
            names, others, _SPARE
        )
    words = [[_beginnings(each) for each in some] for some in (long, other_long)]
    return any(len(a & b) >= _SHARED and (a <= b or b <= a) for a, b in product(*words))


def _beginnings(name: str) -> set[str]:
    """The words of a name by their beginnings: quantizer, quantization."""
    return {word[:5].casefold() for word in _WORD.findall(name)}


def _with_its_kind(name: str, other: str) -> bool:
    """Whether one is the other and a word such as "framework"."""
    shorter, longer = sorted((name, other), key=len)
    rest = longer[len(shorter) :].split() if longer.startswith(shorter + " ") else []
    return len(rest) == 1 and rest[0].casefold() in _KINDS_OF_WORK


def _with_vendor(name: str, other: str) -> bool:
    """Whether one is the other with a vendor before it: "AMD-Kelpie"."""
    shorter, longer = sorted((name, other), key=len)
    before = longer.removesuffix(shorter).rstrip(" -")
    return longer.endswith(shorter) and split_vendor(f"{before} {shorter}") is not None


def _beside(document: Document, spans: Sequence[Span], others: Sequence[Span]) -> bool:
    """Whether a name stands in brackets behind the other."""
    return any(
        a[1] + 1 == b[0] and document.words[a[1]] == "("
        for one, another in ((spans, others), (others, spans))
        for a, b in product(one, another)
    )


def _abbreviate(names: set[str], others: set[str], spare: int) -> bool:
    """Whether a name of one set is a name of the other with acronyms; not if one of the sets has
    such a pair already."""
    if any(_stands_for(a, b, _SPARE) for some in (names, others) for a, b in permutations(some, 2)):
        return False
    return any(
        _stands_for(shorter, longer, spare)
        for a, b in product(names, others)
        for shorter, longer in ((a, b), (b, a))
    )


def _stands_for(name: str, longer: str, spare: int) -> bool:
    """Whether `name` is `longer` with acronyms; `spare` words of it may have no letter."""
    words = _WORD.findall(name)
    full = _WORD.findall(_IN_BRACKETS.sub(" ", longer))
    acronyms = sum(map(_is_acronym, words))
    return bool(acronyms) and len(full) > len(words) and _read(words, full, spare)


def _is_acronym(word: str) -> bool:
    return sum(c.isupper() for c in word) > 1


def _read(words: Sequence[str], full: Sequence[str], spare: int) -> bool:
    """Whether `words` are those of `full`, an acronym for some of them."""
    if not words:
        return sum(word.casefold() not in _UNIMPORTANT for word in full) <= spare
    if not full:
        return False
    word, *rest = words
    if singular(word.casefold()) == singular(full[0].casefold()):
        return _read(rest, full[1:], spare)
    if not _is_acronym(word):
        return False
    letters = word.removesuffix("s").casefold()
    return any(
        _read(rest, full[end:], spare - unread)
        for end in range(2, min(len(full), 2 * len(letters)) + 1)
        if (unread := _unread(letters, full[:end])) is not None and unread <= spare
    )


def _unread(letters: str, full: Sequence[str]) -> int | None:
    """Return how many important words have none of `letters`, which are beginnings of words in
    order; None if they are not."""
    unread = place = 0
    for written in full:
        word = written.casefold()
        if place < len(letters) and letters.startswith(word, place):
            place += len(word)
        elif place < len(letters) and _begins(word, letters, place):
            if _is_acronym(written):
                return None
            place += 1
        elif not place:
            return None
        else:
            unread += word not in _UNIMPORTANT
    return unread if place == len(letters) else None


def _begins(word: str, letters: str, place: int) -> bool:
    """Whether a letter is that of a word: "2" is a "to", or the letter before it once more."""
    letter = letters[place]
    return word[0] == letter or (letter == "2" and word[0] in ("t", letters[place - 1]))
