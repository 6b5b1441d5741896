"""The writer: gathers papers, and makes the next generation of them."""

import json
import os
import shutil
from collections.abc import Collection, Iterable, Iterator
from dataclasses import dataclass, replace
from hashlib import blake2b
from itertools import chain, islice
from pathlib import Path
from typing import IO, cast

import pyoxigraph as ox

from stemma.graph.linking import Claim, Links, PaperNames, link, names_of
from stemma.graph.linking.homonym import content_words
from stemma.graph.oxigraph.entity_graph import (
    CATALOGUE,
    DATASET,
    ENTITIES,
    concept_lines,
    dataset_lines,
    entity_lines,
    fact_lines,
)
from stemma.graph.oxigraph.folder import Folder
from stemma.graph.oxigraph.index import IndexWriter
from stemma.graph.oxigraph.line_stream import LineStream
from stemma.graph.oxigraph.paper_graph import Reading, canonical, lines, run_iri
from stemma.graph.oxigraph.reader import OxigraphReader
from stemma.graph.oxigraph.spool import Spool
from stemma.graph.store import Changes, Held, Relinked, StoreError
from stemma.schema import Catalogue, Extraction, Paper, Source
from stemma.schema.catalogue import fingerprint as shipped_fingerprint
from stemma.schema.interchange import dump, from_json

_SMALL = 100_000
"""Lines that are inserted in one transaction; more are bulk-loaded, which makes new files."""


@dataclass(frozen=True, slots=True)
class _Pending:
    """A paper that waits for the commit."""

    place: int
    names: PaperNames
    extractor: str
    digest: bytes


