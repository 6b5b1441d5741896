"""A paper as the encoder reads it: words, with what the rules take them for, and their pieces.

Pieces are those of the encoder's vocabulary, in windows that it can read.
"""

import re
import unicodedata
from bisect import bisect_left, bisect_right
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field
from functools import lru_cache
from itertools import groupby, islice, pairwise
from pathlib import Path

from spacy.tokens import Doc
from tokenizers import Tokenizer

from stemma.extract.recognition import NamedEntity, entities_of, recognition, sentences_of
from stemma.schema import EntityKind

_DROP = re.compile(r"[^0-9a-z+]")
_ACRONYMS = re.compile(r"\b([A-Z]{2,})s\b")
_WORD = re.compile(r"[^\W_]+[+*∗#]*")
_INFLECTION = re.compile(
    r"(?<=\w{4})(?:i[sz]ations?|i[sz](?:e[ds]?|ing)|at(?:ions?|e[ds]?|ing)|ion(?:s|al)?|ings?|ies"
    r"|e[ds]|al|[esy])$"
)
# Greek letters by their names, as LaTeX writes them; A* and RRT# are not A and RRT.
_SPELT = {
    place: unicodedata.name(chr(place)).split()[-1].lower().replace("lamda", "lambda")
    for place in range(ord("α"), ord("ω") + 1)
} | {ord("*"): "star", ord("∗"): "star", ord("#"): "sharp"}


@lru_cache(maxsize=200_000)
def bare_form(text: str) -> str:
    """Return `text` without case, accents, spaces, punctuation and the plural s of acronyms:
    "PIXART-δ" is "pixartdelta", "LMs" is "lm", and "RRT*" is "rrtstar"."""
    text = _ACRONYMS.sub(r"\1", text).casefold()
    return _DROP.sub("", unicodedata.normalize("NFD", text).translate(_SPELT))


def singular(form: str) -> str:
    """Return a bare form without a plural s."""
    return form[:-1] if len(form) > 3 and form[-1] == "s" and form[-2] != "s" else form


def normal_form(name: str) -> str:
    """Return `name` bare and singular: "KV caches" and "kv-cache" are one."""
    return singular(bare_form(name))


def stem_form(name: str) -> str:
    """Return the stem that the inflections of a name share: "approximated searches" and
    "approximate search" have one, and so have "policies" and "policy"."""
    return " ".join(_INFLECTION.sub("", bare_form(word)) for word in _WORD.findall(name))


Span = tuple[int, int]
"""First word, word after the last one."""
KINDS = tuple(EntityKind(k) for k in ("hardware", "framework", "technique", "model", "dataset"))
CASES = (
    "low", "lowd", "Cap", "Capd", "UP", "UPd", "UPs", "U1", "U1d", "Mix", "Mixd", "num", "numx",
    "sym",
)  # fmt: skip
TAGS = 1 + len(KINDS) * 8
"""How many tags there are: none, or a kind, known to the catalogue or not, first word of the name
or not, introduced or not."""
_MOST_WORDS = 3000
"""Words of a paper that are read: what is longer is no abstract."""
_LONGEST_ADDRESS = 300


@lru_cache(maxsize=100_000)
def case_of(word: str) -> str:  # noqa: PLR0911  (a list of cases)
    """Return how a word is written, one of `CASES`: the encoder's own vocabulary is lower case.

    "U1" is a single capital, "UPs" the plural of an acronym, "sym" punctuation; "d" has digits.
    """
    if word.isdigit():
        return "num"
    digits = "d" if any(c.isdigit() for c in word) else ""
    if not any(c.isalpha() for c in word):
        return "numx" if digits else "sym"
    if word.islower():
        return "low" + digits
    if word.isupper():
        return ("UP" if len(word) > 1 else "U1") + digits
    if word[0].isupper() and word[1:].islower():
        return "Cap" + digits
    if len(word) > 3 and word[:-1].isupper() and word[-1] == "s":
        return "UPs"
    return "Mix" + digits


