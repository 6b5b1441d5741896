"""A buffer of extractions that wait for a commit, on disk rather than in memory."""

import pickle
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from dataclasses import is_dataclass
from tempfile import TemporaryFile, gettempdir
from typing import Any

from stemma.graph.store import StoreError
from stemma.schema import Extraction


class ExtractionBuffer:
    """Stores extractions in a temporary file, and returns them by their place there."""

    def __init__(self) -> None:
        self._file = TemporaryFile()  # noqa: SIM115 - closed with the buffer

    def put(self, extraction: Extraction, record: bytes = b"") -> int:
        """Store an extraction, with its record as a store keeps it, and return their place.

        Raises StoreError where there is no space.
        """
        with _errors_translated():
            place = self._file.seek(0, 2)
            _Pickler(self._file, pickle.HIGHEST_PROTOCOL).dump((extraction, record))
        return place

    def get(self, place: int) -> Extraction:
        """Return the extraction at a place. Raises StoreError where there is no space."""
        return self.get_with_record(place)[0]

    def get_with_record(self, place: int) -> tuple[Extraction, bytes]:
        """Return the extraction at a place, and its record. Raises StoreError likewise."""
        with _errors_translated():
            self._file.seek(place)  # What waits in memory is written first.
        stored: tuple[Extraction, bytes] = pickle.load(self._file)
        return stored

    def close(self) -> None:
        """Delete the file."""
        with suppress(OSError):
            self._file.close()


@contextmanager
def _errors_translated() -> Iterator[None]:
    try:
        yield
    except OSError as error:
        raise StoreError(
            f"{gettempdir()}, where papers wait to be committed, cannot be written: "
            f"{error.strerror}. TMPDIR can name another folder."
        ) from error


class _Pickler(pickle.Pickler):
    """Pickles dataclasses as calls: what frozen ones with slots do for themselves is slow."""

    def reducer_override(self, value: Any) -> Any:
        if not is_dataclass(type(value)):
            return NotImplemented
        names = getattr(type(value), "__match_args__", ())
        return type(value), tuple([getattr(value, name) for name in names])
