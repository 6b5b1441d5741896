"""Line streams: lines as the binary file that a parser reads."""

from collections.abc import Iterator
from io import BufferedIOBase
from itertools import islice

_LINES = 4096


class LineStream(BufferedIOBase):
    """Reads lines of text as UTF-8, as far as they are asked for."""

    def __init__(self, lines: Iterator[str]) -> None:
        self._lines = lines
        self._chunk = b""
        self._position = 0

    def readable(self) -> bool:
        """Say that it can be read."""
        return True

    def read(self, size: int | None = -1) -> bytes:
        """Return at most `size` bytes; nothing at the end."""
        if size is None or size < 0:
            rest = self._chunk[self._position :] + "".join(self._lines).encode()
            self._chunk, self._position = b"", 0
            return rest
        if self._position >= len(self._chunk):
            self._chunk = "".join(islice(self._lines, _LINES)).encode()
            self._position = 0
        start = self._position
        self._position += size
        return self._chunk[start : self._position]
