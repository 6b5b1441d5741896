"""The grammar of questions: every way to read a row of words, as ``grammar.toml`` describes it."""

import tomllib
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from difflib import get_close_matches
from functools import cache, cached_property
from itertools import islice, product
from pathlib import Path
from typing import Any

from stemma.server.asking.words import Span, Word

_FILE = Path(__file__).with_name("grammar.toml")
_LONGEST_NAME = 40
_SHORTEST_MISSPELT = 3
_SIMILAR = 0.75
_MOST_MISSPELT = 4
_MOST_CORRECTIONS = 16
_MOST_WITH_NAMES = 3
"""Modifiers with names that are tried, one at a time."""
_WORKS = {"v", "w"}
"""The slots of modifiers that are names."""
_NUMBERS = {
    word: number
    for number, word in enumerate(
        ("one", "two", "three", "four", "five", "six", "seven", "eight", "nine", "ten"), 1
    )
}

Kept = tuple[str, str | Span]
"""A meaning with its value (kind, technique), or a slot with the words in it."""


@dataclass(frozen=True, slots=True)
class _Item:
    """A place in a row: one of some words, one of some rows, or a name."""

    words: frozenset[str] = frozenset()
    rule: str | None = None
    slot: str | None = None
    optional: bool = False

    def may_begin(self, word: Word) -> bool:
        """Return whether a row that begins with this may begin with `word`; most may not."""
        return self.optional or not self.words or word.key in self.words


_Row = tuple[_Item, ...]


@dataclass(frozen=True, slots=True)
class Form:
    """A way to word a question. `relation` is that of an object without a word for it.

    One that is `only_modified` is a question only with a modifier: "what was there before 2020".
    """

    intent: str
    relation: str | None
    row: _Row
    only_modified: bool = False


@dataclass(frozen=True, slots=True)
class Modifier:
    """A part of a question that narrows it down. `numbers` are its years, or its steps.

    `names` are of works that stand for the years in which they appeared: "before LoRA".
    """

    effect: str
    text: str
    numbers: tuple[int, ...] = ()
    names: tuple[Span, ...] = ()


@dataclass(frozen=True, slots=True)
class Parse:
    """A way to read a question."""

    form: Form
    kept: tuple[Kept, ...]
    modifiers: tuple[Modifier, ...] = ()

    @property
    def slots(self) -> list[tuple[str, Span]]:
        """The slots, and the words in them."""
        return [(slot, value) for slot, value in self.kept if isinstance(value, tuple)]

    @property
    def names(self) -> list[Span]:
        """The words in the slots, and then those in the modifiers."""
        return [
            *(value for _, value in self.slots),
            *(name for each in self.modifiers for name in each.names),
        ]

    @property
    def words_in_names(self) -> int:
        """How many words of the question are taken for parts of names; not in modifiers, so that
        "what came before LoRA" is about LoRA rather than its year."""
        return sum(len(name) for _, name in self.slots)


