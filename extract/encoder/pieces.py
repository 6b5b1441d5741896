"""Word pieces: the words of a paper in the encoder's vocabulary, in windows that it can read."""

from collections.abc import Iterator
from dataclasses import dataclass, field
from itertools import groupby, pairwise
from pathlib import Path

from tokenizers import Tokenizer

from stemma.extract.encoder.paper_words import CASES, PaperWords, case_of

MOST_PIECES = 448
"""Pieces of a window, those that begin and end it included."""
SHAPES = 1 + 2 * len(CASES)
"""How many shapes there are: none, or how a word is written, for its first piece and the others."""
_ROOM = MOST_PIECES - 3
_MOST_OF_WORD = 12
_SHAPES = {case: 1 + 2 * k for k, case in enumerate(CASES)}


@dataclass(slots=True)
class PieceWindow:
    """Pieces, each with the shape and the tag of its word; `first` and `last` piece of each word.

    The words are those of the document from number `start` on.
    """

    start: int
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
        window, was_in_title = PieceWindow(start), False
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
