"""The default store: one SQLite file."""

from stemma.graph.sqlite.store import SqliteStore

__all__ = ["SqliteStore"]
