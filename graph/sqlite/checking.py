"""Checking: whether all that a store should hold is there, and can be read.

SQLite checks its structure. Each record of a paper has a checksum, and all that follows from the
records is derived from them once more, and has to be the same: what they are linked to as well, if
this version of Stemma linked them with the catalogue at hand. Where there is RDF, all of it is
read, which has Oxigraph verify the checksums.
"""

import sqlite3
from collections import deque
from collections.abc import Collection, Iterator, Mapping
from contextlib import closing
from dataclasses import replace
from pathlib import Path
from tempfile import TemporaryDirectory

from stemma.distribution import version
from stemma.graph.linked_extraction import LinkedExtraction, claims_of
from stemma.graph.linking import link
from stemma.graph.linking.linked_entity import Links
from stemma.graph.linking.naming import content_words, names_of
from stemma.graph.rdf.graphs import catalogued_aliases
from stemma.graph.reader import WorkType
from stemma.graph.sqlite.index import IndexWriter, create_tables
from stemma.graph.sqlite.paper_record import record_of
from stemma.graph.sqlite.reader import Memory, SqliteReader
from stemma.graph.sqlite.store_file import StoreFile, damage_as_store_error, latest_commit
from stemma.graph.store import Finding, StoreError
from stemma.schema import Catalogue, Entity

_TABLES = {
    "works": "{0}.work",
    "concepts": "{0}.concept",
    "names of works": "(SELECT key, rank, work, text FROM {0}.spelling)",
    "papers of entities by year": "{0}.entity_year",
    "broader entities": "{0}.broader",
    "papers": "{0}.paper",
    "statements": "{0}.statement",
    "sentences": "{0}.sentence",
    "counts": "(SELECT * FROM {0}.count WHERE number > 0)",
    "comparisons": "{0}.comparison",
    "lineage edges": "{0}.derivation",
    "authors as papers name them": "{0}.author",
    "venues and organizations": "{0}.provenance",
    "identifiers": "{0}.identifier",
    "references": "{0}.reference",
    "authors": "(SELECT id, name, orcid, details, papers FROM {0}.person)",
    "authors of papers": "{0}.authors",
    "citations": "{0}.citation",
    "trigrams of names": "(SELECT term, COUNT(*), SUM(work) FROM temp.trigram_of_{0} "
    "LEFT JOIN {0}.spelling ON number = doc GROUP BY term)",
    "words of texts": "(SELECT term, COUNT(*), SUM(offset), SUM(col = 'title'), SUM(doc) "
    "FROM temp.text_of_{0} GROUP BY term)",
}
"""What follows from the records: tables, or what they hold besides numbers that say nothing."""
_ID = "SELECT id FROM main.work WHERE no = ?1 UNION SELECT id FROM derived.work WHERE no = ?1"
_REMEDY = (
    "Restore a backup, or build the store again from its papers in another file; decisions are "
    "kept in a file beside it."
)


def check(file: StoreFile, catalogue: Catalogue | None) -> Iterator[Finding]:
    """Yield the faults of the store in a file.

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
            connection.execute("BEGIN")
            reader = SqliteReader(connection, Memory(latest_commit(connection)), file)
            reader.builds()
            linked_with = catalogue or reader.extended_catalogue() or Catalogue.shipped()
            yield from _faults(reader, linked_with, derived)
    except StoreError as error:
        if "damaged" not in str(error):
            raise
        yield Finding(str(error), _REMEDY)
    except (LookupError, ValueError, TypeError, sqlite3.IntegrityError) as error:
        yield Finding(
            f"{file.path} is damaged: it holds what no build writes ({error!r}).", _REMEDY
        )


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
    if reader.dataset.is_written:
        yield from _faults_of_rdf(reader)


def _derive(reader: SqliteReader, catalogue: Catalogue, path: Path) -> None:
    """Write the tables of what follows from the records of papers, with the same numbers.

    All papers are linked again, unless another version or catalogue linked them.
    """
    works, rdf = reader.works(reader.all_ids(WorkType.ENTITY)), reader.dataset
    held = {id_: work for id_, work in works.items() if isinstance(work, Entity)}
    links = Links({}, held, sorted(rdf.facts(held)))
    concepts: Mapping[str, Collection[str] | None] = rdf.catalogued(held)
    if (reader.meta("linked_by"), reader.catalogue) == (version(), catalogue.fingerprint):
        links = link(
            (names_of(extraction.extraction) for extraction in _papers(reader)),
            catalogue,
            lambda paper: content_words(reader.texts(paper)),
            reader.decided(),
            lambda paper: claims_of(reader.reading(paper).extraction),
        )
        concepts = catalogued_aliases(links.entities, catalogue)
    with closing(sqlite3.connect(path, isolation_level=None)) as db:
        db.executescript("PRAGMA journal_mode = OFF; PRAGMA synchronous = OFF; BEGIN;")
        create_tables(db)
        origins = reader.rows("SELECT no, name FROM origin")
        db.executemany("INSERT INTO origin VALUES (?, ?)", origins)
        index = IndexWriter(db, catalogue, dict(reader.rows("SELECT id, no FROM work")))
        index.put_entities(links.entities)
        index.put_concepts(concepts)
        index.put_facts(links.facts)
        for paper in _papers(reader):
            id_ = paper.extraction.paper.id
            ids, verdicts = links.ids.get(id_, paper.ids), links.verdicts.get(id_, paper.verdicts)
            _, digest = record_of(replace(paper.extraction, extractor=""))
            linked = replace(paper, ids=ids, verdicts=verdicts)
            index.put_paper(linked, names_of(paper.extraction), digest, b"")
        index.finish()
        db.execute("COMMIT")


def _papers(reader: SqliteReader) -> Iterator[LinkedExtraction]:
    return reader.linked_extractions(reader.all_ids(WorkType.PAPER))


def _faults_of_rdf(reader: SqliteReader) -> Iterator[Finding]:
    try:
        with damage_as_store_error(reader.path):
            deque(reader.dataset.rdf, maxlen=0)
    except StoreError as error:
        remedy = f"Remove {reader.dataset.path}: the next command that needs RDF writes it again."
        yield Finding(str(error), remedy)


def _differences(reader: SqliteReader) -> Iterator[tuple[str, int, str]]:
    """Yield in what the tables of a store differ from those derived: how often, and an example."""
    for schema in ("main", "derived"):
        for table in ("trigram", "text"):
            reader.rows(
                f"CREATE VIRTUAL TABLE temp.{table}_of_{schema} "
                f"USING fts5vocab({schema}, {table}, instance)"
            )
    for what, table in _TABLES.items():
        one, other = (f"SELECT * FROM {table.format(schema)}" for schema in ("derived", "main"))
        differing = (
            f"SELECT * FROM ({one} EXCEPT {other}) UNION ALL SELECT * FROM ({other} EXCEPT {one})"
        )
        ((count,),) = reader.rows(f"SELECT COUNT(*) FROM ({differing})")
        if count:
            example = reader.rows(f"{differing} LIMIT 1")[0][0]
            named = reader.rows(_ID, [example])
            yield what, count, named[0][0] if named else example
