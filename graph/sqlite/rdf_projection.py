"""The projection: a graph as RDF in Oxigraph, written whole or brought up to date.

It is beside the file of the store: a cache for SPARQL, which can be made again at any time. Each
commit of which RDF was asked for has a folder. It is begun as a copy of the latest one, which the
log of changes then brings up to date; unchanged files are hard links, which take no room.
"""

import json
import re
import shutil
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping
from itertools import chain
from pathlib import Path
from typing import TYPE_CHECKING

import pyoxigraph as ox

from stemma.distribution import version
from stemma.graph.history import ChangesSince
from stemma.graph.rdf import graphs as g
from stemma.graph.rdf.paper_graph import lines, run_iri
from stemma.graph.rdf.vocabulary import Triples, expanded, quads
from stemma.graph.reader import WorkType
from stemma.graph.sqlite.linked_names import FACTS, read_facts
from stemma.graph.sqlite.store_file import damage_as_store_error, damaged, locked
from stemma.graph.store import StoreError
from stemma.schema import Entity, Fact, Origin, RelationType
from stemma.schema.batches import batched
from stemma.schema.name import AUTHOR, ENTITY, PAPER

if TYPE_CHECKING:
    from stemma.graph.sqlite.reader import SqliteReader

_SMALL = 100_000
"""Lines that are inserted in one transaction; more are bulk-loaded, which makes new files."""
_AT_ONCE = 200_000
"""Lines that are bulk-loaded at once, which takes about two kilobytes of memory each."""
_BATCH = 500
_NAME = re.compile(r"rdf-[0-9]{6,}-[0-9a-z]+")
_FILES = "files.json"
_LAYOUT = 3
"""Raised where the same graph becomes other RDF: what an earlier version wrote is made again."""
_KEPT = 2
"""Folders that stay: the one before may be about to be read."""


