"""The parser of questions: a small transformer that says what a question asks for (its forms) and
which of its words are names, topics and conditions (its spans).

It was trained on annotated questions, see `training/questions.py`. It has the first layers of the
encoder that it began from, reads the embeddings of the encoder that reads papers, and is computed
with numpy, in a few milliseconds.
"""

import math
import re
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import lru_cache
from pathlib import Path
from typing import Any, Self

import numpy as np
from tokenizers import Tokenizer

from stemma.extract.sentence_encoder import embedded, vocabulary

FORMS = (
    "what", "who", "when", "introduces", "uses", "runs_on", "evaluated_on", "compares_with",
    "limits", "ancestors", "descendants", "improvements", "lineage", "similar", "alternatives",
    "versions", "path", "compare", "papers", "entities", "people", "most_built_on", "count",
    "newest", "oldest", "most", "cited", "start", "survey", "none",
)  # fmt: skip
"""What a question may ask for."""
OF_ONE = frozenset(FORMS[: FORMS.index("path")])
"""What may be asked of one work."""
ROLES = (
    "main", "topic", "kind", "uses", "runs_on", "evaluated_on", "compares_with", "builds_on",
    "improves_on", "introduces", "cites", "cited_by", "not", "author", "venue", "in", "since",
    "after", "until", "before", "number",
)  # fmt: skip
"""What the words of a span are to the question."""
STATED = ROLES[ROLES.index("uses") : ROLES.index("not")]
"""The roles of works that say what papers do to them."""
_NAMED = frozenset(ROLES[: ROLES.index("author")])
TAGS = ("O", *(f"{place}-{role}" for role in ROLES for place in "BI"))
"""A word is outside of all spans, begins one, or is inside of one."""
WEIGHTS = Path(__file__).with_name("parser.npz")
HEADS, BLOCK, LONGEST = 12, 32, 160
"""Heads of attention; weights of a row that have one scale; pieces that are read of a question."""
SHAPES = 20
_QUOTED = re.compile(r'"([^"]+)"')
_CLASS = re.compile("(?i)(?:gpu|tpu|card|accelerator|chip|dataset|robot|humanoid)s?")
_EXCEPT = re.compile(
    r"(?i)(?:\b(?:apart from|except(?: for)?|besides|other than|excluding|leaving out|but not)"
    r"|n[o']t (?:care about|interested in))"
    r" (?:(?:any|every)thing )?(?:about |on |with )?$"
)
_NO = re.compile(
    r"(?i)\b(?:not\b(?! just| only| merely)|no\b|nothing|without|w/o|except|exclu|besides|nor\b"
    r"|but\b(?! from| with| on)|apart|other|leav|instead|rather|ignor|avoid|aside|skip)|n['’]t\b"
)
"""What says somewhere before it that something is left out."""
_AND = re.compile(r",? (?:and|or|nor) (?:any )?(?:other )?|, ")
_WORD = re.compile(r"\w+|[^\w\s]")
_YEAR_DIGITS, _NO_WORD, _TITLE = 4, 19, 4
_LIKELY = -0.6
"""The score from which a form is asked for: a form too many does less harm than one that lacks."""


@dataclass(frozen=True, slots=True)
class Span:
    """Words of a question, from `start` to `end` of its text, that have a role."""

    role: str
    start: int
    end: int
    text: str


@dataclass(frozen=True, slots=True)
class ParsedQuestion:
    """A question with its `forms`, the surest first, and the spans of its `text` in order."""

    text: str
    forms: tuple[str, ...]
    spans: tuple[Span, ...]

    def of(self, *roles: str) -> list[Span]:
        """Return the spans with one of these roles; all if none is given."""
        return [span for span in self.spans if not roles or span.role in roles]


def words_of(text: str) -> list[tuple[int, int, str]]:
    """Return the words and signs of a text, with their starts and ends."""
    return [(*match.span(), match[0]) for match in _WORD.finditer(text)]


def shapes_of(words: Sequence[tuple[int, int, str]]) -> list[int]:
    """Return how words are written, as numbers below `SHAPES`: in which case, and whether a blank
    is in front."""
    ends = [-1, *(end for _, end, _ in words)]
    return [2 * _shape(word) + (start > end) for (start, _, word), end in zip(words, ends)]  # noqa: B905 - one end more


def _shape(word: str) -> int:
    if word.isdigit():
        return 8 if len(word) == _YEAR_DIGITS else 3
    if any(map(str.isdigit, word)):
        return 4
    if word.islower():
        return 0
    if word.istitle():
        return 1
    if word.isupper() and len(word) > 1:
        return 2
    return 5 if any(map(str.isupper, word)) else 6 if word.isalpha() else 7


