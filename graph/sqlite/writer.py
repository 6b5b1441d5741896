"""The writer: gathers papers, and makes the next generation of them."""

import fcntl
import os
import shutil
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from contextlib import nullcontext
from pathlib import Path

import pyoxigraph as ox

from stemma.distribution import version
from stemma.garbage import no_garbage
from stemma.graph.batching_writer import BatchingWriter, judged_otherwise, relinked, rewritten
from stemma.graph.history import Difference, Recorder, Sample, dump, sample
from stemma.graph.linked_extraction import LinkedExtraction
from stemma.graph.linking import Change, Claim, Verdict, link, names_of, relink
from stemma.graph.rdf.entity_graph import catalogued_aliases
from stemma.graph.sqlite.generations import Generation, GenerationFolder, sync
from stemma.graph.sqlite.index import IndexWriter
from stemma.graph.sqlite.integrity import damage_as_store_error
from stemma.graph.sqlite.page_log import bring_up_to_date, page_log
from stemma.graph.sqlite.paper_record import compressed
from stemma.graph.sqlite.projection import NAME, ChangedIds, Projection, is_projected, seal
from stemma.graph.sqlite.reader import HISTORY, SqliteReader
from stemma.graph.store import Changes, StoreError, WorkType
from stemma.schema import Catalogue, Decision, Extraction, Paper
from stemma.schema.catalogue import fingerprint as shipped_fingerprint
from stemma.schema.decision_file import DecisionText, to_toml

_FICLONE = 0x40049409
"""The request of ``ioctl_ficlone(2)``. The module `fcntl` has no name for it yet."""
_Edge = tuple[str, str]
_Named = Mapping[str, tuple[str, str]]
"""Type and name of works, by their ids."""


class SqliteWriter(BatchingWriter):
    """Changes the graph in a folder, whose writer's lock the caller holds."""

    def __init__(self, folder: GenerationFolder, base: str, catalogue: Catalogue | None) -> None:
        self._folder, self._base, self._catalogue = folder, base, catalogue
        super().__init__(folder.decisions)
        self._open_current()
        # What the build began with stays open until its end: its record says what differs.
        self._base_reader, self._known = self._before, self._digests
        kept = self._before.builds() if self._before else []
        self._recorder = Recorder(kept, initial=self._before is None)
        self._updated = set[str]()
        self._touched_works = set[str]()
        self._touched_edges = set[tuple[str, str]]()
        # A writer may have died before it could write down what it had decided.
        if self._before:
            replaced = self._before.decision_file_replaced
            folder.decisions.settle(self._before.decision_file, replaced)
        folder.decisions.read()  # Report decisions that cannot be read before any work is done.

    def _open_current(self) -> None:
        self._before: SqliteReader | None = None
        self._digests = {}
        if self._folder.current():
            self._before = SqliteReader(
                self._folder.open_current(), self._base, self._folder.decisions
            )
            self._digests = _Digests(self._before)

    def close(self) -> None:
        """Release everything; what was not committed is dropped."""
        super().close()
        # What reads a generation keeps it from being removed, and parts of a build refer to each
        # other and to this writer, until garbage is collected.
        self._before = self._base_reader = None
        self._digests = self._known = {}

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
        with self._folder.failure_as_store_error(), staged, no_garbage():
            changes = self._build(self._folder.building, decisions)
            self._folder.publish()
        self._buffer.close()
        self._reset()
        self._open_current()
        return changes

    def _catalogue_changed(self) -> bool:
        if self._before is None:
            return False
        if self._catalogue and list(self._catalogue.additions) != self._before.additions():
            return True
        own = self._catalogue.fingerprint if self._catalogue else shipped_fingerprint()
        return self._before.rows("SELECT value FROM meta WHERE key = 'catalogue'") != [(own,)]

    def _build(self, building: Path, decided: DecisionText) -> Changes:
        """Make the next generation in a new folder."""
        catalogue = self._catalogue or Catalogue.shipped()
        self._folder.discard()
        building.mkdir()
        file, before, log, is_taken = building / "index.db", self._before, None, False
        changes_little = self._changes_little()
        if before and changes_little:
            log = page_log(building, before.generation)
            is_taken = self._take_index(before.path, file)
        if before and not is_taken:
            copy_file(before.path / file.name, file)
        index = IndexWriter(file, new=before is None, log=log)
        try:
            decisions = decided.decisions
            verdicts = index.verdicts()
            changes, change = self._link(index, catalogue, decisions, verdicts, changes_little)
            verdicts = {id_: each for id_, each in verdicts.items() if id_ not in self._dropped}
            index.put_decisions(
                change,
                {**verdicts, **change.verdicts},
                decided.fingerprint,
                [to_toml(each) for each in decisions],
                decided.replaced,
            )
            touched = self._write(index, catalogue, change, changes)
            if self._base_reader:
                works, edges = index.touched()
                self._touched_works |= works
                self._touched_edges |= edges
        except BaseException:
            index.abandon()
            if is_taken and index.is_logged:
                self._folder.give_back(file.name)
            raise
        index.close()
        unlocked = os.open(os.devnull, os.O_RDONLY)
        made = Generation(self._folder.next, building, unlocked)
        now = SqliteReader(made, self._base, self._folder.decisions)
        self._record(now, changes)
        if self._before and is_projected(self._before.path):
            try:
                with damage_as_store_error(building):
                    self._project(self._before, now, touched)
                seal(building / NAME)
            except StoreError:
                # It follows from the rest, and is written again when it is asked for.
                shutil.rmtree(building / NAME, ignore_errors=True)
        for each in (file, building / HISTORY, *([log] if log and log.exists() else [])):
            sync(each)
        return changes

    def _take_index(self, newest: Path, target: Path) -> bool:
        """Make a copy of the newest index of the one before, and of the pages that have changed
        since. Return whether that could be done: it is not read, and fits."""
        log = page_log(newest, self._folder.previous)
        if not (log.exists() and self._folder.take_from_previous(target.name)):
            return False
        if bring_up_to_date(target, log):
            return True
        self._folder.discard()
        target.parent.mkdir()
        return False

    def _project(self, before: SqliteReader, now: SqliteReader, touched: ChangedIds) -> None:
        """Bring the RDF of the generation before up to date."""
        before.rdf.backup(str(now.path / NAME))
        # Opened only now: Oxigraph is busy with compaction as long as it can be written to.
        rdf = ox.Store(str(now.path / NAME))
        Projection(now).update(rdf, touched)
        rdf.flush()

    def _record(self, now: SqliteReader, changes: Changes) -> None:
        """Write what this build has changed until now."""
        self._updated |= {id_ for id_ in changes.updated if id_ in self._known}
        base, touched = self._base_reader, (self._touched_works, self._touched_edges)
        records = self._recorder.records(
            **(_differences(base, now, *touched) if base else _all_new(now)),
            updated=len(self._updated),
            generation=now.generation,
        )
        (now.path / HISTORY).write_text(dump(records), "utf-8")

    def _link(
        self,
        index: IndexWriter,
        catalogue: Catalogue,
        decisions: Sequence[Decision],
        verdicts: Mapping[str, Mapping[Claim, Verdict]],
        changes_little: bool,
    ) -> tuple[Changes, Change]:
        changes, linked = self._changes(), index.keep_names(catalogue)
        gone = {*changes.removed, *changes.updated}
        new = [waiting.names for waiting in self._pending.values()]
        if self._before and linked.complete and changes_little:
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

    def _write(
        self, index: IndexWriter, catalogue: Catalogue, change: Change, changes: Changes
    ) -> ChangedIds:
        """Write what is new, and return what that changes in the graph."""
        again = rewritten(changes)
        for id_ in (*changes.removed, *changes.updated, *again):
            index.clear_paper(id_)
        index.remove_works(changes.removed)
        # Entities come first: papers refer to them.
        touched = ChangedIds([*changes.updated, *changes.added, *again], changes.removed)
        self._write_entities(index, catalogue, change, touched)
        self._write_papers(index, change, again)
        for mark in sorted(self._marks):
            index.mark_read(*mark)
        index.put_additions(catalogue.additions)
        index.put_version(version())
        index.finish(catalogue.fingerprint)
        touched.people, touched.citing = index.records.people, index.records.citing
        return touched

    def _write_entities(
        self, index: IndexWriter, catalogue: Catalogue, change: Change, touched: ChangedIds
    ) -> None:
        """Write entities, and the facts of the catalogue between them."""
        index.remove_facts(change.facts_gone)
        changed = index.put_entities(change.entities, change.gone)
        index.add_facts(sorted(change.facts_added))
        concepts = {
            id_: catalogued_aliases(entity, catalogue.concepts[id_])
            for id_, entity in change.entities.items()
            if id_ in catalogue.concepts
        }
        if self._catalogue_changed():
            changed |= index.remove_concepts(but=concepts)
        touched.entities = {*changed, *index.put_concepts(concepts), *change.gone}
        touched.facts = {*change.facts_added, *change.facts_gone}

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


