"""The reader of one commit: statements and lineage."""

import json
from collections.abc import Collection, Iterable, Mapping, Sequence

import orjson

from stemma.graph.edge import StatementPlace, place_of
from stemma.graph.lineage import LineagePage, Place, cut_places, traverse
from stemma.graph.reader import grouped
from stemma.graph.selection import EDGES, EVERYTHING, LineageDirection, Selection, StatementKey
from stemma.graph.sqlite.paper_record import as_text
from stemma.graph.sqlite.rdf_projection import RdfCache
from stemma.graph.sqlite.selection_sql import counting, listing, surest
from stemma.graph.sqlite.store_file import damaged
from stemma.graph.sqlite.work_reader import Memory, Row, WorkReader
from stemma.schema import CATALOGUE_ORIGIN, Evidence, Field, RelationType, Statement, comparison

__all__ = ["Memory", "SqliteReader"]

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


class SqliteReader(WorkReader):
    """Reads a store as it was after one commit, from any number of threads."""

    @property
    def dataset(self) -> RdfCache:
        """The graph as RDF."""
        return RdfCache(self)

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
            return self._read({id_: self.rows(*surest(no, relations, first)) for id_, no in works})

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

    def _stated(self, key: StatementKey) -> Statement | None:
        return self._known([key]).get(key)

    def _selected(
        self, chosen: Selection, after: StatementPlace | None, most: int
    ) -> tuple[int, list[Statement]]:
        ((total,),) = self.rows(*counting(chosen))
        return total, self._read({"": self.rows(*listing(chosen, after, most))})[""]

    def _whole(self, keys: Iterable[StatementKey]) -> dict[StatementKey, Statement]:
        """Return statements by their keys. Raises StoreError if they are not there."""
        wanted = list(keys)
        found = self._known(wanted)
        if lacking := [key for key in wanted if key not in found]:
            raise damaged(self.path, f"the statement {' '.join(lacking[0])} is missing")
        return found

    def _known(self, keys: Iterable[StatementKey]) -> dict[StatementKey, Statement]:
        """Return the statements with these keys, with their evidence."""

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
                        for field, start, end, text in orjson.loads(quoted)
                    ),
                    CATALOGUE_ORIGIN if origin is None else origin,
                    comparison.from_json(json.loads(outcome)) if outcome else None,
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
