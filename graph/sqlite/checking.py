"""Checking: whether all that a folder's store should hold is there, and can be read.

All that follows from the records of papers is derived from them once more, and has to be the same:
what they are linked to as well, if this version of Stemma linked them with the catalogue at hand.
Where there is RDF, all its graphs are read, which has its database verify the checksums of what it
reads: its indexes by graph. Those by subject and by object are verified by the queries that use
them.
"""

import sqlite3
from collections.abc import Collection, Iterator, Mapping
from contextlib import closing
from dataclasses import replace
from hashlib import blake2b
from itertools import groupby, islice
from operator import attrgetter
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import IO, cast

import pyoxigraph as ox

from stemma.distribution import version
from stemma.graph.batching_writer import stated_in
from stemma.graph.finding import Finding
from stemma.graph.linking import Links, link, names_of
from stemma.graph.linking.homonym import content_words
from stemma.graph.rdf.entity_graph import catalogued_aliases
from stemma.graph.rdf.line_stream import LineStream
from stemma.graph.sqlite.generations import GenerationFolder
from stemma.graph.sqlite.index import IndexWriter
from stemma.graph.sqlite.integrity import damage_as_store_error, missing_file
from stemma.graph.sqlite.projection import NAME, Projection, is_projected
from stemma.graph.sqlite.reader import HISTORY, SqliteReader
from stemma.graph.store import StoreError
from stemma.schema import Catalogue
from stemma.schema.catalogue import extended
from stemma.schema.interchange import dump

_WORK = "(SELECT id FROM {0}.work WHERE no = {1}) AS {1}"
_DERIVED = {
    # As values: the store of an earlier version has no years of entities in its details.
    "works": "SELECT id, type, name, kind, general, json_extract(details, '$[0]'), "
    "json_extract(details, '$[1]'), json_extract(details, '$[2]'), published, papers "
    "FROM {0}.work",
    "concepts": f"SELECT {_WORK.format('{0}', 'work')}, aliases FROM {{0}}.concept",
    "names of works": f"SELECT {_WORK.format('{0}', 'work')}, key, rank, text FROM {{0}}.spelling",
    "trigrams of names": "SELECT term, doc FROM temp.trigram_of_{0}",
    "papers of entities by year": f"SELECT {_WORK.format('{0}', 'entity')}, year, papers "
    "FROM {0}.entity_year",
    "broader entities": f"SELECT {_WORK.format('{0}', 'narrower')}, "
    f"{_WORK.format('{0}', 'broader')} FROM {{0}}.broader",
    "papers": f"SELECT {_WORK.format('{0}', 'work')}, extractor, digest, names, "
    f"{_WORK.format('{0}', 'contribution')} FROM {{0}}.paper",
    "statements": f"SELECT {_WORK.format('{0}', 'subject')}, relation, "
    f"{_WORK.format('{0}', 'entity')}, confidence, parts FROM {{0}}.statement",
    "counts": "SELECT what, name, number FROM {0}.count WHERE number > 0",
    "comparisons": f"SELECT {_WORK.format('{0}', 'paper')}, part, outcome FROM {{0}}.comparison",
    "lineage edges": f"SELECT {_WORK.format('{0}', 'subject')}, "
    f"{_WORK.format('{0}', 'child')}, {_WORK.format('{0}', 'parent')}, relation, confidence "
    "FROM {0}.derivation",
    "authors": "SELECT id, name, orcid, details, papers FROM {0}.person",
    "authors of papers": f"SELECT {_WORK.format('{0}', 'paper')}, place, "
    "(SELECT id FROM {0}.person WHERE no = person) FROM {0}.authorship",
    "citations": f"SELECT {_WORK.format('{0}', 'citing')}, {_WORK.format('{0}', 'cited')} "
    "FROM {0}.citation",
}
"""What follows from the records, by the tables of the index, without the numbers that they use."""


def check(folder: GenerationFolder, catalogue: Catalogue | None) -> Iterator[Finding]:
    """Yield what is wrong with the store in a folder.

    Writers link it with `catalogue`; if None, with the shipped one and what was added to it.
    """
    try:
        name = folder.current()
        generation = folder.open_current()
    except StoreError as error:
        if not folder.finished():
            raise  # There is nothing to check.
        yield Finding(str(error), "Alternatively, restore a backup.")
        return
    if name != folder.named():
        yield Finding(
            f"CURRENT does not name {name}, the newest generation, which is used.",
            "The next `stemma build` corrects this.",
            fault=False,
        )
    remedy = _remedy(folder, generation.path)
    try:
        with damage_as_store_error(generation.path):
            reader = SqliteReader(generation, folder.base(), folder.decisions)
            yield from _faults_of_history(reader)
            yield from _faults(reader, catalogue or _own_catalogue(reader), remedy)
    except StoreError as error:
        yield Finding(str(error), remedy)


def _own_catalogue(reader: SqliteReader) -> Catalogue:
    additions = reader.additions()
    return extended(Catalogue.shipped(), additions)[0] if additions else Catalogue.shipped()


def _faults(reader: SqliteReader, catalogue: Catalogue, remedy: str) -> Iterator[Finding]:
    for (result,) in reader.rows("PRAGMA integrity_check(3)"):
        if result != "ok":
            yield Finding(f"{reader.path / 'index.db'} is damaged: {result}", remedy)
            return
    with TemporaryDirectory(prefix="stemma-check-") as folder:
        derived = Path(folder) / "index.db"
        _derive(reader, catalogue, derived)
        for what, count, example in _differences(derived, reader.path / "index.db"):
            yield Finding(
                f"The records of papers in {reader.path} and what follows from them differ in "
                f"{what}: {count}, such as {example}.",
                remedy,
            )
    if is_projected(reader.path):
        yield from _faults_of_rdf(reader)


