"""The projection: a generation as RDF in Oxigraph, for SPARQL and for exports.

It follows from the index, and is made when RDF is first asked for. The generations after that have
one too: writers bring a copy of it up to date.
"""

import errno
import fcntl
import json
import os
import shutil
from collections.abc import Callable, Collection, Iterable, Iterator
from dataclasses import dataclass, field
from hashlib import blake2b
from itertools import chain, islice
from pathlib import Path
from tempfile import gettempdir
from typing import IO, TYPE_CHECKING, cast

import pyoxigraph as ox

from stemma.graph.rdf.citation_graph import (
    BIBLIOGRAPHY,
    CITATIONS,
    citation_lines,
    citation_query,
    reference_lines,
)
from stemma.graph.rdf.dataset_graph import DATASET, DatasetGraph
from stemma.graph.rdf.entity_graph import (
    CATALOGUE,
    ENTITIES,
    concept_lines,
    entity_lines,
    fact_id,
    fact_lines,
)
from stemma.graph.rdf.line_stream import LineStream
from stemma.graph.rdf.paper_graph import lines, run_iri
from stemma.graph.rdf.people_graph import AUTHORS, people_lines
from stemma.graph.sqlite.linked_names import FACTS, read_facts
from stemma.graph.store import StoreError, WorkType
from stemma.schema import Entity, Fact, RelationType
from stemma.schema.batches import batched

if TYPE_CHECKING:
    from stemma.graph.sqlite.reader import SqliteReader

NAME = "rdf"
"""The folder of the projection, in that of its generation."""
_FILES = "files.json"
_READ_ONLY = {errno.EACCES, errno.EPERM, errno.EROFS}
_SMALL = 100_000
"""Lines that are inserted in one transaction; more are bulk-loaded, which makes new files."""
_AT_ONCE = 200_000
"""Lines that are bulk-loaded at once, which takes about two kilobytes of memory each."""
_BATCH = 500


@dataclass(slots=True)
class ChangedIds:
    """What a generation has otherwise than the one before: ids of papers, entities and people.

    `written` are papers with another graph, `citing` those with another list of references.
    """

    written: Collection[str]
    removed: Collection[str]
    entities: set[str] = field(default_factory=set)
    facts: set[Fact] = field(default_factory=set)
    people: Collection[str] = ()
    citing: Collection[str] = ()


