"""The reader of one generation."""

import json
import os
import sys
import zlib
from collections.abc import Callable, Collection, Hashable, Iterable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import replace
from functools import cached_property
from pathlib import Path
from sys import intern
from threading import Lock
from typing import TYPE_CHECKING, Any, TypeVar
from weakref import finalize

import pyoxigraph as ox

from stemma.graph.filters import EVERYTHING, WHOLE_LINEAGE, LineageFilter, WorkFilter
from stemma.graph.history import Build, load
from stemma.graph.lineage_edge import LineageEdge, Support, lineage_edge
from stemma.graph.lineage_page import FamilyPage, LineagePage, Place
from stemma.graph.linked_extraction import LinkedExtraction
from stemma.graph.linking import Claim, Verdict, read_verdicts
from stemma.graph.linking.keys import code_of
from stemma.graph.linking.people import Person, by_papers, keys_asked
from stemma.graph.linking.references import identified
from stemma.graph.nearest import lengths, nearest
from stemma.graph.ranking import RankedPaper, Topic, ranked
from stemma.graph.selection import LineageDirection, PageOrder, Selection
from stemma.graph.sqlite.adjacency import Adjacency, ends_of
from stemma.graph.sqlite.cache import Cache
from stemma.graph.sqlite.generations import Generation
from stemma.graph.sqlite.integrity import damage_as_store_error, damaged, open_index
from stemma.graph.sqlite.linked_names import read_ids
from stemma.graph.sqlite.name_search import NameSearch
from stemma.graph.sqlite.paper_record import paper_in, texts, unpacked
from stemma.graph.sqlite.projection import ensure_projection, is_projected, lacks_files
from stemma.graph.sqlite.record_index import read_person
from stemma.graph.sqlite.selection import count_query, page_query, year_query
from stemma.graph.sqlite.statement_selection import counting, listing, surest
from stemma.graph.sqlite.text_search import about
from stemma.graph.statement_page import StatementKey, StatementPage, StatementRow
from stemma.graph.store import (
    BadCursorError,
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
    Extraction,
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

if TYPE_CHECKING:
    from stemma.graph.sqlite.lineage_arrays import LineageArrays
    from stemma.graph.sqlite.property_graph import PropertyGraph

_BATCH = 500
_MANY = 2000
"""Works of a lineage that are found in all edges at once, not step by step."""
_MOST_REMEMBERED = 1000
"""Works of an answer to a search that is kept for the next time."""
_STATED = """
SELECT confidence, parts FROM statement WHERE subject = (SELECT no FROM work WHERE id = ?)
AND relation = ? AND entity = (SELECT no FROM work WHERE id = ?)
"""
HISTORY = "history.jsonl"
"""The file with what the latest builds changed, in the folder of a generation."""
_Row = tuple[Any, ...]
_Answer = TypeVar("_Answer")


class SqliteReader:
    """Reads a generation, from any number of threads, and holds it as long as it is in use."""

    def __init__(self, generation: Generation, base: str, decisions: DecisionFile) -> None:
        finalize(self, os.close, generation.lock)
        self.held = generation
        self.generation = generation.name
        self.base = base
        self.decisions = decisions
        self.path = generation.path
        try:
            self._db = open_index(self.path)
        except FileNotFoundError as error:
            raise damaged(self.path, "index.db is missing") from error
        except OSError as error:
            raise _unopened(self.path, error.strerror) from error
        # It refers to itself, and would be open until the garbage is collected.
        finalize(self, self._db.close)
        with damage_as_store_error(self.path):
            self.rows("SELECT 1 FROM meta LIMIT 1")
        self._works = Cache[str, Work](8192)
        self._extractions = Cache[str, LinkedExtraction](512)
        self._dates = Cache[str, PartialDate | None](65536)
        self._statements = Cache[tuple[str, str, str, float], Statement](16384)
        self._naming = Cache[tuple[str, Hashable], tuple[str, ...]](1024)
        self._surest = Cache[tuple[str, Hashable], tuple[Statement, ...]](1024)
        self._searched = Cache[tuple[Hashable, ...], list[str]](1024)
        self._wide = Cache[tuple[str, LineageDirection, int], bool](8192)
        self._adjacency = Adjacency()
        self._arrays: LineageArrays | None = None
        self._loading = Lock()

    @cached_property
    def rdf(self) -> ox.Store:
        """The graph as Oxigraph has it, which is made if it was not asked for before."""
        path = self.project()
        if lacks_files(path):
            raise damaged(self.path, "files of its RDF are missing, or were cut off")
        with self._loading:
            try:
                return ox.Store.read_only(str(path))
            except OSError as error:
                if "No such file" in str(error):
                    raise damaged(self.path, error) from error
                raise _unopened(self.path, error) from error

    @property
    def is_written(self) -> bool:
        """Whether the graph is there as RDF."""
        return is_projected(self.path)

    def project(self, tick: Callable[[], object] = int) -> Path:
        """Return the folder with the graph as RDF; `tick` is called for each paper written."""
        with damage_as_store_error(self.path):
            return ensure_projection(self, tick)

    @property
    def dataset(self) -> StoredRdf:
        """The graph as RDF."""
        return self

    @property
    def property_graph(self) -> "PropertyGraph":
        """The graph as Neo4j would hold it."""
        from stemma.graph.sqlite.property_graph import PropertyGraph  # noqa: PLC0415 - a cycle

        return PropertyGraph(self)

    def rows(self, query: str, parameters: Sequence[Any] = ()) -> list[_Row]:
        """Query the index."""
        return self._db.execute(query, parameters).fetchall()

    def _meta(self, key: str) -> str:
        return "".join(
            value for (value,) in self.rows("SELECT value FROM meta WHERE key = ?", [key])
        )

    def rows_in(self, query: str, values: Iterable[Any], *more: Any) -> Iterator[_Row]:
        """Query the index for many values: `query` has ``{}`` in place of their list."""
        for batch in batched(dict.fromkeys(values), _BATCH):
            yield from self.rows(query.format(",".join("?" * len(batch))), [*batch, *more])

    # Works and their names.

    def works(self, ids: Collection[str]) -> dict[str, Work]:
        found = {id_: work for id_ in ids if (work := self._works.get(id_))}
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
        work = self._works.get(id_)
        if work is None:
            if type_ == WorkType.PAPER:
                work = self._paper(id_)
            else:
                aliases, broader, year = (*json.loads(details or "[[],[]]"), None)[:3]
                kind_ = EntityKind(kind or "")
                work = Entity(id_, name, kind_, tuple(aliases), tuple(broader), bool(general), year)
            self._works[id_] = work
        return work

    def _paper(self, id_: str) -> Paper:
        linked = self._extractions.get(id_)
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
        if found := self._extractions.get(paper):
            return found
        for linked in self.linked_extractions([paper]):
            self._extractions[paper] = linked
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

    @cached_property
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
            return now
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

    @cached_property
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
        found = self._searched.get(asked)
        if found is None:
            names = NameSearch(self.rows, self._has_trigrams)
            others = wordings(text)
            numbers = names.search(match_key(text), words, kinds, first, general, others)
            ids: dict[int, str] = dict(
                self.rows_in("SELECT no, id FROM work WHERE no IN ({})", numbers)
            )
            found = [ids[number] for number in numbers]
            if len(found) <= _MOST_REMEMBERED:
                self._searched[asked] = found
        return found

    def ranked(
        self, topics: Sequence[Topic], filter: WorkFilter = EVERYTHING, first: int = 100
    ) -> list[RankedPaper]:
        if not self._has_table("text"):
            return []
        matches = [about(self.rows, topic, filter) for topic in topics]
        return ranked(topics, matches, self._papers, first)

    @cached_property
    def _has_trigrams(self) -> bool:
        return self._has_table("trigram")

    def _has_table(self, name: str) -> bool:
        return bool(self.rows("SELECT 1 FROM sqlite_schema WHERE name = ?", [name]))

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
        return total * total > self._papers * (first + 1)

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

        return self._remembered(self._naming, entities, tuple(relations), read)

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
            WHERE near.id IN ({{}}) AND parts <> '' {related}
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
        dates = self._dates.get_many(ids, read)
        return {id_: date for id_, date in dates.items() if date}

    def statistics(self) -> Statistics:
        decisions = int(self._meta("decisions") or 0)
        return Statistics.read(self._meta("statistics"), self.generation, decisions)

    @cached_property
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
            return {
                id_: [
                    self._stated_as(*row)
                    for *row, _, _ in self.rows(*surest(numbers[id_], relations, first))
                ]
                for id_ in ids
                if id_ in numbers
            }

        return self._remembered(self._surest, of, (tuple(relations), first), read)

    def _every_statement(
        self, of: Collection[str], relations: Collection[RelationType]
    ) -> dict[str, list[Statement]]:
        related = f"AND relation IN ({','.join('?' * len(relations))})" if relations else ""
        found: dict[str, list[_Row]] = {id_: [] for id_ in of}
        for end in ("subject", "entity"):
            rows = self.rows_in(
                f"""
                SELECT w.id, s.id, relation, e.id, confidence, parts FROM work w
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
        return {
            id_: [self.statement(*row) for row in sorted(found[id_], key=_surest)]
            for id_ in found
            if id_ in known
        }

    def statement_rows(
        self, of: str, relations: Collection[RelationType], first: int
    ) -> list[StatementRow]:
        return [
            StatementRow.read(*row)
            for (work,) in self.rows("SELECT no FROM work WHERE id = ?", [of])
            for row in self.rows(*surest(work, relations, first))
        ]

    def whole_statements(self, keys: Collection[StatementKey]) -> dict[StatementKey, Statement]:
        return {
            key: self.statement(*key, confidence, parts)
            for key in keys
            for confidence, parts in self.rows(_STATED, key)
        }

    def statement_page(
        self, chosen: Selection, after: StatementKey | None = None, first: int = 20
    ) -> StatementPage:
        key = self._place_of(after) if after else None
        if not chosen.compared:
            ((total,),) = self.rows(*counting(chosen))
            rows = self.rows(*listing(chosen, key, first + 1))
        else:
            # What was compared is in RDF alone, and no number of rows is known to be enough.
            every = self.rows(*listing(chosen, None, -1))
            fitting = [row for row in every if self._is_compared(row, chosen)]
            total = len(fitting)
            rows = [row for row in fitting if key is None or _surest(row) > key][: first + 1]
        statements = tuple(self.statement(*row) for row in rows[:first])
        return StatementPage(statements, int(total), len(rows) > first, after is not None)

    def _place_of(self, statement: StatementKey) -> tuple[float, str, str, str]:
        """Return where a statement is in the order of confidence."""
        for confidence, _ in self.rows(_STATED, statement):
            return (-confidence, *statement)
        raise BadCursorError(" ".join(statement))

    def _is_compared(self, row: _Row, chosen: Selection) -> bool:
        subject, *_, parts = row
        found = (self._comparisons.get((subject, part)) for part in parts.split())
        return any(chosen.passes(each) for each in found if each)

    @cached_property
    def _comparisons(self) -> dict[tuple[str, str], Comparison]:
        """All results of comparisons, by the papers and fragments of their statements."""
        return {
            (paper, part): comparison.from_json(json.loads(outcome))
            for paper, part, outcome in self.rows(
                "SELECT id, part, outcome FROM comparison JOIN work ON no = paper"
            )
        }

    def statement(
        self, subject: str, relation: str, entity: str, confidence: float, parts: str
    ) -> Statement:
        """Return the statement of a row; `parts` is empty for a fact of the catalogue."""
        key = (subject, relation, entity, confidence)
        found = self._statements.get(key)
        if found is None:
            for each in self._statements_of(*key, parts):
                own = (each.subject, each.relation.value, each.entity, each.confidence)
                self._statements[own] = each
                if own == key:
                    found = each
        if found is None:
            raise damaged(self.path, f"the record of {subject} lacks {relation} {entity}")
        return found

    def _statements_of(
        self, subject: str, relation: str, entity: str, confidence: float, parts: str
    ) -> list[Statement]:
        """Return all statements of a paper, or the fact of a row."""
        if not parts:
            fact = RelationType(relation)
            return [Statement(subject, fact, entity, confidence, (), CATALOGUE_ORIGIN)]
        return self.reading(subject).statements()

    def neighbours(
        self,
        ids: Collection[str],
        direction: LineageDirection,
        filter: LineageFilter = WHOLE_LINEAGE,
    ) -> dict[str, list[str]]:
        if not filter.active:
            return self._adjacency.beside(self.rows_in, ids, direction)
        around = self._adjacency.around(self.rows_in, ids, direction, filter, self.published)
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
    ) -> LineagePage | None:
        # One step is quick even to thousands of works.
        if not (
            max_depth > 1 and filter.is_indexed and self._reaches_many(root, direction, max_depth)
        ):
            return None
        ((number,),) = self.rows("SELECT no FROM work WHERE id = ?", [root])
        return self._lineage_arrays.page(
            number, direction, max_depth, filter, include_general, after, first
        )

    def family_page(
        self,
        root: str,
        directions: Sequence[LineageDirection],
        max_depth: int,
        filter: LineageFilter,
        include_general: bool,
        first: int,
    ) -> FamilyPage | None:
        # One step is quick even to thousands of works.
        if (
            max_depth < 2
            or not filter.is_indexed
            or not any(self._reaches_many(root, each, max_depth) for each in directions)
        ):
            return None
        ((number,),) = self.rows("SELECT no FROM work WHERE id = ?", [root])
        return self._lineage_arrays.family(
            number, directions, max_depth, filter, include_general, first
        )

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

    def _reaches_many(self, root: str, direction: LineageDirection, max_depth: int) -> bool:
        """Return whether a lineage may be so large that it is worth it to read all edges."""
        asked = (root, direction, max_depth)
        many = self._wide.get(asked)
        if many is None:
            near, far = ends_of(direction)
            edge = [number for (number,) in self.rows("SELECT no FROM work WHERE id = ?", [root])]
            reached = set(edge)
            # Each has an index of its own.
            table = "derivation" if direction is LineageDirection.DESCENDANTS else "edge"
            query = f"SELECT DISTINCT {far} FROM {table} WHERE {near} IN ({{}}) LIMIT ?"
            for _ in range(max_depth):
                found = {number for (number,) in self.rows_in(query, edge, _MANY)}
                edge = sorted(found - reached)
                reached |= found
                if not edge or len(reached) >= _MANY:
                    break
            many = self._wide[asked] = len(reached) >= _MANY
        return many

    @property
    def _lineage_arrays(self) -> "LineageArrays":
        from stemma.graph.sqlite.lineage_arrays import LineageArrays  # noqa: PLC0415 - slow

        with self._loading:
            if self._arrays is None:
                self._arrays = LineageArrays(self.rows, self.rows_in)
            return self._arrays

    def lineage_edges(
        self,
        ids: Collection[str],
        direction: LineageDirection,
        filter: LineageFilter = WHOLE_LINEAGE,
    ) -> dict[str, list[LineageEdge]]:
        """Return, for each work, the edges to its children or parents."""
        supports = self._adjacency.around(self.rows_in, ids, direction, filter, self.published)
        downwards = direction is LineageDirection.DESCENDANTS
        dates = self.published({*supports, *(end for ends in supports.values() for end in ends)})
        return {
            id_: [
                self._edge(end if downwards else id_, id_ if downwards else end, each, dates)
                for end, each in ends.items()
            ]
            for id_, ends in supports.items()
        }

    def _edge(
        self, child: str, parent: str, support: list[Support], dates: dict[str, PartialDate]
    ) -> LineageEdge:
        statements = [
            self._stated_as(each.subject, each.relation, parent, each.confidence)
            for each in support
        ]
        return lineage_edge(child, parent, support, statements, dates)

    def _stated_as(self, subject: str, relation: str, entity: str, confidence: float) -> Statement:
        if found := self._statements.get((subject, relation, entity, confidence)):
            return found
        ((_, parts),) = self.rows(_STATED, [subject, relation, entity])
        return self.statement(subject, relation, entity, confidence, parts)

    # People's decisions.

    @property
    def decision_file(self) -> str:
        """The fingerprint of the file of decisions that this generation was made with."""
        return self._meta("decision_file")

    @property
    def decision_file_replaced(self) -> str | None:
        """The fingerprint of the file before, if the graph was written in order to change it."""
        replaced: str | None = json.loads(self._meta("decision_file_replaced") or "null")
        return replaced

    def decided(self) -> tuple[Decision, ...]:
        """Return the decisions that this generation was made with."""
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
        try:
            return load((self.path / HISTORY).read_bytes())
        except FileNotFoundError:  # Damaged, and removed as `stemma check` said.
            return []
        except ValueError as error:
            raise damaged(self.path / HISTORY, error) from error

    def files_read(self) -> list[tuple[str, str, str]]:
        """Return file, sha256 and reading of the files that were read whole."""
        return self.rows("SELECT file, sha256, reading FROM reading ORDER BY file, sha256, reading")

    def extractions(self) -> Iterator[Extraction]:
        for linked in self.linked_extractions(self.paper_ids()):
            yield replace(linked.extraction, extractor=linked.extractor)

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


def _unopened(path: Path, reason: object) -> StoreError:
    return StoreError(f"{path} cannot be opened: {reason}")


def _surest(row: _Row) -> tuple[Any, ...]:
    """Order rows as their statements are ordered: see `lineage_edge.by_confidence`."""
    subject, relation, entity, confidence, *_ = row
    return (-confidence, subject, relation, entity)
