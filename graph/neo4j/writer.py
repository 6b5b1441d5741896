"""The writer: gathers papers, links them, and writes to the database what has changed."""

import json
from collections import Counter, defaultdict
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
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
from stemma.graph.linking import (
    Change,
    Claim,
    PaperNames,
    Verdict,
    link,
    names_of,
)
from stemma.graph.linking.region import Ids
from stemma.graph.neo4j import note
from stemma.graph.neo4j.connection import Connection
from stemma.graph.neo4j.counting import Difference, counted, with_more
from stemma.graph.neo4j.decision_node import DecisionNode
from stemma.graph.neo4j.digests import MOST_SINGLY, Digests
from stemma.graph.neo4j.entity_update import (
    count_papers,
    held_entities,
    held_facts,
    put_entities,
    put_facts,
    remove_entities,
)
from stemma.graph.neo4j.history import History
from stemma.graph.neo4j.paper_batch import PaperBatch, PaperRow, paper_row
from stemma.graph.neo4j.record import paper
from stemma.graph.neo4j.record_ties import RecordTie, tied
from stemma.graph.neo4j.record_update import (
    RecordChange,
    identifiers,
    put_citations,
    put_people,
)
from stemma.graph.neo4j.ties import REMOVE_TIES, layout_of, write_ties
from stemma.graph.store import Changes, StoredPaper, StoreError
from stemma.schema import Catalogue, Decision, Entity, Extraction, Paper
from stemma.schema.catalogue import fingerprint as shipped_fingerprint
from stemma.schema.decision_file import DecisionText, to_toml

_BATCH = 1000
"""Papers that are written in one transaction: indexes of texts take time at the end of each."""

_NOTE = f"MATCH (g:_StemmaNote {{name: '{note.GRAPH}'}})"
_CLAIM = f"""
MERGE (g:_StemmaNote {{name: '{note.GRAPH}'}})
SET g.writer = $token, g.format = coalesce(g.format, $format)
"""
_NAMES = """
MATCH (n:_StemmaReading)
RETURN n.paper AS paper, n.names AS names, n.verdicts AS verdicts ORDER BY paper
"""
_VERDICTS = """
UNWIND $ids AS id MATCH (n:_StemmaReading {paper: id}) RETURN id, n.verdicts AS verdicts
"""
_READING = """
UNWIND $ids AS id MATCH (n:_StemmaReading {paper: id}) MATCH (p:Paper {id: id})
RETURN id, properties(p) AS own, n.extractor AS extractor, n.digest AS digest, n.found AS found
"""
_MARK = """
UNWIND $rows AS row MERGE (f:_StemmaFile {key: row.key})
SET f.file = row.file, f.sha256 = row.sha256, f.reading = row.reading
"""


