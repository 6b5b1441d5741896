"""The reader of one commit: works and their names, what is beside them, statements, lineage."""

import json
import sqlite3
import zlib
from collections.abc import Callable, Collection, Hashable, Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import replace
from functools import partial
from operator import attrgetter
from sys import intern
from threading import RLock
from typing import Any, TypeVar

import msgspec

from stemma.graph.edge import StatementPlace, place_of
from stemma.graph.history import Build, ChangesSince, load
from stemma.graph.lineage import LineagePage, Place, cut_places, traverse
from stemma.graph.linked_extraction import LinkedExtraction
from stemma.graph.linking.contradiction import Claim, Verdict, read_verdicts
from stemma.graph.linking.people import Person, by_papers
from stemma.graph.matching import Spelling, Topic, Wording, lengths
from stemma.graph.reader import Cache, Reader, Statistics, Work, WorkType, grouped
from stemma.graph.selection import (
    EDGES,
    EVERYTHING,
    WORKS,
    LineageDirection,
    Selection,
    StatementKey,
)
from stemma.graph.sqlite import change_log, selection_sql
from stemma.graph.sqlite.index import read_person
from stemma.graph.sqlite.linked_names import read_ids
from stemma.graph.sqlite.paper_record import as_text, code_of, paper_in, texts, unpacked
from stemma.graph.sqlite.rdf_projection import RdfCache
from stemma.graph.sqlite.store_file import StoreFile, damage_as_store_error, damaged, read_meta
from stemma.schema import (
    CATALOGUE_ORIGIN,
    Addition,
    Catalogue,
    Comparison,
    Decision,
    Entity,
    EntityKind,
    Evidence,
    Field,
    PartialDate,
    RelationType,
    Statement,
)
from stemma.schema.catalogue import extended
from stemma.schema.decision_file import DecisionText
from stemma.schema.name import match_key, slug
from stemma.schema.partial_date import UNDATED

_BATCH = 500
"""Values that a query is asked for at once."""
_MOST_REMEMBERED = 4000
"""Works of an answer to a search that is kept for the next time."""
_LONGEST_REMEMBERED = 1000
"""Characters of a filter whose count is kept: a client may send many that are very long."""
_CHOOSING = attrgetter(*WORKS)
_ENDED = sqlite3.connect(":memory:", check_same_thread=False)
_ENDED.close()
_BESIDE = {
    "entities_named": ("work", "statement", "subject", "entity", "work", "MAX(confidence) DESC"),
    "papers_naming": ("work", "statement", "entity", "subject", "work", "far.date_order"),
    "narrower": ("work", "broader", "broader", "narrower", "work", "far.id"),
    "authors": ("work", "authorship", "paper", "person", "person", "place"),
    "written_by": ("person", "authorship", "person", "paper", "work", "far.date_order"),
    "cites": ("work", "citation", "citing", "cited", "work", "far.date_order"),
    "cited_by": ("work", "citation", "cited", "citing", "work", "far.date_order"),
}
"""What is beside works and people, by the methods of a reader: the tables from the one over a link
with the columns of both ends to the other, and the order of these."""
_WHOLE = """
SELECT s.id, t.relation, e.id, confidence, origin.name, confirmed, (
    SELECT json_group_array(json_array(field, starts, ends, text)) FROM json_each(t.sentences) each
    CROSS JOIN sentence ON sentence.paper = t.subject AND number = each.value
), CASE WHEN t.relation = 'COMPARES_WITH' THEN (
    SELECT outcome FROM comparison c WHERE c.paper = t.subject AND c.entity = t.entity
    ORDER BY number LIMIT 1
) END
FROM json_each(?) asked
CROSS JOIN work s ON s.id = json_extract(asked.value, '$[0]')
CROSS JOIN work e ON e.id = json_extract(asked.value, '$[2]')
CROSS JOIN statement t ON t.subject = s.no AND t.relation = json_extract(asked.value, '$[1]')
    AND t.entity = e.no
LEFT JOIN origin ON origin.no = t.origin
"""
"""Statements with all that they say, by an array of their keys."""
_AROUND = {
    LineageDirection.DESCENDANTS: ("derivation d ON d.parent = near.no", "child"),
    # Derivations are in the order of their parents: edges lead to them.
    LineageDirection.ANCESTORS: (
        "edge ON edge.child = near.no "
        "JOIN derivation d ON d.parent = edge.parent AND d.child = edge.child",
        "parent",
    ),
}
_ENDS = """
SELECT DISTINCT near.id, far.id FROM work near JOIN {} JOIN work far ON far.no = d.{}
WHERE near.id IN ({{}}) ORDER BY near.id, far.id
"""
_SUPPORTS = """
SELECT near.id, far.id, s.id, relation, confidence FROM work near JOIN {}
JOIN work far ON far.no = d.{} JOIN work s ON s.no = d.subject
WHERE near.id IN ({{}}) ORDER BY near.id, far.id, s.id, relation
"""
"""The far ends of the edges of works, and what supports these."""
Row = tuple[Any, ...]
_Answer = TypeVar("_Answer")


