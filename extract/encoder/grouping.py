"""Which mentions of a paper are one entity, and which of them stand."""

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from itertools import permutations, product

import numpy as np

from stemma.extract.encoder.network import MentionSpans
from stemma.extract.encoder.paper_words import PaperWords, Span, normal_form, singular, stem_form
from stemma.schema import Catalogue, EntityKind
from stemma.schema.name import split_vendor, without_possessive

_NUMBERED = re.compile(r"\d[A-Za-z]{0,2}$")
_NUMBER = re.compile(r"[vV]?\d+(?:\.\d+)?[A-Za-z]{0,2}")
_SIZES = frozenset(("tiny", "mini", "small", "medium", "base", "large", "huge", "xl", "xxl"))
_PLACEHOLDER = re.compile(
    r"\$?\\(?:the|our)?(?:ours?|method|approach|model|name|tool|sys|system|framework|dataset|bench"
    r"|benchmark|alg|algo|algorithm|proj|project)(?:name)?\$?",
    re.IGNORECASE,
)
_WITH_VENDOR = (EntityKind.HARDWARE, EntityKind.DATASET)
"""Kinds of which annotators take the vendor for a part of the name: "Microsoft COCO"."""
_WRITTEN_AS_NAME = re.compile(r"\d|(?<=\w)[A-Z]")


def name_within(document: PaperWords, span: Span, kind: EntityKind) -> Span:
    """Return the words of a span that are the name of a thing of this kind."""
    name = _without_list(document, span)
    return name if kind in _WITH_VENDOR else _without_vendor(document, name)


def is_placeholder(name: str) -> bool:
    """Return whether a name stands for one, as a LaTeX command: ``\\ourmethod``."""
    return bool(_PLACEHOLDER.fullmatch(name))


def _without_list(document: PaperWords, span: Span) -> Span:
    """Return the span of the first name of a list: "LLaMA-7B" of "LLaMA-7B/13B".

    What follows is no name by itself.
    """
    begin, end = span
    if not document.words[begin][0].isalpha():
        return span
    for slash in range(begin + 1, end - 1):
        if document.words[slash] == "/" and _are_listed(document.words[slash - 1 : end]):
            return begin, slash
    return span


def _are_listed(words: list[str]) -> bool:
    """Whether words are numbers or sizes with slashes between them; before the first number there
    may be letters, "V1/V2" of "MobileNetV1/V2". The first needs the unit that the last has: "7" of
    "Falcon-7/40B" is no name's end."""
    first, *others = words[::2]
    if any(word != "/" for word in words[1::2]):
        return False
    if first.casefold() in _SIZES:
        return all(each.casefold() in _SIZES for each in others)
    if others[-1][-1].isalpha() and not first[-1].isalpha():
        return False
    return bool(_NUMBERED.search(first)) and all(map(_NUMBER.fullmatch, others))


def _without_vendor(document: PaperWords, span: Span) -> Span:
    """Return the span of "DeepSpeed" in "Microsoft DeepSpeed".

    Only what is written as a name is one without its vendor: not "Cloud" in "Google Cloud".
    """
    parts = split_vendor(document.surface(span))
    is_name = parts and " " not in parts[1] and _WRITTEN_AS_NAME.search(parts[1])
    return (span[0] + 1, span[1]) if is_name else span


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
Chosen = tuple[int, list[Span]]
"""The number of a group, and its spans."""


def join_names(
    document: PaperWords, chosen: Sequence[Chosen], introduced: Sequence[float]
) -> list[Chosen]:
    """Join groups whose names are of one thing, each with the likeliest of them.

    `chosen`: what `choose_groups` returns; `introduced`: the probability that the paper introduces
    each group. Joined are names that differ in inflections alone, a name and one in which acronyms
    stand for words of it ("Range BN", "Range Batch Normalization"), unless that could stand for
    several names, a name and the acronym of its last words that stands in brackets behind it
    ("pre-trained language models (LMs)"), and a title's short form of a name. Of what the paper
    introduces also names of which one stands in brackets behind the other, long forms of which one
    has more words, and a name with its vendor before it.
    """
    names = {
        k: {without_possessive(document.surface(span)) for span in spans} for k, spans in chosen
    }
    forms = {
        k: {form(name) for name in some for form in (normal_form, stem_form)}
        for k, some in names.items()
    }
    result: dict[int, list[Span]] = {}

    def shortens(k: int, other: int, spans: Sequence[Span]) -> bool:
        in_title = all(document.in_title[document.sentences[begin]] for begin, _ in spans)
        return (
            in_title
            and introduced[other] <= _INTRODUCED
            and any(long.endswith(f" {short}") for short, long in product(forms[k], forms[other]))
        )

    def are_one(k: int, spans: list[Span], other: int) -> bool:
        own, theirs = introduced[k] > _INTRODUCED, introduced[other] > _INTRODUCED
        beside = list(_in_brackets(document, result[other], spans))
        return (
            (own == theirs and any(_ends_with_long_form(document, *pair) for pair in beside))
            or _abbreviate(names[other], names[k], _SPARE if beside else 0)
            or (own and theirs and (bool(beside) or _are_one(names[other], names[k])))
            or shortens(k, other, spans)
            or shortens(other, k, result[other])
        )

    for k, spans in chosen:
        alike = [other for other in result if not forms[other].isdisjoint(forms[k])]
        same = alike or [other for other in result if are_one(k, spans, other)]
        if len(same) == 1 or (same and (alike or introduced[k] > _INTRODUCED)):
            one = same[0]
            result[one] = sorted([*result[one], *spans])
            names[one] |= names[k]
            forms[one] |= forms[k]
        else:
            result[k] = spans
    return list(result.items())


