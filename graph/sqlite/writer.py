"""The writer: gathers papers, and commits them in one transaction."""

from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from contextlib import nullcontext
from datetime import UTC, datetime
from typing import Any

from stemma.distribution import version
from stemma.garbage import no_garbage
from stemma.graph.batching_writer import BatchingWriter, judged_otherwise, relinked, rewritten
from stemma.graph.history import Difference, Recorder, Sample, dump
from stemma.graph.linked_extraction import LinkedExtraction
from stemma.graph.linking import Change, Claim, Verdict, link, names_of, relink
from stemma.graph.rdf.entity_graph import catalogued_aliases
from stemma.graph.sqlite.file import StoreFile, latest_commit, sign
from stemma.graph.sqlite.index import IndexWriter
from stemma.graph.sqlite.paper_record import compressed
from stemma.graph.sqlite.reader import SqliteReader
from stemma.graph.sqlite.touched import Touched
from stemma.graph.store import Changes
from stemma.schema import Catalogue, Decision, Extraction, Paper
from stemma.schema.catalogue import fingerprint as shipped_fingerprint
from stemma.schema.decision_file import DecisionText, to_toml


class SqliteWriter(BatchingWriter):
    """Changes the graph in a file. `read` returns a reader of the last commit.

    Its transaction is open from the beginning to the end, so that nobody else writes; each commit
    ends one and begins the next.
    """

    def __init__(
        self, file: StoreFile, read: Callable[[], SqliteReader], catalogue: Catalogue | None
    ) -> None:
        self._file, self._read, self._catalogue = file, read, catalogue
        self._before: SqliteReader | None = None
        super().__init__(file.decisions)
        self._db = file.open_to_write()
        try:
            self._start()
        except BaseException:
            self.close()
            raise

    def _start(self) -> None:
        self._initial = not self._file.is_filled(self._db)
        if self._initial:
            self._touched = None
        else:
            self._touched = Touched(self._db)
            self._file.begin(self._db)
        self._open_last()
        self._recorder = Recorder(self._before.builds() if self._before else [], self._initial)
        self._added, self._updated = set[str](), set[str]()
        # A writer may have died before it could write down what it had decided.
        if self._before:
            replaced = self._before.decision_file_replaced
            self._decision_file.settle(self._before.decision_file, replaced)
        self._decision_file.read()  # Report those that cannot be read before any work is done.

    def _open_last(self) -> None:
        self._digests = {}
        if self._file.is_filled(self._db):
            self._before = self._read()
            self._digests = _Digests(self._before)

    def _close_last(self) -> None:
        """Let go of the last commit: what is read stays in the log."""
        if self._before:
            self._before.end()
        self._before, self._digests = None, {}

    def close(self) -> None:
        """Release everything; what was not committed is dropped."""
        super().close()
        self._close_last()
        self._db.close()

    def _stored_papers(self, ids: Collection[str]) -> dict[str, Paper]:
        works = self._before.works(ids) if self._before else {}
        return {id_: work for id_, work in works.items() if isinstance(work, Paper)}

    def _stored_extraction(self, id_: str) -> Extraction:
        assert self._before is not None
        return self._before.reading(id_).extraction

    def _stored_text(self, id_: str) -> str:
        assert self._before is not None
        return self._before.texts(id_)

    def _packed(self, record: bytes) -> bytes:
        return compressed(record)

    def known_as(self, key: str) -> Sequence[str]:
        return self._before.known_as(key) if self._before else ()

    def commit(self) -> Changes:
        if self._before:
            self._forget_marks(self._before.already_read)
        decisions = self._decisions()
        if not (
            self._pending
            or self._dropped
            or self._marks
            or self._decided
            or self._catalogue_changed()
            or (self._before and self._before.decision_file != decisions.fingerprint)
        ):
            return Changes()
        staged = self._decision_file.staged(decisions) if self._decided else nullcontext()
        try:
            with self._file.failure_as_store_error(), staged, no_garbage():
                changes = self._write(decisions)
                self._file.commit(self._db)
        except BaseException:
            # SQLite itself has given up already where the disk is full.
            if self._db.in_transaction:
                self._db.execute("ROLLBACK")
                self._file.begin(self._db)
            raise
        self._buffer.close()
        self._reset()
        self._close_last()
        self._file.tidy(self._db)
        self._file.begin(self._db)
        self._open_last()
        return changes

    def _catalogue_changed(self) -> bool:
        if self._before is None:
            return False
        if self._catalogue and list(self._catalogue.additions) != self._before.additions():
            return True
        own = self._catalogue.fingerprint if self._catalogue else shipped_fingerprint()
        return self._before.catalogue != own

    def _write(self, decided: DecisionText) -> Changes:
        """Write all in the transaction."""
        catalogue, new = self._catalogue or Catalogue.shipped(), self._before is None
        index = IndexWriter(self._db, new)
        if new:
            index.put_base(self._file.new_base)
            sign(self._db)
        decisions = decided.decisions
        verdicts = index.verdicts()
        changes, change = self._link(index, catalogue, decisions, verdicts)
        verdicts = {id_: each for id_, each in verdicts.items() if id_ not in self._dropped}
        index.put_decisions(
            change,
            {**verdicts, **change.verdicts},
            decided.fingerprint,
            [to_toml(each) for each in decisions],
            decided.replaced,
        )
        again = rewritten(changes)
        for id_ in (*changes.removed, *changes.updated, *again):
            index.clear_paper(id_)
        index.remove_works(changes.removed)
        # Entities come first: papers refer to them.
        self._write_entities(index, catalogue, change)
        self._write_papers(index, change, again)
        for mark in sorted(self._marks):
            index.mark_read(*mark)
        index.put_additions(catalogue.additions)
        index.put_version(version())
        index.finish(catalogue.fingerprint)
        number = 1 + latest_commit(self._db)[0]
        made_at = datetime.now(UTC).isoformat(timespec="microseconds")
        self._db.execute("INSERT INTO commits VALUES (?, ?)", [number, made_at])
        self._record_build(index, changes, f"{number:06}")
        told = sorted(waiting.digest for waiting in self._pending.values())
        content = [*told, catalogue.fingerprint.encode(), decided.fingerprint.encode()]
        index.log_changes(number, change.former, b"".join(content))
        return changes

    def _record_build(self, index: IndexWriter, changes: Changes, generation: str) -> None:
        """Write what this build has changed until now."""
        if self._touched:
            self._added.update(changes.added)
            self._updated |= set(changes.updated) - self._added
            differences = self._touched.differences()
        else:
            differences = _all_new(index.statistics())
        records = self._recorder.records(
            **differences, updated=len(self._updated), generation=generation
        )
        self._db.execute("DELETE FROM build")
        self._db.executemany(
            "INSERT INTO build VALUES (?, ?)", [(each.number, dump([each])) for each in records]
        )

    def _link(
        self,
        index: IndexWriter,
        catalogue: Catalogue,
        decisions: Sequence[Decision],
        verdicts: Mapping[str, Mapping[Claim, Verdict]],
    ) -> tuple[Changes, Change]:
        changes, linked = self._changes(), index.keep_names(catalogue)
        gone = {*changes.removed, *changes.updated}
        new = [waiting.names for waiting in self._pending.values()]
        if self._before and linked.complete and self._changes_little():
            decided = decisions, self._before.decided()
            change = relink(linked, gone, new, catalogue, self._context, self._stated, *decided)
        else:
            held = {id_: each for id_, each in index.linked_names().items() if id_ not in gone}
            names = [*(each for each, _ in held.values()), *new]
            links = link(names, catalogue, self._context, decisions, self._stated)
            before = {id_: ids for id_, (_, ids) in held.items()}
            change = Change.of_all(links, before, index.entities(), verdicts, index.facts())
        changes.relinked = relinked(change)
        changes.decided = judged_otherwise(change, verdicts)
        return changes, change

    def _changes_little(self) -> bool:
        """Return whether it is faster to link only what changes and what is connected to it."""
        if not self._before or self._catalogue_changed():
            return False
        return self._before.linked_by == version() and self._changes_few()

    def _write_entities(self, index: IndexWriter, catalogue: Catalogue, change: Change) -> None:
        """Write entities, and the facts of the catalogue between them."""
        index.remove_facts(change.facts_gone)
        index.put_entities(change.entities, change.gone)
        index.add_facts(sorted(change.facts_added))
        concepts = {
            id_: catalogued_aliases(entity, catalogue.concepts[id_])
            for id_, entity in change.entities.items()
            if id_ in catalogue.concepts
        }
        if self._catalogue_changed():
            index.remove_concepts(but=concepts)
        index.put_concepts(concepts)

    def _write_papers(self, index: IndexWriter, change: Change, again: Iterable[str]) -> None:
        """Write the papers that changed, or of which something else is true now."""

        def linked(extraction: Extraction, extractor: str) -> LinkedExtraction:
            id_ = extraction.paper.id
            verdicts = change.verdicts.get(id_, {})
            return LinkedExtraction(extraction, extractor, change.ids(id_), verdicts)

        for _, waiting in sorted(self._pending.items()):
            extraction, record = self._buffer.get_with_record(waiting.place)
            reading = linked(extraction, waiting.extractor)
            index.put_paper(reading, waiting.names, waiting.digest, record)
        for id_ in again:
            extraction, (digest, extractor) = self._stored_extraction(id_), self._digests[id_]
            index.put_paper(linked(extraction, extractor), names_of(extraction), digest)


class _Digests(Mapping[str, tuple[bytes, str]]):
    """Of each paper in a graph the digest of what was read in it, and the extractor."""

    def __init__(self, reader: SqliteReader) -> None:
        self._reader = reader

    def __getitem__(self, id_: str) -> tuple[bytes, str]:
        for digest, extractor in self._reader.rows(
            "SELECT digest, extractor FROM work JOIN paper ON work = no WHERE id = ?", [id_]
        ):
            return digest, extractor
        raise KeyError(id_)

    def __iter__(self) -> Iterator[str]:
        return iter(self._reader.paper_ids())

    def __len__(self) -> int:
        return self._reader.statistics().papers


def _all_new(counted: Mapping[str, Any]) -> dict[str, Difference]:
    """Count the papers, entities and edges of a graph that a build began."""
    names = {"papers": "papers", "entities": "entities", "edges": "lineage_edges"}
    return {what: Difference(Sample(counted[name])) for what, name in names.items()}