def names_as_flags(
    words: Sequence[tuple[int, int, str]], names: Iterable[tuple[int, int]]
) -> list[int]:
    """Return for each word whether it begins a name (1), is within one (2), or neither (0)."""
    flags = [0] * len(words)
    for start, end in names:
        inside = [n for n, (first, last, _) in enumerate(words) if first < end and last > start]
        for number in inside:
            flags[number] = 1 if number == inside[0] else 2
    return flags


@dataclass(frozen=True, slots=True)
class Pieces:
    """The pieces of the words of a text as the network reads them: a number for each piece, how its
    word is written, and whether it is in a name; and the first piece of each word."""

    ids: list[int]
    shapes: list[int]
    flags: list[int]
    first: list[int]


def split(
    tokenizer: Tokenizer, words: Sequence[tuple[int, int, str]], flags: Sequence[int]
) -> Pieces:
    """Return the pieces of words, between those that begin and end a text."""
    begin, end = (tokenizer.token_to_id(each) or 0 for each in ("[CLS]", "[SEP]"))
    pieces = Pieces([begin], [_NO_WORD], [0], [0] * len(words))
    encoded = tokenizer.encode(
        [each for *_, each in words], is_pretokenized=True, add_special_tokens=False
    )
    shapes, last = shapes_of(words), None
    for id_, word in zip(encoded.ids, encoded.word_ids, strict=True):
        if word is None or len(pieces.ids) > LONGEST - 2:
            continue
        if word != last:
            pieces.first[word] = len(pieces.ids)
        pieces.ids.append(id_)
        pieces.shapes.append(shapes[word])
        pieces.flags.append(flags[word] if word != last else 2 * bool(flags[word]))
        last = word
    pieces.ids.append(end)
    pieces.shapes.append(_NO_WORD)
    pieces.flags.append(0)
    return pieces


class Parser:
    """The network, with weights from a file that training wrote, and the embeddings of pieces."""

    def __init__(self, weights: Path = WEIGHTS) -> None:
        self.tokenizer = vocabulary()
        with np.load(weights) as held:
            self._weights: Mapping[str, Any] = unpacked(held)
        self._layers = sum(weight.endswith(".attention.weight") for weight in self._weights)

    @classmethod
    @lru_cache(maxsize=1)
    def shipped(cls) -> Self:
        """Return the shipped parser, loaded once."""
        return cls()

    def parse(self, text: str, names: Collection[tuple[int, int]] = ()) -> ParsedQuestion:
        """Parse a question, in which names are known from start to end."""
        words = words_of(text)
        if not words:
            return ParsedQuestion(text, ("none",), ())
        pieces = split(self.tokenizer, words, names_as_flags(words, names))
        tags, forms = self.read(pieces)
        order = np.argsort(-forms).tolist()
        likely = tuple(FORMS[each] for each in order if forms[each] > _LIKELY)
        found = spans_of(tags.argmax(-1).tolist())
        spans = [(role, words[first][0], words[last][1]) for role, first, last in found]
        asked = likely or (FORMS[order[0]],)
        titles = [name for name in names if len(text[slice(*name)].split()) >= _TITLE]
        return ParsedQuestion(
            text, asked, tuple(_with_main(asked, [*_mended(spans, text, titles)]))
        )

    def read(self, pieces: Pieces) -> tuple[np.ndarray, np.ndarray]:
        """Return the scores of the tags of each word, (words, tags), and those of the forms."""
        held, ids = self._weights, pieces.ids
        x = embedded(ids)
        x += held["place"][: len(ids)] + held["shape"][pieces.shapes] + held["flag"][pieces.flags]
        x = self._norm(x, "norm")
        for number in range(self._layers):
            layer = f"layers.{number}"
            x = self._norm(x + self._attend(x, layer), f"{layer}.attention_norm")
            inner = _gelu(self._linear(x, f"{layer}.up"))
            x = self._norm(x + self._linear(inner, f"{layer}.down"), f"{layer}.norm")
        weights = _softmax(self._linear(x, "attend")[:, 0])
        whole = np.concatenate([weights @ x, x[0]])
        return self._linear(x[pieces.first], "tags"), self._linear(whole, "forms")

    def _attend(self, x: np.ndarray, layer: str) -> np.ndarray:
        parts = self._linear(x, f"{layer}.attention").reshape(len(x), 3, HEADS, -1)
        query, key, value = parts.transpose(1, 2, 0, 3)
        weights = _softmax(query @ key.transpose(0, 2, 1) / math.sqrt(query.shape[-1]))
        mixed: np.ndarray = (weights @ value).transpose(1, 0, 2).reshape(len(x), -1)
        return self._linear(mixed, f"{layer}.attended")

    def _linear(self, x: np.ndarray, name: str) -> np.ndarray:
        result: np.ndarray = x @ self._weights[f"{name}.weight"].T + self._weights[f"{name}.bias"]
        return result

    def _norm(self, x: np.ndarray, name: str) -> np.ndarray:
        x = x - x.mean(-1, keepdims=True)
        x /= np.sqrt((x * x).mean(-1, keepdims=True) + 1e-12)
        result: np.ndarray = x * self._weights[f"{name}.weight"] + self._weights[f"{name}.bias"]
        return result


