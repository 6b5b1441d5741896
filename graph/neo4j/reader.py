"""The reader: all that a graph in Neo4j is asked."""

import json
from collections.abc import Collection, Iterable, Mapping, Sequence
from itertools import starmap
from operator import itemgetter
from time import monotonic
from typing import Any, NamedTuple

import neo4j

from stemma.graph.edge import StatementPlace
from stemma.graph.history import Build, load
from stemma.graph.lineage import LineagePage, Place
from stemma.graph.linking.people import Person, by_papers
from stemma.graph.matching import STATED, Spelling, Topic, Wording, lengths
from stemma.graph.neo4j import queries
from stemma.graph.neo4j.connection import Connection
from stemma.graph.neo4j.layout import FORMAT, statistics_in
from stemma.graph.property_graph import entity, name_key, paper, person, statement
from stemma.graph.reader import Cache, Reader, Statistics, Support, Work, WorkType, grouped
from stemma.graph.selection import (
    EDGES,
    EVERYTHING,
    LineageDirection,
    PageOrder,
    Selection,
    StatementKey,
)
from stemma.graph.store import StoreError
from stemma.schema import PartialDate, RelationType, Statement
from stemma.schema.name import ENTITY, slug

_ALL = 2**31
_IN_CYPHER = {"relations", "min_confidence", "include_catalogue"}
"""Filters of edges that this query has: with others, a lineage is read step by step."""
_SECONDS_CHECKED = 1.0
"""For so long, a graph that was there is taken to be there: to look takes as long as a question."""
_MOST_REMEMBERED = 20_000
"""Works that a reader keeps, so that what is asked of them next takes no statement."""


class _Node(NamedTuple):
    """A work, and the main contribution (an id) of a paper that has any."""

    work: Work
    main: str | None


