"""The default store: Oxigraph in a folder on disk, no server needed."""

from stemma.graph.oxigraph.store import OxigraphStore

__all__ = ["OxigraphStore"]
