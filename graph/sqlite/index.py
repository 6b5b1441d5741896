"""The tables of a store, as a commit writes them."""

import json
import sqlite3
from collections import Counter
from collections.abc import Collection, Iterable, Mapping, Sequence
from operator import attrgetter, itemgetter
from pathlib import Path
from typing import Any

import orjson

from stemma.graph.linked_extraction import (
    LinkedExtraction,
    derivations,
    local_names,
    main_contribution,
)
from stemma.graph.linking.links import Change, Claim, Links, Verdict, verdict_rows
from stemma.graph.linking.naming import PaperNames
from stemma.graph.sqlite import change_log
from stemma.graph.sqlite.linked_names import NameIndex
from stemma.graph.sqlite.paper_record import as_text, compressed, packed
from stemma.graph.sqlite.record_index import RecordIndex, insert_all
from stemma.graph.sqlite.selection import put_text, remove_text
from stemma.graph.store import WorkType
from stemma.schema import (
    Catalogue,
    Entity,
    Evidence,
    Fact,
    PartialDate,
    comparison,
)
from stemma.schema.decision_file import DecisionText, to_toml
from stemma.schema.name import match_key
from stemma.schema.paper import FIELD_ORDER

_TABLES = Path(__file__).with_name("schema.sql")
_FIELDS = attrgetter("name", "kind", "concept", "forms", "introduced", "titled")
_UNDATED = "10000-13-32"
_BY_NAME, _BY_ALIAS, _BY_TITLE = range(3)
_PUT_WORK = """
    INSERT INTO work (no, id, type, name, kind, general, details, published, date_order)
    VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?)
    ON CONFLICT (no) DO UPDATE SET name = excluded.name, kind = excluded.kind,
    general = excluded.general, details = excluded.details, published = excluded.published,
    date_order = excluded.date_order
"""
_DATE = f"""
    WITH dates AS (
        SELECT p.published, p.date_order FROM statement s JOIN work p ON p.no = s.subject
        WHERE s.entity = ?1 AND s.relation = 'INTRODUCES' AND s.origin IS NOT NULL
        UNION ALL SELECT printf('%04d', year), printf('%05d-13-32', year) FROM (
            SELECT json_extract(details, '$[2]') AS year FROM work WHERE no = ?1
        ) WHERE year IS NOT NULL
        UNION ALL SELECT NULL, '{_UNDATED}'
    )
    UPDATE work SET (published, date_order) = (
        SELECT published, date_order FROM dates ORDER BY date_order, published IS NULL, published
        LIMIT 1
    ) WHERE no = ?1 AND type = 'entity'
"""
"""An entity is published with the first paper that introduces it, or in the year that the catalogue
has for it, if that is earlier."""
_ENTITY, _PAPER = WorkType.ENTITY.value, WorkType.PAPER.value


class WorkNumbers(dict[str, int]):
    """The numbers of works by their ids, which are read as they are asked for.

    Of a `new` index all are known: those that were written.
    """

    def __init__(self, db: sqlite3.Connection, new: bool) -> None:
        super().__init__()
        self._db, self._new = db, new

    def __missing__(self, id_: str) -> int:
        found = None
        if not self._new:
            found = self._db.execute("SELECT no FROM work WHERE id = ?", [id_]).fetchone()
        if found is None:
            raise KeyError(id_)
        self[id_] = number = int(found[0])
        return number

    def __contains__(self, id_: object) -> bool:
        try:
            return self[id_] > 0  # type: ignore[index]
        except KeyError:
            return False


def create_tables(db: sqlite3.Connection) -> None:
    """Make the tables of a store, in the transaction of `db`."""
    statement = ""
    for line in _TABLES.read_text("utf-8").splitlines(keepends=True):
        statement += line
        if sqlite3.complete_statement(statement):
            db.execute(statement)
            statement = ""


