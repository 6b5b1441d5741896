"""Questions to the newest generation of a store, each by a snapshot of its own."""

from typing import Any, cast

from stemma.graph import Reader, Store


def latest(store: Store) -> Reader:
    """Return a reader that sees each change of the store."""
    return cast(Reader, _Latest(store))


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
