"""The part of the index that follows from the records of papers: authors, and who cites whom.

Both follow from all papers together, but a change reaches no further than what shares a name, an
identifier or a title with it: only that is decided again, and only what differs is written.
"""

import json
import sqlite3
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from itertools import groupby
from operator import itemgetter
from typing import Any

from stemma.graph.identity import keys_of, keys_of_reference
from stemma.graph.linking.people import Authorship, Person, key_of_name, keys_of_person, people
from stemma.graph.linking.region import code_of
from stemma.graph.selection import provenance_of
from stemma.graph.sqlite.paper_record import as_text
from stemma.schema.paper import Author, Paper

_TABLES = ("author", "provenance", "identifier", "reference")
"""What the record of a paper says, besides its texts."""
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
_AUTHORS = """
    SELECT w.id, a.name, orcid, affiliation, a.id FROM json_each(?)
    CROSS JOIN work w ON w.no = value CROSS JOIN author a ON paper = w.no ORDER BY w.id, place
"""
_CALLED = """
    SELECT DISTINCT person.* FROM person_name JOIN person ON no = person
    WHERE key IN (SELECT value FROM json_each(?))
"""
_WRITTEN = """
    SELECT paper, name FROM authorship JOIN author USING (paper, place) WHERE person = ?
"""
"""What a person wrote, and by which name."""
_PUT_PERSON = "INSERT INTO person VALUES (NULL, ?, ?, ?, ?, ?)"


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
        """The authors of papers that were taken out, by their numbers."""
        self._touched, self._codes = set[int](), set[int]()
        """The papers (numbers) that were written or taken out, and what identifies them."""

    def clear(self, number: int) -> None:
        """Take out all rows of a paper (a number)."""
        self._before[number] = self._authors_of(number)
        codes = self._db.execute("SELECT code FROM identifier WHERE paper = ?", [number])
        self._codes.update(code for (code,) in codes)
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
        self._insert("provenance", ((number, *each) for each in provenance_of(paper)))
        codes = set(map(code_of, keys_of(paper)))
        self._insert("identifier", ((number, code) for code in codes))
        self._codes |= codes
        self._insert(
            "reference",
            (
                (number, place, rank, code_of(key))
                for place, each in enumerate(paper.references)
                for rank, key in enumerate(keys_of_reference(each))
            ),
        )
        self._touched.add(number)

    def _authors_of(self, number: int) -> list[Any]:
        query = "SELECT name, orcid, affiliation, id FROM author WHERE paper = ? ORDER BY place"
        return self._db.execute(query, [number]).fetchall()

    def _insert(self, table: str, rows: Iterable[Sequence[Any]]) -> None:
        insert_all(self._db, table, rows)

    def link(self) -> None:
        """Find out who the authors are, and which papers cite each other."""
        self._link_authors()
        self._link_references()

    # Authors.

    def _link_authors(self) -> None:
        now = {number: self._authors_of(number) for number in self._touched}
        changed = {number for number, own in now.items() if self._before.get(number) != own}
        authors = [
            Author(*each)
            for number in changed
            for each in (*self._before.get(number, ()), *now[number])
        ]
        names = {key_of_name(each.name) for each in authors}
        ids = {id_ for each in authors for id_ in (each.orcid, each.id) if id_}
        held = self._reached(names | ids)
        for number in held:
            for paper, name in self._db.execute(_WRITTEN, [number]):
                changed.add(paper)
                names.add(key_of_name(name))
        self._write_people(held, people(self._authors(changed), names))

    def _reached(self, keys: set[str]) -> dict[int, Person]:
        """Return all people, by their numbers, that keys of names or ids lead to.

        Those are connected by names and ids: who two authors are depends on nothing else but the
        names of their co-authors.
        """
        found = dict[int, Person]()
        asked, waiting = set[str](), keys
        while waiting:
            asked |= waiting
            rows = self._db.execute(_CALLED, [as_text(sorted(waiting))]).fetchall()
            new = {no: read_person(*own) for no, *own in rows if no not in found}
            found |= new
            waiting = {key for each in new.values() for key in keys_of_person(each)} - asked
        return found

    def _authors(self, papers: Collection[int]) -> Iterator[tuple[str, list[Author]]]:
        """Yield the authors of papers (numbers), by the ids of the papers."""
        rows = self._db.execute(_AUTHORS, [as_text(sorted(papers))])
        for paper, own in groupby(rows, key=itemgetter(0)):
            yield paper, [Author(*each) for _, *each in own]

    def _write_people(
        self, held: Mapping[int, Person], found: Sequence[tuple[Person, list[Authorship]]]
    ) -> None:
        """Make those who were found of the people `held`, by their numbers: write what differs."""
        wrote = "SELECT paper, place FROM authorship WHERE person = ? ORDER BY paper, place"
        before = {
            person.id: (person, self._db.execute(wrote, [number]).fetchall())
            for number, person in held.items()
        }
        after = {
            person.id: (person, sorted((self._numbers[each.paper], each.place) for each in own))
            for person, own in found
        }
        for number, person in held.items():
            if after.get(person.id) != before[person.id]:
                self._db.execute("DELETE FROM person WHERE no = ?", [number])
                self._db.execute("DELETE FROM authorship WHERE person = ?", [number])
                self._db.executemany(
                    "DELETE FROM person_name WHERE key = ? AND person = ?",
                    [(key, number) for key in keys_of_person(person)],
                )
        for id_, (person, places) in after.items():
            if before.get(id_) != (person, places):
                details = as_text([person.other_names, person.ids, person.affiliations])
                row = (id_, person.name, person.orcid, details, person.papers)
                new = self._db.execute(_PUT_PERSON, row).lastrowid
                self._insert("authorship", ((*each, new) for each in places))
                self._insert("person_name", ((key, new) for key in keys_of_person(person)))

    # References.

    def _link_references(self) -> None:
        execute = self._db.execute
        execute("CREATE TEMP TABLE citing (paper INTEGER PRIMARY KEY)")
        execute("CREATE TEMP TABLE cites (citing, cited, PRIMARY KEY (citing, cited))")
        self._db.executemany("INSERT INTO citing VALUES (?)", ([each] for each in self._touched))
        self._db.executemany(
            "INSERT OR IGNORE INTO citing SELECT paper FROM reference WHERE code = ?",
            ([code] for code in self._codes),
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
