"""The reader: all that a graph in Neo4j is asked, within one read transaction."""

import json
import time
from collections import defaultdict
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from contextlib import suppress
from functools import partial
from itertools import starmap
from operator import itemgetter
from threading import Lock
from typing import Any

import neo4j
from neo4j.exceptions import DriverError, Neo4jError

from stemma.graph.filters import EVERYTHING, WHOLE_LINEAGE, LineageFilter, WorkFilter
from stemma.graph.history import Build
from stemma.graph.lineage_edge import LineageEdge, Support, by_confidence, lineage_edge
from stemma.graph.lineage_page import LineagePage, Place, date_of, number_of
from stemma.graph.linked_extraction import LinkedExtraction
from stemma.graph.linking.people import Person, by_papers, keys_asked
from stemma.graph.linking.references import identified
from stemma.graph.nearest import Spelling, lengths, nearest
from stemma.graph.neo4j import note
from stemma.graph.neo4j.connection import READING_SECONDS, Connection
from stemma.graph.neo4j.failure import store_errors
from stemma.graph.neo4j.history import builds
from stemma.graph.neo4j.record import entity, key, paper, person, statement
from stemma.graph.neo4j.record_ties import RecordTie, tied
from stemma.graph.neo4j.selection import any_of, order_key, select, way_of, worded
from stemma.graph.neo4j.statement_selection import PAGE_OF_STATEMENTS, select_statements
from stemma.graph.ranking import STATED, RankedPaper, Topic, ranked
from stemma.graph.selection import LineageDirection, PageOrder, Selection
from stemma.graph.statement_page import StatementKey, StatementPage, StatementRow
from stemma.graph.store import (
    BadCursorError,
    Page,
    Statistics,
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
from stemma.graph.wording import Wording, wordings
from stemma.schema import (
    LINEAGE_RELATIONS,
    EntityKind,
    Extraction,
    PartialDate,
    RelationType,
    Statement,
)
from stemma.schema.identifier import ENTITY, is_id
from stemma.schema.name import plain

_TRIES = 4
_SECONDS_BETWEEN_TRIES = 0.5

_WORKS = """
CALL () {
  UNWIND $papers AS id MATCH (n:Paper {id: id})
  RETURN properties(n) AS own, [] AS broader
UNION ALL
  UNWIND $entities AS id MATCH (n:Entity {id: id})
  RETURN properties(n) AS own, [(n)-[b:BROADER]->(w:Entity) WHERE b.origin IS NOT NULL | w.id]
    AS broader
}
RETURN own, broader
"""
_NAMED = """
UNWIND $keys AS key
CALL (key) {
  MATCH (n:Entity) WHERE n._keys CONTAINS '\\n' + key + '\\n'
  RETURN n.id AS id, CASE WHEN n._keys STARTS WITH '\\n' + key + '\\n' THEN 0 ELSE 1 END AS rank,
    coalesce(n.papers, 0) AS papers
UNION ALL
  MATCH (n:Paper) WHERE n._keys CONTAINS '\\n' + key + '\\n'
  RETURN n.id AS id, 2 AS rank, 0 AS papers
}
RETURN key, rank, id, papers ORDER BY rank, id
"""
_SPELLINGS = """
CALL () {
  MATCH (n:Entity) WHERE n._keys IS NOT NULL
  RETURN n._keys AS keys, n.name AS name, coalesce(n.papers, 0) AS papers, 1 AS other
UNION ALL
  MATCH (n:Paper) WHERE n._keys IS NOT NULL
  RETURN n._keys AS keys, n.title AS name, 0 AS papers, 2 AS other
}
WITH split(keys, '\\n') AS keys, name, papers, other
UNWIND range(1, size(keys) - 2) AS number
WITH keys[number] AS key, name, papers,
  CASE WHEN other = 1 AND number = 1 THEN 0 ELSE other END AS rank
WHERE $shortest <= size(key) <= $longest OR key CONTAINS $key
RETURN DISTINCT key, rank, name, papers
"""
_ALL = 2**31
_SEARCH = """
CALL () {
  MATCH (n:Entity) WHERE n._keys CONTAINS $longest AND ($kinds = [] OR n.kind IN $kinds)
    AND ($general IS NULL OR n.general = $general)
  RETURN n, 0 AS type
UNION ALL
  MATCH (n:Paper) WHERE n._keys CONTAINS $longest AND $kinds = [] AND $general IS NULL
  RETURN n, 1 AS type
}
WITH n, type,
  [key IN split(n._keys, '\\n') WHERE WORDED] AS found
WHERE size(found) > 0
WITH n.id AS id, n._order AS name, type, coalesce(n.papers, 0) AS papers,
  CASE WHEN $key IN found THEN 0 WHEN any(key IN found WHERE key STARTS WITH $key) THEN 1 ELSE 2 END
    AS distance
RETURN id ORDER BY distance, papers DESC, type, name, id LIMIT $first
""".replace("WORDED", worded("$way", "key"))
# Without a full-text index: titles and abstracts are read.
_ABOUT = """
WITH n, CASE WHEN any(each IN $phrases WHERE toLower(n.title) CONTAINS each) THEN 1.0
  WHEN any(each IN $phrases WHERE toLower(n.abstract) CONTAINS each) THEN 0.4
  WHEN EXISTS { (n)-[r]->(e:Entity) WHERE r.origin IS NOT NULL AND e.id IN $entities }
  THEN $stated ELSE 0.0 END AS strength
WHERE strength > 0 RETURN n.id AS id, strength
"""
_STATEMENTS = """
CALL () {{
  UNWIND $papers AS id MATCH (n:Paper {{id: id}}) RETURN id, n
UNION ALL
  UNWIND $entities AS id MATCH (n:Entity {{id: id}}) RETURN id, n
}}
CALL (n) {{
  CALL (n) {{
    MATCH (n)-[r:{types}]->(e:Entity) WHERE r.origin IS NOT NULL RETURN n AS s, r, e
  UNION ALL
    MATCH (s)-[r:{types}]->(n) WHERE r.origin IS NOT NULL AND s <> n RETURN s, r, n AS e
  }}
  WITH s, r, e ORDER BY -r.confidence, s.id, type(r), e.id LIMIT $first
  RETURN collect([s.id, type(r), e.id, properties(r)]) AS statements
}}
RETURN id, statements
"""
_STATEMENT_ROWS = """
MATCH (n:{label} {{id: $id}})
CALL (n) {{
  MATCH (n)-[r:{types}]->(e:Entity) WHERE r.origin IS NOT NULL RETURN n AS s, r, e, e.kind AS kind
UNION ALL
  MATCH (s)-[r:{types}]->(n) WHERE r.origin IS NOT NULL AND s <> n
  RETURN s, r, n AS e, s.kind AS kind
}}
RETURN s.id AS subject, type(r) AS relation, e.id AS entity, r.confidence AS confidence,
  s.published AS published, kind
ORDER BY -confidence, subject, relation, entity LIMIT $first
"""
_BETWEEN = """
UNWIND $papers AS row
MATCH (s:Paper {{id: row[0]}})
WITH s, row MATCH (s)-[r:{types}]->(:Entity {{id: row[1]}})
WHERE r.origin IS NOT NULL
RETURN row[0] AS subject, type(r) AS relation, row[1] AS entity, properties(r) AS own
UNION ALL
UNWIND $entities AS row
MATCH (s:Entity {{id: row[0]}})
WITH s, row MATCH (s)-[r:{types}]->(:Entity {{id: row[1]}})
WHERE r.origin IS NOT NULL
RETURN row[0] AS subject, type(r) AS relation, row[1] AS entity, properties(r) AS own
"""
_EDGES = """
CALL () {{
  UNWIND $papers AS id MATCH (n:Paper {{id: id}}) RETURN n
UNION ALL
  UNWIND $entities AS id MATCH (n:Entity {{id: id}}) RETURN n
}}
MATCH (n){edge}(end) WHERE d.relations IS NOT NULL {passes}
RETURN n.id AS id, end.id AS end {details}
"""
_EDGE_OF = {
    LineageDirection.DESCENDANTS: "<-[d:DERIVES_FROM]-",
    LineageDirection.ANCESTORS: "-[d:DERIVES_FROM]->",
}
_PASSES = """AND any(i IN range(0, size(d.statement_subject) - 1)
  WHERE d.statement_confidence[i] >= $min_confidence AND d.statement_relation[i] IN $relations
  AND ($include_catalogue OR NOT d.statement_subject[i] STARTS WITH 'entity/'))"""
_DETAILS = """, d.statement_subject AS subjects, d.statement_relation AS relations,
  d.statement_confidence AS confidences, n.published AS published, end.published AS end_published"""
_REACHED = """
MATCH (root:Entity|Paper {{id: $root}})
WITH root, [root] AS step0
{steps}
UNWIND {all} AS step UNWIND step[1] AS n
WITH root, n, min(step[0]) AS depth WHERE n <> root
WITH depth, coalesce(n.year, 10000) * 10000
  + coalesce(toInteger(substring(n.published, 5, 2)), 13) * 100
  + coalesce(toInteger(substring(n.published, 8, 2)), 32) AS date, n.id AS id
ORDER BY depth, date, id
WITH collect([depth, date, id]) AS reached
WITH reached, CASE WHEN $after IS NULL THEN 0 ELSE size([each IN reached WHERE each[0] < $after[0]
  OR each[0] = $after[0] AND (each[1] < $after[1] OR each[1] = $after[1] AND each[2] <= $after[2])])
  END AS start
RETURN [each IN reached[..start] | each[2]] AS earlier, reached[start..start + $first] AS places,
  size(reached) AS total
"""
"""Lists the works of a lineage that follow a place, in the order of their places."""
_STEP = """
CALL ({near}) {{
  UNWIND {near} AS near MATCH (near){edge}(n) WHERE d.relations IS NOT NULL {passes}
    AND ($include_general OR NOT coalesce(n.general, false))
  RETURN collect(DISTINCT n) AS {far}
}}
"""
_DEEPEST = 8
"""Steps of a lineage that one query takes."""
_BATCH = 500
_READ = "MATCH (n:_StemmaReading) RETURN n.paper AS id ORDER BY id"
_EXTRACTIONS = """
UNWIND $ids AS id MATCH (n:_StemmaReading {paper: id}) MATCH (p:Paper {id: id})
RETURN properties(p) AS own, n.extractor AS extractor, n.found AS found ORDER BY id
"""
_LINKED = """
UNWIND $ids AS id MATCH (n:_StemmaReading {paper: id}) MATCH (p:Paper {id: id})
RETURN properties(p) AS own, n.extractor AS extractor, n.found AS found, n.names AS names,
  n.verdicts AS verdicts ORDER BY id
"""
_OLDEST = "min(coalesce(far.published, '~') + '~')"
_PUBLISHED = """
CALL () {
  UNWIND $papers AS id MATCH (n:Paper {id: id}) RETURN n
UNION ALL
  UNWIND $entities AS id MATCH (n:Entity {id: id}) RETURN n
}
WITH n WHERE n.published IS NOT NULL RETURN n.id AS id, n.published AS published
"""


class Neo4jReader:
    """Reads a graph, from any number of threads, one question at a time.

    Neo4j shows what others commit meanwhile: a question sees whole papers, the next may see more.
    """

    def __init__(self, connection: Connection) -> None:
        self._connection = connection
        self._asking = Lock()
        self._session: neo4j.Session | None = None
        self._transaction: neo4j.Transaction | None = None

    def close(self) -> None:
        """End the transaction."""
        with self._asking:
            self._end()

    def _end(self) -> None:
        session, self._session, self._transaction = self._session, None, None
        if session:
            # Where the server is gone, the transaction is gone with it.
            with suppress(Neo4jError, DriverError, OSError):
                session.close()

    def rows(self, cypher: str, **parameters: Any) -> list[neo4j.Record]:
        """Query the database. Raises StoreError if it does not answer, or holds no graph."""
        if not self._connection.holds_graph:
            self.note()
        return self._rows(cypher, **parameters)

    def _rows(self, cypher: str, **parameters: Any) -> list[neo4j.Record]:
        with self._asking, store_errors(self._connection.address):
            for left in reversed(range(_TRIES)):
                started = self._transaction is not None
                try:
                    return self._ask(cypher, parameters)
                except (Neo4jError, DriverError) as error:
                    self._end()
                    # A transaction that has answered before is not started again unnoticed.
                    if started or not left or not error.is_retryable():
                        raise
                time.sleep(_SECONDS_BETWEEN_TRIES)
        raise AssertionError("the last try returns or raises")

    def _ask(self, cypher: str, parameters: dict[str, Any]) -> list[neo4j.Record]:
        if self._transaction is None:
            self._session = self._connection.session(neo4j.READ_ACCESS)
            self._transaction = self._session.begin_transaction(timeout=READING_SECONDS)
        return list(self._transaction.run(cypher, parameters))

    def note(self) -> neo4j.Record:
        """Return what is noted of the graph. Raises StoreError where there is none."""
        found = self._rows(
            f"MATCH (g:_StemmaNote {{name: '{note.GRAPH}'}}) RETURN g.format AS format, "
            "g.generation AS generation, g.statistics AS statistics, g.former AS former, "
            "g.unapplied AS unapplied, g.decision_file AS decision_file, g.decisions AS decisions, "
            "g.catalogue AS catalogue"
        )
        where = self._connection.address
        if not found or found[0]["generation"] is None:
            raise StoreError(f"There is no graph in {where} yet: create one with `stemma build`.")
        note.expect_format(where, found[0]["format"])
        self._connection.holds_graph = True
        return found[0]

    @property
    def generation(self) -> str:
        return f"{self.note()['generation']:06}"

    dataset = None
    property_graph = None

    # Works.

    def works(self, ids: Collection[str]) -> dict[str, Work]:
        found: dict[str, Work] = {}
        for row in self.rows(_WORKS, **_by_type(ids)) if ids else ():
            own = row["own"]
            if "source_file" in own:
                found[own["id"]] = paper(own)
            elif "kind" in own:
                found[own["id"]] = entity(own, row["broader"])
        return {id_: found[id_] for id_ in ids if id_ in found}

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
        keys = {name: (key(plain(name).upper()), key(name)) for name in names}
        ranked: dict[str, list[tuple[int, str, int]]] = {}
        for row in self.rows(_NAMED, keys=sorted({one for each in keys.values() for one in each})):
            ranked.setdefault(row["key"], []).append((row["rank"], row["id"], row["papers"]))
        called = {name: of_best_rank(each, ranked) for name, each in keys.items()}
        return identified(called, partial(tied, self.rows, RecordTie.GOES_BY))

    def _resolve_id(self, id_: str) -> str:
        if self.works([id_]):
            return id_
        former: dict[str, str] = json.loads(self.note()["former"])
        if id_ in former:
            return former[id_]
        senses = [
            row["id"]
            for row in self.rows(
                "MATCH (e:Entity) WHERE e.id STARTS WITH $prefix RETURN e.id AS id ORDER BY id",
                prefix=f"{id_}--",
            )
        ]
        if not senses or not id_.startswith(ENTITY):
            name = id_.partition("/")[2].replace("-", " ")
            raise UnknownNameError(id_, nearest(name, self._spellings(name)))
        return meant_by(id_, dict.fromkeys(senses, 0), self)

    def _spellings(self, name: str) -> list[Spelling]:
        shortest, longest = lengths(name)
        rows = self.rows(_SPELLINGS, shortest=shortest, longest=longest, key=key(name))
        return [(row["key"], row["rank"], row["name"], row["papers"]) for row in rows]

    def matching(
        self,
        text: str,
        kinds: Collection[EntityKind] = (),
        general: bool | None = None,
        first: int = _ALL,
    ) -> list[str]:
        words = [key(word.lower()) for word in text.split() if any(map(str.isalnum, word))]
        if not words or first < 1:
            return []
        found: dict[str, None] = {}
        for way in (Wording(tuple(words)), *wordings(text)):
            if len(found) < first:
                rows = self.rows(
                    _SEARCH,
                    way=way_of(way),
                    longest=max(way.all_keys, key=len),
                    key=key(text),
                    kinds=[kind.value for kind in kinds],
                    general=general,
                    first=first,
                )
                found |= dict.fromkeys(row["id"] for row in rows)
        return list(found)[:first]

    def ranked(
        self, topics: Sequence[Topic], filter: WorkFilter = EVERYTHING, first: int = 100
    ) -> list[RankedPaper]:
        selection = select(WorkType.PAPER, filter)
        matches = []
        for topic in topics:
            rows = self.rows(
                f"{selection.cypher} {_ABOUT}",
                **selection.parameters,
                phrases=[each.lower().removesuffix("s") for each in topic.phrases],
                entities=list(topic.entities),
                stated=STATED,
            )
            matches.append({row["id"]: row["strength"] for row in rows})
        return ranked(topics, matches, self.statistics().papers, first)

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
        selection, sorted_by = select(type, filter), order_key(order)
        parameters = {**selection.parameters, "after": after, "before": before}
        between = f"WITH n, {sorted_by} AS place WHERE true"
        for cursor, name, side in ((after, "after", ">"), (before, "before", "<")):
            if cursor is not None:
                parameters[f"{name}_place"] = self._place(cursor, sorted_by)
                between += (
                    f" AND (place {side} ${name}_place"
                    f" OR (place = ${name}_place AND n.id {side} ${name}))"
                )
        way = " DESC" if backward else ""
        (count,) = self.rows(f"{selection.cypher} RETURN count(n) AS count", **parameters)
        rows = self.rows(
            f"{selection.cypher} {between} RETURN n.id AS id "
            f"ORDER BY place{way}, n.id{way} LIMIT $limit",
            **parameters,
            limit=first + 1,
        )
        works = list(self.works([row["id"] for row in rows[:first]]).values())
        return cut_page(works, count["count"], len(rows) > first, after, before, backward)

    def ids(
        self,
        type: WorkType,
        filter: WorkFilter = EVERYTHING,
        order: PageOrder = PageOrder.NAME,
        first: int = 20,
    ) -> list[str]:
        selection = select(type, filter)
        rows = self.rows(
            f"{selection.cypher} RETURN n.id AS id ORDER BY {order_key(order)}, n.id LIMIT $limit",
            **selection.parameters,
            limit=first,
        )
        return [row["id"] for row in rows]

    def papers_by_year(self, filter: WorkFilter = EVERYTHING) -> dict[int | None, int]:
        selection = select(WorkType.PAPER, filter)
        rows = self.rows(
            f"{selection.cypher} RETURN n.year AS year, count(n) AS papers ORDER BY year",
            **selection.parameters,
        )
        return {row["year"]: row["papers"] for row in rows}

    def _place(self, cursor: str, sorted_by: str) -> Any:
        label = "Entity" if cursor.startswith(ENTITY) else "Paper"
        found = self.rows(
            f"MATCH (n:{label} {{id: $cursor}}) RETURN {sorted_by} AS place", cursor=cursor
        )
        if not found:
            raise BadCursorError(cursor)
        return found[0]["place"]

    def entities_named(
        self, papers: Collection[str], relations: Collection[RelationType] = ()
    ) -> dict[str, list[str]]:
        pattern = f"(:Paper {{id: id}})-[r:{any_of(relations or RelationType)}]->(far:Entity)"
        return self._stated(pattern, "-max(r.confidence)", papers)

    def papers_naming(
        self, entities: Collection[str], relations: Collection[RelationType] = ()
    ) -> dict[str, list[str]]:
        pattern = f"(:Entity {{id: id}})<-[r:{any_of(relations or RelationType)}]-(far:Paper)"
        return self._stated(pattern, _OLDEST, entities)

    def _stated(
        self, pattern: str, order: str, ids: Collection[str], ours: str = "r.origin"
    ) -> dict[str, list[str]]:
        rows = self.rows(
            f"UNWIND $ids AS id MATCH {pattern} WHERE {ours} IS NOT NULL "
            f"WITH id, far.id AS far, {order} AS place RETURN id, far ORDER BY place, far",
            ids=list(dict.fromkeys(ids)),
        )
        return grouped(ids, rows)

    def people(self, ids: Collection[str]) -> dict[str, Person]:
        rows = self.rows(
            "UNWIND $ids AS id MATCH (a:Author {id: id}) WHERE a._keys IS NOT NULL "
            "RETURN properties(a) AS own",
            ids=list(ids),
        )
        found = {row["own"]["id"]: person(row["own"]) for row in rows}
        return {id_: found[id_] for id_ in ids if id_ in found}

    def people_called(self, name: str) -> list[Person]:
        rows = self.rows(
            "UNWIND $keys AS key MATCH (a:Author) WHERE a._keys CONTAINS '\\n' + key + '\\n' "
            "WITH DISTINCT a RETURN properties(a) AS own",
            keys=keys_asked(name),
        )
        return sorted((person(row["own"]) for row in rows), key=by_papers)

    def authors(self, papers: Collection[str]) -> dict[str, list[str]]:
        rows = self.rows(
            "UNWIND $ids AS id MATCH (:Paper {id: id})<-[w:WROTE]-(a:Author) "
            "WHERE w.place IS NOT NULL RETURN id, a.id AS author ORDER BY w.place",
            ids=list(dict.fromkeys(papers)),
        )
        return grouped(papers, rows)

    def written_by(self, people: Collection[str]) -> dict[str, list[str]]:
        pattern = "(:Author {id: id})-[r:WROTE]->(far:Paper)"
        return self._stated(pattern, _OLDEST, people, ours="r.place")

    def cites(self, papers: Collection[str]) -> dict[str, list[str]]:
        return self._stated("(:Paper {id: id})-[r:CITES]->(far:Paper)", _OLDEST, papers)

    def cited_by(self, papers: Collection[str]) -> dict[str, list[str]]:
        return self._stated("(:Paper {id: id})<-[r:CITES]-(far:Paper)", _OLDEST, papers)

    def narrower(self, ids: Collection[str]) -> dict[str, list[str]]:
        rows = self.rows(
            "UNWIND $ids AS id MATCH (n:Entity)-[b:BROADER]->(:Entity {id: id}) "
            "WHERE b.origin IS NOT NULL RETURN id, n.id AS narrow ORDER BY narrow",
            ids=list(ids),
        )
        return grouped(ids, rows)

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
        if not filter.is_indexed or not 0 < max_depth <= _DEEPEST:
            return None
        edge = _EDGE_OF[direction]
        passes = _PASSES if filter.active else ""
        steps = [
            _STEP.format(near=f"step{depth}", far=f"step{depth + 1}", edge=edge, passes=passes)
            for depth in range(max_depth)
        ]
        every = ", ".join(f"[{depth}, step{depth}]" for depth in range(1, max_depth + 1))
        ((earlier, places, total),) = self.rows(
            _REACHED.format(steps="".join(steps), all=f"[{every}]"),
            root=root,
            **_of_filter(filter),
            include_general=include_general,
            after=after and [after[0], number_of(after[1]), after[2]],
            first=first,
        )
        found = [(depth, date_of(date), id_) for depth, date, id_ in places]
        return LineagePage(earlier, found, total)

    def most_derived(self, first: int) -> dict[str, int]:
        rows = self.rows(
            "MATCH (n:Entity {general: false})<-[:DERIVES_FROM]-(child) "
            "WITH n.id AS id, count(DISTINCT child) AS children "
            "RETURN id, children ORDER BY children DESC, id LIMIT $first",
            first=first,
        )
        return {row["id"]: row["children"] for row in rows}

    def contributions(self, papers: Collection[str]) -> dict[str, str]:
        rows = self.rows(
            "UNWIND $ids AS id MATCH (:Paper {id: id})-[:INTRODUCES {main: true}]->(e:Entity) "
            "RETURN id, e.id AS entity",
            ids=list(papers),
        )
        return {row["id"]: row["entity"] for row in rows}

    def published(self, ids: Collection[str]) -> dict[str, PartialDate]:
        rows = self.rows(_PUBLISHED, **_by_type(ids))
        return {row["id"]: PartialDate.parse(row["published"]) for row in rows}

    @property
    def catalogue(self) -> str:
        fingerprint: str = self.note()["catalogue"]
        return fingerprint

    def builds(self) -> list[Build]:
        return builds(self.rows)

    def extractions(self) -> Iterator[Extraction]:
        ids = [row["id"] for row in self.rows(_READ)]
        for start in range(0, len(ids), _BATCH):
            for row in self.rows(_EXTRACTIONS, ids=ids[start : start + _BATCH]):
                yield note.load_found(row["found"], paper(row["own"]), row["extractor"])

    def linked_extractions(self, ids: Collection[str]) -> Iterator[LinkedExtraction]:
        wanted = list(ids)
        for start in range(0, len(wanted), _BATCH):
            for row in self.rows(_LINKED, ids=wanted[start : start + _BATCH]):
                found = note.load_found(row["found"], paper(row["own"]), row["extractor"])
                _, linked = note.load_names(found.paper.id, row["names"])
                verdicts = note.load_verdicts(row["verdicts"]) if row["verdicts"] else {}
                yield LinkedExtraction(found, row["extractor"], linked, verdicts)

    def statistics(self) -> Statistics:
        noted = self.note()
        generation = f"{noted['generation']:06}"
        return Statistics.read(noted["statistics"], generation, noted["decisions"])

    def unapplied(self) -> dict[int, str]:
        """Return why decisions, by their numbers, do not apply, or only in part."""
        return read_unapplied(self.note()["unapplied"])

    # Statements and lineage.

    def statements(
        self,
        of: Collection[str],
        relations: Collection[RelationType] = (),
        first: int | None = None,
    ) -> dict[str, list[Statement]]:
        """Return, for each work, the statements with it as subject or entity, the surest first."""
        types = any_of(relations or RelationType)
        most = _ALL if first is None else first
        query = _STATEMENTS.format(types=types)
        rows = self.rows(query, **_by_type(of), first=most) if of else ()
        found = {row["id"]: list(starmap(statement, row["statements"])) for row in rows}
        return {id_: found[id_] for id_ in of if id_ in found}

    def statement_rows(
        self, of: str, relations: Collection[RelationType], first: int
    ) -> list[StatementRow]:
        label = "Entity" if of.startswith(ENTITY) else "Paper"
        types = any_of(relations or RelationType)
        rows = self.rows(_STATEMENT_ROWS.format(label=label, types=types), id=of, first=first)
        return list(starmap(StatementRow.read, rows))

    def whole_statements(self, keys: Collection[StatementKey]) -> dict[StatementKey, Statement]:
        ends = ((subject, entity) for subject, _, entity in keys)
        found = self._between(ends, sorted({relation for _, relation, _ in keys}))
        return {key: found[key] for key in keys if key in found}

    def statement_page(
        self, chosen: Selection, after: StatementKey | None = None, first: int = 20
    ) -> StatementPage:
        cypher, parameters = select_statements(chosen)
        key = None
        if after:
            known = self.statements([after[0]], [after[1]]).get(after[0], ())
            key = next((by_confidence(each) for each in known if each.key == after), None)
            if key is None:
                raise BadCursorError(" ".join(after))
        ((total,),) = self.rows(f"{cypher} RETURN count(r)", **parameters)
        rows = self.rows(f"{cypher} {PAGE_OF_STATEMENTS}", **parameters, key=key, first=first + 1)
        statements = tuple(statement(*row["statement"]) for row in rows[:first])
        return StatementPage(statements, int(total), len(rows) > first, after is not None)

    def neighbours(
        self,
        ids: Collection[str],
        direction: LineageDirection,
        filter: LineageFilter = WHOLE_LINEAGE,
    ) -> dict[str, list[str]]:
        if not filter.is_indexed:
            passing = self._passing(self._edges(ids, direction, filter, details=True), filter)
            edges = [ends for ends, support in passing.items() if support]
        else:
            rows = self._edges(ids, direction, filter, details=False)
            edges = [(row["id"], row["end"]) for row in rows]
        return grouped(ids, sorted(edges))

    def _passing(
        self, rows: Collection[neo4j.Record], filter: LineageFilter
    ) -> dict[tuple[str, str], list[Support]]:
        """Return the support that passes of edges, by the work asked for and the one at the end."""
        support = {
            (row["id"], row["end"]): supports(row["subjects"], row["relations"], row["confidences"])
            for row in rows
        }
        dates: Mapping[str, PartialDate] = {}
        if filter.as_of:
            dates = self.published({each.subject for own in support.values() for each in own})
        return {ends: filter.passing(own, lambda _: dates) for ends, own in support.items()}

    def lineage_edges(
        self,
        ids: Collection[str],
        direction: LineageDirection,
        filter: LineageFilter = WHOLE_LINEAGE,
    ) -> dict[str, list[LineageEdge]]:
        """Return, for each work, the edges to its children or parents."""
        rows = self._edges(ids, direction, filter, details=True)
        dates = {
            work: PartialDate.parse(date)
            for row in rows
            for work, date in ((row["id"], row["published"]), (row["end"], row["end_published"]))
            if date
        }
        downwards = direction is LineageDirection.DESCENDANTS
        edges = {
            (end, id_) if downwards else (id_, end): support
            for (id_, end), support in self._passing(rows, filter).items()
            if support
        }
        statements = self._between(
            ((each.subject, parent) for (_, parent), support in edges.items() for each in support),
            LINEAGE_RELATIONS,
        )
        found: dict[str, list[LineageEdge]] = {id_: [] for id_ in ids}
        for (child, parent), support in sorted(edges.items(), key=itemgetter(0)):
            keys = [(each.subject, each.relation, parent) for each in support]
            # Others may have removed some statements meanwhile.
            if all(key in statements for key in keys):
                own = [statements[key] for key in keys]
                edge = lineage_edge(child, parent, support, own, dates)
                found[parent if downwards else child].append(edge)
        return found

    def _edges(
        self,
        ids: Collection[str],
        direction: LineageDirection,
        filter: LineageFilter,
        details: bool,
    ) -> list[neo4j.Record]:
        if not ids:
            return []
        return self.rows(
            _EDGES.format(
                edge=_EDGE_OF[direction],
                passes=_PASSES if filter.active else "",
                details=_DETAILS if details else "",
            ),
            **_by_type(ids),
            **_of_filter(filter),
        )

    def _between(
        self, pairs: Iterable[tuple[str, str]], relations: Iterable[RelationType]
    ) -> dict[StatementKey, Statement]:
        """Return the statements between subjects and entities that are of some relations."""
        rows = defaultdict(list)
        for subject, parent in dict.fromkeys(pairs):
            type_ = "entities" if subject.startswith(ENTITY) else "papers"
            rows[type_].append([subject, parent])
        if not rows:
            return {}
        found = self.rows(
            _BETWEEN.format(types=any_of(relations)),
            papers=rows["papers"],
            entities=rows["entities"],
        )
        statements = (
            statement(row["subject"], row["relation"], row["entity"], row["own"]) for row in found
        )
        return {each.key: each for each in statements}


def supports(
    subjects: Iterable[str], relations: Iterable[str], confidences: Iterable[float]
) -> list[Support]:
    """Read the support of an edge from the lists that its relationship has."""
    return [
        Support(subject, RelationType(relation), confidence, subject.startswith(ENTITY))
        for subject, relation, confidence in zip(subjects, relations, confidences, strict=True)
    ]


def _of_filter(filter: LineageFilter) -> dict[str, Any]:
    """Return the parameters of what lets edges pass."""
    return {
        "relations": [each.value for each in filter.relations or LINEAGE_RELATIONS],
        "min_confidence": filter.min_confidence,
        "include_catalogue": filter.include_catalogue,
    }


def _by_type(ids: Iterable[str]) -> dict[str, list[str]]:
    """Separate the ids of papers from those of entities."""
    parted: dict[str, list[str]] = {"papers": [], "entities": []}
    for id_ in dict.fromkeys(ids):
        parted["entities" if id_.startswith(ENTITY) else "papers"].append(id_)
    return parted
