"""The tables of a store, as a commit writes them.

Who the authors are and who cites whom follow from all papers together, but a change reaches no
further than what shares a name, an identifier or a title with it: only that is decided again, and
only what differs is written.
"""

import json
import sqlite3
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from functools import partial
from itertools import groupby
from operator import attrgetter, itemgetter
from pathlib import Path
from typing import Any

import msgspec

from stemma.graph.identity import keys_of, keys_of_reference
from stemma.graph.linked_extraction import LinkedExtraction, derivations, main_contribution
from stemma.graph.linking.naming import PaperNames
from stemma.graph.linking.people import Authorship, Person, key_of_name, keys_of_person, people
from stemma.graph.reader import WorkType
from stemma.graph.selection import provenance_of
from stemma.graph.sqlite.linked_names import NameIndex
from stemma.graph.sqlite.paper_record import as_text, code_of, compressed, paper_in
from stemma.graph.sqlite.store_file import read_meta
from stemma.schema import Catalogue, Entity, Evidence, Fact, PartialDate, RelationType, comparison
from stemma.schema.batches import batched
from stemma.schema.name import match_key
from stemma.schema.paper import FIELD_ORDER, Author, Paper
from stemma.schema.partial_date import UNDATED

_TABLES = Path(__file__).with_name("schema.sql")
_FIELDS = attrgetter("name", "kind", "concept", "forms", "introduced", "titled")

_DATE_ORDER = "{:05}-{:02}-{:02}".format
"""How dates are written so that texts are in their order."""
_BY_NAME, _BY_ALIAS, _BY_TITLE = range(3)
_PUT_WORK = """
    INSERT INTO work (no, id, type, name, kind, general, details, published, date_order)
    VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?)
    ON CONFLICT DO UPDATE SET name = excluded.name, kind = excluded.kind,
    general = excluded.general, details = excluded.details, published = excluded.published,
    date_order = excluded.date_order
    RETURNING no
"""
_COUNT = """
    INSERT INTO entity_year SELECT DISTINCT entity, CAST(substr(date_order, 1, 5) AS INTEGER), ?2
    FROM statement JOIN work ON no = subject WHERE subject = ?1
    ON CONFLICT DO UPDATE SET papers = papers + excluded.papers
"""
"""Counts a paper for each entity that it names, or with -1 no longer."""
_FOLLOWING = f"""
    WITH dates AS (
        SELECT p.published, p.date_order FROM statement s JOIN work p ON p.no = s.subject
        WHERE s.entity = ?1 AND s.relation = 'INTRODUCES' AND s.origin IS NOT NULL
        UNION ALL SELECT printf('%04d', year), printf('%05d-13-32', year) FROM (
            SELECT json_extract(details, '$[2]') AS year FROM work WHERE no = ?1
        ) WHERE year IS NOT NULL
        UNION ALL SELECT NULL, '{_DATE_ORDER(*UNDATED)}'
    )
    UPDATE work SET (published, date_order) = (
        SELECT published, date_order FROM dates ORDER BY date_order, published IS NULL, published
        LIMIT 1
    ), papers = (SELECT COALESCE(SUM(papers), 0) FROM entity_year WHERE entity = ?1)
    WHERE no = ?1 AND type = 'entity'
"""
"""An entity is published with the first paper that introduces it, or in the year that the catalogue
has for it, if that is earlier."""


class WorkNumbers(dict[str, int]):
    """The numbers of works by their ids, read from the store when they are first asked for."""

    def __init__(self, db: sqlite3.Connection, known: Mapping[str, int]) -> None:
        super().__init__(known)
        self._db = db

    def __missing__(self, id_: str) -> int:
        row = self._db.execute("SELECT no FROM work WHERE id = ?", [id_]).fetchone()
        if row is None:
            raise KeyError(id_)
        self[id_] = number = int(row[0])
        return number


def create_tables(db: sqlite3.Connection) -> None:
    """Make the tables of a store, in the transaction of `db`."""
    statement = ""
    for line in _TABLES.read_text("utf-8").splitlines(keepends=True):
        statement += line
        if sqlite3.complete_statement(statement):
            db.execute(statement)
            statement = ""


