"""Checking: whether all that a folder's store should hold is there, and can be read.

The graph is read whole, which has its database verify its checksums; its index is derived from it
once more, and has to say the same.
"""

import sqlite3
from collections.abc import Iterator
from contextlib import closing
from pathlib import Path
from tempfile import TemporaryDirectory

from stemma.graph.finding import Finding
from stemma.graph.oxigraph.folder import Folder
from stemma.graph.oxigraph.reader import OxigraphReader
from stemma.graph.oxigraph.restoration import derive_from_store
from stemma.graph.oxigraph.wholeness import damage_told, lack
from stemma.graph.store import StoreError

_WORK = "(SELECT id FROM {0}.work WHERE no = {1}) AS {1}"
_DERIVED = {
    "works": "SELECT id, type, name, kind, general, details, published, papers FROM {0}.work",
    "names of works": f"SELECT {_WORK.format('{0}', 'work')}, key, rank, text FROM {{0}}.spelling",
    "broader entities": f"SELECT {_WORK.format('{0}', 'narrower')}, "
    f"{_WORK.format('{0}', 'broader')} FROM {{0}}.broader",
    "papers": f"SELECT {_WORK.format('{0}', 'work')}, extractor, digest, names, "
    f"{_WORK.format('{0}', 'contribution')} FROM {{0}}.paper",
    "statements": f"SELECT {_WORK.format('{0}', 'subject')}, relation, "
    f"{_WORK.format('{0}', 'entity')}, confidence, parts FROM {{0}}.statement",
    "edges of lineage": f"SELECT {_WORK.format('{0}', 'subject')}, "
    f"{_WORK.format('{0}', 'child')}, {_WORK.format('{0}', 'parent')}, relation, confidence "
    "FROM {0}.derivation",
    "authors": "SELECT id, name, orcid, details, papers FROM {0}.person",
    "authors of papers": f"SELECT {_WORK.format('{0}', 'paper')}, place, "
    "(SELECT id FROM {0}.person WHERE no = person) FROM {0}.authorship",
    "citations": f"SELECT {_WORK.format('{0}', 'citing')}, {_WORK.format('{0}', 'cited')} "
    "FROM {0}.citation",
}
"""What follows from the graph, by the tables of the index, without the numbers that they use."""


def check(folder: Folder) -> Iterator[Finding]:
    """Yield what is wrong with the store in a folder."""
    try:
        name = folder.current()
        generation = folder.open_current()
    except StoreError as error:
        if not folder.finished():
            raise  # There is nothing to check.
        yield Finding(str(error), "Or restore a backup.")
        return
    if name != folder.named():
        yield Finding(
            f"CURRENT does not name {name}, the newest generation, which is used.",
            "The next `stemma build` corrects this.",
            fault=False,
        )
    remedy = _remedy(folder, generation.path)
    try:
        with damage_told(generation.path):
            reader = OxigraphReader(generation, folder.base(), folder.decisions)
            yield from _faults(reader, remedy)
    except StoreError as error:
        yield Finding(str(error), remedy)


def _faults(reader: OxigraphReader, remedy: str) -> Iterator[Finding]:
    for (result,) in reader.rows("PRAGMA integrity_check(3)"):
        if result != "ok":
            yield Finding(f"{reader.path / 'index.db'} is damaged: {result}", remedy)
            return
    with TemporaryDirectory(prefix="stemma-check-") as folder:
        derived = Path(folder) / "index.db"
        if derive_from_store(reader.rdf, derived) is None:
            yield Finding(f"{reader.path / 'rdf'} does not contain a graph of Stemma's.", remedy)
            return
        for what, count, example in _differences(derived, reader.path / "index.db"):
            yield Finding(
                f"The index and the graph in {reader.path} differ in {what}: {count}, such as "
                f"{example}.",
                "The graph is complete: load it into a new store with `stemma export -o "
                "graph.nq`, then "
                "`stemma load graph.nq --store NEW`.",
            )


def _differences(derived: Path, index: Path) -> Iterator[tuple[str, int, str]]:
    """Yield in what two indexes differ: how often, and an example."""
    with closing(sqlite3.connect(derived)) as db:
        db.execute("ATTACH ? AS held", [str(index)])
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


def _remedy(folder: Folder, damaged: Path) -> str:
    for path in reversed(folder.finished()):
        if path.name < damaged.name and lack(path) is None:
            return (
                f"To go back to generation {path.name}, the one before, write {path.name} into "
                f"{folder.path / 'CURRENT'}; or restore a backup."
            )
    return (
        "Restore a backup, or rebuild the store from its papers in another folder; decisions "
        "are kept in a file beside it."
    )