class RdfCache:
    """The graph that `reader` reads as RDF: a named graph for each paper, and some about all.

    `name` is that of the folder of this commit.
    """

    def __init__(self, reader: "SqliteReader") -> None:
        self._reader, self.base = reader, reader.base
        self.name = "rdf-{:06}-{}".format(*reader.memory.commit)
        self._parts: dict[str, tuple[str, Callable[[Collection[str]], Triples]]] = {
            g.AUTHORS: (AUTHOR, self._people),
            g.BIBLIOGRAPHY: (PAPER, self._references),
            g.CATALOGUE: (ENTITY, self._concepts),
            g.CITATIONS: (PAPER, self._citations),
            g.ENTITIES: (ENTITY, self._entities),
        }
        """By graph, how the ids begin of what it is about, and what writes it of some of these."""
        self._of_all_papers = sorted((*self._parts, g.DATASET))
        """Graphs that are not of one paper, in the order of their names: papers' come after."""

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

    @property
    def is_written(self) -> bool:
        """Whether the RDF of this commit is in the cache."""
        return self._is_whole(self.path)

    @property
    def path(self) -> Path:
        """The folder of the RDF of this commit, which need not exist."""
        return self._reader.file.cache / self.name

    def project(self, tick: Callable[[], object] = int) -> Path:
        """Return the folder with the RDF, which is made if there is none; `tick` for each paper.

        Where nothing can be written beside the store, it is in a temporary folder. Raises
        StoreError where it cannot be made.
        """
        if self.is_written:
            return self.path
        try:
            with damage_as_store_error(self._reader.path):
                return self._made(self._reader.file.writable_cache(), tick)
        except OSError as error:
            raise StoreError(
                f"The RDF of {self._reader.path} cannot be written: {error}"
            ) from error

    def _made(self, folder: Path, tick: Callable[[], object]) -> Path:
        path, new = folder / self.name, folder / "rdf.new"
        with locked(folder / "rdf.lock"):
            if self._is_whole(path):
                return path
            shutil.rmtree(path, ignore_errors=True)
            if not self._is_updated(folder, new, tick):
                shutil.rmtree(new, ignore_errors=True)
                rdf = ox.Store(str(new))
                _load(rdf, self._lines(tick))
                rdf.optimize()  # Queries then take a quarter less time.
                del rdf
            (new / _FILES).write_text(json.dumps(self._description(new)), "utf-8")
            new.rename(path)
            for old in _folders(folder)[:-_KEPT]:
                if old != path:
                    shutil.rmtree(old, ignore_errors=True)
        return path

    def _is_updated(self, folder: Path, new: Path, tick: Callable[[], object]) -> bool:
        """Begin with the RDF of the latest commit that has any, if this one followed on it."""
        *_, old = [None, *_folders(folder)]
        if old is None or not self._is_whole(old):
            return False
        _, number, mark = old.name.split("-")
        changed = self._reader.changed_since(f"{int(number)}-{mark}")
        if changed.changed is None:
            return False
        shutil.rmtree(new, ignore_errors=True)
        try:
            ox.Store.read_only(str(old)).backup(str(new))
            rdf = ox.Store(str(new))
            self._update(rdf, changed, tick)
            rdf.flush()
        except (OSError, RuntimeError):  # It is damaged.
            return False
        return True

    def _description(self, path: Path) -> dict[str, str | int]:
        """Return what is noted of a folder: its files, and what wrote them."""
        files = [*path.glob("*.sst"), *path.glob("MANIFEST-*"), path / "CURRENT"]
        sizes = {file.name: file.stat().st_size for file in sorted(files)}
        made_with = {"base": self.base, "version": version(), "catalogue": self._reader.catalogue}
        return {**made_with, "layout": _LAYOUT, **sizes}

    def _is_whole(self, path: Path) -> bool:
        """Return whether a folder was finished, with this base and catalogue and by this version.

        Oxigraph does not miss what was cut off: no file may be missing or have another size.
        """
        try:
            noted: object = json.loads((path / _FILES).read_text("utf-8"))
            return noted == self._description(path)
        except (OSError, ValueError):
            return False

    # What is written.

    def _lines(self, tick: Callable[[], object]) -> Iterator[str]:
        """Yield all quads as lines of N-Quads: the graphs about all papers first."""
        for graph in self._of_all_papers:
            yield from self._whole(graph)
        yield from self._papers(self._reader.all_ids(WorkType.PAPER), tick)

    def graphs(self, full: bool = False) -> Iterator[tuple[str, list[bytes]]]:
        """Yield the named graphs with their lines of N-Triples, in the order of their names (IRIs).

        The plain graph leaves out how papers were read, which the `full` one has.
        """
        for graph in self._of_all_papers:
            if found := _triples(self._whole(graph, full), self._node(graph)):
                yield self.base + graph, found
        for linked in self._reader.linked_extractions(self._reader.all_ids(WorkType.PAPER)):
            id_ = linked.extraction.paper.id
            yield self.base + id_, _triples(lines(linked, self.base, full), self._node(id_))

    def _whole(self, graph: str, full: bool = True) -> Iterator[str]:
        """Yield a graph about all papers, as lines of N-Quads."""
        if graph == g.DATASET:
            yield from quads(self.base + graph, self._dataset(full))
            return
        yield from quads(
            self.base + graph, g.scheme_triples(graph, self._origins.values(), self.base)
        )
        prefix, write = self._parts[graph]
        table = "person" if prefix == AUTHOR else "work"
        rows = self._reader.rows(f"SELECT id FROM {table} WHERE id LIKE '{prefix}%' ORDER BY id")
        for some in batched((id_ for (id_,) in rows), _BATCH):
            yield from quads(self.base + graph, write(some))

    def _update(self, rdf: ox.Store, changed: ChangesSince, tick: Callable[[], object]) -> None:
        """Bring the RDF of an earlier commit up to date."""

        def of_type(prefix: str) -> list[str]:
            ids = (changed.changed or frozenset()).union(changed.gone)
            return sorted(id_ for id_ in ids if id_.startswith(prefix))

        papers = of_type(PAPER)
        for id_ in papers:
            rdf.remove_graph(self._node(id_))
        _load(rdf, self._papers(papers, tick))
        _replace(
            rdf,
            rdf.quads_for_pattern(None, None, None, self._node(g.DATASET)),
            quads(self.base + g.DATASET, self._dataset()),
        )
        for graph, (prefix, write) in self._parts.items():
            ids = of_type(prefix)
            leading_there = self._citations(ids, "cited") if graph == g.CITATIONS else ()
            wanted = quads(self.base + graph, chain(write(ids), leading_there))
            _replace(rdf, self._held(rdf, graph, ids), wanted)

    def _node(self, id_: str) -> ox.NamedNode:
        return ox.NamedNode(self.base + id_)

    def _held(self, rdf: ox.Store, graph: str, about: Iterable[str]) -> Iterator[ox.Quad]:
        """Yield the quads of a graph about some works or people (ids), and of statements on them;
        of authors and citations also those that lead to them."""
        name, subject = self._node(graph), ox.NamedNode(expanded("rdf:subject"))
        for node in map(self._node, about):
            stated = [quad.subject for quad in rdf.quads_for_pattern(None, subject, node, name)]
            for resource in (node, *stated):
                yield from rdf.quads_for_pattern(resource, None, None, name)
            if graph in (g.AUTHORS, g.CITATIONS):
                yield from rdf.quads_for_pattern(None, None, node, name)

    def _dataset(self, full: bool = True) -> Triples:
        yield from g.description(self.base)
        yield from g.counts(self._reader.statistics(), self.base, full)
        if full:
            query = "SELECT DISTINCT extractor FROM paper ORDER BY extractor"
            for (extractor,) in self._reader.rows(query):
                yield from g.run_triples(run_iri(extractor, self.base), extractor)
        decided = self._reader.decided(), self._reader.former, self._reader.unapplied()
        yield from g.decision_triples(*decided, self.base)

    def _entities(self, ids: Collection[str]) -> Triples:
        aliases, dates = self.catalogued(ids), self._reader.published(ids)
        for id_, entity in self._reader.works(ids).items():
            assert isinstance(entity, Entity)
            yield from g.entity_triples(entity, aliases.get(id_), dates.get(id_), self.base)

    def _concepts(self, ids: Collection[str]) -> Triples:
        """Yield those of the entities that are in the catalogue, and the facts on them."""
        aliases = self.catalogued(ids)
        for id_, entity in self._reader.works(sorted(aliases)).items():
            assert isinstance(entity, Entity)
            origin = self._origins.get(id_, Origin())
            yield from g.concept_triples(entity, aliases[id_], origin, self.base)
        for fact in self.facts(ids):
            yield from g.fact_triples(fact, self.base)

    @property
    def _origins(self) -> Mapping[str, Origin]:
        """What added vocabularies have of their concepts, by id."""
        reader = self._reader
        catalogue = reader.memory.once("extended catalogue", reader.extended_catalogue)
        return catalogue.origins if catalogue else {}

    def catalogued(self, ids: Collection[str]) -> dict[str, list[str] | None]:
        """Return, of entities that are in the catalogue, their aliases there."""
        query = "SELECT id, aliases FROM concept JOIN work ON no = work WHERE id IN ({})"
        rows = self._reader.rows_in(query, ids)
        return {id_: json.loads(aliases) if aliases else None for id_, aliases in rows}

    def facts(self, subjects: Collection[str]) -> Iterator[Fact]:
        """Yield the facts of the catalogue on some entities."""
        return read_facts(self._reader.rows_in(FACTS.format("AND s.id IN ({})"), subjects))

    def _papers(self, ids: Collection[str], tick: Callable[[], object]) -> Iterator[str]:
        for linked in self._reader.linked_extractions(ids):
            yield from lines(linked, self.base)
            tick()

    def _citations(self, papers: Collection[str], near: str = "citing") -> Triples:
        for citing, relation, cited in self._reader.rows_in(g.citation_query(near), papers):
            found = RelationType(relation) if relation else None
            yield from g.citation_triples(citing, cited, found, self.base)

    def _references(self, papers: Collection[str]) -> Triples:
        for citing, all_cited in self._reader.cites(papers).items():
            for cited in all_cited:
                yield from g.citation_triples(citing, cited, None, self.base)

    def _people(self, ids: Collection[str]) -> Triples:
        wrote = self._reader.written_by(ids)
        for id_, person in self._reader.people(ids).items():
            yield from g.person_triples(person, wrote[id_], self.base)