class Neo4jWriter(BatchingWriter):
    """Changes the graph in a database, whose writer's lock the caller holds."""

    def __init__(
        self, connection: Connection, decisions: DecisionNode, catalogue: Catalogue | None
    ) -> None:
        self._connection, self._notes, self._catalogue = connection, decisions, catalogue
        decisions.read()  # Report decisions that cannot be read before any work is done.
        self._token = uuid4().hex
        connection.put(_CLAIM, token=self._token, format=note.FORMAT)
        super().__init__(decisions)
        self._digests: Digests = Digests(connection)
        self._history: History | None = None
        self._asked = 0

    def _guard(self, transaction: ManagedTransaction) -> None:
        """Mark the graph as changing. Raises StoreError where another writer took over."""
        changed = transaction.run(
            f"{_NOTE} WHERE g.writer = $token "
            "SET g.unfinished = true, g.generation = g.generation + 1, g.format = $format RETURN 1",
            token=self._token,
            format=note.FORMAT,
        ).values()
        if not changed:
            raise StoreError(
                f"Another process started to write to {self._connection.address}, while the "
                "connection was lost. Run this again when it has finished: it continues from here."
            )

    def known_as(self, key: str) -> Sequence[str]:
        self._asked += 1
        if self._asked > MOST_SINGLY or not self._had_ties:
            return self._identified.get(hash(key), ())
        return sorted(paper for paper, _ in tied(self._connection.read, RecordTie.GOES_BY, [key]))

    @cached_property
    def _had_ties(self) -> bool:
        return self._has_ties(self._noted())

    @cached_property
    def _identified(self) -> dict[int, list[str]]:
        """By the hashes of keys, which are smaller, the papers that go by them as this begins."""
        found = defaultdict[int, list[str]](list)
        for id_, key in sorted(identifiers(self._connection.read)):
            found[hash(key)].append(id_)
        return found

    def stored(self, ids: Collection[str]) -> dict[str, StoredPaper]:
        self._digests.expect(ids)
        return super().stored(ids)

    def drop(self, ids: Collection[str]) -> None:
        self._digests.expect(ids)
        super().drop(ids)

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
        before = self._noted()
        self._forget_marks(lambda reading: files_read(self._connection, reading))
        decisions = self._decisions()
        catalogue = self._fingerprint()
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
        changes = self._write(before, decisions)
        self._connection.holds_graph = True
        self.close()
        self._digests.change(
            self._dropped,
            {id_: (each.digest, each.extractor) for id_, each in self._pending.items()},
        )
        self._reset()
        return changes

    def _noted(self) -> Mapping[str, Any]:
        """Return what is noted of the graph."""
        (row,) = self._connection.read(f"{_NOTE} RETURN properties(g) AS own")
        own: Mapping[str, Any] = row["own"]
        return own

    def _fingerprint(self) -> str:
        return self._catalogue.fingerprint if self._catalogue else shipped_fingerprint()

    def _has_ties(self, noted: Mapping[str, Any]) -> bool:
        """Return whether the graph has the ties of all its papers, as this writer would make them.

        One that was killed may have left some out.
        """
        return noted.get("ties") == layout_of(self._fingerprint()) and not noted.get("unfinished")

    def _write(self, before: Mapping[str, Any], decided: DecisionText) -> Changes:
        """Write all that is not as it should be; `before` is what was noted of the graph."""
        catalogue = self._catalogue or Catalogue.shipped()
        resumed, has_ties = bool(before.get("unfinished")), self._has_ties(before)
        if self._history is None:
            initial = before.get("generation") is None
            self._history = History(self._connection.read, initial)
        changes, records = self._changes(), None
        if has_ties and self._changes_few():
            records = self._record_change(changes)
        linked = self._link_all(changes, catalogue, decided.decisions)
        changes.relinked = relinked(linked.change)
        changes.decided = judged_otherwise(linked.change, linked.verdicts)
        self._connection.write(self._guard)
        if not has_ties:
            self._connection.run(REMOVE_TIES)
        more = self._write_works(changes, linked, self._history)
        if not has_ties:
            self._write_ties(linked, but=rewritten(changes))
        put_people(self._connection, records)
        put_citations(self._connection, records)
        redated = (
            id_
            for id_, each in linked.change.entities.items()
            if id_ in linked.entities and each.year != linked.entities[id_].year
        )
        affected: Iterable[str] = {*more.papers.keys(), *linked.new, *redated}
        if resumed:
            affected = linked.change.entities
        count_papers(self._connection, {id_: more.papers[id_] for id_ in affected}, anew=resumed)
        counts = None
        if has_ties:
            papers = len(changes.added) - len(changes.removed)
            counts = with_more(json.loads(before["statistics"]), papers, linked.kinds, more)
        own = {
            "former": json.dumps(linked.change.former),
            "unapplied": json.dumps(linked.change.unapplied),
            "decision_file": decided.fingerprint,
            "decisions": len(decided.decisions),
            "decision_tables": list(map(to_toml, decided.decisions)),
            "catalogue": catalogue.fingerprint,
            "ties": layout_of(catalogue.fingerprint),
        }
        self._finish(changes, own, counts, self._history)
        return changes

    def _record_change(self, changes: Changes) -> RecordChange:
        return RecordChange(
            self._stored_papers([*changes.updated, *changes.removed]),
            {id_: self._buffer.get(each.place).paper for id_, each in self._pending.items()},
        )

    def _link_all(
        self, changes: Changes, catalogue: Catalogue, decisions: Sequence[Decision]
    ) -> "_Linked":
        """Link all papers."""
        read, gone = self._connection.read, {*changes.removed, *changes.updated}
        named, verdicts = dict[str, tuple[PaperNames, Ids]](), dict[str, dict[Claim, Verdict]]()
        for row in read(_NAMES):
            if row["paper"] not in gone:
                named[row["paper"]] = note.load_names(row["paper"], row["names"])
                verdicts[row["paper"]] = note.load_verdicts(row["verdicts"])
        names = [each for each, _ in named.values()]
        names += [waiting.names for waiting in self._pending.values()]
        links = link(names, catalogue, self._context, decisions, self._stated)
        before = {id_: ids for id_, (_, ids) in named.items()}
        entities = held_entities(read)
        facts = held_facts(read, entities.keys())
        change = Change.of_all(links, before, entities, verdicts, facts)
        return _Linked(change, entities, verdicts, [each for each, _ in named.values()])

    def _write_works(self, changes: Changes, linked: "_Linked", history: History) -> Difference:
        """Write papers and entities, and what is between them; return what that comes to."""
        connection, change = self._connection, linked.change
        history.note_removed(connection.read, changes.removed)
        # Entities come first: papers refer to them.
        put_entities(connection, linked.entities, change.entities, linked.gone)
        history.note_entities(linked.entities, change.entities.values(), ())
        more = put_facts(connection, change.facts_added, change.facts_gone)
        history.note_edges(more.edges)
        for written in self._write_papers(changes, change):
            history.note_edges(written.edges)
            more.update(written)
        remove_entities(connection, sorted(linked.gone))
        history.note_entities({}, (), linked.gone)
        for id_ in linked.gone:
            del more.papers[id_]
        return more

    def _write_papers(self, changes: Changes, change: Change) -> Iterator[Difference]:
        """Write the papers that changed, or of which something else is true now.

        Yields what each batch comes to.
        """
        # While the server takes one batch, the next is made ready.
        with ThreadPoolExecutor(max_workers=1) as sending:
            sent: Future[Difference] | None = None
            for batch in self._batches(changes, change):
                if sent:
                    yield sent.result()
                write = partial(self._write_batch, batch=batch)
                sent = sending.submit(self._connection.write, write)
            if sent:
                yield sent.result()

    def _batches(self, changes: Changes, change: Change) -> Iterator[PaperBatch]:
        rows, removed = self._paper_rows(changes, change), iter(changes.removed)
        while True:
            written, gone = list(islice(rows, _BATCH)), list(islice(removed, _BATCH))
            if not written and not gone:
                return
            rows_of_batch, records = [row for row, _ in written], [each for _, each in written]
            yield PaperBatch(rows_of_batch, records, gone)

    def _write_batch(self, transaction: ManagedTransaction, batch: PaperBatch) -> Difference:
        self._guard(transaction)
        return batch.write(transaction)

    def _paper_rows(self, changes: Changes, change: Change) -> Iterator[tuple[PaperRow, Paper]]:
        for _, waiting in sorted(self._pending.items()):
            extraction, names = self._buffer.get(waiting.place), waiting.names
            reading = _reading(extraction, waiting.extractor, change)
            yield paper_row(reading, names, waiting.digest), extraction.paper
        unchanged = iter(rewritten(changes))
        while batch := list(islice(unchanged, _BATCH)):
            for extraction, extractor, digest in self._read(batch):
                reading, names = _reading(extraction, extractor, change), names_of(extraction)
                yield paper_row(reading, names, digest), extraction.paper

    def _write_ties(self, linked: "_Linked", but: Collection[str]) -> None:
        """Write the ties of all papers that were not written with theirs."""
        written = set(but)
        left = (each for each in linked.names if each.paper not in written)
        while batch := list(islice(left, _BATCH)):
            records = self._stored_papers([each.paper for each in batch])
            papers = [records[each.paper] for each in batch]
            self._connection.write(partial(write_ties, papers=papers))

    def _finish(
        self,
        changes: Changes,
        own: Mapping[str, Any],
        counts: Mapping[str, Any] | None,
        history: History,
    ) -> None:
        """Note what is true of the whole, now that all is written, `counts` if they are known."""
        marks = [
            {
                "key": blake2b(json.dumps(mark).encode(), digest_size=16).hexdigest(),
                "file": mark[0],
                "sha256": mark[1],
                "reading": mark[2],
            }
            for mark in sorted(self._marks)
        ]

        def finish(transaction: ManagedTransaction) -> None:
            self._guard(transaction)
            if self._decided:
                self._notes.replace(transaction, self._decided)
            transaction.run(_MARK, rows=marks)
            statistics = json.dumps(counts or counted(transaction))
            (noted,) = transaction.run(
                f"{_NOTE} SET g += $own, g.unfinished = null, "
                "g.generation = coalesce(g.generation, 1) RETURN g.generation AS generation",
                own={**own, "statistics": statistics},
            )
            history.write(transaction, changes, f"{noted['generation']:06}")

        self._connection.write(finish)
        history.note_papers(changes)