class Projection:
    """Writes the RDF of the generation that `reader` reads; `tick` is called for each paper."""

    def __init__(self, reader: "SqliteReader", tick: Callable[[], object] = int) -> None:
        self._reader, self._base, self._tick = reader, reader.base, tick

    def make(self, rdf: ox.Store) -> None:
        """Write all into an empty store."""
        lines = self.lines()
        while part := list(islice(lines, _AT_ONCE)):
            stream = cast(IO[bytes], LineStream(iter(part)))
            rdf.bulk_load(stream, format=ox.RdfFormat.N_QUADS)

    def lines(self) -> Iterator[str]:
        """Yield all as lines of N-Quads: the graphs about all papers first."""
        yield from self._dataset()
        entities = self._ids(WorkType.ENTITY)
        for some in batched(entities, _BATCH):
            yield from self._entities(some)
        yield from self._concepts(None)
        yield from chain.from_iterable(fact_lines(each, self._base) for each in self.facts(None))
        people = [id_ for (id_,) in self._reader.rows("SELECT id FROM person ORDER BY id")]
        yield from self._people(people)
        papers = self._ids(WorkType.PAPER)
        yield from self._citations(papers, both_ends=False)
        for some in batched(papers, _BATCH):
            yield from self._references(some)
        yield from self._papers(papers)

    def update(self, rdf: ox.Store, touched: ChangedIds) -> None:
        """Bring the projection of the generation before up to date."""
        for id_ in (*touched.removed, *touched.written):
            rdf.remove_graph(self._node(id_))
        entities = sorted(touched.entities)
        held = list(self._quads(rdf, ENTITIES, entities))
        for quad in held:
            rdf.remove(quad)
        _load(rdf, chain(self._entities(entities), self._papers(sorted(touched.written))))
        self._update_catalogue(rdf, touched)
        _replace(rdf, rdf.quads_for_pattern(None, None, None, self._node(DATASET)), self._dataset())
        papers = sorted({*touched.removed, *touched.written})
        _replace(
            rdf,
            self._quads(rdf, CITATIONS, papers, both_ends=True),
            self._citations(papers, both_ends=True),
        )
        _replace(
            rdf,
            self._quads(rdf, BIBLIOGRAPHY, {*touched.citing, *touched.removed}),
            self._references(touched.citing),
        )
        _replace(
            rdf,
            self._quads(rdf, AUTHORS, touched.people, both_ends=True),
            self._people(touched.people),
        )

    def _update_catalogue(self, rdf: ox.Store, touched: ChangedIds) -> None:
        concepts = {*touched.entities, *(each.subject for each in touched.facts)}
        facts = list(self.facts(concepts))
        described = [*concepts, *{fact_id(each) for each in (*facts, *touched.facts)}]
        wanted = chain(
            self._concepts(concepts),
            chain.from_iterable(fact_lines(each, self._base) for each in facts),
        )
        _replace(rdf, self._quads(rdf, CATALOGUE, described), wanted)

    def _node(self, id_: str) -> ox.NamedNode:
        return ox.NamedNode(self._base + id_)

    def _quads(
        self, rdf: ox.Store, graph: str, about: Iterable[str], both_ends: bool = False
    ) -> Iterator[ox.Quad]:
        """Yield the quads of a graph that have these (ids) as subject, or at either end."""
        name = self._node(graph)
        for node in map(self._node, about):
            yield from rdf.quads_for_pattern(node, None, None, name)
            if both_ends:
                yield from rdf.quads_for_pattern(None, None, node, name)

    def _ids(self, type_: WorkType) -> list[str]:
        query = "SELECT id FROM work WHERE type = ? ORDER BY id"
        return [id_ for (id_,) in self._reader.rows(query, [type_.value])]

    def _dataset(self) -> Iterator[str]:
        graph, counted = DatasetGraph(self._base), self._reader.statistics()
        yield from graph.description()
        yield from graph.counts(
            counted.papers,
            {kind: count for kind, count in counted.by_kind.items() if count},
            {relation: count for relation, count in counted.by_relation.items() if count},
        )
        extractors = self._reader.rows("SELECT DISTINCT extractor FROM paper ORDER BY extractor")
        yield from graph.runs((run_iri(each, self._base), each) for (each,) in extractors)
        yield from graph.decisions(
            self._reader.decided(),
            self._reader.former,
            self._reader.unapplied(),
        )

    def _entities(self, ids: Collection[str]) -> Iterator[str]:
        aliases = self.catalogued(ids)
        for id_, entity in self._reader.works(ids).items():
            assert isinstance(entity, Entity)
            yield from entity_lines(entity, aliases.get(id_), self._base)

    def _concepts(self, ids: Collection[str] | None) -> Iterator[str]:
        """Yield those of the entities that are in the catalogue, or all of these."""
        aliases = self.catalogued(ids)
        for id_, entity in self._reader.works(sorted(aliases)).items():
            assert isinstance(entity, Entity)
            yield from concept_lines(entity, aliases[id_], self._base)

    def catalogued(self, ids: Collection[str] | None) -> dict[str, list[str] | None]:
        """Return, of entities that are in the catalogue, their aliases there."""
        query = "SELECT id, aliases FROM concept JOIN work ON no = work"
        if ids is None:
            rows: Iterable[tuple[str, str | None]] = self._reader.rows(query)
        else:
            rows = self._reader.rows_in(f"{query} WHERE id IN ({{}})", ids)
        return {id_: json.loads(aliases) if aliases else None for id_, aliases in rows}

    def facts(self, subjects: Collection[str] | None) -> Iterator[Fact]:
        """Yield the facts of the catalogue on some entities, or all."""
        if subjects is None:
            rows: Iterable[tuple[str, str, str]] = self._reader.rows(FACTS.format(""))
        else:
            rows = self._reader.rows_in(FACTS.format("AND s.id IN ({})"), subjects)
        return read_facts(rows)

    def _papers(self, ids: Collection[str]) -> Iterator[str]:
        for linked in self._reader.linked_extractions(ids):
            yield from lines(linked, self._base)
            self._tick()

    def _citations(self, papers: Collection[str], *, both_ends: bool) -> Iterator[str]:
        rows = self._reader.rows_in(citation_query("citing"), papers)
        if both_ends:
            rows = chain(rows, self._reader.rows_in(citation_query("cited"), papers))
        found = ((citing, RelationType(relation), cited) for citing, relation, cited in rows)
        yield from citation_lines(found, self._base)

    def _references(self, papers: Collection[str]) -> Iterator[str]:
        for citing, cited in self._reader.cites(papers).items():
            yield from reference_lines(((citing, each) for each in cited), self._base)

    def _people(self, ids: Collection[str]) -> Iterator[str]:
        for some in batched(ids, _BATCH):
            wrote = self._reader.written_by(some)
            people = self._reader.people(some)
            yield from people_lines(
                ((each, wrote[id_]) for id_, each in people.items()), self._base
            )


