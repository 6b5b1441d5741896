"""Searches among the names of works, by an index of their trigrams.

The index says which works may have a name that contains a text: those that have all its trigrams,
each somewhere in their names.
"""

import sqlite3
from collections.abc import Callable, Collection, Iterable, Iterator, Sequence
from itertools import groupby
from operator import itemgetter
from typing import Any

from stemma.graph.store import WorkType
from stemma.graph.wording import Wording
from stemma.schema.name import match_key

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
    SELECT 1 FROM spelling INDEXED BY spelling_of_entity WHERE work = no AND rank < 2 AND {{}}
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
            if texts or not (trigrams := trigrams_in(wording.all_keys)):
                indexed = named
            else:
                indexed = (f"work IN {_WITH_TRIGRAMS} AND {named[0]}", [trigrams, *named[1]])
            found |= dict.fromkeys(self._best(named, indexed, (chosen, values), first))
            if len(found) >= first:
                break
        return list(found)[:first]

    def _best(
        self, named: _Condition, indexed: _Condition, chosen: _Condition, first: int
    ) -> Iterator[int]:
        """Yield the first works (numbers) with a name that matches, those of most papers first.

        `indexed` says the same as `named`, by an index.
        """
        if first < _MANY and self._are_many(indexed):
            best = f"{_BEST.format(named[0])}{chosen[0]}"
            values = [*named[1], *chosen[1], first]
            # Most entities are named by one paper: these are not looked at one after the other.
            found = self._ask(f"SELECT papers {best} ORDER BY -papers, id LIMIT ?", [-2, *values])
            if len(found) == first:
                ((least,),) = found[-1:]
                rows = self._ask(f"SELECT no {best} {_ORDER}", [-least, *values])
                return (number for (number,) in rows)
        rows = self._ask(
            f"SELECT no FROM (SELECT DISTINCT work FROM spelling WHERE {indexed[0]}) "
            f"JOIN work ON no = work WHERE TRUE{chosen[0]} {_ORDER}",
            [*indexed[1], *chosen[1], first],
        )
        return (number for (number,) in rows)

    def _are_many(self, indexed: _Condition) -> bool:
        ((found,),) = self._ask(
            f"SELECT COUNT(*) FROM (SELECT 1 FROM spelling WHERE {indexed[0]} LIMIT {_MANY})",
            indexed[1],
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


def trigrams_in(words: Iterable[str]) -> str:
    """Return a query for what has all trigrams of some words; empty if they have none."""
    found = {word[place : place + _LENGTH] for word in words for place in _places(word)}
    quoted = (each.replace('"', '""') for each in sorted(found)[:_MOST_TRIGRAMS])
    return " ".join(f'"{each}"' for each in quoted if "\0" not in each)


def _places(word: str) -> range:
    return range(len(word) - _LENGTH + 1)


class TrigramIndex:
    """Keeps the trigrams of names in an index up to date; a `new` one has none until the end."""

    def __init__(self, db: sqlite3.Connection, new: bool) -> None:
        self._db, self._new = db, new
        self._before: dict[int, str] = {}

    def renaming(self, work: int) -> None:
        """Note how a work (its number) is called, before that changes."""
        if not self._new and work not in self._before:
            self._before[work] = self._text(work)

    def finish(self) -> None:
        """Write what differs."""
        if self._new:
            self.fill()
            return
        after = {work: self._text(work) for work in sorted(self._before)}
        changed = [work for work in after if after[work] != self._before[work]]
        # It holds no texts, and needs the old ones to remove their trigrams.
        self._db.executemany(
            "INSERT INTO trigram (trigram, rowid, names) VALUES ('delete', ?, ?)",
            [(work, self._before[work]) for work in changed if self._before[work]],
        )
        self._insert((work, after[work]) for work in changed if after[work])
        self._before.clear()

    def fill(self) -> None:
        """Write the trigrams of all names."""
        rows = self._db.execute("SELECT work, key FROM spelling ORDER BY work, key")
        self._insert((work, _joined(own)) for work, own in groupby(rows, key=itemgetter(0)))

    def _insert(self, rows: Iterable[tuple[int, str]]) -> None:
        self._db.executemany("INSERT INTO trigram (rowid, names) VALUES (?, ?)", rows)

    def _text(self, work: int) -> str:
        names = self._db.execute("SELECT type, name FROM work WHERE no = ?", [work]).fetchall()
        if names and names[0][0] == WorkType.PAPER:  # Titles are in no index by works.
            query = "SELECT work, key FROM spelling WHERE key = ? AND rank = 2 AND work = ?"
            return _joined(self._db.execute(query, [match_key(names[0][1]), work]))
        query = "SELECT work, key FROM spelling WHERE work = ? AND rank < 2 ORDER BY key"
        return _joined(self._db.execute(query, [work]))


def _joined(rows: Iterable[tuple[int, str]]) -> str:
    return "\n".join(key for _, key in rows)
