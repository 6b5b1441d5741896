"""The reader of one commit."""

import json
import sqlite3
import sys
import zlib
from bisect import bisect_right
from collections.abc import Callable, Collection, Hashable, Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from pathlib import Path
from sys import intern
from threading import RLock
from typing import Any, TypeVar, cast
from weakref import finalize

import orjson
import pyoxigraph as ox

from stemma.graph.filters import EVERYTHING, WHOLE_LINEAGE, LineageFilter, WorkFilter
from stemma.graph.general_terms import GeneralTerms
from stemma.graph.history import Build, load
from stemma.graph.lineage import traverse
from stemma.graph.lineage_edge import LineageEdge, Support, lineage_edge
from stemma.graph.lineage_page import LineagePage, Place
from stemma.graph.linked_extraction import LinkedExtraction
from stemma.graph.linking import Claim, Verdict, read_verdicts
from stemma.graph.linking.keys import code_of
from stemma.graph.linking.people import Person, by_papers, keys_asked
from stemma.graph.linking.references import identified
from stemma.graph.nearest import lengths, nearest
from stemma.graph.ranking import RankedPaper, Topic, ranked
from stemma.graph.selection import LineageDirection, PageOrder, Selection
from stemma.graph.sqlite import change_log
from stemma.graph.sqlite.adjacency import Adjacency
from stemma.graph.sqlite.cache import Cache
from stemma.graph.sqlite.file import StoreFile, damage_as_store_error, damaged
from stemma.graph.sqlite.linked_names import read_ids
from stemma.graph.sqlite.name_search import NameSearch
from stemma.graph.sqlite.paper_record import paper_in, texts, unpacked
from stemma.graph.sqlite.projection import Projection
from stemma.graph.sqlite.rdf_cache import RdfCache
from stemma.graph.sqlite.record_index import read_person
from stemma.graph.sqlite.selection import count_query, page_query, year_query
from stemma.graph.sqlite.statement_selection import counting, listing, surest
from stemma.graph.sqlite.text_search import about
from stemma.graph.statement_page import StatementKey, StatementPage
from stemma.graph.store import (
    BadCursorError,
    ChangesSince,
    Page,
    Statistics,
    StoredRdf,
    StoreError,
    UnknownNameError,
    Work,
    WorkType,
    cut_page,
    grouped,
    meant_by,
    of_best_rank,
    read_unapplied,
)
from stemma.graph.wording import wordings
from stemma.schema import (
    CATALOGUE_ORIGIN,
    Addition,
    Comparison,
    Decision,
    Entity,
    EntityKind,
    Evidence,
    Field,
    Paper,
    PartialDate,
    RelationType,
    Statement,
    comparison,
)
from stemma.schema.batches import batched
from stemma.schema.decision_file import DecisionFile, DecisionText
from stemma.schema.identifier import ENTITY, is_id
from stemma.schema.name import match_key, plain
from stemma.schema.partial_date import UNDATED

_BATCH = 500
_MOST_REMEMBERED = 4000
"""Works of an answer to a search that is kept for the next time."""
_STATED = """
SELECT confidence FROM statement WHERE subject = (SELECT no FROM work WHERE id = ?)
AND relation = ? AND entity = (SELECT no FROM work WHERE id = ?)
"""
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
_ENDED = sqlite3.connect(":memory:", check_same_thread=False)
_ENDED.close()
_Key = tuple[str, str, str]
"""What a statement is unique by: subject, relation, entity."""
_Row = tuple[Any, ...]
_Answer = TypeVar("_Answer")


class Memory:
    """What was read of a commit, for all who read that."""

    def __init__(self, commit: tuple[int, str]) -> None:
        self.commit = commit
        self.works = Cache[str, Work](8192)
        self.extractions = Cache[str, LinkedExtraction](512)
        self.dates = Cache[str, PartialDate | None](65536)
        self.statements = Cache[tuple[str, str, str], Statement](16384)
        self.naming = Cache[tuple[str, Hashable], tuple[str, ...]](1024)
        self.surest = Cache[tuple[str, Hashable], tuple[Statement, ...]](1024)
        self.searched = Cache[tuple[Hashable, ...], list[str]](256)
        self.places = Cache[Hashable, list[Place]](8)
        self.adjacency = Adjacency()
        self.once: dict[str, Any] = {}
        self.making = RLock()


