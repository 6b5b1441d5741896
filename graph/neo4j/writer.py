"""The writer: gathers papers, links them, and writes to the database what has changed."""

import json
from collections import defaultdict
from collections.abc import Collection, Iterator, Mapping, Sequence
from concurrent.futures import Future, ThreadPoolExecutor
from dataclasses import dataclass
from functools import cached_property, partial
from hashlib import blake2b
from itertools import islice
from typing import Any
from uuid import uuid4

from neo4j import ManagedTransaction

from stemma.graph.batching_writer import BatchingWriter, judged_otherwise, relinked, rewritten
from stemma.graph.linked_extraction import LinkedExtraction
from stemma.graph.linking import Change, Claim, Links, PaperNames, Verdict, link, names_of
from stemma.graph.neo4j import note
from stemma.graph.neo4j.connection import Connection
from stemma.graph.neo4j.counting import counted
from stemma.graph.neo4j.decision_node import DecisionNode
from stemma.graph.neo4j.entity_update import (
    count_papers,
    held_entities,
    put_entities,
    put_facts,
    remove_entities,
)
from stemma.graph.neo4j.evidence_nodes import has_evidence_nodes
from stemma.graph.neo4j.history import History
from stemma.graph.neo4j.paper_batch import PaperBatch, PaperRow, paper_row
from stemma.graph.neo4j.record import paper
from stemma.graph.neo4j.record_update import identifiers, put_citations, put_people
from stemma.graph.store import Changes, StoreError
from stemma.schema import Catalogue, Entity, Extraction, Paper
from stemma.schema.catalogue import fingerprint as shipped_fingerprint
from stemma.schema.decision_text import DecisionText

_BATCH = 1000
"""Papers that are written in one transaction: indexes of texts take time at the end of each."""

_NOTE = f"MATCH (g:_StemmaNote {{name: '{note.GRAPH}'}})"
_NAMES = """
MATCH (n:_StemmaReading)
RETURN n.paper AS paper, n.names AS names, n.verdicts AS verdicts ORDER BY paper
"""
_READING = """
UNWIND $ids AS id MATCH (n:_StemmaReading {paper: id}) MATCH (p:Paper {id: id})
RETURN id, properties(p) AS own, n.extractor AS extractor, n.digest AS digest, n.found AS found
"""
_MARK = """
UNWIND $rows AS row MERGE (f:_StemmaFile {key: row.key})
SET f.file = row.file, f.sha256 = row.sha256, f.reading = row.reading, f.faults = row.faults
"""
_CLEAR_FAULTS = "MATCH (f:_StemmaFile) WHERE f.file IN $files SET f.faults = null"


@dataclass(frozen=True, slots=True)
class _Linked:
    """A paper that the graph holds: its names, what they were linked to, and the verdicts on it."""

    names: PaperNames
    ids: dict[str, str]
    verdicts: dict[Claim, Verdict]


