"""Windows: stretches of a section that the pipeline can read as it reads an abstract.

In place of an in-text citation stands the work that it cites: "We build on [12]" speaks of a work;
"ZeRO [12] is slow" names it beside, and the mark is left out.
"""

import re
from bisect import bisect_left, bisect_right
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import islice
from operator import attrgetter
from typing import NamedTuple

from stemma.extract.sentence import sentences
from stemma.schema import Citation, Field, FullText, Reference

_BRACKETED = re.compile(r"\s*[\[(][^\[\]()]{0,2000}[\])]")
_FILLER = re.compile(r"^(?:see|e\.g\.|cf\.|also|and|in|[\s,;:&–-]|\d)*$")
_NOUN_BEFORE = re.compile(
    r"(?:^|[.;:,(]|\b(?:on|upon|of|in|from|by|with|to|than|as|over|like|unlike|follow|follows|"
    r"following|extend|extends|extending|extended|adopt|adopts|adopting|use|uses|using|improve|"
    r"improves|improving|outperform|outperforms|outperforming|generalize|generalizes|combine|"
    r"combines|combining|against|both|that|and|or|versus|vs\.|reuse|reuses|replace|replaces|beat|"
    r"beats|surpass|surpasses|modify|modifies|adapt|adapts|"
    r"(?:the|this|that|an?|their|prior|previous|earlier|recent|existing|original|proposed|same|"
    r"concurrent|related) "
    r"(?:work|method|approach|system|technique|algorithm|framework|model)))\s*$",
    re.I,
)
"""What a citation stands for a work behind, and not beside its name: "the method [3]", but not "the
Hungarian method [3]"."""
_SURNAME = r"[A-Z][a-zß-öø-ÿ'’-]{1,30}(?:[A-Z][a-zß-öø-ÿ'’-]{1,30})?"
_AUTHORS = re.compile(
    rf"(?<![\w-])(?:{_SURNAME}(?: (?:and|&) {_SURNAME}|,? et al\.?)|[A-Z][\w'’-]{{1,30}}’s)\s*$"
)
"""Names of authors before a citation; systems are "CUDA and Triton" or "NVLink"."""
_SYSTEM = re.compile(r"([^\s:]{2,40}(?: [^\s:]{1,40}){0,2})\s*:\s+\S")
_DATA = re.compile(
    r"(?:the )?([^\s:]{2,40}(?: [^\s:]{1,40}){0,2}) (?:data ?set|corpus|benchmark|database)", re.I
)
"""A title that is the name of a data set: "The Clay-9 dataset"."""
_NAME = re.compile(r"(?=.*[A-Z\d])[\w.+@/^-]+", re.ASCII)
_NO_NAME = frozenset(
    ("survey", "review", "tutorial", "position", "editorial", "note", "introduction", "erratum",
     "comment", "abstract", "poster", "demo", "technical")
)  # fmt: skip


@dataclass(frozen=True, slots=True)
class Mark:
    """Characters `start` to `end` of a section that cite, and the names to read in their place."""

    start: int
    end: int
    names: tuple[str, ...]


def named_by(reference: Reference) -> str | None:
    """Return the system that a title names: "FlashAttention: Fast and …"; None if it names none."""
    match = _SYSTEM.match(reference.title or "") or _DATA.fullmatch(reference.title or "")
    if not match:
        return None
    words = match[1].split()
    if not all(_NAME.fullmatch(word) for word in words) or words[0].casefold() in _NO_NAME:
        return None
    # Several words are a name where one is spelled as no other word is: "ZeRO 2", "Vision GPT".
    unusual = any(re.search(r".[A-Z]|\d", word) for word in words)
    return match[1] if len(words) == 1 or unusual else None