class Neo4jReader(Reader):
    """Reads a graph, from any number of threads.

    Neo4j shows what others commit meanwhile: a question sees whole papers, the next may see more.
    """

    def __init__(self, connection: Connection) -> None:
        self._connection = connection
        self._own: dict[str, Any] | None = None
        self._nodes = Cache[str, _Node](_MOST_REMEMBERED)
        self._dates = Cache[str, PartialDate | None](_MOST_REMEMBERED)
        self._page: Support = {}
        """The works of a page of a lineage, with their edges to parents on it."""
        self._statements = Cache[StatementKey, Statement](_MOST_REMEMBERED)

    def rows(self, cypher: str, **parameters: Any) -> list[neo4j.Record]:
        """Query the database. Raises StoreError if it does not answer, or holds no graph."""
        if self._connection.checked + _SECONDS_CHECKED < monotonic():
            self.note()
        return self._connection.read(cypher, **parameters)

    def note(self) -> dict[str, Any]:
        """Return the note of the last push, but for what is long in it.

        Raises StoreError where there was no push.
        """
        if self._own is None:
            records, where = self._connection.read(queries.NOTE), self._connection.address
            note: dict[str, Any] = records[0]["own"] if records else {}
            if note.get("state") is None:
                raise StoreError(
                    f"There is no graph in {where} yet, or its first push was not finished: build "
                    f"a local store (`stemma build papers/`), then `stemma push {where}`."
                )
            if note["format"] != FORMAT:
                raise StoreError(
                    f"{where} has the graph format {note['format']}; this version of Stemma reads "
                    f"{FORMAT}. Push the graph again: `stemma push {where}`."
                )
            self._own, self._connection.checked = note, monotonic()
        return self._own

    @property
    def generation(self) -> str:
        return str(self.note()["generation"])

    @property
    def catalogue(self) -> str:
        return str(self.note()["catalogue"])

    @property
    def former(self) -> dict[str, str]:
        former: dict[str, str] = json.loads(self._noted("former"))
        return former

    def builds(self) -> list[Build]:
        return load(self._noted("builds"))

    def statistics(self) -> Statistics:
        return statistics_in(self.note())

    def unapplied(self) -> dict[int, str]:
        return dict(json.loads(self._noted("unapplied")))

    def _noted(self, what: str) -> str:
        ((text,),) = self.rows(queries.NOTED, what=what)
        return str(text)

    # Works.

    def works(self, ids: Collection[str]) -> dict[str, Work]:
        return {id_: node.work for id_, node in self._nodes_of(ids).items()}

    def _nodes_of(self, ids: Collection[str]) -> dict[str, _Node]:
        def read(missing: list[str]) -> dict[str, _Node]:
            return self._read(self.rows(queries.WORKS, ids=missing))

        return self._nodes.get_many(ids, read)

    def _read(self, rows: Iterable[Mapping[str, Any]]) -> dict[str, _Node]:
        """Read the nodes of works in rows, whose dates are then known as well."""
        nodes = {}
        for row in rows:
            own, id_ = row["own"], row["own"]["id"]
            work = entity(own, row["broader"]) if id_.startswith(ENTITY) else paper(own)
            nodes[id_] = _Node(work, row["main"])
            self._note_date(id_, own.get("published_edtf"))
        return nodes

    def _note_date(self, id_: str, published: str | None) -> None:
        self._dates[id_] = PartialDate.parse(published) if published else None

    def published(self, ids: Collection[str]) -> dict[str, PartialDate]:
        def read(missing: list[str]) -> dict[str, PartialDate | None]:
            rows = self.rows(queries.PUBLISHED, ids=missing)
            return {row["id"]: PartialDate.parse(row["published"]) for row in rows}

        dates = self._dates.get_many(ids, read)
        return {id_: date for id_, date in dates.items() if date}

    def contributions(self, papers: Collection[str]) -> dict[str, str]:
        nodes = self._nodes_of(papers)
        return {id_: node.main for id_, node in nodes.items() if node.main}

    def _named(self, keys: Sequence[str]) -> Iterable[Sequence[Any]]:
        return self.rows(queries.NAMED, keys=keys)

    def _papers_with(self, keys: Collection[str]) -> Iterable[Sequence[Any]]:
        return self.rows(queries.IDENTIFIED, keys=list(keys))

    def _senses(self, id_: str) -> list[str]:
        rows = self.rows(queries.SENSES, prefix=f"{id_}--")
        return [*self.works([row["id"] for row in rows])]

    def _spellings(self, name: str) -> list[Spelling]:
        shortest, longest = lengths(name)
        key = name_key(name)
        rows = self.rows(queries.SPELLINGS, shortest=shortest, longest=longest, key=key)
        return [(row["key"], row["rank"], row["name"], row["papers"]) for row in rows]

    def _matching(self, key: str, ways: Sequence[Wording], chosen: Selection) -> list[str]:
        ids: dict[str, None] = {}
        for way in ways:
            if len(ids) < chosen.first:
                rows = self.rows(
                    queries.SEARCH,
                    way=queries.way_of(way),
                    longest=max(way.keys, key=len),
                    key=key.replace("\n", " "),
                    kinds=[kind.value for kind in chosen.kinds],
                    general=chosen.general,
                    first=chosen.first,
                )
                ids |= dict.fromkeys(row["id"] for row in rows)
        return list(ids)[: chosen.first]

    def _about(self, topic: Topic, chosen: Selection) -> dict[str, float]:
        selected, parameters = queries.select(WorkType.PAPER, chosen)
        rows = self.rows(
            f"{selected} {queries.ABOUT}",
            **parameters,
            phrases=[phrase.lower().removesuffix("s") for phrase in topic.phrases],
            entities=list(topic.entities),
            stated=STATED,
        )
        return {row["id"]: row["strength"] for row in rows}

    def count(self, type: WorkType, chosen: Selection = EVERYTHING) -> int:
        selected, parameters = queries.select(type, chosen)
        (row,) = self.rows(f"{selected} RETURN count(n) AS count", **parameters)
        return int(row["count"])

    def _ids(self, type: WorkType, chosen: Selection, before: str | None, most: int) -> list[str]:
        selected, parameters = queries.select(type, chosen)
        sorted_by = queries.ORDERS[chosen.order or PageOrder.NAME]
        cursor, side, way = (chosen.after, ">", "") if before is None else (before, "<", " DESC")
        between = ""
        if cursor is not None:
            label = "Entity" if cursor.startswith(ENTITY) else "Paper"
            at = f"MATCH (n:{label} {{id: $cursor}}) RETURN {sorted_by} AS place"
            ((place,),) = self.rows(at, cursor=cursor)
            parameters |= {"cursor": cursor, "place": place}
            between = f"WHERE place {side} $place OR (place = $place AND n.id {side} $cursor)"
        rows = self.rows(
            f"{selected} WITH n, {sorted_by} AS place {between} "
            f"RETURN n.id AS id ORDER BY place{way}, n.id{way} LIMIT $first",
            **parameters,
            first=most,
        )
        return [row["id"] for row in rows]

    def papers_by_year(self, chosen: Selection = EVERYTHING) -> dict[int | None, int]:
        selected, parameters = queries.select(WorkType.PAPER, chosen)
        query = f"{selected} RETURN n.year AS year, count(n) AS papers ORDER BY year"
        return {row["year"]: row["papers"] for row in self.rows(query, **parameters)}

    def most_derived(self, first: int) -> dict[str, int]:
        rows = self.rows(
            "MATCH (n:Entity {general: false})<-[d:DERIVES_FROM]-(child) "
            "WHERE d.relations IS NOT NULL WITH n.id AS id, count(DISTINCT child) AS children "
            "RETURN id, children ORDER BY children DESC, id LIMIT $first",
            first=first,
        )
        return {row["id"]: row["children"] for row in rows}

    # What is beside works.

    def _beside(
        self, what: str, ids: Collection[str], relations: Collection[RelationType] = ()
    ) -> dict[str, list[str]]:
        query = queries.beside(what, relations)
        return grouped(ids, self.rows(query, ids=list(dict.fromkeys(ids))))

    def people(self, ids: Collection[str]) -> dict[str, Person]:
        query = "UNWIND $ids AS id MATCH (a:Author {id: id}) RETURN properties(a) AS own"
        owns = (row["own"] for row in self.rows(query, ids=list(ids)))
        people = {own["id"]: person(own) for own in owns if "added_in" in own}
        return {id_: people[id_] for id_ in ids if id_ in people}

    def _people_with(self, keys: Collection[str]) -> Iterable[tuple[str, Person]]:
        rows = self.rows(queries.PEOPLE, keys=[f"\n{key}\n" for key in keys])
        return ((key[1:-1], person(own)) for key, own in rows)

    def people_surnamed(self, surname: str) -> list[Person]:
        rows = self.rows(queries.PEOPLE, keys=[f"-{slug(surname)}\n"])
        return sorted((person(own) for _, own in rows), key=by_papers)

    # Statements and lineage.

    def statements(
        self,
        of: Collection[str],
        relations: Collection[RelationType] = (),
        first: int | None = None,
    ) -> dict[str, list[Statement]]:
        query = queries.statements(queries.any_of(relations or RelationType))
        most = _ALL if first is None else first
        rows = self.rows(query, ids=list(dict.fromkeys(of)), first=most) if of else ()
        stated = {row["id"]: list(starmap(statement, row["statements"])) for row in rows}
        return {id_: stated[id_] for id_ in of if id_ in stated}

    def _selected(
        self, chosen: Selection, after: StatementPlace | None, most: int
    ) -> tuple[int, list[Statement]]:
        cypher, parameters = queries.select_statements(chosen)
        ((total,),) = self.rows(f"{cypher} RETURN count(r)", **parameters)
        rows = self.rows(
            f"{cypher} {queries.PAGE_OF_STATEMENTS}", **parameters, key=after, first=most
        )
        return int(total), [statement(*row["statement"]) for row in rows]

    def lineage_page(
        self, of: str, selection: Selection, after: Place | None
    ) -> LineagePage | None:
        """Return a page of a lineage, and remember all that is asked of its works next: one
        statement finds it."""
        relations, given = selection.lineage_relations, selection.given(EDGES).keys()
        if not given <= _IN_CYPHER or selection.max_depth < 1:
            return None
        records = self.rows(
            queries.lineage(selection.direction, selection.max_depth, bool(given)),
            of=of,
            relations=[relation.value for relation in relations],
            min_confidence=selection.min_confidence,
            include_catalogue=selection.include_catalogue,
            include_general=selection.include_general,
            after=after and list(after),
            first=selection.first,
        )
        if not records:
            return None
        ((earlier, places, total, works, statements),) = records
        for id_, node in self._read(works).items():
            self._nodes[id_] = node
        page: Support = {row["own"]["id"]: {} for row in works}
        for child, *stated in statements:
            whole = statement(*stated)
            self._statements[whole.key] = whole
            page[child].setdefault(whole.entity, []).append(whole)
        self._page = page
        return LineagePage(earlier, [(depth, date, id_) for depth, date, id_ in places], total)

    def _support(
        self, ids: Collection[str], direction: LineageDirection, within: Collection[str] | None
    ) -> Support:
        upwards, page = direction is LineageDirection.ANCESTORS, self._page
        if upwards and within is not None and page.keys() >= {*ids, *within}:
            return {id_: dict(sorted(page[id_].items())) for id_ in ids}
        support: Support = {id_: {} for id_ in ids}
        rows = self.rows(queries.edges(direction), ids=list(support)) if support else ()
        for near, date, edges in rows:
            self._note_date(near, date)
            for far, date_of_far, *stated in sorted(edges, key=itemgetter(0)):
                self._note_date(far, date_of_far)
                support[near][far] = [
                    Statement(
                        subject, RelationType(relation), far if upwards else near, sure, (), ""
                    )
                    for subject, relation, sure in zip(*stated, strict=True)
                ]
        return support

    def _whole(self, keys: Iterable[StatementKey]) -> dict[StatementKey, Statement]:
        def read(missing: list[StatementKey]) -> dict[StatementKey, Statement]:
            rows = self.rows(queries.STATED, keys=list(map(list, missing)))
            return {whole.key: whole for whole in starmap(statement, rows)}

        return self._statements.get_many(keys, read)