class OxigraphWriter:
    """Changes the graph in a folder, whose writer's lock the caller holds."""

    def __init__(self, folder: Folder, base: str, catalogue: Catalogue | None) -> None:
        self._folder, self._base, self._catalogue = folder, base, catalogue
        folder.decisions.read()  # What cannot be applied is told before any work is done.
        self._spool = Spool()
        self._open_current()
        self._forget()

    def _open_current(self) -> None:
        self._before: OxigraphReader | None = None
        self._digests: dict[str, tuple[bytes, str]] = {}
        if self._folder.current():
            self._before = OxigraphReader(self._folder.open_current(), self._base)
            self._digests = {
                id_: (digest, extractor)
                for id_, digest, extractor in self._before.rows(
                    "SELECT id, digest, extractor FROM paper JOIN work ON no = work"
                )
            }

    def _forget(self) -> None:
        self._pending: dict[str, _Pending] = {}
        self._dropped: set[str] = set()
        self._marks: set[tuple[str, str, str]] = set()

    def close(self) -> None:
        """Let go of everything; what was not committed is dropped."""
        self._spool.close()
        self._before = None

    def held(self, ids: Collection[str]) -> dict[str, Held]:
        """Return the papers with these ids that the graph holds."""
        found = {}
        stored = [id_ for id_ in ids if id_ in self._digests and id_ not in self._dropped]
        papers = self._before.works(stored) if self._before else {}
        for id_ in ids:
            if waiting := self._pending.get(id_):
                found[id_] = Held(self._spool.get(waiting.place).paper, waiting.extractor)
            elif isinstance(paper := papers.get(id_), Paper):
                found[id_] = Held(paper, self._digests[id_][1])
        return found

    def put(self, extractions: Iterable[Extraction], extractor: str) -> None:
        """Add papers with all that was found in them, in place of what was said of them before."""
        for extraction in extractions:
            self._put(canonical(extraction), extractor)

    def _put(self, extraction: Extraction, extractor: str) -> None:
        id_ = extraction.paper.id
        try:
            record = dump(extraction).encode()
        except UnicodeEncodeError:
            extraction = _encodable(extraction)
            record = dump(extraction).encode()
        digest = blake2b(record, digest_size=16).digest()
        self._dropped.discard(id_)
        if self._digests.get(id_) == (digest, extractor):
            self._pending.pop(id_, None)
            return
        place = self._spool.put(extraction)
        self._pending[id_] = _Pending(place, names_of(extraction), extractor, digest)

    def update(self, papers: Iterable[Paper]) -> None:
        """Change what sources say of papers whose texts stay as they are."""
        for paper in papers:
            extraction, extractor = self._held_extraction(paper.id)
            held = extraction.paper
            if (held.title, held.abstract) != (paper.title, paper.abstract):
                raise ValueError(f"{paper.id} has other texts: put what is found in them instead")
            self._put(canonical(replace(extraction, paper=paper)), extractor)

    def _held_extraction(self, id_: str) -> tuple[Extraction, str]:
        if waiting := self._pending.get(id_):
            return self._spool.get(waiting.place), waiting.extractor
        if self._before is None or id_ not in self._digests or id_ in self._dropped:
            raise LookupError(f"the graph does not hold {id_}")
        extractor = self._digests[id_][1]
        return self._before.reading(id_, extractor).extraction, extractor

    def drop(self, ids: Collection[str]) -> None:
        """Take papers out with all that only they said. Unknown ids are passed over."""
        for id_ in ids:
            self._pending.pop(id_, None)
            if id_ in self._digests:
                self._dropped.add(id_)

    def mark_read(self, file: str, sha256: str, reading: str) -> None:
        """Remember that a file was read whole."""
        self._marks.add((file, sha256, reading))

    def commit(self) -> Changes:
        """Link, and show readers what changed since the last commit, if anything did."""
        if self._before:
            self._marks -= {
                (file, sha256, reading)
                for reading in {mark[2] for mark in self._marks}
                for file, sha256 in self._before.already_read(reading)
            }
        if not (
            self._pending
            or self._dropped
            or self._marks
            or self._catalogue_changed()
            or self._decisions_changed()
        ):
            return Changes()
        try:
            changes = self._build(self._folder.building)
            self._folder.publish()
        except OSError as error:
            raise StoreError(f"{self._folder.path} cannot be written: {error}") from error
        self._spool.close()
        self._spool = Spool()
        self._forget()
        self._open_current()
        return changes

    def _catalogue_changed(self) -> bool:
        if self._before is None:
            return False
        own = self._catalogue.fingerprint if self._catalogue else shipped_fingerprint()
        return self._before.rows("SELECT value FROM meta WHERE key = 'catalogue'") != [(own,)]

    def _decisions_changed(self) -> bool:
        if self._before is None:
            return False
        return self._before.decision_file != self._folder.decisions.fingerprint()

    def _build(self, building: Path) -> Changes:
        """Make the next generation in a new folder."""
        catalogue = self._catalogue or Catalogue.shipped()
        self._folder.discard()
        building.mkdir()
        if self._before:
            self._before.rdf.backup(str(building / "rdf"))
            shutil.copyfile(self._before.path / "index.db", building / "index.db")
        index = IndexWriter(building / "index.db", new=self._before is None)
        try:
            changes, links = self._link(index, catalogue)
            # Opened only now: Oxigraph is busy with compaction as long as it can be written to.
            rdf = ox.Store(str(building / "rdf"))
            self._write(rdf, index, catalogue, links, changes)
            rdf.flush()
        finally:
            index.close()
        _sync_file(building / "index.db")
        return changes

    def _link(self, index: IndexWriter, catalogue: Catalogue) -> tuple[Changes, Links]:
        changes = Changes(
            added=sorted(self._pending.keys() - self._digests.keys()),
            updated=sorted(self._pending.keys() & self._digests.keys()),
            removed=sorted(self._dropped),
        )
        linked = index.linked_names()
        for id_ in (*changes.removed, *changes.updated):
            del linked[id_]
        names = [paper for paper, _ in linked.values()]
        names += [waiting.names for waiting in self._pending.values()]
        # The fingerprint comes first: what is decided in between is applied by the next commit.
        fingerprint = self._folder.decisions.fingerprint()
        decisions = self._folder.decisions.read()
        links = link(names, catalogue, self._context, decisions, self._stated)
        changes.relinked = _relinked(linked, links)
        verdicts = index.verdicts()
        changes.decided = [
            id_ for id_ in sorted(linked) if links.verdicts.get(id_) != verdicts.get(id_)
        ]
        index.put_decisions(links, fingerprint, len(decisions))
        return changes, links

    def _write(
        self,
        rdf: ox.Store,
        index: IndexWriter,
        catalogue: Catalogue,
        links: Links,
        changes: Changes,
    ) -> None:
        for id_ in (*changes.removed, *changes.updated, *_rewritten(changes)):
            rdf.remove_graph(self._node(id_))
            index.clear_paper(id_)
        index.remove_works(changes.removed)
        # Entities come first, in the index as well: papers refer to them.
        new_lines = chain(
            self._entity_lines(rdf, index, links, catalogue),
            self._catalogue_lines(rdf, index, links, catalogue),
            self._dataset_lines(rdf, links),
            self._paper_lines(changes, links, index),
        )
        _load(rdf, new_lines)
        for mark in sorted(self._marks):
            index.mark_read(*mark)
        index.finish(catalogue.fingerprint)

    def _node(self, id_: str) -> ox.NamedNode:
        return ox.NamedNode(self._base + id_)

    def _entity_lines(
        self, rdf: ox.Store, index: IndexWriter, links: Links, catalogue: Catalogue
    ) -> Iterator[str]:
        """Take out what is no longer told of entities, and return what is new."""
        changed, gone = index.put_entities(links.entities)
        if self._catalogue_changed():
            changed = set(links.entities)
        for id_ in sorted(changed | gone):
            pattern = (self._node(id_), None, None, self._node(ENTITIES))
            for quad in list(rdf.quads_for_pattern(*pattern)):
                rdf.remove(quad)
        return chain.from_iterable(
            entity_lines(links.entities[id_], catalogue.concepts.get(id_), self._base)
            for id_ in sorted(changed)
        )

    def _catalogue_lines(
        self, rdf: ox.Store, index: IndexWriter, links: Links, catalogue: Catalogue
    ) -> list[str]:
        """Take out what papers no longer mention of the catalogue, and return what is new."""
        index.put_facts(links.facts)
        wanted = chain(
            chain.from_iterable(
                concept_lines(entity, catalogue.concepts[id_], self._base)
                for id_, entity in links.entities.items()
                if id_ in catalogue.concepts
            ),
            chain.from_iterable(fact_lines(fact, self._base) for fact in links.facts),
        )
        return _lacking(rdf, self._node(CATALOGUE), wanted)

    def _dataset_lines(self, rdf: ox.Store, links: Links) -> list[str]:
        extractors = {waiting.extractor for waiting in self._pending.values()}
        for id_, (_, extractor) in self._digests.items():
            if id_ not in self._pending and id_ not in self._dropped:
                extractors.add(extractor)
        runs = sorted((run_iri(each, self._base), each) for each in extractors)
        return _lacking(rdf, self._node(DATASET), dataset_lines(runs, links.former, self._base))

    def _paper_lines(self, changes: Changes, links: Links, index: IndexWriter) -> Iterator[str]:
        """Write the papers that changed, or of which something else is true now."""
        for id_, waiting in sorted(self._pending.items()):
            extraction, extractor = self._spool.get(waiting.place), waiting.extractor
            ids, verdicts = links.ids.get(id_, {}), links.verdicts.get(id_, {})
            reading = Reading(extraction, extractor, ids, verdicts)
            index.put_paper(reading, waiting.names, waiting.digest)
            yield from lines(reading, self._base)
        for id_ in _rewritten(changes):
            assert self._before is not None
            digest, extractor = self._digests[id_]
            before = self._before.reading(id_, extractor)
            ids, verdicts = links.ids.get(id_, {}), links.verdicts.get(id_, {})
            reading = replace(before, ids=ids, verdicts=verdicts)
            index.put_paper(reading, names_of(reading.extraction), digest)
            yield from lines(reading, self._base)

    def _context(self, id_: str) -> frozenset[str]:
        if waiting := self._pending.get(id_):
            paper = self._spool.get(waiting.place).paper
            return content_words(f"{paper.title} {paper.abstract}")
        assert self._before is not None
        return content_words(self._before.texts(id_))

    def _stated(self, id_: str) -> frozenset[Claim]:
        extraction, _ = self._held_extraction(id_)
        return frozenset((each.type, each.entity) for each in extraction.relations)


