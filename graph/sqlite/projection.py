"""The projection: a graph as RDF in Oxigraph, written whole or brought up to date."""

import errno
import json
import os
import re
import shutil
from collections.abc import Callable, Collection, Iterable, Iterator
from hashlib import blake2b
from itertools import chain
from pathlib import Path
from tempfile import gettempdir
from typing import TYPE_CHECKING

import pyoxigraph as ox

from stemma.distribution import version
from stemma.graph.history import ChangesSince
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
    fact_lines,
    scheme_lines,
)
from stemma.graph.rdf.paper_graph import lines, run_iri
from stemma.graph.rdf.people_graph import AUTHORS, people_lines
from stemma.graph.rdf.vocabulary import SUBJECT
from stemma.graph.sqlite.file import damage_as_store_error, damaged, locked
from stemma.graph.sqlite.linked_names import FACTS, read_facts
from stemma.graph.store import StoreError, WorkType
from stemma.schema import Entity, Fact, RelationType
from stemma.schema.batches import batched
from stemma.schema.identifier import AUTHOR, ENTITY, PAPER

if TYPE_CHECKING:
    from stemma.graph.sqlite.reader import SqliteReader

_OF_ALL_PAPERS = sorted((AUTHORS, CATALOGUE, CITATIONS, DATASET, ENTITIES, BIBLIOGRAPHY))
"""Graphs that are not of one paper, in the order of their names, before which no paper's comes."""
_SMALL = 100_000
"""Lines that are inserted in one transaction; more are bulk-loaded, which makes new files."""
_AT_ONCE = 200_000
"""Lines that are bulk-loaded at once, which takes about two kilobytes of memory each."""
_BATCH = 500


class Projection:
    """Writes the RDF of what `reader` reads; `tick` is called for each paper."""

    def __init__(self, reader: "SqliteReader", tick: Callable[[], object] = int) -> None:
        self._reader, self._base, self._tick = reader, reader.base, tick

    def make(self, rdf: ox.Store) -> None:
        """Write all into an empty store."""
        _load(rdf, self.lines())

    def quads(self) -> Iterator[ox.Quad]:
        """Yield all, graph by graph."""
        for part in batched(self.lines(), _AT_ONCE):
            yield from ox.parse("".join(part).encode(), format=ox.RdfFormat.N_QUADS)

    def lines(self) -> Iterator[str]:
        """Yield all as lines of N-Quads: the graphs about all papers first."""
        for graph in _OF_ALL_PAPERS:
            yield from self._whole(graph)
        yield from self._papers(self._reader.all_ids(WorkType.PAPER))

    def graphs(
        self, papers: Collection[str] | None, full: bool = False
    ) -> Iterator[tuple[str, list[bytes]]]:
        """Yield the named graphs with their lines of N-Triples, in the order of their names.

        Of those of papers, `papers` (ids, in order) are wanted, or if it is None all. They are
        those of the plain graph, or of the `full` one.
        """
        for graph in _OF_ALL_PAPERS:
            if found := _triples(self._whole(graph, full), self._node(graph)):
                yield self._base + graph, found
        wanted = self._reader.all_ids(WorkType.PAPER) if papers is None else papers
        for linked in self._reader.linked_extractions(wanted):
            id_ = linked.extraction.paper.id
            yield self._base + id_, _triples(lines(linked, self._base, full), self._node(id_))

    def _whole(self, graph: str, full: bool = True) -> Iterator[str]:
        """Yield a graph about all papers, as lines of N-Quads."""
        ids = self._reader.all_ids
        if graph == AUTHORS:
            people = self._reader.rows("SELECT id FROM person ORDER BY id")
            yield from self._people([id_ for (id_,) in people])
        elif graph == BIBLIOGRAPHY:
            for some in batched(ids(WorkType.PAPER), _BATCH):
                yield from self._references(some)
        elif graph == CATALOGUE:
            yield from scheme_lines(CATALOGUE, self._base)
            yield from self._concepts(None)
            for fact in self.facts(None):
                yield from fact_lines(fact, self._base)
        elif graph == CITATIONS:
            yield from self._citations(ids(WorkType.PAPER), both_ends=False)
        elif graph == DATASET:
            yield from self._dataset(full)
        else:
            yield from scheme_lines(ENTITIES, self._base)
            for some in batched(ids(WorkType.ENTITY), _BATCH):
                yield from self._entities(some)

    def update(self, rdf: ox.Store, changed: ChangesSince) -> None:
        """Bring the projection of an earlier commit up to date."""

        def of_type(prefix: str) -> list[str]:
            ids = (changed.changed or frozenset()).union(changed.gone)
            return sorted(each for each in ids if each.startswith(prefix))

        papers, entities, people = map(of_type, (PAPER, ENTITY, AUTHOR))
        for id_ in papers:
            rdf.remove_graph(self._node(id_))
        _load(rdf, self._papers(papers))
        _replace(rdf, self._quads(rdf, ENTITIES, entities), self._entities(entities))
        self._update_catalogue(rdf, entities)
        _replace(rdf, rdf.quads_for_pattern(None, None, None, self._node(DATASET)), self._dataset())
        _replace(
            rdf,
            self._quads(rdf, CITATIONS, papers, both_ends=True),
            self._citations(papers, both_ends=True),
        )
        _replace(rdf, self._quads(rdf, BIBLIOGRAPHY, papers), self._references(papers))
        _replace(rdf, self._quads(rdf, AUTHORS, people, both_ends=True), self._people(people))

    def _update_catalogue(self, rdf: ox.Store, entities: Collection[str]) -> None:
        name, subject = self._node(CATALOGUE), ox.NamedNode(SUBJECT)
        stated = (
            quad.subject
            for node in map(self._node, entities)
            for quad in rdf.quads_for_pattern(None, subject, node, name)
        )
        held = [
            *self._quads(rdf, CATALOGUE, entities),
            *(
                quad
                for each in list(stated)
                for quad in rdf.quads_for_pattern(each, None, None, name)
            ),
        ]
        facts = self.facts(entities)
        wanted = chain(
            self._concepts(entities),
            chain.from_iterable(fact_lines(each, self._base) for each in facts),
        )
        _replace(rdf, held, wanted)

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

    def _dataset(self, full: bool = True) -> Iterator[str]:
        graph = DatasetGraph(self._base)
        yield from graph.description()
        yield from graph.counts(self._reader.statistics())
        if full:
            query = "SELECT DISTINCT extractor FROM paper ORDER BY extractor"
            runs = ((run_iri(each, self._base), each) for (each,) in self._reader.rows(query))
            yield from graph.runs(runs)
        decided = self._reader.decided(), self._reader.former, self._reader.unapplied()
        yield from graph.decisions(*decided)

    def _entities(self, ids: Collection[str]) -> Iterator[str]:
        aliases, dates = self.catalogued(ids), self._reader.published(ids)
        for id_, entity in self._reader.works(ids).items():
            assert isinstance(entity, Entity)
            yield from entity_lines(entity, aliases.get(id_), dates.get(id_), self._base)

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


