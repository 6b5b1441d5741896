"""A paper as the learned components see it: tokens by sentence, phrases, acronyms, rules' finds."""

from collections import Counter
from collections.abc import Set as AbstractSet
from dataclasses import dataclass, field
from functools import lru_cache

from stemma.extract.candidate import Candidate
from stemma.extract.document import Findings, Named
from stemma.extract.learned.form import bare_form, singular
from stemma.extract.tokenizer import words_of

Span = tuple[int, int, int]
"""Number of the sentence in the document, first token, token after the last one."""

LONGEST_PHRASE = 7
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
_STOPS = frozenset(".,;:()")
_NO_EDGE = frozenset(
    [
        "a", "an", "the", "of", "and", "to", "is", "are", "we", "our", "that", "this", "with",
        "by", "for", "as", "it", "be",
    ]
)  # fmt: skip
"""Words in lower case that no name begins or ends with."""


@lru_cache(maxsize=100_000)
def capital_pattern(word: str) -> str:  # noqa: PLR0911  (a list of cases)
    """How a word is written: low, Cap, UP, UPs (plural of an acronym), Mix, U1, num, sym.

    With "d" if it has digits.
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

    `phrases` lists by normal form all spans that may name something; `definitions` are long forms
    with their acronyms; `flags` tell of a word that it is a defined acronym ("acr"), the head of
    the title ("thead"), or stands after "we propose" ("prop"); `full_names` leads from the normal
    form of an acronym to that of its long form. `proposals` and `standing` are the candidates of
    the rules and the entities they made of them, `excluded` what they take for no name.
    """

    text: str
    sentences: list[Line]
    lowered: list[list[str]]
    phrases: dict[str, list[Span]]
    definitions: list[tuple[Span, Span]]
    word_counts: Counter[str]
    title_words: set[str]
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
        places = _Places(sentences)
        document = cls(
            found.text,
            sentences,
            lowered,
            _phrases(sentences),
            [
                (long, short)
                for pair in found.synonyms
                if (long := places.span(*pair[0])) and (short := places.span(*pair[1]))
            ],
            Counter(w for s in sentences for w in s.words),
            set(lowered[0]) if in_title else set(),
        )
        for each in found.candidates:
            if span := places.span(each.start, each.end):
                document.proposals.setdefault(span, []).append(each)
        for entity in found.entities:
            for place in entity.spans:
                if span := places.span(*place):
                    document.standing[span] = entity
        document.excluded = {s for each in found.excluded if (s := places.span(*each))}
        document._read_flags()
        for long, short in document.definitions:
            document.full_names.setdefault(document.form(short), document.form(long))
        return document

    def places(self, forms: AbstractSet[str]) -> list[tuple[Span, str]]:
        """Return all spans with one of `forms`, in order, of those that begin alike the longest
        first."""
        here = self.phrases.keys() & forms
        found = [(span, form) for form in here for span in self.phrases[form]]
        return sorted(found, key=lambda each: (each[0][0], each[0][1], -each[0][2]))

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


class _Places:
    """Where tokens begin and end, to find the tokens of a stretch of characters."""

    def __init__(self, sentences: list[Line]) -> None:
        self.starts = {at: (s, t) for s, line in enumerate(sentences)
                       for t, at in enumerate(line.starts)}  # fmt: skip
        self.ends = {at: (s, t) for s, line in enumerate(sentences)
                     for t, at in enumerate(line.ends)}  # fmt: skip

    def span(self, start: int, end: int) -> Span | None:
        """Return the tokens from `start` to `end`, None if that cuts one or leaves the sentence."""
        first, last = self.starts.get(start), self.ends.get(end)
        if first is None or last is None or first[0] != last[0] or last[1] < first[1]:
            return None
        return first[0], first[1], last[1] + 1


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


def _phrases(sentences: list[Line]) -> dict[str, list[Span]]:
    places: dict[str, list[Span]] = {}
    for s, sentence in enumerate(sentences):
        words = sentence.words
        bare = [bare_form(w) for w in words]
        named = [w[0].isalnum() and w not in _NO_EDGE for w in words]
        # Where a phrase that goes on from here has to stop at the latest.
        stop = length = len(words)
        stops = [length] * length
        for i in range(length - 1, -1, -1):
            if words[i] in _STOPS:
                stop = i
            stops[i] = min(stop, i + LONGEST_PHRASE)
        for i in range(length):
            if not named[i]:
                continue
            form = ""
            for j in range(i, stops[i]):
                form += bare[j]
                if named[j]:
                    key = form if form[-1:] != "s" else singular(form)
                    if key in places:
                        places[key].append((s, i, j + 1))
                    else:
                        places[key] = [(s, i, j + 1)]
    return places
