"""What the tagger looks at, in three families, so that each can be scored once and kept.

`own` and `near` depend on one word alone, `pair` on two neighbours; only `local` depends on the
paper.
"""

import re
from bisect import bisect_left
from collections.abc import Mapping, Sequence
from typing import NamedTuple

from stemma.extract.learned.corpus import CorpusStatistics
from stemma.extract.learned.document import INTRODUCING, Document, Span, capital_pattern
from stemma.extract.learned.lexicon import KnownNames, Lexicon

REACH = 3
"""Tokens to either side that are looked at."""
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


def bucket(value: float, bounds: Sequence[float]) -> int:
    """Return the index of the first bound that `value` does not exceed."""
    return bisect_left(bounds, value)


def shape(word: str) -> str:
    """ "LLaMA3" -> "XXxXXd": runs of more than two are cut to two."""
    text = re.sub(r"\d", "d", re.sub(r"[a-z]", "x", re.sub(r"[A-Z]", "X", word)))
    return re.sub(r"(.)\1{2,}", r"\1\1", text)


def _clusters(word: str, corpus: CorpusStatistics) -> tuple[int, int, int] | None:
    return corpus.clusters.get(word) or corpus.clusters.get(word.rstrip("s"))


def own(word: str, corpus: CorpusStatistics) -> list[str]:
    """Features of a token from its word."""
    low, capitals = word.lower(), capital_pattern(word)
    found = [
        "b", "w=" + low, "W=" + word, "c=" + capitals, "s=" + shape(word), "p2=" + low[:2],
        "p3=" + low[:3],
        "s2=" + low[-2:], "s3=" + low[-3:], "s4=" + low[-4:],
        f"df={bucket(corpus.frequency.get(low, 0), (0, 2, 5, 20, 100, 500, 2000))}",
    ]  # fmt: skip
    if clusters := _clusters(low, corpus):
        found += [f"k5={clusters[0]}", f"k2={clusters[1]}", f"k8={clusters[2]}"]
    if not word.islower():
        lower, upper = corpus.lower.get(word, 0), corpus.upper.get(word, 0)
        found.append(f"cr={bucket(lower, (0, 2, 20))}{bucket(upper, (0, 2, 20))}")
    if word.upper() == word and (defined := corpus.short_form_frequency(word)):
        found.append(f"as={bucket(defined, (1, 3, 10))}")
    return found


def near(word: str, offset: int, corpus: CorpusStatistics) -> list[str]:
    """Features of a token from the word that stands `offset` tokens after it."""
    low = word.lower()
    found = [f"w{offset}={low}"]
    if abs(offset) < REACH:
        found.append(f"c{offset}={capital_pattern(word)}")
        if clusters := _clusters(low, corpus):
            found += [f"k5{offset}={clusters[0]}", f"k2{offset}={clusters[1]}"]
            if abs(offset) == 1:
                found.append(f"k8{offset}={clusters[2]}")
        if abs(offset) == 1:
            found.append(f"s3{offset}={low[-3:]}")
    return found


def pair(left: str, right: str, corpus: CorpusStatistics) -> tuple[str, tuple[str, ...]]:
    """Features of two neighbours: their words, and the few kinds of pairs they belong to. Both
    tokens get them, marked + and -."""
    low_left, low_right = left.lower(), right.lower()
    words = low_left + " " + low_right
    together = corpus.phrase_frequency(words)
    kinds = [
        "cc=" + capital_pattern(left) + capital_pattern(right),
        f"n={bucket(together, (0, 5, 20, 100))}",
    ]
    if together and low_left.isalpha() and low_right.isalpha():
        kinds.append(f"pmi={corpus.association(low_left, low_right, together)}")
    return "bg=" + words, tuple(kinds)


class Local(NamedTuple):
    """What a token's place in its paper tells of it, to be spelt out only where it is new.

    `marks`: features of the known phrases it is in; `place`: "T" in the title, "it" if its word
    stands there too; `joined`: whether it touches the token before, and the one after.
    """

    marks: tuple[str, ...]
    place: str
    capitals: str
    last: bool
    times: int
    flags: tuple[str, ...]
    joined: tuple[bool, bool]
    cue: str
    begins: bool
    ends: bool


