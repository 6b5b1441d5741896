"""What the tagger looks at in the place of a token: where in the paper it stands, and in what."""

from collections.abc import Mapping, Sequence

from stemma.extract.learned.corpus import CorpusStatistics
from stemma.extract.learned.document import (
    CAPITAL_PATTERNS,
    INTRODUCING,
    Document,
    Line,
    Span,
    capital_pattern,
)
from stemma.extract.learned.lexicon import KnownNames, Lexicon
from stemma.extract.learned.token_features import bucket

Marks = list[dict[int, list[str]]]
"""Features of the known phrases, by sentence and token."""
_CUE_REACH = 6

_CUES = {
    **dict.fromkeys(INTRODUCING, "intro"),
    **dict.fromkeys(
        [
            "outperform", "outperforms", "outperforming", "outperformed", "compared", "compare",
            "over", "than", "versus", "vs", "exceeds", "surpasses", "surpass", "surpassing",
            "faster", "better", "superior", "baseline", "baselines", "comparable", "against"
        ],
        "cmp",
    ),
    **dict.fromkeys(
        [
            "use", "uses", "using", "used", "via", "employ", "employs", "leverage", "leverages",
            "leveraging", "apply", "applying", "utilize", "utilizes", "adopt", "adopts",
            "implemented", "implement", "with"
        ],
        "use",
    ),
    **dict.fromkeys(
        [
            "evaluate", "evaluated", "evaluation", "experiments", "experimental", "dataset",
            "datasets", "benchmark", "benchmarks", "tested", "validate", "validated", "trained",
            "training", "on"
        ],
        "ev",
    ),
    **dict.fromkeys(["like", "including", "include", "includes", "such", "as"], "like"),
}  # fmt: skip
_STOPS = frozenset(
    [
        "a", "an", "the", "of", "for", "and", "to", "in", "on", "with", "by", "we", "is", "are",
        "our", "this", "that", "from", "as", "at", "it", "its", "be", "which", "can", "has", "have"
    ]
)  # fmt: skip


Place = int | tuple[int, tuple[str, ...], tuple[str, ...]]
"""What a token's place in its paper tells of it, to be spelt out only where it is new.

It is a number, since one is made for every token: of what is written below, each in bits of its
own. Where there are any, the features of the known phrases that the token is in and the flags of
its word stand beside it.
"""
# How the word is written is in the lowest bits.
_CAPITALS = {pattern: number for number, pattern in enumerate(CAPITAL_PATTERNS)}
_WRITTEN = 0b1111
# In the title, or in the abstract with a word that stands in the title too.
_TITLE, _ALSO_IN_TITLE = 1 << 4, 1 << 5
_LAST_SENTENCE, _BEGINS, _ENDS = 1 << 6, 1 << 7, 1 << 8
# Without a blank between the token and the one before it, or after it.
_JOINED, _JOINS = 1 << 9, 1 << 10
# How often the paper has the word, up to 3 times.
_TIMES = 11
# The sort of the nearest cue shortly before it.
_CUE = 13
_CUE_SORTS = ("", *sorted(set(_CUES.values())))
_CUE_BITS = {word: _CUE_SORTS.index(sort) << _CUE for word, sort in _CUES.items()}


def spelt(place: Place) -> list[str]:
    """Return the features by name."""
    bits, marks, flags = (place, (), ()) if isinstance(place, int) else place
    capitals = CAPITAL_PATTERNS[bits & _WRITTEN]
    found = list(marks)
    if bits & _TITLE:
        found += ["T", "T" + capitals]
    if bits & _ALSO_IN_TITLE:
        found.append("it")
    if bits & _LAST_SENTENCE:
        found.append("last")
    found.append(f"wc={bits >> _TIMES & 0b11}{capitals}")
    found += ["f:" + flag for flag in flags]
    found.append(f"j={bits & _JOINED > 0:d}{bits & _JOINS > 0:d}")
    if cue := _CUE_SORTS[bits >> _CUE]:
        found.append("cue=" + cue + ("" if capitals == "low" else "c"))
    if bits & _BEGINS:
        found.append("w-1=#")
    if bits & _ENDS:
        found.append("w1=#")
    return found


