"""A buffer of what waits to be written, on disk rather than in memory."""

from collections.abc import Iterator
from contextlib import contextmanager, suppress
from tempfile import TemporaryFile, gettempdir

from stemma.graph.store import StoreError

_SIZE = 8
"""Bytes that say how many follow."""


class Buffer:
    """Stores bytes in a temporary file, and returns them by their place there."""

    def __init__(self) -> None:
        self._file = TemporaryFile()  # noqa: SIM115 - closed with the buffer

    def put(self, data: bytes) -> int:
        """Store some bytes, and return their place. Raises StoreError where there is no space."""
        with _errors_translated():
            place = self._file.seek(0, 2)
            self._file.write(len(data).to_bytes(_SIZE) + data)
        return place

    def get(self, place: int) -> bytes:
        """Return the bytes at a place. Raises StoreError where there is no space."""
        with _errors_translated():
            self._file.seek(place)  # What waits in memory is written first.
        return self._file.read(int.from_bytes(self._file.read(_SIZE)))

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