def _replace(rdf: ox.Store, held: Iterable[ox.Quad], wanted: Iterable[str]) -> None:
    """Put the lines that are wanted in place of the quads held, and change only what differs."""
    superfluous = set(held)
    all_lines = list(dict.fromkeys(wanted))
    lacking = []
    quads = ox.parse("".join(all_lines).encode(), format=ox.RdfFormat.N_QUADS)
    for line, quad in zip(all_lines, quads, strict=True):
        if quad in superfluous:
            superfluous.remove(quad)
        else:
            lacking.append(line)
    for quad in superfluous:
        rdf.remove(quad)
    _load(rdf, iter(lacking))


def _load(rdf: ox.Store, all_lines: Iterator[str]) -> None:
    few = list(islice(all_lines, _SMALL))
    if len(few) < _SMALL:
        rdf.load("".join(few).encode(), format=ox.RdfFormat.N_QUADS)
    else:
        stream = cast(IO[bytes], LineStream(chain(few, all_lines)))
        rdf.bulk_load(stream, format=ox.RdfFormat.N_QUADS)


def is_projected(generation: Path) -> bool:
    """Return whether the generation in a folder has its RDF next to the index."""
    return (generation / NAME / _FILES).exists()


def seal(path: Path) -> None:
    """Note the files of a finished projection: its database does not miss what was cut off."""
    (path / _FILES).write_text(json.dumps(_sizes(path)), "utf-8")


def lacks_files(path: Path) -> bool:
    """Return whether files of a projection are missing, or have another size."""
    try:
        sizes: dict[str, int] = json.loads((path / _FILES).read_text("utf-8"))
        return _sizes(path) != sizes
    except (OSError, ValueError):
        return True


def _sizes(path: Path) -> dict[str, int]:
    files = [*path.glob("*.sst"), *path.glob("MANIFEST-*"), path / "CURRENT"]
    return {each.name: each.stat().st_size for each in sorted(files)}


def ensure_projection(reader: "SqliteReader", tick: Callable[[], object] = int) -> Path:
    """Return the folder with the RDF of what `reader` reads, which is made if there is none.

    Where the store cannot be written to, that is a temporary folder, for all processes on this
    machine. Raises StoreError where it cannot be made.
    """
    try:
        try:
            return _made(reader, reader.path, tick)
        except OSError as error:
            if error.errno not in _READ_ONLY:
                raise
            return _made(reader, _temporary(reader.path), tick)
    except OSError as error:
        raise StoreError(f"The RDF of {reader.path} cannot be written: {error}") from error


def _made(reader: "SqliteReader", folder: Path, tick: Callable[[], object]) -> Path:
    path = folder / NAME
    if is_projected(folder):
        return path
    lock = os.open(folder / f"{NAME}.lock", os.O_RDWR | os.O_CREAT | os.O_CLOEXEC, 0o644)
    try:
        fcntl.flock(lock, fcntl.LOCK_EX)
        if not is_projected(folder):
            new = folder / f"{NAME}.new"
            shutil.rmtree(new, ignore_errors=True)
            _write(new, Projection(reader, tick))
            seal(new)
            new.rename(path)
    finally:
        os.close(lock)
    return path


def _write(path: Path, projection: Projection) -> None:
    rdf = ox.Store(str(path))
    projection.make(rdf)
    rdf.flush()


def _temporary(generation: Path) -> Path:
    """Return a folder of this user's alone for the RDF of a generation, which never changes."""
    index = generation.resolve() / "index.db"
    key = f"{index} {index.stat().st_mtime_ns}".encode()
    name = f"stemma-rdf-{os.getuid()}-{blake2b(key, digest_size=8).hexdigest()}"
    folder = Path(gettempdir()) / name
    folder.mkdir(mode=0o700, exist_ok=True)
    if folder.stat().st_uid != os.getuid():
        raise PermissionError(errno.EPERM, "it belongs to another user", str(folder))
    return folder