def _triples(all_lines: Iterable[str], graph: ox.NamedNode) -> list[bytes]:
    """Return lines of a graph as lines of N-Triples, each once, as Oxigraph writes them."""
    rdf = ox.Store()  # It has one form for each number.
    rdf.load("".join(all_lines).encode(), format=ox.RdfFormat.N_QUADS)
    return triples_in(rdf, graph)


def triples_in(rdf: ox.Store, graph: ox.NamedNode) -> list[bytes]:
    """Return a named graph as lines of N-Triples."""
    data = rdf.dump(format=ox.RdfFormat.N_TRIPLES, from_graph=graph)
    return (data or b"").splitlines(keepends=True)


def _replace(rdf: ox.Store, held: Iterable[ox.Quad], wanted: Iterable[str]) -> None:
    """Put the lines that are wanted in place of the quads held, and change only what differs."""
    parsed = ox.parse("".join(wanted).encode(), format=ox.RdfFormat.N_QUADS)
    before, after = set(held), set(parsed)
    for quad in before - after:
        rdf.remove(quad)
    rdf.extend(after - before)


def _load(rdf: ox.Store, all_lines: Iterable[str]) -> None:
    for part in batched(all_lines, _AT_ONCE):
        load = rdf.load if len(part) < _SMALL else rdf.bulk_load
        load("".join(part).encode(), format=ox.RdfFormat.N_QUADS)


def _folders(folder: Path) -> list[Path]:
    """Return the folders with RDF, those of the latest commits last."""
    return sorted(path for path in folder.iterdir() if _NAME.fullmatch(path.name))
