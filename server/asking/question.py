"""Reading a question: its years, order and number are taken out of it; the rest has cues."""

import re
import tomllib
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from stemma.graph import PageOrder
from stemma.graph.selection import EVERYTHING, Selection
from stemma.schema import EntityKind

LONGEST_QUESTION = 500
MOST_WORDS = 60
NAME = "[\ue000-\uf8ff]"
"""A pattern of the character that stands for a name in a question: one of private use."""
TABLES: Mapping[str, Any] = tomllib.loads(Path(__file__).with_name("words.toml").read_text())
STOP_WORDS = frozenset(TABLES["stop"].split())
SYNONYMS = {
    word: tuple(dict.fromkeys((word, *group.split())))
    for group in TABLES["synonyms"].split("/")
    for word in group.split()
}
_PARTICLES = "", " on", " from", " to", " of"
_SPELLING = re.compile("(?:is|iz)(?=(?:e|ed|es|ing|ations?)$)")
"""Of "summarise" and "summarize": papers have either."""
_TO = re.compile("(?<=[a-z]{3})2(?=[a-z]{3})")
"""Of "text2sql", which is text-to-SQL."""
_NUMBERS = dict(zip("one two three four five six seven eight nine ten".split(), range(1, 11)))  # noqa: B905, SIM905
QUOTES = str.maketrans("“”„«»’‘", '"""""\'\'')
_POLITE = re.compile(rf"(?i)^(?:(?:{'|'.join(TABLES['polite'].split())})\b,? ?)+(?=\S)")


@dataclass(frozen=True, slots=True)
class Question:
    """A question without what its `selection` says; `number` results are asked for, 0 for all.

    `introductory`: the words for works to read first, such as "surveys". `remark`: what of the
    question no graph can answer.
    """

    text: str
    selection: Selection = EVERYTHING
    number: int = 0
    introductory: str = ""
    remark: str = ""

    @property
    def selects(self) -> bool:
        """Whether years or an order are asked for."""
        return bool(self.years or self.selection.order or self.introductory)

    @property
    def years(self) -> str:
        """The years as they follow a noun: " since 2024"."""
        first, last = self.selection.since, self.selection.until
        if first and last:
            return f" in {first}" if first == last else f" from {first} to {last}"
        return f" since {first}" if first else f" until {last}" if last else ""

    def ordered(self, otherwise: str = "") -> str:
        """Return the order as it ends a phrase: ", the newest first"."""
        if "cited" in self.introductory:
            return ", the most cited first"
        if self.introductory:
            return ", surveys and what most papers name first"
        if self.selection.order is None:
            return otherwise
        return f", the {'newest' if self.selection.order is PageOrder.NEWEST else 'oldest'} first"


def nouns(*names: str) -> str:
    """Return a pattern of the nouns with these names in the table; of all if none is given."""
    table = TABLES["nouns"]
    return "|".join(table[each] for each in names or table)


def is_noun(text: str, *names: str) -> bool:
    """Return whether a text is a noun of the table, with one of these names if any are given."""
    return re.fullmatch(f"(?i:{nouns(*names)})", text) is not None


def is_person(text: str) -> bool:
    """Return whether a text is a word for people."""
    return re.fullmatch(f"(?i:{TABLES['person']})", text) is not None


def is_cue(word: str) -> bool:
    """Return whether a word is one of those that questions have."""
    is_verb = any(VERB.fullmatch(word + each) for each in _PARTICLES)
    return is_verb or word in VOCABULARY or is_person(word)


def is_plain(text: str) -> bool:
    """Return whether a text is a word of questions, as a noun or in small letters, and no name."""
    return is_noun(text) or (text.islower() and is_cue(text))


def kinds_of(noun: str) -> tuple[EntityKind, ...]:
    """Return the kinds of entities that a noun stands for; none if it stands for all works."""
    return tuple(each for each in EntityKind if is_noun(noun, each.value))


def number_of(text: str) -> int:
    """Return the number that a text is, in digits or in a word; 0 if it is none."""
    return _NUMBERS.get(text.lower(), int(text) if text.isdecimal() else 0)


def like(word: str) -> tuple[str, ...]:
    """Return the words that mean the same as one in titles and abstracts, beginning with it."""
    key = word.casefold()
    known = SYNONYMS.get(key) or SYNONYMS.get(key.removesuffix("s")) or (key,)
    spelt = (_SPELLING.sub("iz", key), _SPELLING.sub("is", key), _TO.sub("-to-", key))
    return tuple(dict.fromkeys((*known, *spelt)))