class Grammar:
    """The forms of questions, and the rules that they refer to."""

    def __init__(self, described: Mapping[str, Any]) -> None:
        self.relations: Mapping[str, Mapping[str, list[str]]] = described["relations"]
        self.not_names = frozenset(described["not_names"])
        self.caveats: Mapping[str, str] = described["caveats"]
        self._unsupported = [
            (each.get("why"), _row(row))
            for each in described["unsupported"]
            for row in each["says"]
        ]
        self.devices = _words(
            _row(row) for own in described["meanings"].get("device", {}).values() for row in own
        )
        self._rules: dict[str, list[tuple[Kept | None, _Row]]] = {
            name: [(None, _row(each)) for each in rows] for name, rows in described["rules"].items()
        }
        for meaning, words in described["meanings"].items():
            self._rules[meaning] = [
                ((meaning, word), _row(each)) for word, rows in words.items() for each in rows
            ]
        self._forms = [
            Form(form["intent"], form.get("relation"), _row(each), form.get("only_modified", False))
            for form in described["forms"]
            for each in form["says"]
        ]
        self._before = [_row(each) for each in described["courtesies"]["before"]]
        self._after = [_row(each) for each in described["courtesies"]["after"]]
        self._modifiers = [
            (each["effect"], _row(says)) for each in described["modifiers"] for says in each["says"]
        ]
        self._check_rules()

    @property
    def _items(self) -> Iterator[_Item]:
        for rows in (
            (row for own in self._rules.values() for _, row in own),
            (form.row for form in self._forms),
            (row for _, row in self._modifiers),
            (row for _, row in self._unsupported),
            self._before,
            self._after,
        ):
            for row in rows:
                yield from row

    def _check_rules(self) -> None:
        for name in {item.rule for item in self._items if item.rule}:
            if name not in self._rules:
                raise ValueError(f"the grammar has no rule <{name}>")

    @cached_property
    def vocabulary(self) -> frozenset[str]:
        """All words that are not names."""
        return frozenset().union(*(item.words for item in self._items))

    def unsupported(self, words: Span) -> tuple[str | None, str, Span] | None:
        """Return why a question is not supported if the grammar says so, what in it is not, and it
        without all such words; None if there are none."""
        found = [
            (why, words[start:end])
            for why, row in self._unsupported
            for start in range(len(words))
            for end, _ in self._match(row, words, start)
        ]
        if not found:
            return None
        gone = {word for _, said in found for word in said}
        (why, said), *_ = found
        text = " ".join(word.text for word in said)
        return why, text, tuple(word for word in words if word not in gone)

    def corrections(self, words: Sequence[Word]) -> Iterator[Span]:
        """Yield `words` with those that may be misspelt read as similar ones, likeliest first.

        Their text stays: as parts of names they are what was typed.
        """
        choices = [(word, *self._similar(word)) for word in words]
        if sum(len(each) > 1 for each in choices) > _MOST_MISSPELT:
            return
        # Most often a single word is misspelt, and the others are names or their parts.
        tried = sorted(product(*(range(len(each)) for each in choices)), key=sum)
        for chosen in islice(tried, 1, _MOST_CORRECTIONS + 1):
            yield tuple(each[index] for each, index in zip(choices, chosen, strict=True))

    def _similar(self, word: Word) -> Iterator[Word]:
        key = word.key or ""
        if len(key) >= _SHORTEST_MISSPELT and key.isalpha() and key not in self.vocabulary:
            for similar in get_close_matches(key, sorted(self.vocabulary), 2, _SIMILAR):
                yield replace(word, key=similar)

    @property
    def intents(self) -> set[str]:
        """What questions are read as."""
        return {form.intent for form in self._forms}

    def parses(self, words: Sequence[Word]) -> list[Parse]:
        """Return the ways to read `words`, those with the longest names first.

        A name with other words around it is the last: "list GPUs" asks for all of them.
        """

        def rank(parse: Parse) -> int:
            is_part = len(parse.form.row) == 1 and parse.words_in_names < len(words)
            return 1 if is_part else -parse.words_in_names

        found: dict[tuple[Form, tuple[Kept, ...], tuple[Modifier, ...]], Parse] = {}
        for rest, modifiers in self._without_modifiers(tuple(words)):
            for core in self._without_courtesies(rest):
                for form in self._forms:
                    if form.only_modified and not modifiers:
                        continue
                    for end, kept in self._match(form.row, core, 0):
                        if end == len(core):
                            parse = Parse(form, kept, modifiers)
                            found.setdefault((form, kept, modifiers), parse)
        return sorted(found.values(), key=rank)

    def _without_modifiers(self, words: Span) -> Iterator[tuple[Span, tuple[Modifier, ...]]]:
        """Yield `words` without any, some and all of what narrows the question down."""
        places: dict[tuple[int, int], Modifier] = {}
        with_names: dict[tuple[int, int], Modifier] = {}
        for effect, row in self._modifiers:
            for start in range(len(words)):
                for end, kept in self._match(row, words, start):
                    place = (start, end)
                    if names := _named(kept):
                        # A name may hold any words: without an end it would have many readings.
                        if start and (end == len(words) or self._is_courtesy(words[end:])):
                            text = " ".join(word.text for word in words[start:end])
                            with_names.setdefault(place, Modifier(effect, text, names=names))
                        continue
                    numbers = [_number(slot, value) for slot, value in kept]
                    if effect == "first":
                        place = (start, start + 1) if row[0].slot else (end - 1, end)
                    if all(number is not None for number in numbers):
                        text = " ".join(word.text for word in words[slice(*place)])
                        modifier = Modifier(
                            effect, text, tuple(n for n in numbers if n is not None)
                        )
                        places.setdefault(place, modifier)
        # The longest match at a place is the one that is meant: "between 2020 and 2023".
        chosen = [
            place
            for place in places
            if not any(
                other != place and other[0] <= place[0] and place[1] <= other[1] for other in places
            )
        ][:4]
        places |= with_names
        for last in (None, *sorted(with_names, reverse=True)[:_MOST_WITH_NAMES]):
            others = [each for each in chosen if not last or each[1] <= last[0]]
            for taken in product((False, True), repeat=len(others)):
                out = [place for place, take in zip(others, taken, strict=True) if take]
                out += [last] if last else []
                gone = {index for start, end in out for index in range(start, end)}
                rest = tuple(word for index, word in enumerate(words) if index not in gone)
                yield rest, tuple(places[place] for place in out)

    def _is_courtesy(self, words: Span) -> bool:
        return any(
            end == len(words) for row in self._after for end, _ in self._match(row, words, 0)
        )

    def _without_courtesies(self, words: Span) -> Iterator[Span]:
        """Yield `words` without some or all of what only opens or closes a question."""
        waiting, seen = [words], {words}
        while waiting:
            each = waiting.pop()
            yield each
            shorter = [each[end:] for row in self._before for end, _ in self._match(row, each, 0)]
            for row in self._after:
                for start in range(1, len(each)):
                    if any(end == len(each) for end, _ in self._match(row, each, start)):
                        shorter.append(each[:start])
            for rest in shorter:
                if rest and rest not in seen:
                    seen.add(rest)
                    waiting.append(rest)

    def _match(
        self, row: _Row, words: Sequence[Word], start: int
    ) -> Iterator[tuple[int, tuple[Kept, ...]]]:
        """Yield where a row that begins at `start` may end, and what is kept of it."""
        if not row:
            yield start, ()
            return
        item, rest = row[0], row[1:]
        for end, kept in self._match_item(item, words, start):
            for final, more in self._match(rest, words, end):
                yield final, kept + more

    def _match_item(
        self, item: _Item, words: Sequence[Word], start: int
    ) -> Iterator[tuple[int, tuple[Kept, ...]]]:
        if item.optional:
            yield start, ()
        if start >= len(words):
            return
        if item.slot:
            for end in range(start + 1, min(len(words), start + _LONGEST_NAME) + 1):
                yield end, ((item.slot, tuple(words[start:end])),)
        elif item.rule:
            for own, row in self._rules[item.rule]:
                if row[0].may_begin(words[start]):
                    for end, kept in self._match(row, words, start):
                        yield end, ((own,) if own else ()) + kept
        elif words[start].key in item.words:
            yield start + 1, ()