def _derive(reader: SqliteReader, catalogue: Catalogue, path: Path) -> None:
    """Write an index of what follows from the records of papers."""
    links, concepts = _links(reader, catalogue)
    index = IndexWriter(path, new=True)
    try:
        index.put_entities(links.entities, ())
        index.put_concepts(concepts)
        index.add_facts(links.facts)
        for held in reader.linked_extractions(reader.paper_ids()):
            extraction, id_ = held.extraction, held.extraction.paper.id
            linked = replace(held, ids=links.ids[id_], verdicts=links.verdicts.get(id_, {}))
            digest = blake2b(dump(extraction).encode(), digest_size=16).digest()
            index.put_paper(linked, names_of(extraction), digest)
        index.finish(reader.catalogue)
    finally:
        index.close()


def _links(
    reader: SqliteReader, catalogue: Catalogue
) -> tuple[Links, Mapping[str, Collection[str] | None]]:
    """Return all links, and the catalogue's entities with their aliases.

    All papers are linked again, unless another version or catalogue linked them.
    """
    papers = list(reader.linked_extractions(reader.paper_ids()))
    if (reader.linked_by, reader.catalogue) != (version(), catalogue.fingerprint):
        projection = Projection(reader)
        ids = {each.extraction.paper.id: each.ids for each in papers}
        verdicts = {each.extraction.paper.id: each.verdicts for each in papers}
        facts = sorted(projection.facts(None))
        return Links(ids, reader.entities(), facts, verdicts), projection.catalogued(None)
    links = link(
        [names_of(each.extraction) for each in papers],
        catalogue,
        lambda paper: content_words(reader.texts(paper)),
        reader.decided(),
        lambda paper: stated_in(reader.reading(paper).extraction),
    )
    return links, {
        id_: catalogued_aliases(entity, catalogue.concepts[id_])
        for id_, entity in links.entities.items()
        if id_ in catalogue.concepts
    }


def _faults_of_history(reader: SqliteReader) -> Iterator[Finding]:
    try:
        reader.builds()
    except StoreError as error:
        remedy = "which loses only what `stemma changes` lists of earlier builds."
        yield Finding(str(error), f"Remove {reader.path / HISTORY}, {remedy}")


def _faults_of_rdf(reader: SqliteReader) -> Iterator[Finding]:
    folder = reader.path / NAME
    remedy = f"Remove {folder}: the next command that needs RDF writes it again."
    try:
        with damage_as_store_error(reader.path):
            differing = list(islice(_differing_graphs(reader), 1))
    except StoreError as error:
        yield Finding(str(error), remedy)
        return
    for graph in differing:
        yield Finding(f"The RDF in {folder} differs from the index in the graph {graph}.", remedy)


def _differing_graphs(reader: SqliteReader) -> Iterator[str]:
    """Yield the named graphs (IRIs) of which the RDF does not hold what it should."""
    rdf, lines = reader.rdf, LineStream(Projection(reader).lines())
    quads = ox.parse(cast(IO[bytes], lines), format=ox.RdfFormat.N_QUADS)
    seen = set[ox.NamedNode | ox.BlankNode | ox.DefaultGraph]()
    for graph, expected in groupby(quads, key=attrgetter("graph_name")):
        seen.add(graph)
        # In a store as well: it has one form for each number.
        whole = ox.Store()
        whole.extend(expected)
        if set(whole) != set(rdf.quads_for_pattern(None, None, None, graph)):
            yield str(graph)
    yield from (str(each) for each in rdf.named_graphs() if each not in seen)


def _differences(derived: Path, index: Path) -> Iterator[tuple[str, int, str]]:
    """Yield in what two indexes differ: how often, and an example."""
    with closing(sqlite3.connect(derived)) as db:
        db.execute("ATTACH ? AS held", [str(index)])
        has_trigrams = db.execute("SELECT 1 FROM held.sqlite_schema WHERE name = 'trigram'")
        # A store of an earlier version has none until its next build.
        names = "main" if has_trigrams.fetchone() is None else "held"
        for each, schema in (("main", "main"), ("held", names)):
            vocabulary = f"fts5vocab({schema}, trigram, row)"
            db.execute(f"CREATE VIRTUAL TABLE temp.trigram_of_{each} USING {vocabulary}")
        for what, query in _DERIVED.items():
            one, other = query.format("main"), query.format("held")
            differing = (
                f"SELECT * FROM (SELECT * FROM ({one}) EXCEPT SELECT * FROM ({other})) UNION ALL "
                f"SELECT * FROM (SELECT * FROM ({other}) EXCEPT SELECT * FROM ({one}))"
            )
            ((count,),) = db.execute(f"SELECT COUNT(*) FROM ({differing})")
            if count:
                example = db.execute(f"{differing} LIMIT 1").fetchone()[0]
                yield what, count, example


def _remedy(folder: GenerationFolder, damaged: Path) -> str:
    for path in reversed(folder.finished()):
        if path.name < damaged.name and missing_file(path) is None:
            return (
                f"To go back to generation {path.name}, the one before, write {path.name} into "
                f"{folder.path / 'CURRENT'}; or restore a backup."
            )
    return (
        "Restore a backup, or rebuild the store from its papers in another folder; decisions "
        "are kept in a file next to it."
    )