class Neo4jWriter(BatchingWriter):
    """Changes the graph in a database, whose writer's lock the caller holds."""

    def __init__(
        self, connection: Connection, decisions: DecisionNode, catalogue: Catalogue | None
    ) -> None:
        self._connection, self._notes, self._catalogue = connection, decisions, catalogue
        decisions.read()  # Report decisions that cannot be read before any work is done.
        self._token = uuid4().hex
        connection.write(self._claim)
        super().__init__(decisions)
        self._evidence_nodes = has_evidence_nodes(connection)
        self._load_digests()
        self._history: History | None = None

    def _claim(self, transaction: ManagedTransaction) -> None:
        transaction.run(
            f"MERGE (g:_StemmaNote {{name: '{note.GRAPH}'}}) "
            "SET g.writer = $token, g.format = coalesce(g.format, $format)",
            token=self._token,
            format=note.FORMAT,
        ).consume()

    def _guard(self, transaction: ManagedTransaction) -> None:
        """Mark the graph as changing. Raises StoreError where another writer took over."""
        changed = transaction.run(
            f"{_NOTE} WHERE g.writer = $token "
            "SET g.unfinished = true, g.generation = g.generation + 1 RETURN 1",
            token=self._token,
        ).values()
        if not changed:
            raise StoreError(
                f"Another process started to write to {self._connection.address}, while the "
                "connection was lost. Run this again when it has finished: it continues from here."
            )

    def _load_digests(self) -> None:
        rows = self._connection.read(
            "MATCH (n:_StemmaReading) RETURN n.paper AS id, n.digest AS digest, "
            "n.extractor AS extractor"
        )
        self._digests = {
            row["id"]: (bytes.fromhex(row["digest"]), row["extractor"]) for row in rows
        }

    def known_as(self, key: str) -> Sequence[str]:
        return self._identified.get(hash(key), ())

    @cached_property
    def _identified(self) -> dict[int, list[str]]:
        """By the hashes of keys, which are smaller, the papers that go by them as this begins."""
        found = defaultdict[int, list[str]](list)
        for id_, key in sorted(identifiers(self._connection)):
            found[hash(key)].append(id_)
        return found

    def _stored_papers(self, ids: Collection[str]) -> dict[str, Paper]:
        rows = self._connection.read(
            "UNWIND $ids AS id MATCH (p:Paper {id: id}) RETURN properties(p) AS own", ids=list(ids)
        )
        return {row["own"]["id"]: paper(row["own"]) for row in rows}

    def _stored_extraction(self, id_: str) -> Extraction:
        for extraction, _, _ in self._read([id_]):
            return extraction
        raise LookupError(f"the graph does not contain {id_}")

    def _stored_text(self, id_: str) -> str:
        rows = self._connection.read(
            "MATCH (p:Paper {id: $id}) RETURN p.title + ' ' + p.abstract AS text", id=id_
        )
        text: str = rows[0]["text"]
        return text

    def _read(self, ids: Collection[str]) -> Iterator[tuple[Extraction, str, bytes]]:
        """Return what was read in papers that the graph holds, by whom, and its digest."""
        for row in self._connection.read(_READING, ids=list(ids)):
            found = note.load_found(row["found"], paper(row["own"]), "")
            yield found, row["extractor"], bytes.fromhex(row["digest"])

    def commit(self) -> Changes:
        """Link, and write what changed since the last commit, if anything did."""
        (noted,) = self._connection.read(f"{_NOTE} RETURN properties(g) AS own")
        before: Mapping[str, Any] = noted["own"]
        self._forget_marks(lambda reading: files_read(self._connection, reading))
        decisions = self._decisions()
        catalogue = self._catalogue.fingerprint if self._catalogue else shipped_fingerprint()
        known = before.get("generation") is not None
        if not (
            self._pending
            or self._dropped
            or self._marks
            or self._decided
            or before.get("unfinished")
            or (known and before.get("catalogue") != catalogue)
            or (known and before.get("decision_file") != decisions.fingerprint)
        ):
            return Changes()
        changes = self._write(bool(before.get("unfinished")), decisions, initial=not known)
        self._connection.holds_graph = True
        self.close()
        self._digests = {
            **{id_: each for id_, each in self._digests.items() if id_ not in self._dropped},
            **{id_: (each.digest, each.extractor) for id_, each in self._pending.items()},
        }
        self._reset()
        return changes

    def _write(self, resumed: bool, decided: DecisionText, *, initial: bool) -> Changes:
        """Write all that is not as it should be.

        `resumed` where a writer did not finish that, `initial` where there was no graph before.
        """
        catalogue = self._catalogue or Catalogue.shipped()
        decisions = decided.decisions
        self._connection.write(self._guard)
        linked = self._linked()
        changes = self._changes()
        for id_ in (*changes.removed, *changes.updated):
            del linked[id_]
        names = [each.names for each in linked.values()]
        names += [waiting.names for waiting in self._pending.values()]
        links = link(names, catalogue, self._context, decisions, self._stated)
        entities = held_entities(self._connection)
        verdicts = {id_: each.verdicts for id_, each in linked.items()}
        before = {id_: each.ids for id_, each in linked.items()}
        change = Change.of_all(links, before, entities, verdicts)
        changes.relinked = relinked(change)
        changes.decided = judged_otherwise(change, verdicts)
        read = self._connection.read
        if self._history is None:
            self._history = History(read, self._digests, _names_of(entities), initial)
        self._history.note_changes(read, changes.updated, changes.removed)
        put_entities(self._connection, entities, links.entities)
        put_facts(self._connection, links.facts)
        affected = self._write_papers(changes, links)
        gone = entities.keys() - links.entities.keys()
        remove_entities(self._connection, sorted(gone))
        put_people(self._connection)
        put_citations(self._connection)
        if resumed:
            affected = set(links.entities)
        affected |= links.entities.keys() - entities.keys()
        count_papers(self._connection, sorted(affected - gone))
        self._finish(links, catalogue, decided)
        return changes

    def _linked(self) -> dict[str, _Linked]:
        return {
            row["paper"]: _Linked(
                *note.load_names(row["paper"], row["names"]),
                note.load_verdicts(row["verdicts"]),
            )
            for row in self._connection.read(_NAMES)
        }

    def _write_papers(self, changes: Changes, links: Links) -> set[str]:
        """Write the papers that changed, or of which something else is true now.

        Returns the entities whose statements changed.
        """
        affected = set[str]()
        # While the server takes one batch, the next is made ready.
        with ThreadPoolExecutor(max_workers=1) as sending:
            sent: Future[set[str]] | None = None
            for batch in self._batches(changes, links):
                if sent:
                    affected |= sent.result()
                write = partial(self._write_batch, batch=batch)
                sent = sending.submit(self._connection.write, write)
            return affected | sent.result() if sent else affected

    def _batches(self, changes: Changes, links: Links) -> Iterator[PaperBatch]:
        rows, removed = self._paper_rows(changes, links), iter(changes.removed)
        while True:
            written, gone = list(islice(rows, _BATCH)), list(islice(removed, _BATCH))
            if not written and not gone:
                return
            yield PaperBatch(written, gone, self._evidence_nodes)

    def _write_batch(self, transaction: ManagedTransaction, batch: PaperBatch) -> set[str]:
        self._guard(transaction)
        return batch.write(transaction)

    def _paper_rows(self, changes: Changes, links: Links) -> Iterator[PaperRow]:
        for _, waiting in sorted(self._pending.items()):
            reading = _reading(self._buffer.get(waiting.place), waiting.extractor, links)
            yield paper_row(reading, waiting.names, waiting.digest)
        unchanged = iter(rewritten(changes))
        while batch := list(islice(unchanged, _BATCH)):
            for extraction, extractor, digest in self._read(batch):
                reading = _reading(extraction, extractor, links)
                yield paper_row(reading, names_of(extraction), digest)

    def _finish(self, links: Links, catalogue: Catalogue, decided: DecisionText) -> None:
        """Note what is true of the whole, now that all is written."""
        own = {
            "former": json.dumps(links.former),
            "unapplied": json.dumps(links.unapplied),
            "decision_file": decided.fingerprint,
            "decisions": len(decided.decisions),
            "catalogue": catalogue.fingerprint,
        }
        marks = [
            {
                "key": blake2b(json.dumps(mark).encode(), digest_size=16).hexdigest(),
                "file": mark[0],
                "sha256": mark[1],
                "reading": mark[2],
                "faults": faults,
            }
            for mark, faults in sorted(self._marks.items())
        ]

        papers = (self._digests.keys() | self._pending.keys()) - self._dropped
        history = self._history
        assert history is not None

        def finish(transaction: ManagedTransaction) -> None:
            self._guard(transaction)
            if self._decided:
                self._notes.replace(transaction, self._decided)
            transaction.run(_CLEAR_FAULTS, files=[each["file"] for each in marks])
            transaction.run(_MARK, rows=marks)
            counts = counted(transaction)
            transaction.run(
                f"{_NOTE} SET g += $own, g.unfinished = null, "
                "g.generation = coalesce(g.generation, 1)",
                own={**own, "statistics": json.dumps(counts)},
            )
            (noted,) = transaction.run(f"{_NOTE} RETURN g.generation AS generation")
            generation = f"{noted['generation']:06}"
            history.write(transaction, papers, _names_of(links.entities), generation)

        self._connection.write(finish)


def _names_of(entities: Mapping[str, Entity]) -> dict[str, str]:
    return {id_: each.name for id_, each in entities.items()}


def files_read(connection: Connection, reading: str) -> frozenset[tuple[str, str]]:
    """Return (file, sha256) of the files that are noted as read whole in this way."""
    rows = connection.read(
        "MATCH (f:_StemmaFile {reading: $reading}) RETURN f.file AS file, f.sha256 AS sha256",
        reading=reading,
    )
    return frozenset((row["file"], row["sha256"]) for row in rows)


def _reading(extraction: Extraction, extractor: str, links: Links) -> LinkedExtraction:
    id_ = extraction.paper.id
    return LinkedExtraction(
        extraction, extractor, links.ids.get(id_, {}), links.verdicts.get(id_, {})
    )