def _triples(quads: Iterable[str], graph: ox.NamedNode) -> list[bytes]:
    """Return lines of a graph as lines of N-Triples, each once, as Oxigraph writes them."""
    rdf = ox.Store()  # It has one form for each number.
    rdf.load("".join(quads).encode(), format=ox.RdfFormat.N_QUADS)
    data = rdf.dump(format=ox.RdfFormat.N_TRIPLES, from_graph=graph)
    return (data or b"").splitlines(keepends=True)


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
    _load(rdf, lacking)


def _load(rdf: ox.Store, all_lines: Iterable[str]) -> None:
    for part in batched(all_lines, _AT_ONCE):
        load = rdf.load if len(part) < _SMALL else rdf.bulk_load
        load("".join(part).encode(), format=ox.RdfFormat.N_QUADS)


_NAME = re.compile(r"rdf-[0-9]{6,}-[0-9a-z]+")
_FILES = "files.json"
_LAYOUT = 2
"""Raised where the same graph becomes other RDF: what an earlier version wrote is made again."""
_KEPT = 2
"""Folders that stay: the one before may be about to be read."""
_READ_ONLY = {errno.EACCES, errno.EPERM, errno.EROFS}


class RdfCache:
    """The graph that `reader` reads as RDF: a named graph for each paper, and some about all."""

    def __init__(self, reader: "SqliteReader") -> None:
        self._reader = reader
        self._name = _name_of(reader.state)

    @property
    def base(self) -> str:
        """What the IRIs of the data begin with."""
        return str(self._reader.base)

    @property
    def rdf(self) -> ox.Store:
        """The quads, which are written if they were not requested before."""
        return self._reader.memory.once("rdf", self._open)

    def _open(self) -> ox.Store:
        path = self.project()
        try:
            return ox.Store.read_only(str(path))
        except OSError as error:
            if "No such file" in str(error):
                raise damaged(path, error) from error
            raise StoreError(f"{path} cannot be opened: {error}") from error

    def graphs(
        self, papers: Collection[str] | None, full: bool = False
    ) -> Iterator[tuple[str, list[bytes]]]:
        """Yield the named graphs with their lines of N-Triples, in the order of their names (IRIs).

        Of those of papers, `papers` (ids, in order) are wanted, or if it is None all. The plain
        graph leaves out how papers were read, which the `full` one has.
        """
        return Projection(self._reader).graphs(papers, full)

    @property
    def is_written(self) -> bool:
        """Whether it was written before."""
        return self._is_whole(self.path)

    @property
    def path(self) -> Path:
        """Where it is, or would be."""
        return self._reader.cache / self._name

    def project(self, tick: Callable[[], object] = int) -> Path:
        """Return the folder with the RDF, which is made if there is none; `tick` for each paper.

        Where nothing can be written beside the store, it is in a temporary folder, for all
        processes on this machine. Raises StoreError where it cannot be made.
        """
        if self.is_written:
            return self.path
        try:
            with damage_as_store_error(self._reader.path):
                try:
                    self._reader.cache.mkdir(exist_ok=True)
                    return self._made(self._reader.cache, tick)
                except OSError as error:
                    if error.errno not in _READ_ONLY:
                        raise
                    return self._made(self._temporary(), tick)
        except OSError as error:
            raise StoreError(
                f"The RDF of {self._reader.path} cannot be written: {error}"
            ) from error

    def _made(self, folder: Path, tick: Callable[[], object]) -> Path:
        path = folder / self._name
        with locked(folder / "rdf.lock"):
            if self._is_whole(path):
                return path
            shutil.rmtree(path, ignore_errors=True)
            new = folder / "rdf.new"
            if not self._is_updated(folder, new, tick):
                shutil.rmtree(new, ignore_errors=True)
                rdf = ox.Store(str(new))
                Projection(self._reader, tick).make(rdf)
                rdf.flush()
                del rdf
            self.seal(new)
            new.rename(path)
            for old in _found(folder)[:-_KEPT]:
                if old != path:
                    shutil.rmtree(old, ignore_errors=True)
        return path

    def _is_updated(self, folder: Path, new: Path, tick: Callable[[], object]) -> bool:
        """Make the RDF of the latest commit that has any, and that this one followed."""
        for old in reversed(_found(folder)):
            _, number, mark = old.name.split("-")
            changed = self._reader.changed_since(f"{int(number)}-{mark}")
            if changed.changed is None:
                continue
            shutil.rmtree(new, ignore_errors=True)
            try:
                if not self._is_whole(old):
                    continue
                ox.Store.read_only(str(old)).backup(str(new))
                rdf = ox.Store(str(new))
                Projection(self._reader, tick).update(rdf, changed)
                rdf.flush()
            except (OSError, RuntimeError):
                continue  # It is damaged.
            return True
        return False

    def seal(self, path: Path) -> None:
        """Note that a folder is finished."""
        (path / _FILES).write_text(json.dumps(self._description(path)), "utf-8")

    def _description(self, path: Path) -> dict[str, str | int]:
        """Return what is noted of a folder: its files, and what wrote them."""
        files = [*path.glob("*.sst"), *path.glob("MANIFEST-*"), path / "CURRENT"]
        sizes = {each.name: each.stat().st_size for each in sorted(files)}
        return {"base": self.base, "version": version(), "layout": _LAYOUT, **sizes}

    def _is_whole(self, path: Path) -> bool:
        """Return whether a folder was finished, with this base and by this version.

        Oxigraph does not miss what was cut off: no file may be missing or have another size.
        """
        try:
            noted: object = json.loads((path / _FILES).read_text("utf-8"))
            return noted == self._description(path)
        except (OSError, ValueError):
            return False

    def _temporary(self) -> Path:
        """Return a folder of this user's alone."""
        key = str(self._reader.path.resolve()).encode()
        name = f"stemma-rdf-{os.getuid()}-{blake2b(key, digest_size=8).hexdigest()}"
        folder = Path(gettempdir()) / name
        folder.mkdir(mode=0o700, exist_ok=True)
        if folder.stat().st_uid != os.getuid():
            raise PermissionError(errno.EPERM, "it belongs to another user", str(folder))
        return folder


def _name_of(state: str) -> str:
    number, _, mark = state.partition("-")
    return f"rdf-{int(number):06}-{mark}"


def _found(folder: Path) -> list[Path]:
    """Return the folders with RDF, those of the latest commits last."""
    return sorted(each for each in folder.iterdir() if _NAME.fullmatch(each.name))
