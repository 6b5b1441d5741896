"""Questions to the newest generation of a store, each by a snapshot of its own."""

from io import BytesIO
from typing import Any, cast

from stemma.graph import Reader, Store
from stemma.graph.export import ExportFormat, Portion, export_portion


def latest(store: Store) -> Reader:
    """Return a reader that sees each change of the store."""
    return cast(Reader, _Latest(store))


def exported(store: Store) -> bytes:
    """Return all that a store holds, as N-Quads."""
    out = BytesIO()
    with store.snapshot() as reader:
        export_portion(Portion(reader), ExportFormat.NQUADS, out)
    return out.getvalue()


class _Latest:
    def __init__(self, store: Store) -> None:
        self._store = store

    @property
    def generation(self) -> str:
        with self._store.snapshot() as reader:
            return reader.generation

    def __getattr__(self, question: str) -> Any:
        def ask(*arguments: Any, **keywords: Any) -> Any:
            with self._store.snapshot() as reader:
                return getattr(reader, question)(*arguments, **keywords)

        return ask