@dataclass(slots=True)
class PaperWords:
    """The words of one paper.

    For each word: `starts` and `ends` are offsets into `text`, `sentences` numbers among those of
    the document, `tags` what the rules take it for (see `TAGS`). `long_forms` leads from the form
    of an acronym to that of the name that it stands for.
    """

    text: str
    in_title: list[bool]
    words: list[str]
    starts: list[int]
    ends: list[int]
    sentences: list[int]
    tags: list[int]
    long_forms: dict[str, str]
    bare: list[str] = field(init=False)

    def __post_init__(self) -> None:
        """Fold the words once."""
        self.bare = list(map(bare_form, self.words))

    @classmethod
    def of(cls, doc: Doc) -> "PaperWords":
        """Read the words of a Doc, its tokens without blanks, and what the rules found."""
        found, known = recognition(doc), sentences_of(doc)
        tokens = list(islice((each for each in doc if not each.is_space), _MOST_WORDS))
        words = [token.text for token in tokens]
        starts = [token.idx for token in tokens]
        ends = [start + len(word) for start, word in zip(starts, words, strict=True)]
        begins = [each.start for each in known]
        sentences = [bisect_right(begins, start) - 1 for start in starts]
        in_title = [each.in_title for each in known]
        document = cls(found.text, in_title, words, starts, ends, sentences, [0] * len(words), {})
        document._tag(entities_of(doc))
        for long, short in found.synonyms:
            if (a := document.span(*short)) and (b := document.span(*long)):
                document.long_forms.setdefault(document.form(a), document.form(b))
        return document

    def _tag(self, entities: Iterable[NamedEntity]) -> None:
        for entity in entities:
            kind = KINDS.index(entity.kind) * 2 + (entity.concept is not None)
            for place in entity.spans:
                if span := self.span(*place):
                    for i in range(*span):
                        self.tags[i] = 1 + (kind * 2 + (i > span[0])) * 2 + entity.introduced

    def span(self, start: int, end: int) -> Span | None:
        """Return the words from offset `start` to `end`, None if that cuts one or leaves the
        sentence."""
        first, last = bisect_left(self.starts, start), bisect_right(self.ends, end) - 1
        if not first <= last < len(self.words):
            return None
        if self.starts[first] != start or self.ends[last] != end:
            return None
        return (first, last + 1) if self.sentences[first] == self.sentences[last] else None

    def place(self, span: Span) -> tuple[int, int]:
        """Return the offsets of a span."""
        return self.starts[span[0]], self.ends[span[1] - 1]

    def surface(self, span: Span) -> str:
        """Return the characters of a span, as written."""
        start, end = self.place(span)
        return self.text[start:end]

    def is_in_address(self, span: Span) -> bool:
        """Return whether a span is part of a URL, where names are spelt otherwise."""
        start = self.starts[span[0]]
        begin = max(0, start - _LONGEST_ADDRESS)
        return "://" in self.text[max(begin, self.text.rfind(" ", begin, start) + 1) : start]

    def form(self, span: Span) -> str:
        """Return the key that all spellings of a span share: without case, spaces or plural."""
        return singular("".join(self.bare[span[0] : span[1]]))


MOST_PIECES = 448
"""Pieces of a window, those that begin and end it included."""
SHAPES = 1 + 2 * len(CASES)
"""How many shapes there are: none, or how a word is written, for its first piece and the others."""
_ROOM = MOST_PIECES - 3
_MOST_OF_WORD = 12
_SHAPES = {case: 1 + 2 * k for k, case in enumerate(CASES)}


@dataclass(slots=True)
class PieceWindow:
    """Pieces, each with the shape and the tag of its word; `first` and `last` one of each word."""

    pieces: list[int] = field(default_factory=list)
    shapes: list[int] = field(default_factory=list)
    tags: list[int] = field(default_factory=list)
    first: list[int] = field(default_factory=list)
    last: list[int] = field(default_factory=list)

    def add(self, pieces: list[int], shape: int = 0, tag: int = 0) -> None:
        """Append the pieces of a word; only the first has `shape` itself."""
        self.pieces += pieces
        self.shapes += [shape, *[shape + 1] * (len(pieces) - 1)]
        self.tags += [tag] * len(pieces)


class Vocabulary:
    """Splits words into pieces, and documents into windows."""

    def __init__(self, file: Path) -> None:
        self._tokenizer = Tokenizer.from_file(str(file))
        self._tokenizer.no_truncation()
        self._tokenizer.no_padding()
        self._begin, self._end, self._unknown = map(self._number, ("[CLS]", "[SEP]", "[UNK]"))

    def __len__(self) -> int:
        return self._tokenizer.get_vocab_size()

    def _number(self, piece: str) -> int:
        number = self._tokenizer.token_to_id(piece)
        if number is None:
            raise ValueError(f"the vocabulary lacks {piece}")
        return number

    def windows(self, document: PaperWords) -> list[PieceWindow]:
        """Return the document in windows: as many whole sentences as fit, a longer one in parts."""
        split = self._split(document)
        starts = list(_starts(document, list(map(len, split))))
        return [
            self._window(document, split, start, end)
            for start, end in pairwise([*starts, len(split)])
        ]

    def _split(self, document: PaperWords) -> list[list[int]]:
        encoding = self._tokenizer.encode(
            document.words, is_pretokenized=True, add_special_tokens=False
        )
        split: list[list[int]] = [[] for _ in document.words]
        for piece, word in zip(encoding.ids, encoding.word_ids, strict=True):
            if word is not None:
                split[word].append(piece)
        return [each[:_MOST_OF_WORD] or [self._unknown] for each in split]

    def _window(
        self, document: PaperWords, split: list[list[int]], start: int, end: int
    ) -> PieceWindow:
        window, was_in_title = PieceWindow(), False
        window.add([self._begin])
        for word in range(start, end):
            in_title = document.in_title[document.sentences[word]]
            if was_in_title and not in_title:
                window.add([self._end])
            was_in_title = in_title
            window.first.append(len(window.pieces))
            window.add(split[word], _SHAPES[case_of(document.words[word])], document.tags[word])
            window.last.append(len(window.pieces) - 1)
        window.add([self._end])
        return window


def _starts(document: PaperWords, sizes: list[int]) -> Iterator[int]:
    """Yield the words at which windows begin; `sizes` are the pieces of each word."""
    used = _ROOM
    for _, group in groupby(range(len(sizes)), key=document.sentences.__getitem__):
        sentence = list(group)
        if used + sum(sizes[word] for word in sentence) > _ROOM:
            used = _ROOM
        for word in sentence:
            if used + sizes[word] > _ROOM:
                yield word
                used = 0
            used += sizes[word]
