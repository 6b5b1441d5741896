"""A question: what its parser says it asks for, as a selection, an order and a number."""

import re
import tomllib
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from stemma.graph import PageOrder
from stemma.graph.selection import EVERYTHING, Selection
from stemma.schema import EntityKind
from stemma.server.asking.parser import ParsedQuestion

LONGEST_QUESTION = 500
MOST_WORDS = 60
TABLES: Mapping[str, Any] = tomllib.loads(Path(__file__).with_name("words.toml").read_text())
STOP_WORDS = frozenset(TABLES["stop"].split())
OF_ASKING = STOP_WORDS.union(TABLES["asking"].split())
VERBS = {name: (said, tuple(means.split())) for name, (said, means) in TABLES["verbs"].items()}
"""What papers do: as an answer says it, and the relations that it may mean."""
_SPELLING = re.compile("(?:is|iz)(?=(?:e|ed|es|ing|ations?)$)")
"""Of "summarise" and "summarize": papers have either."""
_SORT_OF = re.compile(r"(?i)\b(which|what) (?:model|make|brand) of ")
_TO = re.compile("(?<=[a-z]{3})2(?=[a-z]{3})")
"""Of "text2sql", which is text-to-SQL."""
_NUMBERS = dict(zip("one two three four five six seven eight nine ten".split(), range(1, 11)))  # noqa: B905, SIM905
_QUOTES = str.maketrans("“”„«»’‘", '"""""\'\'')
_YEAR = re.compile(r"\b(?:19|20)\d\d\b")
_DECADE = re.compile(r"\b((?:19|20)\d)0'?s\b")
_LAST = re.compile(rf"(?i)\b(?:(\d+|{'|'.join(_NUMBERS)}) )?(?:year|decade)s?\b")
_TEN_YEARS = 10
_OF_YEARS = ("in", "since", "after", "until", "before")
_BEFORE_YEARS = re.compile(
    r"(?i)\s*(?:\b(?:after|and|before|between|by|during|from|in|of|since|the|to|until|up)\s+)*$"
)


@dataclass(frozen=True, slots=True)
class Question:
    """A question without what its `selection` says; `number` results are asked for, 0 for all.

    `introductory`: "cited", "start" or "survey", where the most cited works, those to read first or
    surveys are asked for.
    """

    parsed: ParsedQuestion
    selection: Selection = EVERYTHING
    number: int = 0
    introductory: str = ""

    @property
    def text(self) -> str:
        """The text as it was typed."""
        return self.parsed.text

    @property
    def years(self) -> str:
        """The years as they follow a noun: " since 2024"."""
        first, last = self.selection.since, self.selection.until
        if first and last:
            return f" in {first}" if first == last else f" from {first} to {last}"
        return f" since {first}" if first else f" until {last}" if last else ""

    @property
    def of_all_years(self) -> str:
        """The text without its years, and without the words that lead to them."""
        text = self.text
        for span in sorted(self.parsed.of(*_OF_YEARS), key=lambda span: -span.start):
            text = _BEFORE_YEARS.sub("", text[: span.start]) + text[span.end :]
        return text.strip(" ,")

    def ordered(self, otherwise: str = "") -> str:
        """Return the order as it ends a phrase: ", the newest first"."""
        if self.introductory:
            return str(TABLES["introductory"][self.introductory])
        if self.selection.order is None:
            return otherwise
        return f", the {'newest' if self.selection.order is PageOrder.NEWEST else 'oldest'} first"


def plain(text: str) -> str:
    """Return a text with single blanks and plain quotes; "which GPU" of "which model of GPU"."""
    # A lone surrogate is not a character, and cannot be encoded as UTF-8.
    text = text.encode("utf-8", "replace").decode("utf-8").translate(_QUOTES)
    return _SORT_OF.sub(r"\1 ", " ".join(text.split()))


def question_of(parsed: ParsedQuestion, newest_year: Callable[[], int | None]) -> Question:
    """Return a question with the years, the order and the number that its spans and forms say.

    `newest_year` returns the year that the last years end with. Raises FilterError where no year is
    in the range.
    """
    since, until = list[int](), list[int]()
    for span in parsed.of(*_OF_YEARS):
        years = _years_of(span.text, newest_year)
        if years and span.role in ("in", "since", "after"):
            since.append(years[0] + (span.role == "after"))
        if years and years[1] and span.role in ("in", "until", "before"):
            until.append(years[1] - (span.role == "before"))
    order = PageOrder.PUBLISHED if "oldest" in parsed.forms else None
    order = PageOrder.NEWEST if "newest" in parsed.forms else order
    number = next((n for e in parsed.of("number") if (n := number_of(e.text))), 0)
    introductory = next((e for e in ("cited", "survey", "start") if e in parsed.forms), "")
    first, last = min(since, default=None), max(until, default=None)
    selection = Selection(since=first, until=last, order=order)
    return Question(parsed, selection, number, introductory)


def _years_of(text: str, newest_year: Callable[[], int | None]) -> tuple[int, int] | None:
    """Return the first and the last year of "2021", "the 2010s" or "last 3 years", which have no
    last one (0)."""
    if decade := _DECADE.search(text):
        first = int(decade[1]) * _TEN_YEARS
        return first, first + _TEN_YEARS - 1
    if years := [*map(int, _YEAR.findall(text))]:
        return min(years), max(years)
    if (match := _LAST.search(text)) and (newest := newest_year()):
        number = number_of(match[1] or "one") * (_TEN_YEARS if "decade" in text.lower() else 1)
        return newest - number + 1, 0
    return None


def is_noun(text: str, *names: str) -> bool:
    """Return whether a text is a noun of the table, with one of these names if any are given."""
    table = TABLES["nouns"]
    return any(re.fullmatch(table[each], text, re.IGNORECASE) for each in names or table)


def kinds_of(noun: str) -> tuple[EntityKind, ...]:
    """Return the kinds of entities that a noun stands for; none if it stands for all works."""
    return tuple(kind for kind in EntityKind if is_noun(noun, kind.value))


def number_of(text: str) -> int:
    """Return the number that a text is, in digits or in a word; 0 if it is none."""
    return _NUMBERS.get(text.lower(), int(text) if text.isdecimal() else 0)


def spellings_of(word: str) -> tuple[str, ...]:
    """Return the spellings of a word, beginning with its own."""
    key = word.casefold()
    spelt = (_SPELLING.sub("iz", key), _SPELLING.sub("is", key), _TO.sub("-to-", key))
    return tuple(dict.fromkeys((key, *spelt)))