_PARTS = {
    "x": NAME,
    "X": NAME[1:-1],
    "paper": nouns("paper"),
    "hardware": nouns("hardware"),
    "kind": nouns(*EntityKind),
    "noun": f"(?:{nouns()})",
    "year": r"(?:19|20)\d\d",
    "count": rf"(?:\d{{1,4}}|{'|'.join(_NUMBERS)})",
}
"""What patterns of the table may name in braces."""


def _filled(pattern: str) -> str:
    return re.sub(r"\{([A-Za-z]+)\}", lambda found: _PARTS[found[1]], pattern)


def _said(words: str) -> str:
    """Return a pattern of words of the table that are separated by slashes."""
    adverbs = TABLES["patterns"]["adverbs"]
    pattern = _filled(words).replace("*", r"\w*").replace("~", adverbs).replace(" / ", "|")
    return re.sub(r"\((?!\?)", "(?:", pattern)


PATTERNS = {name: re.compile(f"(?i){_filled(each)}") for name, each in TABLES["patterns"].items()}
"""Parts of questions, by name."""
VERBS = {name: (said, tuple(means.split())) for name, (said, means, _) in TABLES["verbs"].items()}
"""What works do: as an answer says it, and the relations or the filters that it may mean."""
_SAID = [f"(?P<{name}>{_said(each)})" for name, (*_, each) in TABLES["verbs"].items() if each]
VERB = re.compile(rf"(?i)(?<![\w-])(?:{'|'.join(_SAID)})(?![\w-])")
"""A pattern of the verbs, each of which is a group."""
CUES = {
    name: re.compile(rf"(?i)(?:(?<![\w-])|(?={NAME}))(?:{_said(each)})(?![\w-])")
    for name, each in TABLES["cues"].items()
}
"""What else the words of a question ask for."""
_WORDS = " ".join([*TABLES["nouns"].values(), *TABLES["cues"].values()])
VOCABULARY = (
    STOP_WORDS
    | {*TABLES["vocabulary"].split()}
    | set(re.findall(r"\b[a-z]{5,}\b(?![*(\\\[])", _WORDS))
)
VOCABULARY |= set(re.findall(r"\b([a-z]{5,})s\?", _WORDS))
"""Words that questions have, to correct misspelt ones."""
_MODIFIERS = [
    re.compile(rf"(?i)(?:^|(?<=[ ,])|(?= )){_filled(each)}(?![\w-])")
    for each in TABLES["modifiers"]
]
_REWRITTEN = [
    (re.compile(f"(?i)^{_filled(each)}$"), instead) for each, instead in TABLES["rewritten"].items()
]


def read(text: str, newest_year: Callable[[], int | None] = lambda: None) -> Question:
    """Return a question without its modifiers. Raises FilterError where no year is in its range.

    `newest_year` returns the year that the last years end with.
    """
    # A lone surrogate is not a character, and cannot be encoded as UTF-8.
    text = text.encode("utf-8", "replace").decode("utf-8").translate(QUOTES)
    text = re.sub(r"(?i)\bdata (?=sets?\b)", "data", " ".join(text.split()).rstrip("?!. "))
    text = _POLITE.sub("", text, count=1)
    found: dict[str, str] = {}
    for pattern in _MODIFIERS:
        match = pattern.search(text)
        # What is in quotation marks is a name.
        if match and text.count('"', 0, match.start()) % 2 == 0:
            known = {name: value for name, value in match.groupdict().items() if value}
            if not known.keys() & found.keys():
                found |= known
                text = " ".join(f"{text[: match.start()]} {text[match.end() :]}".split())
    remark = ""
    for pattern, instead in _REWRITTEN:
        read_as, _, said = instead.partition(" | ")
        text, changed = pattern.subn(read_as, text)
        remark = said if changed else remark
    if "reading" in found:
        text = re.sub("(?i)^(?:about|on|in|for) |^(?!papers)", "papers about ", text)
    numbers = {name: number for name, each in found.items() if (number := number_of(each))}
    since = numbers.get("year", numbers.get("decade", numbers.get("since")))
    until = numbers.get("year", numbers.get("until"))
    if "decade" in numbers:
        until = numbers["decade"] + 9
    if "after" in numbers:
        since = numbers["after"] + 1
    if "before" in numbers:
        until = numbers["before"] - 1
    if "last" in found and (newest := newest_year()):
        since = newest - numbers.get("years", 1) + 1
    order = PageOrder.PUBLISHED if "oldest" in found else None
    order = PageOrder.NEWEST if "newest" in found else order
    selection = Selection(since=since, until=until, order=order)
    number = numbers.get("top") or numbers.get("n") or 0
    introductory = (found.get("introductory") or found.get("reading", "")).casefold()
    return Question(text.strip(" ,"), selection, number, introductory, remark)