def marks(text: str, citations: Sequence[Citation], names: Mapping[Reference, str]) -> list[Mark]:
    """Return the marks to read in place of citations, in order, by the `names` of references."""
    found = []
    for start, end, cited in _groups(text, citations):
        before = text[max(0, start - 80) : start]
        begin = start
        if authors := _AUTHORS.search(before):
            begin = start - len(before) + authors.start()
        elif before.rstrip(" \n(") == before != "" or not _NOUN_BEFORE.search(before):
            # It follows a name, or is a superscript; a blank goes with the mark.
            blank = len(before) - len(before.rstrip())
            found.append(Mark(start - blank, end, ()))
            continue
        own = tuple(dict.fromkeys(names[citation.reference] for citation in cited))
        found.append(Mark(begin, end, own))
    return found


def _groups(text: str, citations: Sequence[Citation]) -> Iterator[tuple[int, int, list[Citation]]]:
    """Yield the citations in one pair of brackets, with the place of the brackets."""
    ordered = sorted(citations, key=lambda citation: (citation.start, citation.end))
    reached = 0
    for number, first in enumerate(ordered, 1):
        if first.start < reached:
            continue
        start, end, group = first.start, first.end, [first]
        opening = max(text.rfind(each, max(0, start - 200), start + 1) for each in "[(")
        inside = _BRACKETED.match(text, opening) if opening >= reached else None
        if inside and inside.end() >= end:
            within, beside, at = [first], text[opening + 1 : start], end
            for later in range(number, len(ordered)):
                citation = ordered[later]
                if citation.end > inside.end():
                    break
                within.append(citation)
                beside += text[at : citation.start]
                at = citation.end
            if _FILLER.match((beside + text[at : inside.end() - 1]).strip()):
                start, end, group = opening, inside.end(), within
        reached = end
        yield start, end, group


LONGEST = 1500
"""Characters of a window, about those of a long abstract; a sentence may be longer."""


class _Piece(NamedTuple):
    """What a window has from `start` on: `length` characters of the section at `place`, copied, or
    else the names in place of these."""

    start: int
    place: int
    length: int
    copied: bool


@dataclass(frozen=True, slots=True)
class Window:
    """A stretch of the section with this number, as it is read.

    `text` has names in place of citations, or nothing: see `_Piece`.
    """

    section: int
    kind: Field
    text: str
    pieces: tuple[_Piece, ...]

    def place(self, start: int, end: int) -> tuple[int, int]:
        """Return the offsets in the section of a stretch of the window."""
        first, last = self._piece(start), self._piece(end - 1)
        begin = first.place + (start - first.start if first.copied else 0)
        return begin, last.place + (end - last.start if last.copied else last.length)

    def is_copied(self, start: int, end: int) -> bool:
        """Return whether the section has these very characters in one place."""
        return self._piece(start).copied and self._piece(start) == self._piece(end - 1)

    def _piece(self, offset: int) -> _Piece:
        return self.pieces[bisect_right(self.pieces, offset, key=attrgetter("start")) - 1]


def windows(text: FullText, names: Mapping[Reference, str]) -> Iterator[Window]:
    """Yield the windows of all sections; `names` are what references are called there."""
    for number, section in enumerate(text.sections):
        if section.kind is Field.TABLE:
            continue
        found = marks(section.text, section.citations, names)
        start = end = 0
        for sentence in sentences(section.text):
            if end > start and sentence.end - start > LONGEST:
                yield _window(number, section.kind, section.text, start, end, found)
                start = sentence.start
            end = sentence.end
        if end > start:
            yield _window(number, section.kind, section.text, start, end, found)


def _window(
    number: int, kind: Field, text: str, start: int, end: int, all_marks: list[Mark]
) -> Window:
    read, pieces, at = "", list[_Piece](), start
    first = bisect_left(all_marks, start, key=lambda mark: mark.start)
    for mark in islice(all_marks, first, None):
        if mark.end > end:
            break
        if mark.start < at:
            continue
        if mark.start > at:
            pieces.append(_Piece(len(read), at, mark.start - at, True))
            read += text[at : mark.start]
        if mark.names:
            pieces.append(_Piece(len(read), mark.start, mark.end - mark.start, False))
            read += " and ".join(filter(None, (", ".join(mark.names[:-1]), mark.names[-1])))
        at = mark.end
    if end > at:
        pieces.append(_Piece(len(read), at, end - at, True))
        read += text[at:end]
    return Window(number, kind, read, tuple(pieces))
