"""The writer: gathers papers, and makes the next generation of them."""

import os
import shutil
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from contextlib import nullcontext
from dataclasses import replace
from itertools import chain, islice
from pathlib import Path
from typing import IO, Any, cast

import pyoxigraph as ox

from stemma.graph.batching_writer import BatchingWriter, judged_otherwise, relinked, rewritten
from stemma.graph.history import Difference, Listed, Recorder, dump
from stemma.graph.linked_extraction import LinkedExtraction
from stemma.graph.linking import Change, Claim, Verdict, link, names_of, relink
from stemma.graph.oxigraph.citation_graph import (
    BIBLIOGRAPHY,
    CITATIONS,
    citation_lines,
    reference_lines,
)
from stemma.graph.oxigraph.dataset_graph import DATASET, DatasetGraph
from stemma.graph.oxigraph.entity_graph import (
    CATALOGUE,
    ENTITIES,
    concept_lines,
    entity_lines,
    fact_id,
    fact_lines,
)
from stemma.graph.oxigraph.folder import Folder
from stemma.graph.oxigraph.index import IndexWriter
from stemma.graph.oxigraph.line_stream import LineStream
from stemma.graph.oxigraph.paper_graph import lines, run_iri
from stemma.graph.oxigraph.people_graph import AUTHORS, people_lines
from stemma.graph.oxigraph.reader import HISTORY, OxigraphReader
from stemma.graph.oxigraph.tie_index import TieIndex
from stemma.graph.store import Changes
from stemma.schema import (
    Catalogue,
    Decision,
    EntityKind,
    Extraction,
    Paper,
    RelationType,
)
from stemma.schema.catalogue import fingerprint as shipped_fingerprint
from stemma.schema.decision_text import DecisionText

_MOST_CHANGED = 0.1
"""The share of changed papers beyond which it is faster to link all papers again."""
_SMALL = 100_000
"""Lines that are inserted in one transaction; more are bulk-loaded, which makes new files."""