def _are_one(names: set[str], others: set[str]) -> bool:
    """Whether two sets of names that a paper introduces are of one thing: not if each has a short
    form of its own."""
    if any(_with_vendor(a, b) for a, b in product(names, others)):
        return True
    short, other_short = ({each for each in some if " " not in each} for some in (names, others))
    long, other_long = names - short, others - other_short
    if short and other_short:
        return False
    if (short and not long) or (other_short and not other_long):
        return _abbreviate(names, others, _SPARE)
    # By their beginnings: quantizer, quantization.
    words = [
        [{word[:5].casefold() for word in _WORD.findall(each)} for each in some]
        for some in (long, other_long)
    ]
    return any(len(a & b) >= _SHARED and (a <= b or b <= a) for a, b in product(*words))


def _with_vendor(name: str, other: str) -> bool:
    """Whether one is the other with a vendor before it: "AMD-Kelpie"."""
    shorter, longer = sorted((name, other), key=len)
    before = longer.removesuffix(shorter).rstrip(" -")
    return longer.endswith(shorter) and split_vendor(f"{before} {shorter}") is not None


def _in_brackets(
    document: PaperWords, spans: Sequence[Span], others: Sequence[Span]
) -> Iterator[tuple[Span, Span]]:
    """Yield the names behind which one of the others stands in brackets, each with that."""
    for one, another in ((spans, others), (others, spans)):
        opened = {b[0] - 1: b for b in another if b[0] and document.words[b[0] - 1] == "("}
        for a in one:
            if b := opened.get(a[1]):
                yield a, b


def _ends_with_long_form(document: PaperWords, span: Span, short: Span) -> bool:
    """Whether a name ends with that of which the other is the acronym."""
    long = document.long_forms.get(document.form(short), "")
    return bool(long) and document.form(span).endswith(long)


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


LEAST = 0.03
"""The probability of a name from which a span is looked at."""
_MOST = 160
"""Spans of a paper that are looked at: the likeliest."""
_SURE = 0.75
"""The probability from which an entity holds together against names within its own."""
_LIKELY = 0.3
"""The probability of a name from which a span does so."""


def preferred_forms(catalogue: Catalogue) -> dict[str, str]:
    """Return a form of the preferred name by the form of each name of the catalogue; where a name
    has several senses, that of the first by id."""
    result: dict[str, str] = {}
    for _, concept in sorted(catalogue.concepts.items()):
        for name in (concept.name, *concept.aliases):
            if form := normal_form(name):
                result.setdefault(form, normal_form(concept.name))
    return result


Group = dict[Span, float]
"""Spans that name one thing, in order, each with the probability that it is a name."""


def group(
    document: PaperWords, spans: Iterable[tuple[Span, float]], preferred: Mapping[str, str]
) -> list[Group]:
    """Return the groups of spans, each with the probability that it is a name.

    Spans are one thing if they differ only in spelling and plural, an acronym and its long
    form, or names of one concept of the catalogue, which an acronym may be too.
    """
    names: dict[str, str] = {}
    for short, long in document.long_forms.items():
        names[short] = names[long] = preferred.get(long) or preferred.get(short) or long
    groups: dict[str, Group] = {}
    for span, likely in spans:
        form = document.form(span)
        if form := names.get(form) or preferred.get(form, form):
            groups.setdefault(form, {})[span] = likely
    return list(groups.values())


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
    rows = [(a, b - 1, k) for k, each in enumerate(groups) for a, b in each]
    return MentionSpans(*np.array(rows, np.int64).reshape(-1, 3).T)


def choose_groups(
    groups: Sequence[Group], probabilities: Sequence[float], least: float
) -> list[tuple[int, list[Span]]]:
    """Return the groups that stand, by number, the likeliest first, each with its spans that no
    likelier one, of it or of another, overlaps.

    A name within one that is surely an entity is part of that: "CUDA" of "CUDA-LLM".
    """
    ranked = sorted(range(len(groups)), key=lambda k: -probabilities[k])
    sure = [
        span
        for k in ranked
        if probabilities[k] >= _SURE
        for span, likely in groups[k].items()
        if likely >= _LIKELY
    ]
    taken: set[int] = set()
    chosen = []
    for k in ranked:
        if probabilities[k] < least:
            break
        free = []
        for span in sorted(groups[k], key=lambda span: -groups[k][span]):
            if taken.isdisjoint(range(*span)) and not any(
                a <= span[0] and span[1] <= b and span != (a, b) for a, b in sure
            ):
                taken.update(range(*span))
                free.append(span)
        if free:
            chosen.append((k, sorted(free)))
    return chosen
