"""The property graph: what a folder holds as nodes and relationships, as Neo4j would hold it."""

import json
from collections.abc import Iterator
from dataclasses import dataclass
from functools import cached_property
from hashlib import blake2b
from itertools import groupby
from operator import itemgetter

from stemma.graph.linking import names_of
from stemma.graph.neo4j import elements, note
from stemma.graph.neo4j.edge_update import first_sentence
from stemma.graph.neo4j.elements import Node, Relationship
from stemma.graph.neo4j.paper_batch import paper_row
from stemma.graph.sqlite.reader import SqliteReader
from stemma.graph.sqlite.record_index import read_person
from stemma.graph.store import WorkType
from stemma.schema import Entity, RelationType

_BATCH = 500


@dataclass(frozen=True, slots=True)
class PaperPart:
    """A paper, what Stemma notes of its reading, and what it states."""

    paper: Node
    reading: Node
    statements: list[Relationship]


class PropertyGraph:
    """What Neo4j holds once the papers of a store are loaded there, Stemma's notes included.

    Nodes and relationships are made as they are asked for, in the order of ids.
    """

    def __init__(self, reader: SqliteReader) -> None:
        self._reader = reader
        self.paper_count = reader.statistics().papers

    def entities(self) -> Iterator[Node]:
        """Yield the entities in the order of their ids; baselines are labelled so."""
        rows = self._reader.rows(
            "SELECT id, papers, published FROM work WHERE type = ? ORDER BY id",
            [WorkType.ENTITY.value],
        )
        for start in range(0, len(rows), _BATCH):
            batch = rows[start : start + _BATCH]
            works = self._reader.works([id_ for id_, *_ in batch])
            for id_, papers, published in batch:
                entity = works[id_]
                assert isinstance(entity, Entity)
                yield elements.entity_node(entity, papers, published, id_ in self._baselines)

    @cached_property
    def _baselines(self) -> set[str]:
        rows = self._reader.rows(
            "SELECT DISTINCT id FROM statement JOIN work ON no = entity "
            "WHERE relation = ? AND origin IS NOT NULL",
            [RelationType.COMPARES_WITH.value],
        )
        return {id_ for (id_,) in rows}

    def papers(self) -> Iterator[PaperPart]:
        """Yield the papers in the order of their ids, each with its statements."""
        digests: dict[str, bytes] = dict(
            self._reader.rows("SELECT id, digest FROM paper JOIN work ON no = work ORDER BY id")
        )
        for reading in self._reader.linked_extractions(digests):
            id_ = reading.extraction.paper.id
            row = paper_row(reading, names_of(reading.extraction), digests[id_])
            yield PaperPart(*elements.paper_nodes(row), list(elements.statements(row)))

    def people(self) -> Iterator[Node]:
        """Yield the authors of papers, in the order of their ids."""
        for row in self._reader.rows(
            "SELECT id, name, orcid, details, papers FROM person ORDER BY id"
        ):
            yield elements.person_node(read_person(*row))

    def bibliography(self) -> Iterator[Relationship]:
        """Yield who wrote which papers, and which papers cite others."""
        for author, paper, place in self._reader.rows(
            """
            SELECT a.id, w.id, place FROM authorship JOIN person a ON a.no = person
            JOIN work w ON w.no = paper ORDER BY a.id, w.id, place
            """
        ):
            yield elements.wrote(author, paper, place)
        for citing, cited in self._reader.rows(
            """
            SELECT a.id, b.id FROM citation JOIN work a ON a.no = citing
            JOIN work b ON b.no = cited ORDER BY a.id, b.id
            """
        ):
            yield elements.cites(citing, cited)

    def catalogue(self) -> Iterator[Relationship]:
        """Yield what the catalogue says of entities: broader ones, and facts of lineage."""
        for narrower, broader in self._reader.rows(
            """
            SELECT n.id, b.id FROM broader JOIN work n ON n.no = broader.narrower
            JOIN work b ON b.no = broader.broader ORDER BY n.id, b.id
            """
        ):
            yield elements.has_broader(narrower, broader)
        for subject, relation, entity, confidence in self._reader.rows(
            """
            SELECT s.id, relation, e.id, confidence FROM statement JOIN work s ON s.no = subject
            JOIN work e ON e.no = entity WHERE origin IS NULL ORDER BY s.id, relation, e.id
            """
        ):
            yield elements.fact(subject, RelationType(relation), entity, confidence)

    def lineage(self) -> Iterator[Relationship]:
        """Yield the edges of the lineage, with their statements."""
        rows = self._reader.rows(
            """
            SELECT c.id, p.id, s.id, d.relation, d.confidence FROM derivation d
            JOIN work c ON c.no = child JOIN work p ON p.no = parent
            JOIN work s ON s.no = d.subject ORDER BY c.id, p.id
            """
        )
        for (child, parent), own in groupby(rows, key=itemgetter(0, 1)):
            stated = [
                ((subject, RelationType(relation), parent), confidence)
                for *_, subject, relation, confidence in own
            ]
            statements = self._reader.whole_statements([key for key, _ in stated])
            support = {
                (key[0], key[1].value): (confidence, first_sentence(statements[key]))
                for key, confidence in stated
            }
            yield elements.edge(child, parent, support)

    def files(self) -> Iterator[Node]:
        """Yield the files that were read whole, which the next build passes over."""
        for mark in self._reader.files_read():
            key = blake2b(json.dumps(mark).encode(), digest_size=16).hexdigest()
            own = dict(zip(("file", "sha256", "reading"), mark, strict=True))
            yield Node(("_StemmaFile",), {"key": key, **own})

    def decisions(self) -> Iterator[Node]:
        """Yield people's decisions, if there are any."""
        path = self._reader.decisions.path
        if path.exists():
            text = path.read_text("utf-8")
            yield Node(("_StemmaNote",), {"name": note.DECISIONS, "text": text})

    def note(self) -> Node:
        """Return the note on the graph as a whole, without its generation.

        Stemma takes a database for a graph once the note has one: it is given last.
        """
        counted = self._reader.statistics()
        statistics = {
            "papers": counted.papers,
            "entities": counted.entities,
            "statements": counted.statements,
            "lineage_edges": counted.lineage_edges,
            "by_kind": {kind: count for kind, count in counted.by_kind.items() if count},
            "by_relation": dict(counted.by_relation),
        }
        return elements.graph_note(
            statistics,
            self._reader.decision_file,
            self._meta("catalogue"),
            int(self._meta("decisions") or 0),
            self._meta("former") or "{}",
            self._meta("unapplied") or "{}",
        )

    def _meta(self, key: str) -> str:
        rows = self._reader.rows("SELECT value FROM meta WHERE key = ?", [key])
        return str(rows[0][0]) if rows else ""