class OxigraphWriter(BatchingWriter):
    """Changes the graph in a folder, whose writer's lock the caller holds."""

    def __init__(self, folder: Folder, base: str, catalogue: Catalogue | None) -> None:
        self._folder, self._base, self._catalogue = folder, base, catalogue
        super().__init__(folder.decisions)
        self._open_current()
        # What the build began with stays open until its end: its record says what differs.
        self._base_reader, self._known = self._before, self._digests.keys()
        kept = self._before.builds() if self._before else []
        self._recorder = Recorder(kept, anew=self._before is None)
        self._updated = set[str]()
        # A writer may have died before it could write down what it had decided.
        if self._before:
            replaced = self._before.decision_file_replaced
            folder.decisions.settle(self._before.decision_file, replaced)
        folder.decisions.read()  # Report decisions that cannot be read before any work is done.

    def _open_current(self) -> None:
        self._before: OxigraphReader | None = None
        self._digests: dict[str, tuple[bytes, str]] = {}
        if self._folder.current():
            self._before = OxigraphReader(
                self._folder.open_current(), self._base, self._folder.decisions
            )
            self._digests = {
                id_: (digest, extractor)
                for id_, digest, extractor in self._before.rows(
                    "SELECT id, digest, extractor FROM paper JOIN work ON no = work"
                )
            }

    def close(self) -> None:
        """Let go of everything; what was not committed is dropped."""
        super().close()
        self._before = self._base_reader = None

    def _held_papers(self, ids: Collection[str]) -> dict[str, Paper]:
        works = self._before.works(ids) if self._before else {}
        return {id_: work for id_, work in works.items() if isinstance(work, Paper)}

    def _held_reading(self, id_: str) -> Extraction:
        assert self._before is not None
        return self._before.reading(id_, self._digests[id_][1]).extraction

    def _held_text(self, id_: str) -> str:
        assert self._before is not None
        return self._before.texts(id_)

    def identifiers(self) -> Iterable[tuple[str, str]]:
        return self._before.identifiers() if self._before else ()

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
        with self._folder.failure_told(), staged:
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
        if self._before:
            self._before.rdf.backup(str(building / "rdf"))
            shutil.copyfile(self._before.path / "index.db", building / "index.db")
        index = IndexWriter(building / "index.db", new=self._before is None)
        try:
            decisions = decided.decisions
            verdicts = index.verdicts()
            changes, change = self._link(index, catalogue, decisions, verdicts)
            verdicts = {id_: each for id_, each in verdicts.items() if id_ not in self._dropped}
            index.put_decisions(
                change,
                {**verdicts, **change.verdicts},
                decided.fingerprint,
                len(decisions),
                decided.replaced,
            )
            # Opened only now: Oxigraph is busy with compaction as long as it can be written to.
            rdf = ox.Store(str(building / "rdf"))
            counted = self._write(rdf, index, catalogue, change, changes)
            self._describe(rdf, index, change, decisions, catalogue, changes, counted)
            rdf.flush()
            self._record(building, index, changes)
        finally:
            index.close()
        _sync_file(building / "index.db")
        _sync_file(building / HISTORY)
        return changes

    def _record(self, building: Path, index: IndexWriter, changes: Changes) -> None:
        """Write what this build has changed until now."""
        self._updated |= self._known & {*changes.updated}
        if self._base_reader:
            differences = index.differences(self._base_reader.path)
        else:
            counted = index.statistics()
            differences = {
                each: Difference(Listed(counted[name]))
                for each, name in (
                    ("papers", "papers"),
                    ("entities", "entities"),
                    ("edges", "lineage_edges"),
                )
            }
        records = self._recorder.records(
            **differences, updated=len(self._updated), generation=self._folder.next
        )
        (building / HISTORY).write_text(dump(records), "utf-8")

    def _link(
        self,
        index: IndexWriter,
        catalogue: Catalogue,
        decisions: Sequence[Decision],
        verdicts: Mapping[str, Mapping[Claim, Verdict]],
    ) -> tuple[Changes, Change]:
        changes, ties = self._changes(), index.keep_ties(catalogue)
        gone = {*changes.removed, *changes.updated}
        new = [waiting.names for waiting in self._pending.values()]
        if self._changes_little(ties) and not decisions:
            change = relink(ties, gone, new, catalogue, self._context, self._stated)
        else:
            held = {id_: each for id_, each in index.linked_names().items() if id_ not in gone}
            names = [*(each for each, _ in held.values()), *new]
            links = link(names, catalogue, self._context, decisions, self._stated)
            before = {id_: ids for id_, (_, ids) in held.items()}
            change = Change.of_all(links, before, index.entities(), verdicts)
        changes.relinked = relinked(change)
        changes.decided = judged_otherwise(change, verdicts)
        return changes, change

    def _changes_little(self, ties: TieIndex) -> bool:
        """Return whether it is faster to link what changes with what hangs together with it."""
        if not (self._before and ties.complete) or self._catalogue_changed():
            return False
        if self._before.rows("SELECT value FROM meta WHERE key = 'decisions'") != [("0",)]:
            return False
        changed = len(self._pending) + len(self._dropped)
        return changed <= _MOST_CHANGED * len(self._digests)

    def _write(
        self,
        rdf: ox.Store,
        index: IndexWriter,
        catalogue: Catalogue,
        change: Change,
        changes: Changes,
    ) -> dict[str, Any]:
        """Write all but what follows from all papers, and return what the index counts."""
        for id_ in (*changes.removed, *changes.updated, *rewritten(changes)):
            rdf.remove_graph(self._node(id_))
            index.clear_paper(id_)
        index.remove_works(changes.removed)
        # Entities come first, in the index as well: papers refer to them.
        new_lines = chain(
            self._entity_lines(rdf, index, change, catalogue),
            self._catalogue_lines(rdf, change, catalogue),
            self._paper_lines(changes, change, index),
        )
        _load(rdf, new_lines)
        for mark, faults in sorted(self._marks.items()):
            index.mark_read(*mark, faults)
        index.put_additions(catalogue.additions)
        return index.finish(catalogue.fingerprint)

    def _describe(
        self,
        rdf: ox.Store,
        index: IndexWriter,
        change: Change,
        decisions: Iterable[Decision],
        catalogue: Catalogue,
        changes: Changes,
        counted: Mapping[str, Any],
    ) -> None:
        """Write what follows from all papers: authors, citations, and what the data set holds."""
        dataset = DatasetGraph(self._base)
        described = chain(
            dataset.description(catalogue.fingerprint),
            dataset.counts(
                counted["papers"],
                {EntityKind(kind): count for kind, count in counted["by_kind"].items()},
                {RelationType(each): count for each, count in counted["by_relation"].items()},
            ),
            dataset.runs((run_iri(each, self._base), each) for each in self._extractors()),
            dataset.decisions(decisions, change.former, change.unapplied),
        )
        _replace(rdf, self._quads(rdf, DATASET), described)
        # Of these graphs only what concerns changed papers and people can differ.
        papers = [*changes.removed, *changes.updated, *changes.added, *rewritten(changes)]
        _replace(
            rdf,
            self._quads(rdf, CITATIONS, papers, both_ends=True),
            citation_lines(index.citations(), self._base),
        )
        _replace(
            rdf,
            self._quads(rdf, BIBLIOGRAPHY, {*index.records.citing, *changes.removed}),
            reference_lines(index.records.references(), self._base),
        )
        _replace(
            rdf,
            self._quads(rdf, AUTHORS, index.records.people, both_ends=True),
            people_lines(index.records.found_people(), self._base),
        )

    def _quads(
        self,
        rdf: ox.Store,
        graph: str,
        about: Iterable[str] | None = None,
        both_ends: bool = False,
    ) -> Iterator[ox.Quad]:
        """Yield the quads of a graph, or those with these (ids) as subject, or at either end."""
        name = self._node(graph)
        if about is None:
            yield from rdf.quads_for_pattern(None, None, None, name)
        elif self._before is not None:
            for node in map(self._node, about):
                yield from rdf.quads_for_pattern(node, None, None, name)
                if both_ends:
                    yield from rdf.quads_for_pattern(None, None, node, name)

    def _extractors(self) -> list[str]:
        """Return the fingerprints of what read the papers that there are."""
        held = {
            extractor
            for id_, (_, extractor) in self._digests.items()
            if id_ not in self._pending and id_ not in self._dropped
        }
        return sorted(held | {waiting.extractor for waiting in self._pending.values()})

    def _node(self, id_: str) -> ox.NamedNode:
        return ox.NamedNode(self._base + id_)

    def _entity_lines(
        self, rdf: ox.Store, index: IndexWriter, change: Change, catalogue: Catalogue
    ) -> Iterator[str]:
        """Remove what papers no longer say about entities, and return what is new."""
        facts, before = set(change.facts), set(change.facts_before or ())
        index.remove_facts(before - facts)
        changed = index.put_entities(change.entities, change.gone)
        if change.facts_before is None:
            index.clear_facts()
        index.add_facts(sorted(facts - before))
        if self._catalogue_changed():
            changed = set(change.entities)
        for id_ in sorted({*changed, *change.gone}):
            pattern = (self._node(id_), None, None, self._node(ENTITIES))
            for quad in list(rdf.quads_for_pattern(*pattern)):
                rdf.remove(quad)
        return chain.from_iterable(
            entity_lines(change.entities[id_], catalogue.concepts.get(id_), self._base)
            for id_ in sorted(changed)
        )

    def _catalogue_lines(self, rdf: ox.Store, change: Change, catalogue: Catalogue) -> list[str]:
        """Take out what papers no longer mention of the catalogue, and return what is new."""
        if change.facts_before is None:
            held, facts = self._quads(rdf, CATALOGUE), change.facts
            concepts = {id_ for id_ in change.entities if id_ in catalogue.concepts}
        else:
            differing = {each.subject for each in {*change.facts} ^ {*change.facts_before}}
            concepts = {*change.entities, *change.gone, *differing} & catalogue.concepts.keys()
            facts = [each for each in change.facts if each.subject in concepts]
            before = (fact_id(each) for each in change.facts_before if each.subject in concepts)
            held = self._quads(rdf, CATALOGUE, [*sorted(concepts), *before])
        wanted = chain(
            chain.from_iterable(
                concept_lines(
                    change.entities.get(id_, catalogue.concepts[id_]),
                    catalogue.concepts[id_],
                    self._base,
                )
                for id_ in sorted(concepts - set(change.gone))
            ),
            chain.from_iterable(fact_lines(fact, self._base) for fact in facts),
        )
        return _lacking(rdf, held, wanted)

    def _paper_lines(self, changes: Changes, change: Change, index: IndexWriter) -> Iterator[str]:
        """Write the papers that changed, or of which something else is true now."""
        for id_, waiting in sorted(self._pending.items()):
            extraction, extractor = self._buffer.get(waiting.place), waiting.extractor
            ids, verdicts = change.ids(id_), change.verdicts.get(id_, {})
            reading = LinkedExtraction(extraction, extractor, ids, verdicts)
            index.put_paper(reading, waiting.names, waiting.digest)
            yield from lines(reading, self._base)
        for id_ in rewritten(changes):
            assert self._before is not None
            digest, extractor = self._digests[id_]
            before = self._before.reading(id_, extractor)
            ids, verdicts = change.ids(id_), change.verdicts.get(id_, {})
            reading = replace(before, ids=ids, verdicts=verdicts)
            index.put_paper(reading, names_of(reading.extraction), digest)
            yield from lines(reading, self._base)