class IndexWriter:
    """Writes the tables of a store in the transaction of `db`.

    `names` are filed as `catalogue` has them. Works have the `numbers` that are given by their ids,
    and others if they are new.
    """

    def __init__(
        self, db: sqlite3.Connection, catalogue: Catalogue, numbers: Mapping[str, int] | None = None
    ) -> None:
        self._db = db
        self._numbers = WorkNumbers(db, numbers or {})
        self._records = RecordIndex(db, self._numbers)
        """What follows from the records of papers."""
        self.names = NameIndex(db, self._numbers, catalogue)
        """The names of papers, as linking finds them."""
        self._named = set[int]()
        """Entities (numbers) to date and to count again."""
        self._origins: dict[str, int] = {
            name: number for number, name in db.execute("SELECT no, name FROM origin")
        }
        self._insert = partial(insert_all, db)

    def clear_paper(self, id_: str) -> None:
        """Take out what a paper says, its record, and its title."""
        self.clear_statements(id_)
        number = self._numbers[id_]
        for (record,) in self._db.execute(
            "SELECT extraction FROM record WHERE paper = ?", [number]
        ):
            paper = paper_in(record)  # The index of texts has to be told what it held.
            self._insert(
                "text (text, rowid, title, abstract)",
                [("delete", number, paper.title, paper.abstract)],
            )
        self._db.execute("DELETE FROM paper WHERE work = ?", [number])
        for table in ("record", "vector"):
            self._db.execute(f"DELETE FROM {table} WHERE paper = ?", [number])
        self._records.clear(number)

    def clear_statements(self, id_: str) -> None:
        """Take out what a paper says, whose record stays."""
        number = self._numbers[id_]
        self.names.clear(id_)
        rows = self._db.execute("SELECT entity FROM statement WHERE subject = ?", [number])
        self._named.update(entity for (entity,) in rows)
        self._db.execute(_COUNT, [number, -1])
        for table, column in (
            ("comparison", "paper"),
            ("sentence", "paper"),
            ("statement", "subject"),
            ("derivation", "subject"),
        ):
            self._db.execute(f"DELETE FROM {table} WHERE {column} = ?", [number])

    def remove_works(self, ids: Iterable[str]) -> None:
        """Take out works that nothing refers to any more, after others were put: no two works of a
        commit have one number."""
        for id_ in ids:
            self._db.execute("DELETE FROM work WHERE id = ?", [id_])
            self._numbers.pop(id_, None)

    def put_entities(self, entities: Mapping[str, Entity]) -> None:
        """Write the `entities` that are not as they were."""
        changed = []
        for id_, entity in entities.items():
            columns = (entity.name, entity.kind.value, entity.general, _details(entity))
            query = "SELECT name, kind, general, details FROM work WHERE id = ?"
            if self._db.execute(query, [id_]).fetchone() != columns:
                changed.append(entity)
                self._named.add(self._put_work(id_, WorkType.ENTITY, *columns))
        for entity in changed:
            number = self._numbers[entity.id]
            self._spell(number, (_BY_NAME, entity.name), *((_BY_ALIAS, a) for a in entity.aliases))
            self._db.execute("DELETE FROM broader WHERE narrower = ?", [number])
            self._db.executemany(
                "INSERT OR IGNORE INTO broader SELECT ?, no FROM work WHERE id = ?",
                [(number, broader) for broader in entity.broader],
            )

    def put_concepts(self, aliases: Mapping[str, Collection[str] | None]) -> None:
        """Write which entities are of the catalogue.

        `aliases` are those that the catalogue has, None where people decided otherwise than it; of
        all entities where names were filed anew, else of some.
        """
        if not self.names.is_kept:
            self._db.execute("DELETE FROM concept")
        self._db.executemany(
            "INSERT INTO concept VALUES (?, ?) ON CONFLICT DO UPDATE "
            "SET aliases = excluded.aliases WHERE aliases IS NOT excluded.aliases",
            [
                (self._numbers[id_], None if own is None else as_text(list(own)))
                for id_, own in aliases.items()
            ],
        )

    def _put_work(
        self,
        id_: str,
        type_: WorkType,
        name: str,
        kind: str | None = None,
        general: bool | None = None,
        details: str | None = None,
        published: PartialDate | None = None,
    ) -> int:
        """Write a work, and return its number."""
        columns = (
            *(self._numbers.get(id_), id_, type_, name, kind, general, details),
            str(published) if published else None,
            _DATE_ORDER(*(published.sort_key if published else UNDATED)),
        )
        ((number,),) = self._db.execute(_PUT_WORK, columns).fetchall()
        self._numbers[id_] = number
        return int(number)

    def _spell(self, number: int, *names: tuple[int, str]) -> None:
        """Make these, after their ranks, the names of a work."""
        self._db.execute("DELETE FROM spelling WHERE work = ?", [number])
        self._db.executemany(
            "INSERT OR IGNORE INTO spelling VALUES (NULL, ?, ?, ?, ?)",
            [
                (match_key(name), rank, number, name if rank == _BY_ALIAS else None)
                for rank, name in names
            ],
        )

    def put_paper(
        self, reading: LinkedExtraction, names: PaperNames, digest: bytes, record: bytes
    ) -> None:
        """Add a paper with what it says, and its record; its entities are there already."""
        paper = reading.extraction.paper
        ids = dict(identifier.split(":", 1) for identifier in paper.identifiers)
        told = (ids.get("doi"), ids.get("arxiv"), paper.venue)
        number = self._put_work(
            paper.id,
            WorkType.PAPER,
            paper.title,
            details=as_text(told) if any(told) else None,
            published=paper.published,
        )
        self._spell(number, (_BY_TITLE, paper.title))
        self._insert("record", [(number, record)])
        if vector := reading.extraction.vector:
            self._insert("vector", [(number, vector)])
        self._insert("text (rowid, title, abstract)", [(number, paper.title, paper.abstract)])
        self._records.put(number, paper)
        self.put_statements(reading, names, digest)

    def put_statements(
        self, reading: LinkedExtraction, names: PaperNames, digest: bytes = b""
    ) -> None:
        """Add what a paper says, whose record and entities are there already.

        `digest` is that of a paper that is new or has changed.
        """
        extraction, ids = reading.decided, reading.ids
        number, main = self._numbers[extraction.paper.id], main_contribution(extraction)
        linked = [(*_FIELDS(name), ids[name.name]) for name in names.names]
        self._db.execute(
            "INSERT INTO paper VALUES (?, ?, ?, ?, ?) ON CONFLICT DO UPDATE "
            "SET names = excluded.names, contribution = excluded.contribution",
            [
                number,
                extraction.extractor,
                digest,
                compressed(msgspec.json.encode(linked)),
                self._numbers[ids[main.name]] if main else None,
            ],
        )
        self.names.put(names, ids)
        claims = reading.with_claims()
        statements = [statement for statement, _ in claims]
        for statement, made_of in claims:
            if statement.relation is RelationType.COMPARES_WITH:
                # Two names of one paper may be one entity: then it has several results.
                results = (claim.comparison for claim in made_of if claim.comparison)
                outcomes = enumerate(map(as_text, map(comparison.to_json, results)))
                entity = self._numbers[statement.entity]
                self._insert("comparison", ((number, entity, *outcome) for outcome in outcomes))
        quoted = sorted(
            {evidence for statement in statements for evidence in statement.evidence}, key=_as_read
        )
        places = {evidence: place for place, evidence in enumerate(quoted)}
        self._insert(
            "sentence", [(number, places[s], s.field.value, s.start, s.end, s.text) for s in quoted]
        )
        self._insert(
            "statement",
            [
                (
                    number,
                    statement.relation.value,
                    self._numbers[statement.entity],
                    statement.confidence,
                    as_text([places[evidence] for evidence in statement.evidence]),
                    self._origin(statement.origin),
                    statement.confirmed,
                )
                for statement in statements
            ],
        )
        self._named.update(self._numbers[statement.entity] for statement in statements)
        self._db.execute(_COUNT, [number, 1])
        self._insert(
            "derivation",
            [
                (number, self._numbers[child], self._numbers[parent], relation.value, confidence)
                for (child, parent, relation), confidence in derivations(extraction, ids).items()
            ],
        )

    def _origin(self, name: str) -> int:
        if name not in self._origins:
            number = len(self._origins) + 1
            self._insert("origin", [(number, name)])
            self._origins[name] = number
        return self._origins[name]

    def put_facts(self, facts: Collection[Fact]) -> None:
        """Make these the facts of the catalogue, whose entities are there already."""
        before = self.names.facts()
        gone, new = (
            [
                (self._numbers[fact.subject], fact.relation.value, self._numbers[fact.entity])
                for fact in sorted(some)
            ]
            for some in (before.difference(facts), set(facts) - before)
        )
        change = self._db.executemany
        change("DELETE FROM statement WHERE (subject, relation, entity) = (?, ?, ?)", gone)
        key = "(subject, child, relation, parent) = (?1, ?1, ?2, ?3)"
        change(f"DELETE FROM derivation WHERE {key}", gone)
        change("INSERT INTO statement VALUES (?, ?, ?, 1.0, '[]', NULL, 0)", new)
        change("INSERT INTO derivation VALUES (?1, ?1, ?3, ?2, 1.0)", new)

    def put_meta(self, **values: Any) -> None:
        """Remember what concerns the graph as a whole."""
        self._db.executemany(
            "INSERT OR REPLACE INTO meta VALUES (?, ?)",
            [(key, json.dumps(value)) for key, value in values.items()],
        )

    def finish(self) -> None:
        """Date and count what papers name, and link authors and references."""
        named = [(number,) for number in sorted(self._named)]
        self._db.executemany(_FOLLOWING, named)
        self._db.executemany("DELETE FROM entity_year WHERE entity = ? AND papers = 0", named)
        self._records.link()
        self.names.finish()
        self._analyse()

    def _analyse(self) -> None:
        """Update the statistics by which SQLite plans queries, if the tables changed in size."""
        count = "SELECT COALESCE(SUM(number), 0) FROM count WHERE what = 'paper'"
        ((papers,),), before = self._db.execute(count), read_meta(self._db, "analysed", 0)
        if not 0.9 * before <= papers <= 1.1 * before:
            self.put_meta(analysed=papers)
            self._db.execute("ANALYZE")


