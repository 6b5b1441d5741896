"""The part of the index that follows from the records of papers: authors, and who cites whom.

Both follow from all papers together, but a change reaches no further than what shares a name, an
identifier or a title with it: only that is decided again, and only what differs is written.
"""

import json
import sqlite3
from collections.abc import Iterable, Iterator, Mapping, Sequence
from itertools import groupby
from operator import itemgetter
from typing import Any

from stemma.graph.filters import provenance_of
from stemma.graph.identity import keys_of, keys_of_reference
from stemma.graph.linking.people import Authorship, Person, key_of_name, keys_of_person, people
from stemma.graph.linking.region import code_of
from stemma.graph.sqlite.paper_record import as_text
from stemma.schema.paper import Author, Paper

_TABLES = ("author", "provenance", "identifier", "reference")
"""What the record of a paper says, besides its texts."""
_MOST_CHANGED = 0.2
"""The share of changed papers beyond which it is faster to decide on all authors again."""
_CITED = """
    INSERT INTO cites SELECT DISTINCT paper, cited FROM (
        SELECT r.paper, i.paper AS cited, MIN(r.rank) FROM citing
        CROSS JOIN reference r ON r.paper = citing.paper
        CROSS JOIN identifier i ON i.code = r.code
        WHERE NOT EXISTS (
            SELECT 1 FROM identifier other WHERE other.code = i.code AND other.paper <> i.paper
        )
        GROUP BY r.paper, r.number
    ) WHERE paper <> cited
"""
"""The first key of a reference that names one paper alone says which it is."""

_WRITTEN = """
    SELECT a.paper, name, orcid, id FROM authorship w
    JOIN author a ON a.paper = w.paper AND a.place = w.place WHERE person = ?
"""
"""What a person wrote, and by which name."""

_Named = tuple[str, str | None, str | None]
"""An author as far as it counts who it is: name, ORCID, and the id of a registry."""


def insert_all(db: sqlite3.Connection, table: str, rows: Iterable[Sequence[Any]]) -> None:
    """Insert rows into a table, with a value for each column."""
    if listed := list(rows):
        places = ",".join("?" * len(listed[0]))
        db.executemany(f"INSERT INTO {table} VALUES ({places})", listed)