def spelt(key: Local) -> list[str]:
    """Return the features by name."""
    found = list(key.marks)
    if key.place:
        found.append(key.place)
    if key.place == "T":
        found.append("T" + key.capitals)
    if key.last:
        found.append("last")
    found.append(f"wc={key.times}{key.capitals}")
    found += ["f:" + flag for flag in key.flags]
    found.append(f"j={key.joined[0]:d}{key.joined[1]:d}")
    if key.cue:
        found.append("cue=" + key.cue + ("" if key.capitals == "low" else "c"))
    if key.begins:
        found.append("w-1=#")
    if key.ends:
        found.append("w1=#")
    return found


def local(
    document: Document,
    corpus: CorpusStatistics,
    names: KnownNames,
    lexicon: Lexicon,
    own_names: Mapping[str, str] | None = None,
) -> list[list[Local]]:
    """Return what depends on the paper, by sentence and token.

    `own_names`: see `Lexicon.look_up`.
    """
    marks: dict[tuple[int, int], list[str]] = {}
    _mark_known(marks, document, corpus, names, lexicon, own_names)
    for long, short in document.definitions:
        _mark(marks, long, "lf:", "")
        _mark(marks, short, "sf:", "")
    also_in_title = document.title_words - _STOPS
    flags = {word: tuple(sorted(held)) for word, held in document.flags.items()}
    last = len(document.sentences) - 1
    return [
        _of_line(document, s, marks, flags, also_in_title, s == last)
        for s in range(len(document.sentences))
    ]


def _of_line(
    document: Document,
    s: int,
    marks: Mapping[tuple[int, int], list[str]],
    flags: Mapping[str, tuple[str, ...]],
    also_in_title: set[str],
    last: bool,
) -> list[Local]:
    line, lowered, counts = document.sentences[s], document.lowered[s], document.word_counts
    final = len(line.words) - 1
    starts = [*line.starts, -1]
    result = []
    cue, cue_ends = "", -1
    touches = False
    for i, word in enumerate(line.words):
        low = lowered[i]
        before, touches = touches, line.ends[i] == starts[i + 1]
        held = marks.get((s, i))
        result.append(
            Local(
                tuple(held) if held else (),
                "T" if line.in_title else "it" if low in also_in_title else "",
                capital_pattern(word),
                last,
                min(3, counts[word]),
                flags.get(word, ()),
                (before, touches),
                cue if i <= cue_ends else "",
                i == 0,
                i == final,
            )
        )
        if low in _CUES:
            cue, cue_ends = _CUES[low], i + _CUE_REACH
    return result


def _mark_known(
    marks: dict[tuple[int, int], list[str]],
    document: Document,
    corpus: CorpusStatistics,
    catalogue: KnownNames,
    lexicon: Lexicon,
    own_names: Mapping[str, str] | None,
) -> None:
    """Mark phrases that people annotated, that have acronyms, and that the catalogue knows: of
    those that begin at one token the longest."""
    begun = None
    for span, form in document.places(lexicon.marked.keys()):
        if span[:2] != begun and (found := lexicon.look_up(form, own_names)):
            kind, papers, seen = found
            share = min(4, int(4 * papers / seen + 0.5))
            _mark(marks, span, "x:", f"{kind}{share}{min(3, papers)}")
            begun = span[:2]
    begun = None
    for span, form in document.places(corpus.long_forms.keys()):
        if span[:2] != begun and span[2] - span[1] > 1:
            _mark(marks, span, "al:", str(bucket(corpus.long_forms[form], (1, 3, 10))))
            begun = span[:2]
    begun = None
    for span, form in document.places(catalogue.kinds.keys()):
        if span[:2] != begun and catalogue.knows(form, document.sentences[span[0]].words[span[1]]):
            _mark(marks, span, "ct:", catalogue.kinds[form])
            _mark(marks, span, "ct:", "")
            begun = span[:2]


def _mark(marks: dict[tuple[int, int], list[str]], span: Span, prefix: str, value: str) -> None:
    s, start, end = span
    for i in range(start, end):
        place = "S" if end == start + 1 else "B" if i == start else "E" if i == end - 1 else "I"
        marks.setdefault((s, i), []).append(prefix + place + value)