def copy_file(source: Path, target: Path) -> None:
    """Copy a file to a new one.

    On Btrfs, XFS and others with reflinks that takes no longer for a large file than for a small
    one: the copy takes blocks of its own only as either is written to.
    """
    with source.open("rb") as original, target.open("xb") as new:
        try:
            fcntl.ioctl(new, _FICLONE, original.fileno())
        except OSError:  # Another file system.
            shutil.copyfile(source, target)


def _all_new(now: SqliteReader) -> dict[str, Difference]:
    """Count the papers, entities and edges of a graph that a build began."""
    counted = now.statistics()
    return {
        "papers": Difference(Sample(counted.papers)),
        "entities": Difference(Sample(counted.entities)),
        "edges": Difference(Sample(counted.lineage_edges)),
    }


def _differences(
    base: SqliteReader, now: SqliteReader, works: Collection[str], edges: Collection[_Edge]
) -> dict[str, Difference]:
    """Return how papers, entities and edges differ.

    `works` (ids) and `edges` (the ids of child and parent) are those that may.
    """
    before, after = _named(base, works), _named(now, works)
    old, new = _existing(base, edges), _existing(now, edges)
    return {
        "papers": _difference(before, after, WorkType.PAPER),
        "entities": _difference(before, after, WorkType.ENTITY),
        "edges": Difference(sample(sorted(new - old)), sample(sorted(old - new))),
    }


def _named(reader: SqliteReader, works: Collection[str]) -> _Named:
    rows = reader.rows_in("SELECT id, type, name FROM work WHERE id IN ({})", works)
    return {id_: (type_, name) for id_, type_, name in rows}


def _existing(reader: SqliteReader, edges: Collection[_Edge]) -> set[_Edge]:
    query = (
        "SELECT 1 FROM edge WHERE child = (SELECT no FROM work WHERE id = ?) "
        "AND parent = (SELECT no FROM work WHERE id = ?)"
    )
    return {edge for edge in edges if reader.rows(query, edge)}


def _difference(before: _Named, after: _Named, type_: WorkType) -> Difference:
    added = sorted(
        (id_, name) for id_, (own, name) in after.items() if own == type_ and id_ not in before
    )
    removed = sorted(
        (id_, name) for id_, (own, name) in before.items() if own == type_ and id_ not in after
    )
    return Difference(sample(added), sample(removed))
