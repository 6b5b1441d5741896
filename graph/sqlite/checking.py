"""Checking: whether all that a store should hold is there, and can be read.

SQLite checks its structure. Each record of a paper has a checksum, and all that follows from the
records is derived from them once more, and has to be the same: what they are linked to as well, if
this version of Stemma linked them with the catalogue at hand. Where there is RDF, all its graphs
are read, which has Oxigraph verify the checksums of what it reads.
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
from zlib import crc32

import pyoxigraph as ox

from stemma.distribution import version
from stemma.graph.batching_writer import stated_in
from stemma.graph.finding import Finding
from stemma.graph.linking import Links, link, names_of
from stemma.graph.linking.homonym import content_words
from stemma.graph.rdf.entity_graph import catalogued_aliases
from stemma.graph.sqlite.file import StoreFile, damage_as_store_error, latest_commit
from stemma.graph.sqlite.index import IndexWriter
from stemma.graph.sqlite.projection import Projection
from stemma.graph.sqlite.reader import Memory, SqliteReader
from stemma.graph.store import StoreError
from stemma.schema import Catalogue
from stemma.schema.catalogue import extended
from stemma.schema.interchange import dump

_WORK = "(SELECT id FROM {0}.work WHERE no = {1}) AS {1}"
_DERIVED = {
    "works": "SELECT id, type, name, kind, general, details, published, papers FROM {0}.work",
    "concepts": f"SELECT {_WORK.format('{0}', 'work')}, aliases FROM {{0}}.concept",
    "names of works": f"SELECT {_WORK.format('{0}', 'work')}, key, rank, text FROM {{0}}.spelling",
    "trigrams of names": "SELECT term, COUNT(*), SUM(mark) FROM temp.trigram_of_{0} "
    "LEFT JOIN temp.mark_of_{0} ON no = doc GROUP BY term",
    "words of texts": "SELECT term, COUNT(*), SUM(offset), SUM(col = 'title'), SUM(mark) "
    "FROM temp.text_of_{0} LEFT JOIN temp.mark_of_{0} ON no = doc GROUP BY term",
    "papers of entities by year": f"SELECT {_WORK.format('{0}', 'entity')}, year, papers "
    "FROM {0}.entity_year",
    "broader entities": f"SELECT {_WORK.format('{0}', 'narrower')}, "
    f"{_WORK.format('{0}', 'broader')} FROM {{0}}.broader",
    "papers": f"SELECT {_WORK.format('{0}', 'work')}, extractor, digest, names, "
    f"{_WORK.format('{0}', 'contribution')} FROM {{0}}.paper",
    "statements": f"SELECT {_WORK.format('{0}', 'subject')}, relation, "
    f"{_WORK.format('{0}', 'entity')}, confidence, sentences, confirmed, "
    "(SELECT name FROM {0}.origin WHERE no = origin) FROM {0}.statement",
    "sentences": f"SELECT {_WORK.format('{0}', 'paper')}, number, field, starts, ends, text "
    "FROM {0}.sentence",
    "counts": "SELECT what, name, number FROM {0}.count WHERE number > 0",
    "comparisons": f"SELECT {_WORK.format('{0}', 'paper')}, "
    f"{_WORK.format('{0}', 'entity')}, number, outcome FROM {{0}}.comparison",
    "lineage edges": f"SELECT {_WORK.format('{0}', 'subject')}, "
    f"{_WORK.format('{0}', 'child')}, {_WORK.format('{0}', 'parent')}, relation, confidence "
    "FROM {0}.derivation",
    "authors as papers name them": f"SELECT {_WORK.format('{0}', 'paper')}, place, name, orcid, "
    "id, affiliation FROM {0}.author",
    "venues and organizations": f"SELECT {_WORK.format('{0}', 'paper')}, role, words "
    "FROM {0}.provenance",
    "identifiers": f"SELECT {_WORK.format('{0}', 'paper')}, code FROM {{0}}.identifier",
    "references": f"SELECT {_WORK.format('{0}', 'paper')}, number, rank, code FROM {{0}}.reference",
    "authors": "SELECT id, name, orcid, details, papers FROM {0}.person",
    "authors of papers": f"SELECT {_WORK.format('{0}', 'paper')}, place, "
    "(SELECT id FROM {0}.person WHERE no = person) FROM {0}.authorship",
    "citations": f"SELECT {_WORK.format('{0}', 'citing')}, {_WORK.format('{0}', 'cited')} "
    "FROM {0}.citation",
}
"""What follows from the records, by the tables of the store, without the numbers that they use."""


_REMEDY = (
    "Restore a backup, or build the store again from its papers in another file; decisions are "
    "kept in a file beside it."
)


def check(file: StoreFile, catalogue: Catalogue | None) -> Iterator[Finding]:
    """Yield what is wrong with the store in a file.

    Writers link it with `catalogue`; if None, with the shipped one and what was added to it.
    """
    if not file.path.is_file():
        file.open_to_read()  # Which says that there is nothing to check.
    try:
        with (
            damage_as_store_error(file.path),
            TemporaryDirectory(prefix="stemma-check-") as folder,
            closing(file.open_to_read()) as connection,
        ):
            derived = Path(folder) / "derived.db"
            connection.execute("PRAGMA query_only = 0")
            connection.create_function("mark", 1, lambda id_: crc32(id_.encode()))
            connection.execute("BEGIN")
            reader = SqliteReader(connection, _keep, Memory(latest_commit(connection)), file)
            reader.builds()
            yield from _faults(reader, catalogue or _own_catalogue(reader), derived)
    except StoreError as error:
        if "damaged" not in str(error):
            raise
        yield Finding(str(error), _REMEDY)
    except (LookupError, ValueError, TypeError, sqlite3.IntegrityError) as error:
        yield Finding(
            f"{file.path} is damaged: it holds what no build writes ({error!r}).", _REMEDY
        )


def _keep(connection: sqlite3.Connection) -> None:
    """Leave a connection to whoever opened it."""


def _own_catalogue(reader: SqliteReader) -> Catalogue:
    additions = reader.additions()
    return extended(Catalogue.shipped(), additions)[0] if additions else Catalogue.shipped()


def _faults(reader: SqliteReader, catalogue: Catalogue, derived: Path) -> Iterator[Finding]:
    for (result,) in reader.rows("PRAGMA integrity_check(3)"):
        if result != "ok":
            yield Finding(f"{reader.path} is damaged: {result}", _REMEDY)
            return
    _derive(reader, catalogue, derived)
    reader.rows("ATTACH ? AS derived", [str(derived)])
    for what, count, example in _differences(reader):
        yield Finding(
            f"The records of papers in {reader.path} and what follows from them differ in "
            f"{what}: {count}, such as {example}.",
            _REMEDY,
        )
    if reader.is_written:
        yield from _faults_of_rdf(reader)


def _derive(reader: SqliteReader, catalogue: Catalogue, path: Path) -> None:
    """Write the tables of what follows from the records of papers."""
    links, concepts = _links(reader, catalogue)
    with closing(sqlite3.connect(path, isolation_level=None)) as db:
        db.executescript("PRAGMA journal_mode = OFF; PRAGMA synchronous = OFF; BEGIN;")
        index = IndexWriter(db, new=True)
        index.put_entities(links.entities, ())
        index.put_concepts(concepts)
        index.add_facts(links.facts)
        for held in reader.linked_extractions(reader.paper_ids()):
            extraction, id_ = held.extraction, held.extraction.paper.id
            linked = replace(held, ids=links.ids[id_], verdicts=links.verdicts.get(id_, {}))
            digest = blake2b(dump(extraction).encode(), digest_size=16).digest()
            index.put_paper(linked, names_of(extraction), digest)
        index.finish(reader.catalogue)
        db.execute("COMMIT")


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


def _faults_of_rdf(reader: SqliteReader) -> Iterator[Finding]:
    folder = reader.project()
    remedy = f"Remove {folder}: the next command that needs RDF writes it again."
    try:
        with damage_as_store_error(reader.path):
            differing = list(islice(_differing_graphs(reader), 1))
    except StoreError as error:
        yield Finding(str(error), remedy)
        return
    for graph in differing:
        yield Finding(f"The RDF in {folder} differs from the store in the graph {graph}.", remedy)


def _differing_graphs(reader: SqliteReader) -> Iterator[str]:
    """Yield the named graphs (IRIs) of which the RDF does not hold what it should."""
    rdf = reader.rdf
    seen = set[ox.NamedNode | ox.BlankNode | ox.DefaultGraph]()
    for graph, expected in groupby(Projection(reader).quads(), key=attrgetter("graph_name")):
        seen.add(graph)
        # In a store as well: it has one form for each number.
        whole = ox.Store()
        whole.extend(expected)
        if set(whole) != set(rdf.quads_for_pattern(None, None, None, graph)):
            yield str(graph)
    yield from (str(each) for each in rdf.named_graphs() if each not in seen)


def _differences(reader: SqliteReader) -> Iterator[tuple[str, int, str]]:
    """Yield in what the tables of a store differ from those derived: how often, and an example."""
    for schema in ("main", "derived"):
        for table in ("trigram", "text"):
            reader.rows(
                f"CREATE VIRTUAL TABLE temp.{table}_of_{schema} "
                f"USING fts5vocab({schema}, {table}, instance)"
            )
        # Works have other numbers there: their ids say which a word is of.
        marked = f"SELECT no, mark(id) AS mark FROM {schema}.work"
        reader.rows(f"CREATE TEMP TABLE mark_of_{schema} (no INTEGER PRIMARY KEY, mark INTEGER)")
        reader.rows(f"INSERT INTO mark_of_{schema} {marked}")
    for what, query in _DERIVED.items():
        one, other = query.format("derived"), query.format("main")
        differing = (
            f"SELECT * FROM (SELECT * FROM ({one}) EXCEPT SELECT * FROM ({other})) UNION ALL "
            f"SELECT * FROM (SELECT * FROM ({other}) EXCEPT SELECT * FROM ({one}))"
        )
        ((count,),) = reader.rows(f"SELECT COUNT(*) FROM ({differing})")
        if count:
            yield what, count, reader.rows(f"{differing} LIMIT 1")[0][0]
