"""A paper as the encoder sees it: words with their offsets, and what the rules take them for."""

import re
import unicodedata
from bisect import bisect_left, bisect_right
from collections.abc import Iterable
from dataclasses import dataclass, field
from functools import lru_cache
from itertools import islice

from spacy.tokens import Doc

from stemma.extract.document import recognition, sentences_of
from stemma.extract.named_entity import NamedEntity, entities_of
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
    """Return what the inflections of a name share: "approximated searches" and "approximate search"
    are one, and "policies" and "policy"."""
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
class Document:
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
    def of(cls, doc: Doc) -> "Document":
        """Read the words of a Doc, its tokens without blanks, and what the rules found."""
        found, known = recognition(doc), sentences_of(doc)
        tokens = list(islice((each for each in doc if not each.is_space), _MOST_WORDS))
        words = [each.text for each in tokens]
        starts = [each.idx for each in tokens]
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
        """Return what all spellings of a span share: no case, spaces, punctuation, plural."""
        return singular("".join(self.bare[span[0] : span[1]]))
