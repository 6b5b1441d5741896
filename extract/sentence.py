"""The sentence splitter, for the sentences that abstracts are made of."""

import re
from typing import TYPE_CHECKING, cast

import numpy as np
from spacy.tokens import Doc

from stemma.extract.recognition import Sentence, component, recognition

if TYPE_CHECKING:
    from thinc.types import Ints2d

# A full stop ends a sentence where blanks and something that can begin one follow. The first
# character stands alone, so that the search can skip to it.
_BEGINNING = r"""(?=["'(\[“‘$\\{]*[A-Z0-9])"""
_END = re.compile(
    rf"""[.!?)"”’\n](?:(?<=[.!?])(?:[)"'\]”’]*\s+{_BEGINNING}|[)"'”’]*\s*\n\s*)"""
    rf"""|(?<=[)"”’])(?<![)"”’]{{2}})[)"”’]*[.!?]\s+{_BEGINNING}|(?<=\n)\s*\n)"""
)
_ABBREVIATION = re.compile(
    r"""(?:\b(?:e\.\s?g|i\.\s?e|[Ee]tc|vs|cf|al|[Ff]igs?|[Ee]qs?|[Ss]ecs?|[Tt]abs?|[Rr]efs?|resp
    |approx|ca|[Nn]o|St|Dr|Prof|Mr|Ms|w\.r\.t|a\.k\.a|viz|incl|max|min|avg|Vol|pp|[Cc]h|App|Alg
    |Thm|Inc|Corp|Ltd|Jr)|\b[A-Z])\.$""",
    re.VERBOSE,
)
_LONGEST_ABBREVIATION = 9
_LONGEST = 2000
"""Characters of a sentence. Longer ones are split between two words: each
entity quotes its sentences, so one of a whole book would be quoted a thousand times."""


@component("stemma_sentences", assigns=["token.is_sent_start", "doc.sents"])
def sentence_splitter(doc: Doc) -> Doc:
    """Mark the first tokens of sentences: a title is one; "e.g.", "Fig. 2" and "v1.5" end none."""
    found = recognition(doc)
    if len(doc):
        split: list[Sentence] = []
        _add(split, found.text, 0, found.title_end, in_title=True)
        split += sentences(found.text, found.abstract_start)
        # What is cut within a token begins with the next one.
        first = np.searchsorted(doc.to_array("IDX"), [each.start for each in split])
        marks = np.full(len(doc), -1)
        marks[first[first < len(doc)]] = 1
        marks[0] = 1
        # To set it for each token would take time that grows with the square of their number.
        doc.from_array(["SENT_START"], cast("Ints2d", marks.reshape(-1, 1).view("uint64")))
    return doc


def sentences(text: str, start: int = 0) -> list[Sentence]:
    """Return the sentences of `text` from the offset `start` on."""
    found: list[Sentence] = []
    for end in _END.finditer(text, start):
        stop = end.start() + len(end.group().rstrip())
        if _ABBREVIATION.search(text, max(start, stop - _LONGEST_ABBREVIATION), stop):
            continue
        _add(found, text, start, stop)
        start = end.end()
    _add(found, text, start, len(text))
    return found


def _add(found: list[Sentence], text: str, start: int, end: int, *, in_title: bool = False) -> None:
    while start < end:
        stretch = text[start : min(end, start + _LONGEST)]
        if start + len(stretch) < end and (blank := stretch.rfind(" ")) > 0:
            stretch = stretch[:blank]
        if stripped := stretch.strip():
            begin = start + stretch.index(stripped[0])
            found.append(Sentence(begin, begin + len(stripped), in_title))
        start += len(stretch)