class Memory:
    """The answers read from one commit, shared by all its readers."""

    def __init__(self, commit: tuple[int, str]) -> None:
        self.commit = commit
        self.works = Cache[str, Work](8192)
        self.dates = Cache[str, PartialDate | None](65536)
        self.statements = Cache[StatementKey, Statement](16384)
        self.beside = Cache[tuple[str, Hashable], tuple[str, ...]](1024)
        self.surest = Cache[tuple[str, Hashable], tuple[Statement, ...]](1024)
        self.counts = Cache[tuple[Hashable, ...], int](256)
        self.searched = Cache[tuple[Hashable, ...], list[str]](256)
        self.places = Cache[Hashable, list[Place]](8)
        self.ends = Cache[tuple[str, Hashable], tuple[str, ...]](65536)
        self.supports = Cache[tuple[str, Hashable], tuple[tuple[str, list[Statement]], ...]](65536)
        self._once: dict[str, Any] = {}
        self._reading = RLock()

    def once(self, what: str, read: Callable[[], _Answer]) -> _Answer:
        """Return the answer of `read`, which is called once for each commit and `what`."""
        if what not in self._once:
            with self._reading:  # Whoever needs the same waits for it.
                if what not in self._once:
                    self._once[what] = read()
        found: _Answer = self._once[what]
        return found


def once(read: Callable[[Any], _Answer]) -> property:
    """Make a property of a reader whose value is computed once for each commit."""

    def get(reader: "SqliteReader") -> _Answer:
        return reader.memory.once(read.__name__, partial(read, reader))

    get.__doc__ = read.__doc__
    return property(get)