class IndexWriter:
    """Writes the tables of a store in the transaction of `db`; those that are `new` are empty."""

    def __init__(self, db: sqlite3.Connection, new: bool) -> None:
        self._db, self._is_new = db, new
        if not new:
            change_log.watch(db)
        self._numbers = WorkNumbers(db, new)
        self._records = RecordIndex(db, self._numbers)
        """What follows from the records of papers."""
        ((last,),) = db.execute("SELECT COALESCE(MAX(no), 0) FROM work")
        self._next = 1 + int(last)
        self._linked_names: NameIndex | None = None
        self._named = set[int]()  # Entities to date again.
        self._papers: Counter[tuple[int, int]] = Counter()
        """How many papers of a year more, or less, name an entity: by entity and year."""
        self._origins: dict[str, int] = {
            name: number for number, name in db.execute("SELECT no, name FROM origin")
        }

    def keep_names(self, catalogue: Catalogue) -> NameIndex:
        """Keep the names of papers for linking from now on, and return them."""
        self._linked_names = NameIndex(self._db, self._numbers, catalogue)
        return self._linked_names

    def clear_paper(self, id_: str) -> None:
        """Take out what a paper says, its record, and its title."""
        self.clear_statements(id_)
        number = self._numbers[id_]
        remove_text(self._db, number)
        self._db.execute("DELETE FROM paper WHERE work = ?", [number])
        self._db.execute("DELETE FROM record WHERE paper = ?", [number])
        self._records.clear(number)

    def clear_statements(self, id_: str) -> None:
        """Take out what a paper says, whose record stays."""
        number = self._numbers[id_]
        if self._linked_names:
            self._linked_names.clear(id_)
        rows = self._db.execute("SELECT DISTINCT entity FROM statement WHERE subject = ?", [number])
        entities = {entity for (entity,) in rows}
        self._named |= entities
        self._count(number, entities, -1)
        for table, column in (
            ("comparison", "paper"),
            ("sentence", "paper"),
            ("statement", "subject"),
            ("derivation", "subject"),
        ):
            self._db.execute(f"DELETE FROM {table} WHERE {column} = ?", [number])

    def _count(self, paper: int, entities: Iterable[int], papers: int) -> None:
        """Add to the number of papers that name each entity, in the paper's year."""
        ((year,),) = self._db.execute(
            "SELECT CAST(substr(date_order, 1, 5) AS INTEGER) FROM work WHERE no = ?", [paper]
        )
        for entity in entities:
            self._papers[entity, year] += papers

    def _write_counts(self) -> None:
        """Write how many papers name each entity, in all and by year."""
        papers: Counter[int] = Counter()
        for (entity, _), more in self._papers.items():
            papers[entity] += more
        self._db.executemany(
            "UPDATE work SET papers = papers + ? WHERE no = ?",
            [(more, entity) for entity, more in sorted(papers.items()) if more],
        )
        changed = [(*key, more) for key, more in sorted(self._papers.items()) if more]
        self._db.executemany(
            "INSERT INTO entity_year VALUES (?, ?, ?) "
            "ON CONFLICT DO UPDATE SET papers = papers + excluded.papers",
            changed,
        )
        self._db.executemany(
            "DELETE FROM entity_year WHERE entity = ? AND year = ? AND papers = 0",
            [(entity, year) for entity, year, more in changed if more < 0],
        )
        self._papers.clear()

    def remove_works(self, ids: Iterable[str]) -> None:
        """Take out works that nothing refers to any more."""
        for id_ in ids:
            number = self._numbers[id_]
            del self._numbers[id_]
            self._db.execute("DELETE FROM broader WHERE narrower = ?", [number])
            self._db.execute("DELETE FROM concept WHERE work = ?", [number])
            self._db.execute("DELETE FROM work WHERE no = ?", [number])

    def put_entities(self, entities: Mapping[str, Entity], gone: Iterable[str]) -> None:
        """Write the `entities` that are not as they were, without those gone."""
        self.remove_works(sorted(gone))
        changed, added = set(), set()
        for id_, entity in entities.items():
            details = _details(entity)
            columns = (entity.name, entity.kind.value, entity.general, details)
            before = self._db.execute(
                "SELECT name, kind, general, details FROM work WHERE id = ?", [id_]
            ).fetchone()
            if before != columns:
                changed.add(id_)
                self._named.add(self._put_work(id_, _ENTITY, *columns))
            if before is None:
                added.add(id_)
        for id_ in sorted(changed):
            entity, number = entities[id_], self._numbers[id_]
            if id_ not in added:
                self._db.execute("DELETE FROM broader WHERE narrower = ?", [number])
            self._spell(number, (_BY_NAME, entity.name), *((_BY_ALIAS, a) for a in entity.aliases))
            self._db.executemany(
                "INSERT OR IGNORE INTO broader VALUES (?, ?)",
                [(number, self._numbers[each]) for each in entity.broader if each in self._numbers],
            )

    def put_concepts(self, aliases: Mapping[str, Collection[str] | None]) -> None:
        """Write which entities are of the catalogue.

        `aliases` are those that the catalogue has, None where people decided otherwise than it.
        """
        self._db.executemany(
            "INSERT INTO concept VALUES (?, ?) ON CONFLICT DO UPDATE "
            "SET aliases = excluded.aliases WHERE aliases IS NOT excluded.aliases",
            [
                (self._numbers[id_], None if own is None else as_text(list(own)))
                for id_, own in aliases.items()
            ],
        )

    def remove_concepts(self, but: Collection[str]) -> None:
        """Forget which entities are in the catalogue, except for some."""
        self._db.execute(
            "DELETE FROM concept WHERE work IN (SELECT no FROM work "
            "WHERE id NOT IN (SELECT value FROM json_each(?)))",
            [as_text(list(but))],
        )

    def _put_work(
        self, id_: str, type_: str, name: str, *others: Any, published: PartialDate | None = None
    ) -> int:
        """Write a work, and return its number; `others` are kind, general and details."""
        if id_ not in self._numbers:
            self._numbers[id_] = self._next
            self._next += 1
        number, date = self._numbers[id_], str(published) if published else None
        columns = (number, id_, type_, name, *others, date, _date_order(published))
        self._db.execute(_PUT_WORK, columns)
        return number

    def _spell(self, number: int, *names: tuple[int, str]) -> None:
        """Make these, after their ranks, the names of a work, and write what differs."""
        wanted: dict[tuple[str, int], str | None] = {}
        for rank, name in names:
            wanted.setdefault((match_key(name), rank), name if rank == _BY_ALIAS else None)
        query = "SELECT number, key, rank, text FROM spelling WHERE work = ?"
        rows = () if self._is_new else self._db.execute(query, [number]).fetchall()
        held = {(key, rank): (spelling, text) for spelling, key, rank, text in rows}
        for each, (spelling, text) in held.items():
            if each in wanted and wanted[each] == text:
                del wanted[each]
            else:
                self._db.execute("DELETE FROM spelling WHERE number = ?", [spelling])
        self._insert(
            "spelling",
            [(None, key, rank, number, text) for (key, rank), text in wanted.items()],
        )

    def put_paper(
        self, reading: LinkedExtraction, names: PaperNames, digest: bytes, record: bytes = b""
    ) -> None:
        """Add a paper with what it says; its entities are there already.

        `record` is what `packed` makes of it, if it is known.
        """
        paper = reading.extraction.paper
        date, no_entity = paper.published, (None, None, None)
        number = self._put_work(paper.id, _PAPER, paper.title, *no_entity, published=date)
        self._spell(number, (_BY_TITLE, paper.title))
        self._db.execute(
            "INSERT INTO record VALUES (?, ?)", [number, record or packed(reading.extraction)]
        )
        put_text(self._db, number, paper.title, paper.abstract)
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
        linked = [(*_FIELDS(each), ids[each.name]) for each in names.names]
        self._db.execute(
            "INSERT INTO paper VALUES (?, ?, ?, ?, ?) ON CONFLICT DO UPDATE "
            "SET names = excluded.names, contribution = excluded.contribution",
            [
                number,
                reading.extractor,
                digest,
                compressed(orjson.dumps(linked)),
                self._numbers[ids[main.name]] if main else None,
            ],
        )
        if self._linked_names:
            self._linked_names.put(names, ids)
        statements = reading.statements()
        entities = {self._numbers[each.entity] for each in statements}
        self._named |= entities
        self._count(number, entities, 1)
        self._put_comparisons(number, reading)
        quoted = sorted({each for one in statements for each in one.evidence}, key=_as_read)
        sentences = {each: place for place, each in enumerate(quoted)}
        for each, place in sentences.items():
            row = (number, place, each.field.value, each.start, each.end, each.text)
            self._insert("sentence", [row])
        for one in statements:
            entity, evidence = self._numbers[one.entity], [sentences[each] for each in one.evidence]
            stated = (number, one.relation.value, entity, one.confidence, as_text(evidence))
            self._insert("statement", [(*stated, self._origin(one.origin), one.confirmed)])
        for edge in derivations(extraction, ids):
            ends = self._numbers[edge.child], self._numbers[edge.parent]
            self._insert("derivation", [(number, *ends, edge.relation.value, edge.confidence)])

    def _put_comparisons(self, number: int, reading: LinkedExtraction) -> None:
        # Two names of one paper may be one entity: then a statement has several results.
        local = local_names(entity.name for entity in reading.extraction.entities)
        found = [
            (each.entity, -each.confidence, local[each.entity], each.comparison)
            for each in reading.decided.relations
            if each.comparison
        ]
        places: Counter[int] = Counter()
        for name, _, _, result in sorted(found, key=itemgetter(1, 2)):
            entity = self._numbers[reading.ids[name]]
            outcome = as_text(comparison.to_json(result))
            self._insert("comparison", [(number, entity, places[entity], outcome)])
            places[entity] += 1

    def _origin(self, name: str) -> int:
        if name not in self._origins:
            number = len(self._origins) + 1
            self._db.execute("INSERT INTO origin VALUES (?, ?)", [number, name])
            self._origins[name] = number
        return self._origins[name]

    def remove_facts(self, facts: Iterable[Fact]) -> None:
        """Take out facts of the catalogue, whose entities are still there."""
        for fact in facts:
            row = [self._numbers[fact.subject], fact.relation.value, self._numbers[fact.entity]]
            self._db.execute(
                "DELETE FROM statement WHERE subject = ? AND relation = ? AND entity = ?", row
            )
            self._db.execute(
                "DELETE FROM derivation WHERE subject = ?1 AND child = ?1 "
                "AND relation = ?2 AND parent = ?3",
                row,
            )

    def add_facts(self, facts: Iterable[Fact]) -> None:
        """Add facts of the catalogue."""
        for fact in facts:
            child, parent = self._numbers[fact.subject], self._numbers[fact.entity]
            relation = fact.relation.value
            self._db.execute(
                "INSERT INTO statement VALUES (?, ?, ?, 1.0, '[]', NULL, 0)",
                [child, relation, parent],
            )
            self._db.execute(
                "INSERT INTO derivation VALUES (?, ?, ?, ?, 1.0)", [child, child, parent, relation]
            )

    def mark_read(self, file: str, sha256: str, reading: str) -> None:
        """Remember that a file was read whole."""
        self._db.execute("INSERT OR REPLACE INTO reading VALUES (?, ?, ?)", [file, sha256, reading])

    def put_decisions(
        self,
        outcome: Links | Change,
        verdicts: Mapping[str, Mapping[Claim, Verdict]],
        decided: DecisionText,
    ) -> None:
        """Remember people's decisions, what they came to, and all verdicts."""
        self.put_meta(
            verdicts={id_: verdict_rows(own) for id_, own in sorted(verdicts.items()) if own},
            former=outcome.former,
            unapplied=outcome.unapplied,
            decision_file=decided.fingerprint,
            decision_file_replaced=json.dumps(decided.replaced),
            decision_tables=list(map(to_toml, decided.decisions)),
        )

    def put_meta(self, **values: Any) -> None:
        """Remember what concerns the graph as a whole: texts, and other values as JSON."""
        self._db.executemany(
            "INSERT OR REPLACE INTO meta VALUES (?, ?)",
            [
                (key, value if isinstance(value, str) else json.dumps(value))
                for key, value in values.items()
            ],
        )

    def finish(self) -> None:
        """Date and count what papers name, and link authors and references."""
        self._write_counts()
        self._db.executemany(_DATE, ([number] for number in sorted(self._named)))
        self._records.link()
        if self._linked_names:
            self._linked_names.finish()
        self._analyse()

    def _analyse(self) -> None:
        """Update the statistics by which SQLite plans queries, if the tables changed in size."""
        count = "SELECT COALESCE(SUM(number), 0) FROM count WHERE what = 'paper'"
        analysed = "SELECT COALESCE(MAX(value), 0) FROM meta WHERE key = 'analysed'"
        ((papers, before),) = self._db.execute(f"SELECT ({count}), CAST(({analysed}) AS INTEGER)")
        if not 0.9 * before <= papers <= 1.1 * before:
            self.put_meta(analysed=papers)
            self._db.execute("ANALYZE")

    def _insert(self, table: str, rows: Sequence[Sequence[Any]]) -> None:
        insert_all(self._db, table, rows)


def _details(entity: Entity) -> str | None:
    details = (entity.aliases, entity.broader, entity.year)
    return as_text(details) if any(details) else None


def _as_read(evidence: Evidence) -> tuple[int, int, int, str]:
    return (FIELD_ORDER[evidence.field], evidence.start, evidence.end, evidence.text)


def _date_order(date: PartialDate | None) -> str:
    if date is None:
        return _UNDATED
    year, month, day = date.sort_key
    return f"{year:05}-{month:02}-{day:02}"