def places(
    document: Document,
    corpus: CorpusStatistics,
    names: KnownNames,
    lexicon: Lexicon,
    own_names: Mapping[str, str] | None = None,
) -> list[list[Place]]:
    """Return the place of every token, by sentence.

    `own_names`: see `Lexicon.look_up`.
    """
    marks: Marks = [{} for _ in document.sentences]
    _mark_known(marks, document, corpus, names, lexicon, own_names)
    for long, short in document.definitions:
        _mark(marks, long, "lf:", "")
        _mark(marks, short, "sf:", "")
    also_in_title = document.title_words - _STOPS
    times = {word: min(3, count) << _TIMES for word, count in document.word_counts.items()}
    flags = {word: tuple(sorted(held)) for word, held in document.flags.items()}
    result: list[list[Place]] = []
    for line, lowered, marked in zip(document.sentences, document.lowered, marks, strict=True):
        bits = _bits(line, lowered, times, also_in_title)
        if line is document.sentences[-1]:
            bits = [each | _LAST_SENTENCE for each in bits]
        found: list[Place] = list(bits)
        flagged = [i for i, word in enumerate(line.words) if word in flags] if flags else []
        for i in {*marked, *flagged}:
            found[i] = bits[i], tuple(marked.get(i, ())), flags.get(line.words[i], ())
        result.append(found)
    return result


def _bits(
    line: Line, lowered: Sequence[str], times: Mapping[str, int], also_in_title: set[str]
) -> list[int]:
    words = line.words
    stands = (
        [_TITLE] * len(words)
        if line.in_title
        else [_ALSO_IN_TITLE if word in also_in_title else 0 for word in lowered]
    )
    written = map(_CAPITALS.__getitem__, map(capital_pattern, words))
    counted = map(times.__getitem__, words)
    bits = [
        a | b | c | d for a, b, c, d in zip(written, counted, stands, _cues(lowered), strict=True)
    ]
    bits[0] |= _BEGINS
    bits[-1] |= _ENDS
    for i, (end, start) in enumerate(zip(line.ends, line.starts[1:], strict=False)):
        if end == start:
            bits[i] |= _JOINS
            bits[i + 1] |= _JOINED
    return bits


def _cues(lowered: Sequence[str]) -> list[int]:
    """Return for each word the bits of the nearest cue shortly before it."""
    result = [0] * len(lowered)
    for i, word in enumerate(lowered):
        if word in _CUE_BITS:
            reached = range(i + 1, min(len(lowered), i + 1 + _CUE_REACH))
            result[reached.start : reached.stop] = [_CUE_BITS[word]] * len(reached)
    return result


def _mark_known(
    marks: Marks,
    document: Document,
    corpus: CorpusStatistics,
    catalogue: KnownNames,
    lexicon: Lexicon,
    own_names: Mapping[str, str] | None,
) -> None:
    """Mark phrases that people annotated, that have acronyms, and that the catalogue knows: of
    those that begin at one token the longest."""
    begun = None
    for span, form in document.places(lexicon.index):
        if span[:2] != begun and (found := lexicon.look_up(form, own_names)):
            kind, papers, seen = found
            share = min(4, int(4 * papers / seen + 0.5))
            _mark(marks, span, "x:", f"{kind}{share}{min(3, papers)}")
            begun = span[:2]
    begun = None
    for span, form in document.places(corpus.index):
        if span[:2] != begun and span[2] - span[1] > 1:
            _mark(marks, span, "al:", str(bucket(corpus.long_forms[form], (1, 3, 10))))
            begun = span[:2]
    begun = None
    for span, form in document.places(catalogue.index):
        if span[:2] != begun and catalogue.knows(form, document.sentences[span[0]].words[span[1]]):
            _mark(marks, span, "ct:", catalogue.kinds[form])
            _mark(marks, span, "ct:", "")
            begun = span[:2]


def _mark(marks: Marks, span: Span, prefix: str, value: str) -> None:
    s, start, end = span
    for i in range(start, end):
        place = "S" if end == start + 1 else "B" if i == start else "E" if i == end - 1 else "I"
        marks[s].setdefault(i, []).append(prefix + place + value)
