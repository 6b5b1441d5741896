"""Searches among the names of works, by an index of their trigrams.

The index says which names may contain a text: those that have all its trigrams, in any order.
"""

from collections.abc import Callable, Collection, Iterable, Iterator, Sequence
from typing import Any

from stemma.graph.matching import Wording
from stemma.graph.store import WorkType

Ask = Callable[[str, Sequence[Any]], Sequence[tuple[Any, ...]]]
"""Queries the tables of a store."""
_LENGTH = 3
_MOST_TRIGRAMS = 16
"""Of a text, with which the index is asked: more hardly exclude more."""
_WITH_TRIGRAMS = "(SELECT rowid FROM trigram WHERE trigram MATCH ?)"
_MOST_WORDS = 100
"""Of a text, that a name is searched for: SQLite bounds the number of conditions."""
_MANY = 2000
"""Names that match: with so many, works are looked at in the order of the answer."""
_BEST = f"""
FROM work INDEXED BY entity_by_papers WHERE type = '{WorkType.ENTITY.value}' AND -papers <= ?
AND EXISTS (
    SELECT 1 FROM spelling INDEXED BY spelling_of_work WHERE work = no AND {{}}
)
"""
_ORDER = "ORDER BY papers DESC, type, name COLLATE NOCASE, id LIMIT ?"
_Condition = tuple[str, list[Any]]


class NameSearch:
    """Searches a store, whose tables `ask` queries."""

    def __init__(self, ask: Ask) -> None:
        self._ask = ask

    def search(
        self,
        key: str,
        words: Sequence[str],
        kinds: Collection[str],
        first: int,
        general: bool | None = None,
        others: Iterable[Wording] = (),
    ) -> list[int]:
        """Return the numbers of works with a name that contains all words, the best first.

        Those that are called `key` come first, then those whose names begin with it, and last those
        with one of the `others`; `kinds` restrict them to entities of these kinds, `general` to
        general terms or to named works.
        """
        chosen, values = "", list[Any]()
        if kinds:
            chosen += f" AND kind IN ({','.join('?' * len(kinds))})"
            values += kinds
        if general is not None:
            chosen += " AND general = ?"
            values.append(general)
        words = sorted(dict.fromkeys(words), key=len, reverse=True)[:_MOST_WORDS]
        asked = Wording(tuple(words))
        found: dict[int, None] = {}
        for condition, texts, wording in (
            ("key = ?", [key], asked),
            # In the order of keys, those that begin with one come before it with a last character.
            ("key >= ? AND key < ?", [key, f"{key}\U0010ffff"], asked),
            *(("TRUE", list[str](), each) for each in (asked, *others)),
        ):
            holds, parts = containing(wording)
            named = (f"{condition} AND {holds}", [*texts, *parts])
            by_index = named if texts else indexed(wording)
            found |= dict.fromkeys(self._best(named, by_index, (chosen, values), first))
            if len(found) >= first:
                break
        return list(found)[:first]

    def _best(
        self, named: _Condition, by_index: _Condition, chosen: _Condition, first: int
    ) -> Iterator[int]:
        """Yield the first works (numbers) with a name that matches, those of most papers first.

        `by_index` says the same as `named`, by an index.
        """
        if first < _MANY and self._are_many(by_index):
            best = f"{_BEST.format(named[0])}{chosen[0]}"
            values = [*named[1], *chosen[1], first]
            # Most entities are named by one paper: these are not looked at one after the other.
            found = self._ask(f"SELECT papers {best} ORDER BY -papers, id LIMIT ?", [-2, *values])
            if len(found) == first:
                ((least,),) = found[-1:]
                rows = self._ask(f"SELECT no {best} {_ORDER}", [-least, *values])
                return (number for (number,) in rows)
        rows = self._ask(
            f"SELECT no FROM (SELECT DISTINCT work FROM spelling WHERE {by_index[0]}) "
            f"JOIN work ON no = work WHERE TRUE{chosen[0]} {_ORDER}",
            [*by_index[1], *chosen[1], first],
        )
        return (number for (number,) in rows)

    def _are_many(self, by_index: _Condition) -> bool:
        ((found,),) = self._ask(
            f"SELECT COUNT(*) FROM (SELECT 1 FROM spelling WHERE {by_index[0]} LIMIT {_MANY})",
            by_index[1],
        )
        return bool(found == _MANY)


def containing(wording: Wording) -> _Condition:
    """Return the condition that a spelling contains a wording."""
    words = [f"*[^a-z0-9]{word}{end}[^a-z0-9]*" for word in wording.words for end in ("", "s")]
    named = "coalesce(text, (SELECT name FROM work named WHERE named.no = spelling.work))"
    text = f"' ' || lower({named}) || ' '"
    # Few keys have the letters, and these alone are read as texts.
    holds = ["instr(key, ?) > 0"] * len(wording.all_keys)
    holds += [f"({text} GLOB ? OR {text} GLOB ?)"] * len(wording.words)
    return " AND ".join(holds), [*wording.all_keys, *words]


def indexed(wording: Wording) -> _Condition:
    """Return the same condition, with what an index says of it."""
    condition, values = containing(wording)
    if trigrams := trigrams_in(wording.all_keys):
        return f"number IN {_WITH_TRIGRAMS} AND {condition}", [trigrams, *values]
    return condition, values


def trigrams_in(words: Iterable[str]) -> str:
    """Return a query for what has all trigrams of some words; empty if they have none."""
    found = {word[place : place + _LENGTH] for word in words for place in _places(word)}
    quoted = (each.replace('"', '""') for each in sorted(found)[:_MOST_TRIGRAMS])
    return " ".join(f'"{each}"' for each in quoted if "\0" not in each)


def _places(word: str) -> range:
    return range(len(word) - _LENGTH + 1)