class SqliteReader(Reader):
    """Reads a store as it was after one commit, from any number of threads.

    `connection` is in a transaction, and is given back by `give` at the end.
    """

    def __init__(
        self,
        connection: sqlite3.Connection,
        memory: Memory,
        file: StoreFile,
        give: Callable[[sqlite3.Connection], object] = id,
    ) -> None:
        self._db, self.memory, self._give = connection, memory, give
        self.file, self.path = file, file.path

    def close(self) -> None:
        """End the transaction: nothing can be read any more."""
        connection, self._db = self._db, _ENDED
        self._give(connection)

    @property
    def generation(self) -> str:
        """The number of the commit, as text of six digits or more."""
        return f"{self.memory.commit[0]:06}"

    @once
    def base(self) -> str:
        """What the IRIs of the data begin with."""
        base: str = self.meta("base")
        return base

    @once
    def former(self) -> dict[str, str]:
        """The present ids, by the former ids of the same works."""
        former: dict[str, str] = self.meta("former", {})
        return former

    @property
    def dataset(self) -> RdfCache:
        """The graph as RDF."""
        return RdfCache(self)

    def builds(self) -> list[Build]:
        records = self.rows("SELECT record FROM build ORDER BY number")
        try:
            return load("".join(record for (record,) in records))
        except ValueError as error:
            raise damaged(self.path, f"its list of builds: {error}") from error

    @property
    def state(self) -> str:
        """The name of this commit in the log of changes."""
        return "{}-{}".format(*self.memory.commit)

    def changed_since(self, state: str | None) -> ChangesSince:
        return change_log.changed_since(self._db, state)

    def statistics(self) -> Statistics:
        counts: dict[str, dict[str, int]] = {each: {} for each in (*WorkType, "statement", "edge")}
        for what, name, number in self.rows("SELECT what, name, number FROM count"):
            counts[what][name] = number
        papers, entities, statements, edges = counts.values()
        return Statistics(
            sum(papers.values()),
            sum(entities.values()),
            sum(statements.values()),
            sum(edges.values()),
            self.generation,
            {kind: entities.get(kind, 0) for kind in EntityKind},
            {relation: statements.get(relation, 0) for relation in RelationType},
            len(self.meta("decision_tables", [])),
        )

    @once
    def _papers(self) -> int:
        return self.statistics().papers

    # The file.

    def copy_to(self, other: sqlite3.Connection) -> None:
        """Copy the whole file as this reader sees it."""
        self._db.backup(other)

    def rows(self, query: str, parameters: Sequence[Any] = ()) -> list[Row]:
        """Return the rows of an SQL query."""
        with damage_as_store_error(self.path):
            return self._db.execute(query, parameters).fetchall()

    def rows_in(self, query: str, values: Iterable[Any], *more: Any) -> Iterator[Row]:
        """Query the file for many values: `query` has ``{}`` in place of their list."""
        listed = list(dict.fromkeys(values))
        for start in range(0, len(listed), _BATCH):
            batch = listed[start : start + _BATCH]
            yield from self.rows(query.format(",".join("?" * len(batch))), [*batch, *more])

    def meta(self, key: str, default: Any = None) -> Any:
        """Return what `IndexWriter.put_meta` wrote, or the default."""
        return read_meta(self._db, key, default)

    # People's decisions, and the catalogue.

    def decided(self) -> tuple[Decision, ...]:
        """Return the decisions that this graph was made with."""
        tables = self.meta("decision_tables", [])
        return DecisionText(str(self.path), "\n".join(tables).encode()).decisions

    def unapplied(self) -> dict[int, str]:
        """Return why decisions, by their numbers, do not apply, or only in part."""
        return dict(self.meta("unapplied", []))

    @once
    def verdicts(self) -> dict[str, dict[Claim, Verdict]]:
        """The verdicts on the claims of papers, by paper (id)."""
        stored = self.meta("verdicts", {})
        return {paper: read_verdicts(claims) for paper, claims in stored.items()}

    def additions(self) -> list[Addition]:
        """Return the additions to the catalogue that this generation was linked with."""
        return [Addition.from_json(each) for each in self.meta("additions", [])]

    def extended_catalogue(self) -> Catalogue | None:
        """Return the shipped catalogue with what was added to it, None where nothing was."""
        additions = self.additions()
        return extended(Catalogue.shipped(), additions)[0] if additions else None

    @property
    def catalogue(self) -> str:
        catalogue: str = self.meta("catalogue", "")
        return catalogue

    # What a writer needs.

    def all_ids(self, type_: WorkType) -> list[str]:
        """Return the ids of all works of a type, in order."""
        query = "SELECT id FROM work WHERE type = ? ORDER BY id"
        return [id_ for (id_,) in self.rows(query, [type_.value])]

    def already_read(self, reading: str) -> frozenset[tuple[str, str]]:
        """Return (file, sha256) of the files that were read whole in this way."""
        query = "SELECT file, sha256 FROM reading WHERE reading = ?"
        return frozenset(self.rows(query, [reading]))

    # Works.

    def works(self, ids: Collection[str]) -> dict[str, Work]:
        def read(missing: list[str]) -> dict[str, Work]:
            query = """
                SELECT id, name, kind, general, details, extraction FROM work
                LEFT JOIN record ON paper = no WHERE id IN ({})
            """
            found: dict[str, Work] = {}
            for id_, name, kind, general, details, record in self.rows_in(query, missing):
                if kind is None:
                    with self._record_of(id_):
                        found[id_] = paper_in(record)
                    continue
                aliases, broader, year = json.loads(details or "[[],[],null]")
                known = tuple(aliases), tuple(broader), bool(general), year
                found[id_] = Entity(id_, name, EntityKind(kind), *known)
            return found

        return self.memory.works.get_many(ids, read)

    @contextmanager
    def _record_of(self, id_: str) -> Iterator[None]:
        """Report that the record of a paper is damaged, if it is."""
        try:
            yield
        except (ValueError, KeyError, TypeError, zlib.error) as error:
            raise damaged(self.path, f"the record of {id_}: {error!r}") from error

    def reading(self, paper: str) -> LinkedExtraction:
        """Return the extraction of a paper, linked to the entities of the graph."""
        for linked in self.linked_extractions([paper]):
            return linked
        raise damaged(self.path, f"there is no record of {paper}")

    def linked_extractions(self, ids: Collection[str]) -> Iterator[LinkedExtraction]:
        for id_, extractor, names, record, vector in self.rows_in(
            """
            SELECT id, extractor, names, extraction, packed FROM work
            JOIN paper ON paper.work = no JOIN record ON record.paper = no
            LEFT JOIN vector ON vector.paper = no WHERE id IN ({}) ORDER BY id
            """,
            ids,
        ):
            with self._record_of(id_):
                extraction, linked = unpacked(record), read_ids(names)
            extraction = replace(extraction, extractor=extractor, vector=vector or b"")
            yield LinkedExtraction(extraction, linked, self.verdicts.get(id_, {}))

    def texts(self, paper: str) -> str:
        """Return title and abstract of a paper, if the graph holds it."""
        for (record,) in self.rows(
            "SELECT extraction FROM work JOIN record ON paper = no WHERE id = ?", [paper]
        ):
            return texts(record)
        return ""

    def digest_of(self, paper: str) -> tuple[bytes, str] | None:
        """Return the digest of what was read in a paper, and the extractor; None if it is not
        there."""
        query = "SELECT digest, extractor FROM work JOIN paper ON work = no WHERE id = ?"
        for digest, extractor in self.rows(query, [paper]):
            return digest, extractor
        return None

    def known_as(self, key: str) -> list[str]:
        """Return the papers (ids) that go by a DOI, an arXiv id or a title, in order."""
        return [id_ for id_, _ in self._papers_with([key])]

    # Names.

    def _papers_with(self, keys: Collection[str]) -> Iterable[Sequence[Any]]:
        codes = {code_of(key): key for key in keys}
        for id_, code in self.rows_in(
            "SELECT id, code FROM identifier JOIN work ON no = paper WHERE code IN ({}) "
            "ORDER BY id",
            sorted(codes),
        ):
            yield id_, codes[code]

    def _named(self, keys: Sequence[str]) -> Iterable[Sequence[Any]]:
        return self.rows_in(
            "SELECT key, rank, id, papers FROM spelling JOIN work ON work = no "
            "WHERE key IN ({}) ORDER BY key, rank, id",
            keys,
        )

    def _senses(self, id_: str) -> list[str]:
        query = "SELECT id FROM work WHERE id > ? AND id < ? ORDER BY id"
        return [sense for (sense,) in self.rows(query, [f"{id_}--", f"{id_}--~"])]

    def _spellings(self, name: str) -> Iterable[Spelling]:
        query = """
            SELECT key, rank, name, papers FROM spelling JOIN work ON work = no
            WHERE length(key) BETWEEN ? AND ? OR instr(key, ?) > 0
        """
        return self.rows(query, [*lengths(name), match_key(name)])

    def _matching(self, key: str, ways: Sequence[Wording], chosen: Selection) -> list[str]:
        asked = (key, ways, chosen)
        found = self.memory.searched.get(asked)
        if found is None:
            found = selection_sql.search_names(self.rows, key, ways, chosen)
            if len(found) <= _MOST_REMEMBERED:
                self.memory.searched[asked] = found
        return found

    # Pages.

    def _about(self, topic: Topic, chosen: Selection) -> dict[str, float]:
        return selection_sql.about(self.rows, topic, chosen)

    def vectors(self, chosen: Selection = EVERYTHING) -> Mapping[str, bytes]:
        if chosen.given(WORKS):
            return selection_sql.vectors(self.rows, chosen)
        return self.memory.once("vectors", partial(selection_sql.vectors, self.rows, EVERYTHING))

    def count(self, type: WorkType, chosen: Selection = EVERYTHING) -> int:
        asked = (type, _CHOOSING(chosen))
        count = self.memory.counts.get(asked)
        if count is None:
            ((count,),) = self.rows(*selection_sql.count_query(type, chosen))
            texts = chosen.text, chosen.entity, chosen.broader, chosen.organization, chosen.venue
            if len("".join(text or "" for text in texts)) <= _LONGEST_REMEMBERED:
                self.memory.counts[asked] = count
        return count

    def _ids(self, type: WorkType, chosen: Selection, before: str | None, most: int) -> list[str]:
        # It is faster to look at papers one after the other than to sort all where many pass: for
        # each that does, as many are looked at as there are papers for each of these.
        is_many = type is WorkType.PAPER and (self.count(type, chosen) ** 2 > self._papers * most)
        query = selection_sql.page_query(type, chosen, before, most, is_many)
        return [id_ for (id_,) in self.rows(*query)]

    def papers_by_year(self, chosen: Selection = EVERYTHING) -> dict[int | None, int]:
        undated, *_ = UNDATED
        rows = self.rows(*selection_sql.year_query(chosen))
        return {None if year == undated else year: papers for year, papers in rows}

    # What is beside works.

    def _beside(
        self, what: str, ids: Collection[str], relations: Collection[RelationType] = ()
    ) -> dict[str, list[str]]:
        start, link, near, far, end, order = _BESIDE[what]
        chosen = "AND origin IS NOT NULL" if link == "statement" else ""
        if relations:
            chosen += f" AND relation IN ({','.join('?' * len(relations))})"
        group = "GROUP BY near.id, far.id" if link == "statement" else ""

        def read(missing: list[str]) -> dict[str, list[str]]:
            rows = self.rows_in(
                f"""
                SELECT near.id, far.id FROM {start} near JOIN {link} ON {link}.{near} = near.no
                JOIN {end} far ON far.no = {link}.{far}
                WHERE near.id IN ({{}}) {chosen} {group} ORDER BY {order}, far.id
                """,
                missing,
                *relations,
            )
            # The same papers come again and again.
            return grouped(missing, ((id_, intern(other)) for id_, other in rows))

        return self._remembered(self.memory.beside, ids, (what, *relations), read)

    def _remembered(
        self,
        memory: Cache[tuple[str, Hashable], tuple[_Answer, ...]],
        ids: Collection[str],
        question: Hashable,
        read: Callable[[list[str]], dict[str, list[_Answer]]],
    ) -> dict[str, list[_Answer]]:
        """Answer a question of works by what was answered before, and read the rest at once."""

        def read_all(
            keys: list[tuple[str, Hashable]],
        ) -> dict[tuple[str, Hashable], tuple[_Answer, ...]]:
            answered = read([id_ for id_, _ in keys])
            return {(id_, question): tuple(answers) for id_, answers in answered.items()}

        found = memory.get_many([(id_, question) for id_ in ids], read_all)
        return {id_: list(answers) for (id_, _), answers in found.items()}

    def contributions(self, papers: Collection[str]) -> dict[str, str]:
        query = """
            SELECT p.id, e.id FROM work p JOIN paper ON paper.work = p.no
            JOIN work e ON e.no = contribution WHERE p.id IN ({})
        """
        return dict(self.rows_in(query, papers))

    def published(self, ids: Collection[str]) -> dict[str, PartialDate]:
        def read(ids: list[str]) -> dict[str, PartialDate | None]:
            rows = self.rows_in("SELECT id, published FROM work WHERE id IN ({})", ids)
            return {id_: PartialDate.parse(date) if date else None for id_, date in rows}

        # Each row that is read lets other threads go first: a lineage asks of hundreds of works.
        dates = self.memory.dates.get_many(ids, read)
        return {id_: date for id_, date in dates.items() if date}

    # Authors.

    def people(self, ids: Collection[str]) -> dict[str, Person]:
        found = {person.id: person for person in self._people("person WHERE id IN ({})", ids)}
        return {id_: found[id_] for id_ in ids if id_ in found}

    def _people_with(self, keys: Collection[str]) -> Iterable[tuple[str, Person]]:
        query = """
            SELECT key, id, name, orcid, details, papers FROM person_name JOIN person ON person = no
            WHERE key IN ({})
        """
        return ((key, read_person(*row)) for key, *row in self.rows_in(query, keys))

    def people_surnamed(self, surname: str) -> list[Person]:
        called = "person_name JOIN person ON person = no WHERE key GLOB {}"
        return sorted(self._people(called, [f"*-{slug(surname)}"]), key=by_papers)

    def _people(self, those: str, values: Iterable[str]) -> Iterator[Person]:
        query = f"SELECT DISTINCT id, name, orcid, details, papers FROM {those}"
        return (read_person(*row) for row in self.rows_in(query, values))

    # Statements.

    def statements(
        self,
        of: Collection[str],
        relations: Collection[RelationType] = (),
        first: int | None = None,
    ) -> dict[str, list[Statement]]:
        if first is None:
            return self._every_statement(of, relations)

        def read(ids: list[str]) -> dict[str, list[Statement]]:
            works = self.rows_in("SELECT id, no FROM work WHERE id IN ({})", ids)
            queries = {id_: selection_sql.surest(no, relations, first) for id_, no in works}
            return self._read({id_: self.rows(*query) for id_, query in queries.items()})

        return self._remembered(self.memory.surest, of, (tuple(relations), first), read)

    def _every_statement(
        self, of: Collection[str], relations: Collection[RelationType]
    ) -> dict[str, list[Statement]]:
        related = f"AND relation IN ({','.join('?' * len(relations))})" if relations else ""
        known = {id_ for (id_,) in self.rows_in("SELECT id FROM work WHERE id IN ({})", of)}
        found: dict[str, list[Row]] = {id_: [] for id_ in of if id_ in known}
        for end in ("subject", "entity"):
            rows = self.rows_in(
                f"""
                SELECT w.id, s.id, relation, e.id FROM work w
                JOIN statement ON statement.{end} = w.no
                JOIN work s ON s.no = statement.subject JOIN work e ON e.no = statement.entity
                WHERE w.id IN ({{}}) {related}
                """,
                of,
                *relations,
            )
            for id_, *row in rows:
                found[id_].append(tuple(row))
        return {
            id_: sorted(statements, key=place_of) for id_, statements in self._read(found).items()
        }

    def _read(self, rows: Mapping[str, Sequence[Row]]) -> dict[str, list[Statement]]:
        """Return the statements in rows that begin with their keys."""
        keys = {id_: [(row[0], row[1], row[2]) for row in own] for id_, own in rows.items()}
        found = self._whole(key for own in keys.values() for key in own)
        return {id_: [found[key] for key in own] for id_, own in keys.items()}

    def _selected(
        self, chosen: Selection, after: StatementPlace | None, most: int
    ) -> tuple[int, list[Statement]]:
        ((total,),) = self.rows(*selection_sql.counting(chosen))
        return total, self._read({"": self.rows(*selection_sql.listing(chosen, after, most))})[""]

    def _whole(self, keys: Iterable[StatementKey]) -> dict[StatementKey, Statement]:
        def read(missing: list[StatementKey]) -> dict[StatementKey, Statement]:
            found = {}
            for subject, relation, entity, sure, origin, confirmed, quoted, outcome in self.rows(
                _WHOLE, [as_text(missing)]
            ):
                key = (subject, RelationType(relation), entity)
                found[key] = Statement(
                    *(*key, sure),
                    tuple(
                        Evidence(text, Field(field), start, end)
                        for field, start, end, text in msgspec.json.decode(quoted)
                    ),
                    CATALOGUE_ORIGIN if origin is None else origin,
                    msgspec.json.decode(outcome, type=Comparison) if outcome else None,
                    confirmed=bool(confirmed),
                )
            return found

        return self.memory.statements.get_many(keys, read)

    # Lineage.

    def neighbours(
        self, ids: Collection[str], direction: LineageDirection, selection: Selection = EVERYTHING
    ) -> dict[str, list[str]]:
        if selection.given(EDGES):
            return super().neighbours(ids, direction, selection)

        def read(missing: list[str]) -> dict[str, list[str]]:
            return grouped(missing, self.rows_in(_ENDS.format(*_AROUND[direction]), missing))

        return self._remembered(self.memory.ends, ids, direction, read)

    def _support(
        self, ids: Collection[str], direction: LineageDirection, within: Collection[str] | None
    ) -> dict[str, dict[str, list[Statement]]]:
        downwards = direction is LineageDirection.DESCENDANTS

        def read(missing: list[str]) -> dict[str, list[tuple[str, list[Statement]]]]:
            found: dict[str, dict[str, list[Statement]]] = {id_: {} for id_ in missing}
            query = _SUPPORTS.format(*_AROUND[direction])
            for id_, end, subject, relation, confidence in self.rows_in(query, missing):
                parent = id_ if downwards else end
                stated = Statement(subject, RelationType(relation), parent, confidence, (), "")
                found[id_].setdefault(end, []).append(stated)
            return {id_: list(ends.items()) for id_, ends in found.items()}

        known = self._remembered(self.memory.supports, ids, direction, read)
        return {id_: dict(ends) for id_, ends in known.items()}

    def lineage_page(self, of: str, selection: Selection, after: Place | None) -> LineagePage:
        asked = (of, selection.changed(first=0, after=None))
        places = self.memory.places.get(asked)
        if places is None:
            places = self.memory.places[asked] = traverse(self, of, selection).places()
        return cut_places(places, after, selection.first)

    def most_derived(self, first: int) -> dict[str, int]:
        rows = self.rows(
            """
            SELECT id, COUNT(*) AS children FROM edge JOIN work ON no = parent
            WHERE type = 'entity' AND NOT general
            GROUP BY parent ORDER BY children DESC, id LIMIT ?
            """,
            [first],
        )
        return dict(rows)
