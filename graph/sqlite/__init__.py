"""The default store: a folder with a SQLite database, and its RDF in Oxigraph once asked for."""

from stemma.graph.sqlite.store import SqliteStore

__all__ = ["SqliteStore"]