def _with_main(forms: Collection[str], spans: Sequence[Span]) -> list[Span]:
    """Return spans with the work that all forms are about, where none is: the only topic of "kinds
    of attention", or what is built on, or was introduced."""
    roles = [span.role for span in spans]
    others = ("builds_on", "improves_on", "introduces", "topic")
    about = next((e for e in others if roles.count(e) == 1), "")
    is_of_one = "main" not in roles and {*forms} <= OF_ONE
    if about == "topic":
        is_of_one &= not {*roles} - {"topic", "not", "kind"}
    return [replace(e, role="main") if is_of_one and e.role == about else e for e in spans]


def _mended(
    spans: Sequence[tuple[str, int, int]], text: str, titles: Sequence[tuple[int, int]]
) -> Iterator[Span]:
    """Yield spans as a text writes them: titles and what is in quotation marks are one, and so are
    words of one role that follow each other, or a name and "GPUs", or all names of a person; what
    is behind "apart from" is left out, and what follows it after "and"."""
    whole = list[tuple[str, int, int]]()
    quoted = [*titles, *(match.span(1) for match in _QUOTED.finditer(text))]
    for role, start, end in spans:
        place = next((each for each in quoted if each[0] <= start < each[1]), (start, end))
        before = whole[-1] if whole else ("", -2, -2)
        if place[0] < before[2]:
            continue
        word = text[slice(*place)]
        # The 4090 of "RTX 4090" is no work, and no year.
        is_number = role in _NAMED and word[:1].isdigit()
        # "Remote" and "sensing data"; but not "emotion" and "in texts".
        goes_on = role == "topic" and before[0] in ("kind", "not")
        is_same = before[0] == role or goes_on or is_number or _CLASS.fullmatch(word)
        # "WikiText-2" is one name, whatever its parts are taken for.
        follows = is_same and not text[before[2] : place[0]].strip()
        if whole and (place[0] == before[2] or follows):
            meant = role if goes_on and before[0] == "kind" else before[0]
            whole[-1] = (meant, before[1], place[1])
        else:
            whole.append((role, *place))
    out = -1
    for role, start, end in whole:
        is_next = role in ("main", "topic") and out >= 0 and _AND.fullmatch(text[out:start])
        is_out = role in _NAMED and (is_next or _EXCEPT.search(text[:start]))
        first = _forename(text, start) if role == "author" else start
        meant = "topic" if role == "not" and not _NO.search(text[:start]) else role
        out = end if is_out or meant == "not" else -1
        yield Span("not" if is_out else meant, first, end, text[first:end])


def _forename(text: str, start: int) -> int:
    """Return where the name of a person begins of whom a part stands at `start`."""
    for word in reversed(text[:start].split(" ")[:-1]):
        if not word[:1].isupper() or word == "By":
            break
        start -= len(word) + 1
    return start


def _softmax(x: np.ndarray) -> np.ndarray:
    x = np.exp(x - x.max(-1, keepdims=True))
    result: np.ndarray = x / x.sum(-1, keepdims=True)
    return result


def _gelu(x: np.ndarray) -> np.ndarray:
    result: np.ndarray = 0.5 * x * (1 + np.tanh(math.sqrt(2 / math.pi) * (x + 0.044715 * x**3)))
    return result


def spans_of(tags: Sequence[int]) -> list[tuple[str, int, int]]:
    """Return the spans that tags of words make: the role, the first and the last word."""
    spans: list[tuple[str, int, int]] = []
    before = ""
    for number, tag in enumerate(tags):
        place, _, role = TAGS[tag].partition("-")
        if role and (place == "B" or role != before):
            spans.append((role, number, number))
        elif role:
            spans[-1] = (role, spans[-1][1], number)
        before = role
    return spans


def unpacked(held: Mapping[str, np.ndarray]) -> dict[str, np.ndarray]:
    """Return weights as numbers: two are packed in a byte, four bits each, of blocks with a scale.

    The packed weights "up.weight" (outputs, inputs / 2) have scales "up.weight.scale" (outputs,
    inputs / BLOCK).
    """
    found = {}
    for name in held:
        if name.endswith(".scale"):
            continue
        value = held[name]
        if f"{name}.scale" in held:
            steps = np.stack([value & 15, value >> 4], -1).astype(np.float32) - 8
            scale = held[f"{name}.scale"].astype(np.float32)
            blocks = steps.reshape(*scale.shape, BLOCK) * scale[..., None]
            value = blocks.reshape(len(value), -1)
        found[name] = np.asarray(value, np.float32)
    return found