def _once(read: Callable[["SqliteReader"], _Answer]) -> property:
    """Make a property that is read once for each commit."""

    def get(reader: "SqliteReader") -> _Answer:
        once = reader.memory.once
        if read.__name__ not in once:
            with reader.memory.making:  # Whoever needs the same waits for it.
                if read.__name__ not in once:
                    once[read.__name__] = read(reader)
        return cast(_Answer, once[read.__name__])

    get.__doc__ = read.__doc__
    return property(get)


class SqliteReader:
    """Reads a store as it was after one commit, from any number of threads.

    `connection` is in a transaction, and is given back by `give` at the end, or when nobody has the
    reader any more.
    """

    def __init__(
        self,
        connection: sqlite3.Connection,
        give: Callable[[sqlite3.Connection], None],
        memory: Memory,
        file: StoreFile,
    ) -> None:
        self._db, self.memory, self._file = connection, memory, file
        self._give_back = finalize(self, give, connection)
        self.path = file.path

    def end(self) -> None:
        """End the transaction: nothing can be read any more."""
        self._db = _ENDED
        self._give_back()

    @property
    def cache(self) -> Path:
        """The folder for what is made from the graph, and can be made again."""
        return self._file.cache

    @property
    def decisions(self) -> DecisionFile:
        """People's decisions, in a file beside the graph."""
        return self._file.decisions

    @property
    def generation(self) -> str:
        """The number of the commit."""
        return f"{self.memory.commit[0]:06}"

    @_once
    def base(self) -> str:
        """What the IRIs of the data begin with."""
        return self._meta("base")

    @property
    def _rdf_cache(self) -> RdfCache:
        return RdfCache(self)

    @_once
    def rdf(self) -> ox.Store:
        """The graph as Oxigraph has it, which is made if it was not asked for before."""
        path = self.project()
        try:
            return ox.Store.read_only(str(path))
        except OSError as error:
            if "No such file" in str(error):
                raise damaged(path, error) from error
            raise StoreError(f"{path} cannot be opened: {error}") from error

    @property
    def is_written(self) -> bool:
        """Whether the graph is there as RDF."""
        return self._rdf_cache.is_written

    def project(self, tick: Callable[[], object] = int) -> Path:
        """Return the folder with the graph as RDF; `tick` is called for each paper written."""
        with damage_as_store_error(self.path):
            return self._rdf_cache.ensure(tick)

    def graphs(self, papers: Collection[str] | None) -> Iterator[tuple[str, list[bytes]]]:
        """Yield the named graphs with their lines of N-Triples, in the order of their names."""
        return Projection(self).graphs(papers)

    def copy_to(self, other: sqlite3.Connection) -> None:
        """Copy the whole file as this reader sees it."""
        self._db.backup(other)

    @property
    def dataset(self) -> StoredRdf:
        """The graph as RDF."""
        return self

    def rows(self, query: str, parameters: Sequence[Any] = ()) -> list[_Row]:
        """Query the file."""
        return self._db.execute(query, parameters).fetchall()

    def _meta(self, key: str) -> str:
        return "".join(
            value for (value,) in self.rows("SELECT value FROM meta WHERE key = ?", [key])
        )

    def rows_in(self, query: str, values: Iterable[Any], *more: Any) -> Iterator[_Row]:
        """Query the file for many values: `query` has ``{}`` in place of their list."""
        for batch in batched(dict.fromkeys(values), _BATCH):
            yield from self.rows(query.format(",".join("?" * len(batch))), [*batch, *more])

    # Works and their names.

    def works(self, ids: Collection[str]) -> dict[str, Work]:
        found = {id_: work for id_ in ids if (work := self.memory.works.get(id_))}
        missing = [id_ for id_ in ids if id_ not in found]
        for id_, *rest in self.rows_in(
            "SELECT id, type, name, kind, general, details FROM work WHERE id IN ({})", missing
        ):
            found[id_] = self._work(id_, *rest)
        return {id_: found[id_] for id_ in ids if id_ in found}

    def _work(
        self,
        id_: str,
        type_: str,
        name: str,
        kind: str | None,
        general: int | None,
        details: str | None,
    ) -> Work:
        work = self.memory.works.get(id_)
        if work is None:
            if type_ == WorkType.PAPER:
                work = self._paper(id_)
            else:
                aliases, broader, year = json.loads(details or "[[],[],null]")
                kind_ = EntityKind(kind or "")
                work = Entity(id_, name, kind_, tuple(aliases), tuple(broader), bool(general), year)
            self.memory.works[id_] = work
        return work

    def _paper(self, id_: str) -> Paper:
        linked = self.memory.extractions.get(id_)
        if linked:
            return linked.extraction.paper
        ((record,),) = self.rows(
            "SELECT extraction FROM work JOIN record ON paper = no WHERE id = ?", [id_]
        )
        with self._record_of(id_):
            return paper_in(record)

    @contextmanager
    def _record_of(self, id_: str) -> Iterator[None]:
        """Report that the record of a paper is damaged, if it is."""
        try:
            yield
        except (ValueError, KeyError, TypeError, zlib.error) as error:
            raise damaged(self.path, f"the record of {id_}: {error!r}") from error

    def reading(self, paper: str) -> LinkedExtraction:
        """Return what was read in a paper, and what it is linked to."""
        if found := self.memory.extractions.get(paper):
            return found
        for linked in self.linked_extractions([paper]):
            self.memory.extractions[paper] = linked
            return linked
        raise damaged(self.path, f"there is no record of {paper}")

    def linked_extractions(self, ids: Collection[str]) -> Iterator[LinkedExtraction]:
        for id_, extractor, names, record in self.rows_in(
            """
            SELECT id, extractor, names, extraction FROM work
            JOIN paper ON paper.work = no JOIN record ON record.paper = no
            WHERE id IN ({}) ORDER BY id
            """,
            ids,
        ):
            with self._record_of(id_):
                extraction, linked = unpacked(record), read_ids(names)
            yield LinkedExtraction(extraction, extractor, linked, self._verdicts.get(id_, {}))

    @_once
    def _verdicts(self) -> dict[str, dict[Claim, Verdict]]:
        """By paper, how its claims are judged."""
        return {
            paper: read_verdicts(claims)
            for paper, claims in json.loads(self._meta("verdicts") or "{}").items()
        }

    def texts(self, paper: str) -> str:
        """Return title and abstract of a paper, if the graph holds it."""
        for (record,) in self.rows(
            "SELECT extraction FROM work JOIN record ON paper = no WHERE id = ?", [paper]
        ):
            return texts(record)
        return ""

    def resolve(self, name: str) -> str:
        """Return the id of the work with this id, name, alias or title."""
        if is_id(name):
            return self._resolve_id(name)
        if called := self.called(name):
            return meant_by(name, called, self)
        raise UnknownNameError(name, nearest(name, self._spellings(name)))

    def called(self, name: str) -> dict[str, int]:
        return self.all_called([name])[name]

    def all_called(self, names: Collection[str]) -> dict[str, dict[str, int]]:
        # A final s is part of the name (l40s) before it is a plural (a100s).
        keys = {name: (match_key(plain(name).upper()), match_key(name)) for name in names}
        ranked: dict[str, list[tuple[int, str, int]]] = {}
        for key, *row in self.rows_in(
            "SELECT key, rank, id, papers FROM spelling JOIN work ON work = no "
            "WHERE key IN ({}) ORDER BY key, rank, id",
            sorted({key for each in keys.values() for key in each}),
        ):
            ranked.setdefault(key, []).append((row[0], row[1], row[2]))
        called = {name: of_best_rank(each, ranked) for name, each in keys.items()}
        return identified(called, self._papers_with)

    def _papers_with(self, keys: Collection[str]) -> Iterator[tuple[str, str]]:
        codes = {code_of(key): key for key in keys}
        for id_, code in self.rows_in(
            "SELECT id, code FROM identifier JOIN work ON no = paper WHERE code IN ({}) "
            "ORDER BY id",
            sorted(codes),
        ):
            yield id_, codes[code]

    def _resolve_id(self, id_: str) -> str:
        if self.rows("SELECT 1 FROM work WHERE id = ?", [id_]):
            return id_
        if now := self.former.get(id_):
            return str(now)
        senses = self.rows(
            "SELECT id FROM work WHERE id > ? AND id < ? ORDER BY id", [f"{id_}--", f"{id_}--~"]
        )
        if not senses or not id_.startswith(ENTITY):
            name = id_.partition("/")[2].replace("-", " ")
            raise UnknownNameError(id_, nearest(name, self._spellings(name)))
        return meant_by(id_, {sense: 0 for (sense,) in senses}, self)

    def _spellings(self, name: str) -> list[_Row]:
        """Return the names whose keys contain that of `name`, or are about as long."""
        return self.rows(
            """
            SELECT key, rank, name, papers FROM spelling JOIN work ON work = no
            WHERE length(key) BETWEEN ? AND ? OR instr(key, ?) > 0
            """,
            [*lengths(name), match_key(name)],
        )

    @_once
    def former(self) -> dict[str, str]:
        """What took the place of ids that no longer exist."""
        former: dict[str, str] = json.loads(self._meta("former") or "{}")
        return former

    def matching(
        self,
        text: str,
        kinds: Collection[EntityKind] = (),
        general: bool | None = None,
        first: int = sys.maxsize,
    ) -> list[str]:
        words = [match_key(word.lower()) for word in text.split() if any(map(str.isalnum, word))]
        if not words or first < 1:
            return []
        asked = (match_key(text), tuple(words), tuple(kinds), first, general)
        found = self.memory.searched.get(asked)
        if found is None:
            names = NameSearch(self.rows)
            others = wordings(text)
            numbers = names.search(match_key(text), words, kinds, first, general, others)
            ids: dict[int, str] = dict(
                self.rows_in("SELECT no, id FROM work WHERE no IN ({})", numbers)
            )
            found = [ids[number] for number in numbers]
            if len(found) <= _MOST_REMEMBERED:
                self.memory.searched[asked] = found
        return found

    def ranked(
        self, topics: Sequence[Topic], filter: WorkFilter = EVERYTHING, first: int = 100
    ) -> list[RankedPaper]:
        matches = [about(self.rows, topic, filter) for topic in topics]
        return ranked(topics, matches, self._papers, first)

    def page(
        self,
        type: WorkType,
        filter: WorkFilter = EVERYTHING,
        order: PageOrder = PageOrder.NAME,
        after: str | None = None,
        first: int = 20,
        before: str | None = None,
        backward: bool = False,
    ) -> Page:
        """Return the first, or the last, works between those with the ids `after` and `before`."""
        for cursor in (after, before):
            if cursor is not None and not self.rows("SELECT 1 FROM work WHERE id = ?", [cursor]):
                raise BadCursorError(cursor)
        ((total,),) = self.rows(*count_query(type, filter))
        many = self._are_many(total, first)
        rows = self.rows(*page_query(type, filter, order, after, before, first + 1, backward, many))
        works = [self._work(*row) for row in rows[:first]]
        return cut_page(works, int(total), len(rows) > first, after, before, backward)

    def ids(
        self,
        type: WorkType,
        filter: WorkFilter = EVERYTHING,
        order: PageOrder = PageOrder.NAME,
        first: int = 20,
    ) -> list[str]:
        many = type is WorkType.PAPER and self._are_many(
            self.rows(*count_query(type, filter))[0][0], first
        )
        rows = self.rows(*page_query(type, filter, order, None, None, first, False, many))
        return [id_ for id_, *_ in rows]

    def _are_many(self, total: int, first: int) -> bool:
        """Return whether it is faster to look at papers one after the other than to sort all."""
        # As many are looked at for each that passes as there are papers for each of these.
        return bool(total * total > self._papers * (first + 1))

    def papers_by_year(self, filter: WorkFilter = EVERYTHING) -> dict[int | None, int]:
        undated, *_ = UNDATED
        rows = self.rows(*year_query(filter))
        return {None if year == undated else year: papers for year, papers in rows}

    def entities_named(
        self, papers: Collection[str], relations: Collection[RelationType] = ()
    ) -> dict[str, list[str]]:
        return self._stated("subject", "entity", "MAX(confidence) DESC", papers, relations)

    def papers_naming(
        self, entities: Collection[str], relations: Collection[RelationType] = ()
    ) -> dict[str, list[str]]:
        def read(ids: list[str]) -> dict[str, list[str]]:
            return self._stated("entity", "subject", "far.date_order", ids, relations)

        return self._remembered(self.memory.naming, entities, tuple(relations), read)

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

    def _stated(
        self,
        near: str,
        far: str,
        order: str,
        ids: Collection[str],
        relations: Collection[RelationType],
    ) -> dict[str, list[str]]:
        related = f"AND relation IN ({','.join('?' * len(relations))})" if relations else ""
        rows = self.rows_in(
            f"""
            SELECT near.id, far.id FROM work near JOIN statement ON statement.{near} = near.no
            JOIN work far ON far.no = statement.{far}
            WHERE near.id IN ({{}}) AND origin IS NOT NULL {related}
            GROUP BY near.id, far.id ORDER BY {order}, far.id
            """,
            ids,
            *relations,
        )
        # The same papers come again and again.
        return grouped(ids, ((id_, intern(other)) for id_, other in rows))

    def narrower(self, ids: Collection[str]) -> dict[str, list[str]]:
        rows = self.rows_in(
            """
            SELECT wide.id, narrow.id FROM work wide JOIN broader b ON b.broader = wide.no
            JOIN work narrow ON narrow.no = b.narrower WHERE wide.id IN ({}) ORDER BY narrow.id
            """,
            ids,
        )
        return grouped(ids, rows)

    def contributions(self, papers: Collection[str]) -> dict[str, str]:
        return dict(
            self.rows_in(
                """
                SELECT p.id, e.id FROM work p JOIN paper ON paper.work = p.no
                JOIN work e ON e.no = contribution WHERE p.id IN ({})
                """,
                papers,
            )
        )

    # Authors and citations.

    def people(self, ids: Collection[str]) -> dict[str, Person]:
        rows = self.rows_in(
            "SELECT id, name, orcid, details, papers FROM person WHERE id IN ({})", ids
        )
        found = {person.id: person for person in (read_person(*row) for row in rows)}
        return {id_: found[id_] for id_ in ids if id_ in found}

    def people_called(self, name: str) -> list[Person]:
        rows = self.rows_in(
            """
            SELECT DISTINCT id, name, orcid, details, papers FROM person_name
            JOIN person ON person = no WHERE key IN ({})
            """,
            keys_asked(name),
        )
        return sorted((read_person(*row) for row in rows), key=by_papers)

    def authors(self, papers: Collection[str]) -> dict[str, list[str]]:
        rows = self.rows_in(
            """
            SELECT w.id, p.id FROM work w JOIN authorship a ON a.paper = w.no
            JOIN person p ON p.no = a.person WHERE w.id IN ({}) ORDER BY w.id, place
            """,
            papers,
        )
        return grouped(papers, rows)

    def written_by(self, people: Collection[str]) -> dict[str, list[str]]:
        rows = self.rows_in(
            """
            SELECT p.id, w.id FROM person p JOIN authorship a ON a.person = p.no
            JOIN work w ON w.no = a.paper WHERE p.id IN ({}) ORDER BY w.date_order, w.id
            """,
            people,
        )
        return grouped(people, rows)

    def cites(self, papers: Collection[str]) -> dict[str, list[str]]:
        return self._citations("citing", "cited", papers)

    def cited_by(self, papers: Collection[str]) -> dict[str, list[str]]:
        return self._citations("cited", "citing", papers)

    def _citations(self, near: str, far: str, papers: Collection[str]) -> dict[str, list[str]]:
        rows = self.rows_in(
            f"""
            SELECT near.id, far.id FROM work near JOIN citation ON {near} = near.no
            JOIN work far ON far.no = {far}
            WHERE near.id IN ({{}}) ORDER BY far.date_order, far.id
            """,
            papers,
        )
        return grouped(papers, rows)

    def published(self, ids: Collection[str]) -> dict[str, PartialDate]:
        def read(ids: list[str]) -> dict[str, PartialDate | None]:
            rows = self.rows_in("SELECT id, published FROM work WHERE id IN ({})", ids)
            return {id_: PartialDate.parse(date) if date else None for id_, date in rows}

        # Each row that is read lets other threads go first: a lineage asks of hundreds of works.
        dates = self.memory.dates.get_many(ids, read)
        return {id_: date for id_, date in dates.items() if date}

    def statistics(self) -> Statistics:
        decisions = int(self._meta("decisions") or 0)
        return Statistics.read(self._meta("statistics"), self.generation, decisions)

    @_once
    def _papers(self) -> int:
        return self.statistics().papers

    # Statements and lineage.

    def statements(
        self,
        of: Collection[str],
        relations: Collection[RelationType] = (),
        first: int | None = None,
    ) -> dict[str, list[Statement]]:
        """Return, for each work, the statements with it as subject or entity, the surest first."""
        if first is None:
            return self._every_statement(of, relations)

        def read(ids: list[str]) -> dict[str, list[Statement]]:
            numbers: dict[str, int] = dict(
                self.rows_in("SELECT id, no FROM work WHERE id IN ({})", ids)
            )
            rows = {
                id_: self.rows(*surest(numbers[id_], relations, first))
                for id_ in ids
                if id_ in numbers
            }
            return self._whole(rows)

        return self._remembered(self.memory.surest, of, (tuple(relations), first), read)

    def _every_statement(
        self, of: Collection[str], relations: Collection[RelationType]
    ) -> dict[str, list[Statement]]:
        related = f"AND relation IN ({','.join('?' * len(relations))})" if relations else ""
        found: dict[str, list[_Row]] = {id_: [] for id_ in of}
        for end in ("subject", "entity"):
            rows = self.rows_in(
                f"""
                SELECT w.id, s.id, relation, e.id, confidence FROM work w
                JOIN statement ON statement.{end} = w.no
                JOIN work s ON s.no = statement.subject JOIN work e ON e.no = statement.entity
                WHERE w.id IN ({{}}) {related}
                """,
                of,
                *relations,
            )
            for id_, *row in rows:
                found[id_].append(tuple(row))
        known = {id_ for (id_,) in self.rows_in("SELECT id FROM work WHERE id IN ({})", of)}
        return self._whole({id_: sorted(found[id_], key=_surest) for id_ in found if id_ in known})

    def _whole(self, rows: Mapping[str, Sequence[_Row]]) -> dict[str, list[Statement]]:
        """Return the statements in rows that begin with their keys."""
        keys = {id_: [(row[0], row[1], row[2]) for row in own] for id_, own in rows.items()}
        found = self._expected(key for own in keys.values() for key in own)
        return {id_: [found[key] for key in own] for id_, own in keys.items()}

    def statement_page(
        self, chosen: Selection, after: StatementKey | None = None, first: int = 20
    ) -> StatementPage:
        key = self._place_of(after) if after else None
        if not chosen.compared:
            ((total,),) = self.rows(*counting(chosen))
            rows = self.rows(*listing(chosen, key, first + 1))
        else:
            # What was compared is in no index, and no number of rows is known to be enough.
            every = self.rows(*listing(chosen, None, -1))
            fitting = [row for row in every if self._is_compared(row, chosen)]
            total = len(fitting)
            rows = [row for row in fitting if key is None or _surest(row) > key][: first + 1]
        statements = self._whole({"": rows[:first]})[""]
        return StatementPage(tuple(statements), int(total), len(rows) > first, after is not None)

    def _place_of(self, statement: StatementKey) -> tuple[float, str, str, str]:
        """Return where a statement is in the order of confidence."""
        for (confidence,) in self.rows(_STATED, statement):
            return (-confidence, *statement)
        raise BadCursorError(" ".join(statement))

    def _is_compared(self, row: _Row, chosen: Selection) -> bool:
        subject, relation, entity, *_ = row
        return relation == RelationType.COMPARES_WITH and any(
            chosen.passes(each) for each in self._comparisons.get((subject, entity), ())
        )

    @_once
    def _comparisons(self) -> dict[tuple[str, str], list[Comparison]]:
        """All results of comparisons, by the papers and the entities (ids)."""
        found: dict[tuple[str, str], list[Comparison]] = {}
        for paper, entity, outcome in self.rows(
            "SELECT p.id, e.id, outcome FROM comparison JOIN work p ON p.no = paper "
            "JOIN work e ON e.no = entity"
        ):
            found.setdefault((paper, entity), []).append(comparison.from_json(json.loads(outcome)))
        return found

    def _expected(self, keys: Iterable[_Key]) -> dict[_Key, Statement]:
        """Return statements that other tables say are there. Raises StoreError if they are not."""
        wanted = dict.fromkeys(keys)
        found = self._statements_of(wanted)
        if lacking := [key for key in wanted if key not in found]:
            raise damaged(self.path, f"the statement {' '.join(lacking[0])} is missing")
        return found

    def _statements_of(self, keys: Iterable[_Key]) -> dict[_Key, Statement]:
        """Return statements with their evidence, by their keys."""

        def read(missing: list[_Key]) -> dict[_Key, Statement]:
            found = {}
            for some in batched(missing, _BATCH):
                for row in self.rows(_WHOLE, [orjson.dumps(some).decode()]):
                    statement = _statement(*row)
                    found[statement.key] = statement
            return cast(dict[_Key, Statement], found)

        return self.memory.statements.get_many(dict.fromkeys(keys), read)

    def neighbours(
        self,
        ids: Collection[str],
        direction: LineageDirection,
        filter: LineageFilter = WHOLE_LINEAGE,
    ) -> dict[str, list[str]]:
        if not filter.active:
            return self.memory.adjacency.beside(self.rows_in, ids, direction)
        around = self.memory.adjacency.around(self.rows_in, ids, direction, filter, self.published)
        return {id_: list(ends) for id_, ends in around.items()}

    def lineage_page(
        self,
        root: str,
        direction: LineageDirection,
        max_depth: int,
        filter: LineageFilter,
        include_general: bool,
        after: Place | None,
        first: int,
    ) -> LineagePage:
        asked = (root, direction, max_depth, filter, include_general)
        places = self.memory.places.get(asked)
        if places is None:
            terms = GeneralTerms(self, include_general)
            places = traverse(self, root, direction, max_depth, filter, terms.others).places()
            self.memory.places[asked] = places
        begin = bisect_right(places, after) if after else 0
        earlier = [id_ for *_, id_ in places[:begin]]
        return LineagePage(earlier, places[begin : begin + first], len(places))

    def most_derived(self, first: int) -> dict[str, int]:
        rows = self.rows(
            """
            WITH derived AS (
                SELECT parent, COUNT(DISTINCT child) AS children FROM derivation GROUP BY parent
            )
            SELECT id, children FROM derived JOIN work ON no = parent
            WHERE type = 'entity' AND NOT general ORDER BY children DESC, id LIMIT ?
            """,
            [first],
        )
        return dict(rows)

    def lineage_edges(
        self,
        ids: Collection[str],
        direction: LineageDirection,
        filter: LineageFilter = WHOLE_LINEAGE,
    ) -> dict[str, list[LineageEdge]]:
        """Return, for each work, the edges to its children or parents."""
        supports = self.memory.adjacency.around(
            self.rows_in, ids, direction, filter, self.published
        )
        downwards = direction is LineageDirection.DESCENDANTS
        dates = self.published({*supports, *(end for ends in supports.values() for end in ends)})
        whole = self._expected(
            (each.subject, each.relation, id_ if downwards else end)
            for id_, ends in supports.items()
            for end, edge in ends.items()
            for each in edge
        )
        return {
            id_: [
                _edge(end if downwards else id_, id_ if downwards else end, each, whole, dates)
                for end, each in ends.items()
            ]
            for id_, ends in supports.items()
        }

    # People's decisions.

    @property
    def decision_file(self) -> str:
        """The fingerprint of the file of decisions that this graph was made with."""
        return self._meta("decision_file")

    @property
    def decision_file_replaced(self) -> str | None:
        """The fingerprint of the file before, if the graph was written in order to change it."""
        replaced: str | None = json.loads(self._meta("decision_file_replaced") or "null")
        return replaced

    def decided(self) -> tuple[Decision, ...]:
        """Return the decisions that this graph was made with."""
        tables = json.loads(self._meta("decision_tables") or "[]")
        return DecisionText(str(self.path), "\n".join(tables).encode()).decisions

    def unapplied(self) -> dict[int, str]:
        """Return why decisions, by their numbers, do not apply, or only in part."""
        return read_unapplied(self._meta("unapplied") or "{}")

    # What a writer needs.

    def additions(self) -> list[Addition]:
        """Return what was added to the catalogue that this generation was linked with."""
        return [Addition.from_json(each) for each in json.loads(self._meta("additions") or "[]")]

    @property
    def catalogue(self) -> str:
        return self._meta("catalogue")

    @property
    def linked_by(self) -> str:
        """The version of Stemma that linked all papers."""
        return self._meta("linked_by")

    def builds(self) -> list[Build]:
        records = self.rows("SELECT record FROM build ORDER BY number")
        try:
            return load("".join(record for (record,) in records))
        except ValueError as error:
            raise damaged(self.path, f"its list of builds: {error}") from error

    @property
    def state(self) -> str:
        """What the log of changes calls this commit."""
        return change_log.present_state(self._db)

    def changed_since(self, state: str | None) -> ChangesSince:
        return change_log.changed_since(self._db, state)

    def entities(self) -> dict[str, Entity]:
        """Return all entities, by their ids."""
        query = "SELECT id FROM work WHERE type = ? ORDER BY id"
        works = self.works([id_ for (id_,) in self.rows(query, [WorkType.ENTITY.value])])
        return {id_: work for id_, work in works.items() if isinstance(work, Entity)}

    def paper_ids(self) -> list[str]:
        """Return the ids of all papers, in order."""
        query = "SELECT id FROM work WHERE type = ? ORDER BY id"
        return [id_ for (id_,) in self.rows(query, [WorkType.PAPER.value])]

    def known_as(self, key: str) -> list[str]:
        """Return the papers (ids) that go by a DOI, an arXiv id or a title, in order."""
        query = "SELECT id FROM identifier JOIN work ON no = paper WHERE code = ? ORDER BY id"
        return [id_ for (id_,) in self.rows(query, [code_of(key)])]

    def already_read(self, reading: str) -> frozenset[tuple[str, str]]:
        """Return (file, sha256) of the files that were read whole in this way."""
        return frozenset(
            (file, sha256)
            for file, sha256 in self.rows(
                "SELECT file, sha256 FROM reading WHERE reading = ?", [reading]
            )
        )


def _edge(
    child: str,
    parent: str,
    support: list[Support],
    statements: Mapping[_Key, Statement],
    dates: dict[str, PartialDate],
) -> LineageEdge:
    stated = [statements[each.subject, each.relation, parent] for each in support]
    return lineage_edge(child, parent, support, stated, dates)


def _statement(
    subject: str,
    relation: str,
    entity: str,
    confidence: float,
    origin: str | None,
    confirmed: int,
    sentences: str,
    outcome: str | None,
) -> Statement:
    return Statement(
        subject,
        RelationType(relation),
        entity,
        confidence,
        tuple(
            Evidence(text, Field(field), start, end)
            for field, start, end, text in orjson.loads(sentences)
        ),
        CATALOGUE_ORIGIN if origin is None else origin,
        comparison.from_json(json.loads(outcome)) if outcome else None,
        confirmed=bool(confirmed),
    )


def _surest(row: _Row) -> tuple[Any, ...]:
    """Order rows as their statements are ordered: see `lineage_edge.by_confidence`."""
    subject, relation, entity, confidence, *_ = row
    return (-confidence, subject, relation, entity)