def _encodable(extraction: Extraction) -> Extraction:
    """Replace lone surrogates, which JSON may hold and UTF-8 may not; offsets stay as they are."""
    record = dump(extraction).encode("utf-16", "surrogatepass").decode("utf-16", "replace")
    source = next(iter(extraction.paper.sources), Source("", "", 1))
    return canonical(from_json(json.loads(record), source))


def _rewritten(changes: Changes) -> list[str]:
    """Return the papers that are as they were, but mean other entities or are judged otherwise."""
    return sorted({*changes.decided, *(each.paper for each in changes.relinked)})


def _relinked(linked: dict[str, tuple[PaperNames, dict[str, str]]], links: Links) -> list[Relinked]:
    return [
        Relinked(id_, name, before, links.ids[id_][name])
        for id_, (_, ids) in sorted(linked.items())
        for name, before in sorted(ids.items())
        if links.ids[id_][name] != before
    ]


def _lacking(rdf: ox.Store, graph: ox.NamedNode, wanted: Iterable[str]) -> list[str]:
    """Take out of a graph what is not wanted, and return the lines that it lacks."""
    superfluous = set(rdf.quads_for_pattern(None, None, None, graph))
    lacking = []
    for line in dict.fromkeys(wanted):
        (quad,) = ox.parse(line.encode(), format=ox.RdfFormat.N_QUADS)
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