def _details(entity: Entity) -> str | None:
    details = (entity.aliases, entity.broader, entity.year)
    return as_text(details) if any(details) else None


def _as_read(evidence: Evidence) -> tuple[int, int, int, str]:
    return (FIELD_ORDER[evidence.field], evidence.start, evidence.end, evidence.text)


# What follows from the records of papers.

_OF_RECORDS = ("author", "provenance", "identifier", "reference")
"""What the record of a paper says, besides its texts."""
_CITED = """
    SELECT DISTINCT paper, cited FROM (
        SELECT r.paper, i.paper AS cited, MIN(r.rank) FROM json_each(?)
        CROSS JOIN reference r ON r.paper = value
        CROSS JOIN identifier i ON i.code = r.code
        WHERE NOT EXISTS (
            SELECT 1 FROM identifier other WHERE other.code = i.code AND other.paper <> i.paper
        )
        GROUP BY r.paper, r.number
    ) WHERE paper <> cited
"""
"""The first key of a reference that names one paper alone says which it is."""
_HELD = "SELECT * FROM citation WHERE citing IN (SELECT value FROM json_each(?))"
_BATCH = 5000
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
        self._db, self._numbers, self._insert = db, numbers, partial(insert_all, db)
        self._touched = set[int]()
        """The papers (numbers) that were written or taken out."""
        self._codes, self._keys = set[int](), set[str]()
        """What identifies these papers, and the keys of their authors' names and ids."""

    def _touch(self, number: int, codes: Iterable[int], authors: Iterable[Author]) -> None:
        self._touched.add(number)
        self._codes.update(codes)
        for author in authors:
            self._keys.update(filter(None, (key_of_name(author.name), author.orcid, author.id)))

    def clear(self, number: int) -> None:
        """Take out all rows of a paper (a number)."""
        codes = self._db.execute("SELECT code FROM identifier WHERE paper = ?", [number])
        authors = self._db.execute(
            "SELECT name, orcid, affiliation, id FROM author WHERE paper = ?", [number]
        )
        self._touch(number, (code for (code,) in codes), (Author(*row) for row in authors))
        for table in _OF_RECORDS:
            self._db.execute(f"DELETE FROM {table} WHERE paper = ?", [number])

    def put(self, number: int, paper: Paper) -> None:
        """Add who wrote a paper, where it comes from, and what it cites."""
        authors = [
            (number, place, author.name, author.orcid, author.id, author.affiliation)
            for place, author in enumerate(paper.authors, start=1)
        ]
        self._insert("author", authors)
        self._insert("provenance", ((number, *place) for place in provenance_of(paper)))
        codes = set(map(code_of, keys_of(paper)))
        self._insert("identifier", ((number, code) for code in codes))
        self._insert(
            "reference",
            (
                (number, place, rank, code_of(key))
                for place, reference in enumerate(paper.references)
                for rank, key in enumerate(keys_of_reference(reference))
            ),
        )
        self._touch(number, codes, paper.authors)

    def link(self) -> None:
        """Find out who the authors are, and which papers cite each other."""
        self._link_authors()
        self._link_references()

    # Authors.

    def _link_authors(self) -> None:
        held = self._reached(self._keys)
        papers, names = set(self._touched), set(self._keys)
        for number in held:
            for paper, name in self._db.execute(_WRITTEN, [number]):
                papers.add(paper)
                names.add(key_of_name(name))
        self._write_people(held, people(self._authors(papers), names))

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
            waiting = {key for person in new.values() for key in keys_of_person(person)} - asked
        return found

    def _authors(self, papers: Collection[int]) -> Iterator[tuple[str, list[Author]]]:
        """Yield the authors of papers (numbers), by the ids of the papers."""
        rows = self._db.execute(_AUTHORS, [as_text(sorted(papers))])
        for paper, own in groupby(rows, key=itemgetter(0)):
            yield paper, [Author(*author) for _, *author in own]

    def _write_people(
        self, held: Mapping[int, Person], found: Iterable[tuple[Person, list[Authorship]]]
    ) -> None:
        """Make those who were found of the people `held`, by their numbers: write what differs."""
        wrote = "SELECT paper, place FROM authorship WHERE person = ? ORDER BY paper, place"
        before = {
            (person, tuple(self._db.execute(wrote, [number]))): number
            for number, person in held.items()
        }
        after = dict.fromkeys(
            (person, tuple(sorted((self._numbers[paper], place) for paper, place in places)))
            for person, places in found
        )
        for (person, places), number in before.items():
            if (person, places) in after:
                continue
            self._db.execute("DELETE FROM person WHERE no = ?", [number])
            self._db.execute("DELETE FROM authorship WHERE person = ?", [number])
            self._db.executemany(
                "DELETE FROM person_name WHERE key = ? AND person = ?",
                [(key, number) for key in keys_of_person(person)],
            )
        for person, places in after:
            if (person, places) in before:
                continue
            details = as_text([person.other_names, person.ids, person.affiliations])
            row = (person.id, person.name, person.orcid, details, person.papers)
            new = self._db.execute(_PUT_PERSON, row).lastrowid
            self._insert("authorship", ((*place, new) for place in places))
            self._insert("person_name", ((key, new) for key in keys_of_person(person)))

    # References.

    def _link_references(self) -> None:
        citing = set(self._touched)
        for code in self._codes:
            rows = self._db.execute("SELECT paper FROM reference WHERE code = ?", [code])
            citing.update(paper for (paper,) in rows)
        for papers in batched(sorted(citing), _BATCH):
            asked = [as_text(papers)]
            held, now = set(self._db.execute(_HELD, asked)), set(self._db.execute(_CITED, asked))
            self._db.executemany("DELETE FROM citation WHERE citing = ? AND cited = ?", held - now)
            self._insert("citation", now - held)


def read_person(id_: str, name: str, orcid: str | None, details: str, papers: int) -> Person:
    """Read a row of the table of people."""
    other_names, ids, affiliations = map(tuple, json.loads(details))
    return Person(id_, name, other_names, orcid, ids, affiliations, papers)
