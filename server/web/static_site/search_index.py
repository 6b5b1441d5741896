"""The index of names and titles that a static site searches in the browser.

Works are numbered, those most used first. A term (a word, or a whole name without its spaces) has
the numbers of its works. Terms are in shards by how they begin, works in blocks, so that a search
loads a few small files whatever the size of the store. `assets/search.js` reads them.
"""

import json
import re
import unicodedata
from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from itertools import groupby

from stemma.graph import Work
from stemma.schema import Paper
from stemma.schema.batches import batched

_WORDS = re.compile(r"[^\W_]+")
_SHARD = 60_000
"""How many characters of terms a shard has before it is split by the next letter."""
_LONGEST_PREFIX = 4
_BEST = 50
"""How many works are known of a beginning that is too short to have a shard."""
_BLOCK = 200
_NOTE = 60
_LONGEST_CALLED = 40
"""Longer names, such as most titles, are found by their words alone."""
_COMMON = 500
"""A word of more works than this, and of a tenth of all, does not narrow a search."""


def words_of(text: str) -> list[str]:
    """Return the words of a text as they are compared: small letters without accents."""
    letters = unicodedata.normalize("NFKD", text).lower()
    return _WORDS.findall("".join(each for each in letters if not unicodedata.combining(each)))


@dataclass(slots=True)
class _Postings:
    """The works (numbers) that are called so, and those that have the word in a name."""

    called: list[int] = field(default_factory=list)
    having: list[int] = field(default_factory=list)


class SearchIndex:
    """Gathers works, those most used first, and yields the files of their index."""

    def __init__(self) -> None:
        self._works: list[tuple[str, str, str, str]] = []
        self._terms: dict[str, _Postings] = defaultdict(_Postings)

    def add(self, work: Work) -> None:
        """Add a work, which those added before it precede in results."""
        number = len(self._works)
        if isinstance(work, Paper):
            names, kind, note = [work.name], "paper", str(work.published or "")
        else:
            names, kind = [work.name, *work.aliases], work.kind.value
            note = ", ".join(work.aliases[:3])
        self._works.append((work.name, kind, _shortened(note), work.id))
        found = [words_of(each) for each in names]
        for term in {"".join(words) for words in found if words}:
            if len(term) <= _LONGEST_CALLED:
                self._terms[term].called.append(number)
        for word in {word for words in found for word in words}:
            self._terms[word].having.append(number)

    def files(self) -> Iterator[tuple[str, str]]:
        """Yield the names and contents of the files."""
        encoded = {term: self._encoded(each) for term, each in sorted(self._terms.items())}
        shards: dict[str, list[object]] = {}
        for number, (prefix, is_split, content) in enumerate(self._shards("", encoded)):
            shards[prefix] = [number, int(is_split)]
            yield f"terms-{number}.js", _script("terms", number, content)
        for number, block in enumerate(batched(self._works, _BLOCK)):
            yield f"works-{number}.js", _script("works", number, block)
        yield "index.js", _script("index", 0, {"shards": shards, "block": _BLOCK})

    def _encoded(self, postings: _Postings) -> str:
        """Return postings as text, each number as what it is beyond the one before it."""
        is_common = len(postings.having) > max(_COMMON, len(self._works) / 10)
        having = "*" if is_common else _deltas(postings.having)
        return f"{_deltas(postings.called)}|{having}"

    def _shards(
        self, prefix: str, terms: Mapping[str, str]
    ) -> Iterator[tuple[str, bool, dict[str, object]]]:
        """Yield shards: how their terms begin, whether longer ones have shards of their own."""
        size = sum(len(term) + len(text) + 6 for term, text in terms.items())
        if size <= _SHARD or len(prefix) == _LONGEST_PREFIX:
            yield prefix, False, {"terms": terms}
            return
        own = {prefix: terms[prefix]} if prefix in terms else {}
        yield prefix, True, {"terms": own, "best": self._best(terms)}
        longer = [term for term in terms if term != prefix]
        place = len(prefix)
        for _, some in groupby(longer, key=lambda term: term[place]):
            group = {term: terms[term] for term in some}
            yield from self._shards(next(iter(group))[: place + 1], group)

    def _best(self, terms: Iterable[str]) -> list[int]:
        """Return the most used works of many terms."""
        best: set[int] = set()
        for term in terms:
            postings = self._terms[term]
            best.update(postings.called[:_BEST], postings.having[:_BEST])
        return sorted(best)[:_BEST]


def _shortened(note: str) -> str:
    return note if len(note) <= _NOTE else f"{note[: _NOTE - 1]}…"


def _deltas(numbers: list[int]) -> str:
    before = [0, *numbers]
    return ",".join(str(each - last) for each, last in zip(numbers, before, strict=False))


def _script(kind: str, number: int, content: object) -> str:
    """Return data as a script, which pages can load from files, too."""
    text = json.dumps(content, ensure_ascii=False, separators=(",", ":"))
    return f'stemmaSearch.loaded("{kind}",{number},{text});\n'