@dataclass(frozen=True, slots=True)
class _Linked:
    """A change of links, and what it changes: entities and verdicts as they are before.

    `names` are those of all papers that stay as they were read, where all were linked.
    """

    change: Change
    entities: Mapping[str, Entity]
    verdicts: Mapping[str, Mapping[Claim, Verdict]]
    names: Sequence[PaperNames] = ()

    @property
    def gone(self) -> set[str]:
        """The entities (ids) that no longer exist."""
        return self.entities.keys() & set(self.change.gone)

    @property
    def new(self) -> set[str]:
        """The entities (ids) that were not there before."""
        return self.change.entities.keys() - self.entities.keys()

    @property
    def kinds(self) -> Counter[str]:
        """How many more entities there are of each kind."""
        more = Counter(each.kind.value for each in self.change.entities.values())
        more.subtract(each.kind.value for each in self.entities.values())
        return more


def files_read(connection: Connection, reading: str) -> frozenset[tuple[str, str]]:
    """Return (file, sha256) of the files that are noted as read whole in this way."""
    rows = connection.read(
        "MATCH (f:_StemmaFile {reading: $reading}) RETURN f.file AS file, f.sha256 AS sha256",
        reading=reading,
    )
    return frozenset((row["file"], row["sha256"]) for row in rows)


def _reading(extraction: Extraction, extractor: str, change: Change) -> LinkedExtraction:
    id_ = extraction.paper.id
    return LinkedExtraction(extraction, extractor, change.ids(id_), change.verdicts.get(id_, {}))
