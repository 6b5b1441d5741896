"""The words of a question."""

import re
import unicodedata
from dataclasses import dataclass

_QUOTED = r"[\"“„«](?P<quoted>[^\"“”„«»]+)[\"”“»]"
_WORD = re.compile(rf"{_QUOTED}|(?P<word>[^\s\"“”„«»]+)")
_GENITIVE = re.compile(r"(?i)(?<=\S)(['’](?:s|re|m))$")
_EDGES = " \t.,;:?!()[]…"


@dataclass(frozen=True, slots=True)
class Word:
    """A word as it was typed, and as it is compared; what was quoted is one word, and a name."""

    text: str
    key: str | None

    @property
    def as_name(self) -> str:
        """The word without the punctuation of the question around it."""
        return self.text.strip(_EDGES) or self.text


Span = tuple[Word, ...]
"""Words that follow each other."""


def words_of(question: str) -> Span:
    """Take a question apart: at spaces, and before 's; quotation marks keep a name together."""
    # A lone surrogate is not a character, and cannot be encoded as UTF-8.
    question = question.encode("utf-8", "replace").decode("utf-8")
    found: list[Word] = []
    for match in _WORD.finditer(question):
        if match["quoted"] is not None:
            found.append(Word(match["quoted"].strip(), None))
            continue
        bare = match["word"].rstrip(_EDGES)
        genitive = _GENITIVE.search(bare)
        if genitive:
            found.append(_word(bare[: genitive.start()]))
            found.append(Word(genitive[1], genitive[1].casefold().replace("’", "'")))
        elif bare.strip(_EDGES):
            found.append(_word(match["word"]))
    return tuple(found)


def name_of(words: Span) -> str:
    """Return the words as a name."""
    if len(words) == 1:
        return words[0].as_name if words[0].key is not None else words[0].text
    text = " ".join(word.text for word in words).replace(" 's", "'s").replace(" ’s", "’s")
    return text.strip(_EDGES) or text


def _word(text: str) -> Word:
    return Word(text, unicodedata.normalize("NFKC", text).strip(_EDGES).casefold())
