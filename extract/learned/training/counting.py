"""Counting what many unlabelled abstracts say about words and phrases."""

from collections import Counter
from collections.abc import Iterable
from zlib import crc32

from stemma.extract.acronym import definitions
from stemma.extract.learned.corpus import CorpusStatistics
from stemma.extract.learned.form import normal_form
from stemma.extract.sentence import sentences
from stemma.extract.tokenizer import words_of

_MOST_TOKENS = 2000
_MOST_WORDS = 5
"""Words of the longest phrases that are counted."""


def count(texts: Iterable[tuple[str, str]]) -> tuple[CorpusStatistics, list[list[str]]]:
    """Return statistics over (title, abstract), still without clusters, and all sentences.

    The sentences are lists of lower-case words.
    """
    frequency: Counter[str] = Counter()
    lower: Counter[str] = Counter()
    upper: Counter[str] = Counter()
    phrases: Counter[str] = Counter()
    long_forms: Counter[str] = Counter()
    short_forms: Counter[str] = Counter()
    lines: list[list[str]] = []
    documents = 0
    for title, abstract in texts:
        documents += 1
        here: set[str] = set()
        grams: set[str] = set()
        for text in (title, abstract):
            for (a, b), (c, d) in definitions(text):
                long_forms[normal_form(text[a:b])] += 1
                short = text[c:d]
                short_forms[short[:-1] if len(short) > 3 and short.endswith("s") else short] += 1
        stretches = [(title, 0, len(title))]
        stretches += [(abstract, each.start, each.end) for each in sentences(abstract)]
        for text, start, end in stretches:
            words, _, _ = words_of(text, start, end, _MOST_TOKENS)
            lowered = [w.lower() for w in words]
            lines.append(lowered)
            here.update(lowered)
            if text is abstract:
                lower.update(w for w in words[1:] if w.islower())
                upper.update(w for w in words[1:] if not w.islower())
            grams.update(_grams(lowered))
        frequency.update(here)
        phrases.update(grams)
    written = {w for w in upper if lower.get(w, 0) + upper[w] >= 2}
    statistics = CorpusStatistics(
        documents,
        {w: n for w, n in frequency.items() if n >= 2},
        {w: lower[w] for w in written if lower[w]},
        {w: upper[w] for w in written},
        {},
        {crc32(p.encode()): min(n, 65535) for p, n in phrases.items() if n >= 4},
        dict(long_forms),
        dict(short_forms),
    )
    return statistics, lines


def _grams(words: list[str]) -> Iterable[str]:
    named = [w[0].isalnum() for w in words]
    for n in range(2, _MOST_WORDS + 1):
        for i in range(len(words) - n + 1):
            if named[i] and named[i + n - 1]:
                yield " ".join(words[i : i + n])