def _replace(rdf: ox.Store, held: Iterable[ox.Quad], wanted: Iterable[str]) -> None:
    """Put the lines that are wanted in place of the quads held, and change only what differs."""
    _load(rdf, iter(_lacking(rdf, held, wanted)))


def _lacking(rdf: ox.Store, held: Iterable[ox.Quad], wanted: Iterable[str]) -> list[str]:
    """Remove the quads held that are not wanted, and return the lines that are lacking."""
    superfluous = set(held)
    lines = list(dict.fromkeys(wanted))
    lacking = []
    quads = ox.parse("".join(lines).encode(), format=ox.RdfFormat.N_QUADS)
    for line, quad in zip(lines, quads, strict=True):
        if quad in superfluous:
            superfluous.remove(quad)
        else:
            lacking.append(line)
    for quad in superfluous:
        rdf.remove(quad)
    return lacking


def _load(rdf: ox.Store, all_lines: Iterator[str]) -> None:
    few = list(islice(all_lines, _SMALL))
    if len(few) < _SMALL:
        rdf.load("".join(few).encode(), format=ox.RdfFormat.N_QUADS)
    else:
        stream = cast(IO[bytes], LineStream(chain(few, all_lines)))
        rdf.bulk_load(stream, format=ox.RdfFormat.N_QUADS)


def _sync_file(path: Path) -> None:
    descriptor = os.open(path, os.O_RDONLY)
    try:
        os.fsync(descriptor)
    finally:
        os.close(descriptor)