@cache
def grammar() -> Grammar:
    """Return the grammar of questions in English."""
    return Grammar(tomllib.loads(_FILE.read_text("utf-8")))


def _words(rows: Iterable[_Row]) -> frozenset[str]:
    return frozenset(word for row in rows for item in row for word in item.words)


def _row(text: str) -> _Row:
    return tuple(_item(each) for each in text.split())


def _item(text: str) -> _Item:
    optional = text.endswith("?")
    bare = text.removesuffix("?")
    if bare.startswith("<"):
        return _Item(rule=bare.strip("<>"), optional=optional)
    if bare.startswith("{"):
        return _Item(slot=bare.strip("{}"), optional=optional)
    return _Item(words=frozenset(bare.split("|")), optional=optional)


def _named(kept: Iterable[Kept]) -> tuple[Span, ...]:
    """Return the names in a modifier."""
    names = [value for slot, value in kept if slot in _WORKS and isinstance(value, tuple)]
    # "Since 2024" is a year.
    return () if any(_number("a", name) for name in names) else tuple(names)


def _number(slot: str, value: str | Span) -> int | None:
    """Read a year ({a}, {b}), a decade ({d}) or a small number ({n}); None where it is none."""
    text = value[0].key or "" if isinstance(value, tuple) and len(value) == 1 else ""
    if slot == "d":
        return _number("a", (Word(text[:-1], text[:-1]),)) if text.endswith("0s") else None
    if slot == "n":
        steps = _NUMBERS.get(text)
        return steps or (int(text) if text.isdecimal() and 0 < len(text) <= 3 else None) or None
    return (
        int(text)
        if text.isascii() and text.isdigit() and 1900 <= int(text[:4]) <= 2100 and len(text) == 4
        else None
    )
