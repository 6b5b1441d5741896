"""A paper as the learned components see it: tokens by sentence, phrases, acronyms, rules' finds."""

from bisect import bisect_left, bisect_right
from collections import Counter
from dataclasses import dataclass, field
from functools import lru_cache
from itertools import chain
from operator import attrgetter

from stemma.extract.candidate import Candidate
from stemma.extract.document import Findings, Named
from stemma.extract.learned.bare_text import BareText
from stemma.extract.learned.form import bare_form, singular
from stemma.extract.learned.form_index import FormIndex
from stemma.extract.tokenizer import words_of

Span = tuple[int, int, int]
"""Number of the sentence in the document, first token, token after the last one."""

_MOST_TOKENS = 3000
"""Tokens of a paper that are looked at; what is longer is no abstract."""
INTRODUCING = frozenset(
    [
        "propose", "proposes", "proposed", "proposing", "present", "presents", "presented",
        "presenting", "introduce", "introduces", "introduced", "introducing", "develop", "develops",
        "developed", "design", "designs", "designed", "build", "builds", "building", "call",
        "called", "dub", "dubbed", "named", "name", "termed", "term", "coin", "release",
        "namely", "devise", "formulate", "construct"
    ]
)  # fmt: skip
CAPITAL_PATTERNS = (
    "low", "lowd", "Cap", "Capd", "UP", "UPd", "UPs", "U1", "U1d", "Mix", "Mixd", "num", "numx",
    "sym",
)  # fmt: skip


@lru_cache(maxsize=100_000)
def capital_pattern(word: str) -> str:  # noqa: PLR0911  (a list of cases)
    """How a word is written, one of `CAPITAL_PATTERNS`: low, Cap, UP, UPs (plural of an acronym),
    Mix, U1, num, sym. With "d" if it has digits.
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
class Line:
    """The tokens of a sentence, with their offsets; `number` is that of the sentence."""

    number: int
    in_title: bool
    start: int
    end: int
    words: list[str]
    starts: list[int]
    ends: list[int]


@dataclass(slots=True)
class Document:
    """One paper, with offsets into its text.

    `bare` finds phrases by their normal forms; `definitions` are long forms with their acronyms;
    `flags` tell of a word that it is a defined acronym ("acr"), the head of the title ("thead"), or
    stands after "we propose" ("prop"); `full_names` leads from the normal form of an acronym to
    that of its long form. `proposals` and `standing` are the candidates of
    the rules and the entities they made of them, `excluded` what they take for no name.
    """

    text: str
    sentences: list[Line]
    lowered: list[list[str]]
    bare: BareText
    word_counts: Counter[str]
    title_words: set[str]
    definitions: list[tuple[Span, Span]] = field(default_factory=list)
    flags: dict[str, set[str]] = field(default_factory=dict)
    full_names: dict[str, str] = field(default_factory=dict)
    proposals: dict[Span, list[Candidate]] = field(default_factory=dict)
    standing: dict[Span, Named] = field(default_factory=dict)
    excluded: set[Span] = field(default_factory=set)

    @classmethod
    def of(cls, found: Findings) -> "Document":
        """Read the findings of the rules."""
        sentences = _lines(found)
        lowered = [[w.lower() for w in s.words] for s in sentences]
        in_title = bool(sentences) and sentences[0].in_title
        words = [s.words for s in sentences]
        document = cls(
            found.text,
            sentences,
            lowered,
            BareText(words),
            Counter(chain.from_iterable(words)),
            set(lowered[0]) if in_title else set(),
        )
        document.definitions = [
            (long, short)
            for pair in found.synonyms
            if (long := document.span(*pair[0])) and (short := document.span(*pair[1]))
        ]
        for each in found.candidates:
            if span := document.span(each.start, each.end):
                document.proposals.setdefault(span, []).append(each)
        for entity in found.entities:
            for place in entity.spans:
                if span := document.span(*place):
                    document.standing[span] = entity
        document.excluded = {s for each in found.excluded if (s := document.span(*each))}
        document._read_flags()
        for long, short in document.definitions:
            document.full_names.setdefault(document.form(short), document.form(long))
        return document

    @property
    def words(self) -> list[list[str]]:
        """The tokens of each sentence."""
        return [line.words for line in self.sentences]

    def places(self, index: FormIndex) -> list[tuple[Span, str]]:
        """Return all spans with a form of `index`, in order, of those that begin alike the longest
        first."""
        return self.bare.places(index)

    def span(self, start: int, end: int) -> Span | None:
        """Return the tokens from offset `start` to `end`, None if that cuts one or leaves the
        sentence."""
        s = bisect_right(self.sentences, start, key=_beginning) - 1
        if s < 0:
            return None
        line = self.sentences[s]
        first, last = bisect_left(line.starts, start), bisect_left(line.ends, end)
        if line.starts[first : first + 1] != [start] or line.ends[last : last + 1] != [end]:
            return None
        return (s, first, last + 1) if first <= last else None

    def place(self, span: Span) -> tuple[int, int]:
        """Return the offsets of a span."""
        line = self.sentences[span[0]]
        return line.starts[span[1]], line.ends[span[2] - 1]

    def surface(self, span: Span) -> str:
        """Return the characters of a span, as written."""
        start, end = self.place(span)
        return self.text[start:end]

    def sentence(self, s: int) -> str:
        """Return the text of a sentence."""
        return self.text[self.sentences[s].start : self.sentences[s].end]

    def form(self, span: Span) -> str:
        """Return the normal form of a span."""
        return singular("".join(map(bare_form, self.sentences[span[0]].words[span[1] : span[2]])))

    def _read_flags(self) -> None:
        def flag(word: str, name: str) -> None:
            self.flags.setdefault(word, set()).add(name)

        for _, (s, start, end) in self.definitions:
            for word in self.sentences[s].words[start:end]:
                flag(word, "acr")
        for word in self.head_of_title():
            if word[0].isalnum() and capital_pattern(word) != "low":
                flag(word, "thead")
        for sentence, lowered in zip(self.sentences, self.lowered, strict=True):
            for i, word in enumerate(lowered):
                if word in INTRODUCING:
                    for near in sentence.words[i + 1 : i + 5]:
                        if capital_pattern(near)[:3] in {"Mix", "UP", "UPd"}:
                            flag(near, "prop")

    def head_of_title(self) -> list[str]:
        """Return the words of the title before a colon that stands early in it."""
        if self.sentences and self.sentences[0].in_title:
            words = self.sentences[0].words
            if ":" in words[1:9]:
                return words[: words.index(":", 1)]
        return []


_beginning = attrgetter("start")


def _lines(found: Findings) -> list[Line]:
    result = []
    room = _MOST_TOKENS
    for number, each in enumerate(found.sentences):
        words, starts, ends = words_of(found.text, each.start, each.end, room)
        if words:
            result.append(Line(number, each.in_title, each.start, each.end, words, starts, ends))
        room -= len(words)
        if room <= 0:
            break
    return result