class RecordIndex:
    """Writes what the records of papers say into the index `db`, and links them."""

    def __init__(self, db: sqlite3.Connection, numbers: Mapping[str, int]) -> None:
        self._db, self._numbers = db, numbers
        self._before: dict[int, list[Any]] = {}
        self._codes_before: dict[int, set[int]] = {}
        self._touched = set[int]()
        """The numbers of the papers that were written or taken out."""

    def clear(self, number: int) -> None:
        """Take out what the record of a paper says."""
        self._before[number] = self._rows(number)
        self._codes_before[number] = self._codes_of(number)
        self._touched.add(number)
        for table in _TABLES:
            self._db.execute(f"DELETE FROM {table} WHERE paper = ?", [number])

    def put(self, number: int, paper: Paper) -> None:
        """Add who wrote a paper, where it comes from, and what it cites."""
        authors = [
            (number, place, each.name, each.orcid, each.id, each.affiliation)
            for place, each in enumerate(paper.authors, start=1)
        ]
        self._insert("author", authors)
        self._insert(
            "provenance", ((number, role.value, words) for role, words in provenance_of(paper))
        )
        codes = dict.fromkeys(map(code_of, keys_of(paper)))
        self._insert("identifier", ((number, code) for code in codes))
        self._insert(
            "reference",
            (
                (number, place, rank, code_of(key))
                for place, each in enumerate(paper.references)
                for rank, key in enumerate(keys_of_reference(each))
            ),
        )
        self._touched.add(number)

    def _rows(self, number: int) -> list[Any]:
        return self._db.execute(
            "SELECT name, orcid, id, affiliation FROM author WHERE paper = ? ORDER BY place",
            [number],
        ).fetchall()

    def _codes_of(self, number: int) -> set[int]:
        rows = self._db.execute("SELECT code FROM identifier WHERE paper = ?", [number])
        return {code for (code,) in rows}

    def _insert(self, table: str, rows: Iterable[Sequence[Any]]) -> None:
        insert_all(self._db, table, rows)

    def link(self) -> None:
        """Find out who the authors are, and which papers cite each other."""
        self._link_authors()
        self._link_references()

    # Authors.

    def _link_authors(self) -> None:
        changed = {
            number
            for number in self._touched
            if number not in self._before or self._before[number] != self._rows(number)
        }
        ((papers,),) = self._db.execute(
            "SELECT COALESCE(SUM(number), 0) FROM count WHERE what = 'paper'"
        )
        if len(changed) > _MOST_CHANGED * papers:
            found = people(self._authors())
            held = {number for (number,) in self._db.execute("SELECT no FROM person")}
        else:
            names, reached, held = self._reached(changed)
            found = people(self._authors(reached), names)
        self._write_people(held, found)

    def _reached(self, changed: Iterable[int]) -> tuple[set[str], set[int], set[int]]:
        """Return the names, papers and people whom changed papers may concern.

        They are connected by names and ids: who two authors are depends on nothing else
        but the names of their co-authors.
        """
        names, ids, papers, persons = set[str](), set[str](), set[int](), set[int]()
        waiting: list[_Named] = []
        for number in changed:
            waiting += [row[:3] for row in self._before.get(number, ())]
            waiting += [row[:3] for row in self._rows(number)]
            papers.add(number)

        def take(query: str, value: object) -> None:
            for paper, name, orcid, id_ in self._db.execute(query, [value]).fetchall():
                papers.add(paper)
                waiting.append((name, orcid, id_))

        while waiting:
            name, orcid, id_ = waiting.pop()
            key = key_of_name(name)
            if key not in names:
                names.add(key)
                for (person,) in self._db.execute(
                    "SELECT person FROM person_name WHERE key = ?", [key]
                ).fetchall():
                    if person not in persons:
                        persons.add(person)
                        take(_WRITTEN, person)
            for column, value in (("orcid", orcid), ("id", id_)):
                if value and value not in ids:
                    ids.add(value)
                    take(f"SELECT paper, name, orcid, id FROM author WHERE {column} = ?", value)
        return names, papers, persons

    def _authors(self, papers: Iterable[int] | None = None) -> Iterator[tuple[str, list[Author]]]:
        """Yield the authors of papers (numbers), or of all, by the ids of the papers."""
        query = (
            "SELECT w.id, a.name, orcid, affiliation, a.id FROM work w "
            "CROSS JOIN author a ON paper = w.no {} ORDER BY w.id, place"
        )
        if papers is None:
            rows: Iterator[Any] = self._db.execute(query.format(""))
        else:
            one = query.format("WHERE w.no = ?")
            rows = (row for number in papers for row in self._db.execute(one, [number]))
        for paper, own in groupby(rows, key=itemgetter(0)):
            yield paper, [Author(*each) for _, *each in own]

    def _write_people(
        self, held: set[int], found: Sequence[tuple[Person, list[Authorship]]]
    ) -> None:
        """Make those who were found of the people `held` (numbers), writing what differs."""
        before = {}
        for number in held:
            ((id_, *own),) = self._db.execute(
                "SELECT id, name, orcid, details, papers FROM person WHERE no = ?", [number]
            )
            wrote = self._db.execute(
                "SELECT paper, place FROM authorship WHERE person = ?", [number]
            ).fetchall()
            before[id_] = (number, read_person(id_, *own), sorted(wrote))
        after = {
            person.id: (person, sorted((self._numbers[each.paper], each.place) for each in own))
            for person, own in found
        }
        differing = [id_ for id_, own in after.items() if before.get(id_, ())[1:] != own]
        gone = [id_ for id_ in before if id_ not in after]
        for id_ in (*gone, *(each for each in differing if each in before)):
            number, person, _ = before[id_]
            self._db.execute("DELETE FROM person WHERE no = ?", [number])
            self._db.execute("DELETE FROM authorship WHERE person = ?", [number])
            self._db.executemany(
                "DELETE FROM person_name WHERE key = ? AND person = ?",
                [(key, number) for key in keys_of_person(person)],
            )
        ((last,),) = self._db.execute("SELECT COALESCE(MAX(no), 0) FROM person")
        for next_, id_ in enumerate(differing, start=1 + max(last, *held, 0)):
            number = before[id_][0] if id_ in before else next_
            person, places = after[id_]
            details = as_text([person.other_names, person.ids, person.affiliations])
            row = (number, id_, person.name, person.orcid, details, person.papers)
            self._insert("person", [row])
            self._insert("authorship", ((*each, number) for each in places))
            self._insert("person_name", ((key, number) for key in keys_of_person(person)))

    # References.

    def _link_references(self) -> None:
        execute = self._db.execute
        codes = set[int]()
        for number in self._touched:
            codes |= self._codes_before.get(number, set()) ^ self._codes_of(number)
        execute("CREATE TEMP TABLE citing (paper INTEGER PRIMARY KEY)")
        execute("CREATE TEMP TABLE cites (citing, cited, PRIMARY KEY (citing, cited))")
        self._db.executemany("INSERT INTO citing VALUES (?)", ([each] for each in self._touched))
        self._db.executemany(
            "INSERT OR IGNORE INTO citing SELECT paper FROM reference WHERE code = ?",
            ([code] for code in codes),
        )
        execute(_CITED)
        held = "SELECT citation.* FROM citing CROSS JOIN citation ON citing.paper = citation.citing"
        gone = execute(f"{held} EXCEPT SELECT * FROM cites").fetchall()
        new = execute(f"SELECT * FROM cites EXCEPT {held}").fetchall()
        self._db.executemany("DELETE FROM citation WHERE citing = ? AND cited = ?", gone)
        self._insert("citation", new)
        execute("DROP TABLE citing")
        execute("DROP TABLE cites")


def read_person(id_: str, name: str, orcid: str | None, details: str, papers: int) -> Person:
    """Read a row of the table of people."""
    other_names, ids, affiliations = map(tuple, json.loads(details))
    return Person(id_, name, other_names, orcid, ids, affiliations, papers)
