"""The graph: statements in, answers and exports out."""

from pathlib import Path

from stemma.graph.edge import LineageEdge
from stemma.graph.history import Changes, StoredPaper
from stemma.graph.lineage import Lineage, LineageNode, trace
from stemma.graph.reader import (
    AmbiguousNameError,
    BadCursorError,
    Reader,
    Statistics,
    UnknownAuthorError,
    UnknownNameError,
    Work,
    WorkType,
    kind_of,
)
from stemma.graph.selection import (
    Criterion,
    FilterError,
    FilterField,
    LineageDirection,
    LineageOrder,
    Page,
    PageOrder,
    Selection,
)
from stemma.graph.store import Store, StoreError
from stemma.schema import Catalogue

__all__ = [
    "AmbiguousNameError",
    "BadCursorError",
    "Changes",
    "Criterion",
    "FilterError",
    "FilterField",
    "Lineage",
    "LineageDirection",
    "LineageEdge",
    "LineageNode",
    "LineageOrder",
    "Page",
    "PageOrder",
    "Reader",
    "Selection",
    "Statistics",
    "Store",
    "StoreError",
    "StoredPaper",
    "UnknownAuthorError",
    "UnknownNameError",
    "Work",
    "WorkType",
    "kind_of",
    "open_store",
    "trace",
]


def open_store(url: str, base: str | None = None, catalogue: Catalogue | None = None) -> Store:
    """Return the store at `url`: the path of its file, or Neo4j's address.

    That is ``neo4j://user:password@host:7687/database`` (or ``bolt://``, and with TLS
    ``neo4j+s://``); what it leaves out comes from ``NEO4J_USERNAME``, ``NEO4J_PASSWORD`` and
    ``NEO4J_DATABASE``.

    `base` begins the IRIs of a new file's data; `catalogue` is what writers link with, the
    shipped one if none is given. Raises StoreError where there is no such kind of store.
    """
    scheme, separator, _ = url.partition(":")
    if not separator or "/" in scheme or Path(url).exists():
        from stemma.graph.sqlite import SqliteStore  # noqa: PLC0415 - loads what it needs alone

        return SqliteStore(Path(url), base, catalogue)
    if scheme.lower().startswith(("neo4j", "bolt")):
        from stemma.graph.neo4j import Address, Neo4jStore  # noqa: PLC0415

        return Neo4jStore(Address.parse(url))
    raise StoreError(
        f"No store can be opened at {url}: give the path of a file, or the address of a Neo4j "
        "server (neo4j://user:password@host:7687)."
    )
