"""The file that fetched records are written to, a line each, which a later run continues."""

from pathlib import Path
from typing import Any

import orjson

from stemma.schema.text_line import MAX_RECORD_SIZE


class FetchedFile:
    """Records with their ids; what is in the file already counts as fetched.

    A last line that was cut off is removed. Raises ValueError, and leaves the file as it is, where
    it holds anything else.
    """

    def __init__(self, path: Path) -> None:
        self.ids: set[str] = set()
        self._positions: dict[str, int] = {}
        self._path = path
        whole = 0
        if path.exists():
            with path.open("rb") as file:
                for number, line in enumerate(file, 1):
                    if not line.endswith(b"\n"):
                        break
                    self._note(_parsed(line, f"{path}:{number}"))
                    whole += len(line)
                left = file.seek(0, 2) - whole
            if left and not whole and not _may_begin(path):
                raise ValueError(f"{path} was not written by `stemma fetch`")
        self._file = path.open("ab")
        self._file.truncate(whole)

    def add(self, id_: str, service: str, record: object, **search: Any) -> None:
        """Write a record, whole or not at all. Raises ValueError where it is too large."""
        entry = {"fetched": id_, "reader": service, **search, "record": record}
        line = orjson.dumps(entry) + b"\n"
        if len(line) > MAX_RECORD_SIZE:
            raise ValueError(f"a record of more than {MAX_RECORD_SIZE >> 20} MiB")
        self._file.write(line)
        self._file.flush()
        self._note(entry)

    def position(self, search: str) -> int:
        """Return how far the results of a search were fetched."""
        return self._positions.get(search, 0)

    def close(self) -> None:
        """Close the file."""
        self._file.close()

    def _note(self, entry: dict[str, Any]) -> None:
        self.ids.add(entry["fetched"])
        if isinstance(search := entry.get("search"), str):
            position = entry.get("position")
            if isinstance(position, int):
                self._positions[search] = max(position, self.position(search))


def _parsed(line: bytes, place: str) -> dict[str, Any]:
    try:
        entry = orjson.loads(line)
    except orjson.JSONDecodeError:
        entry = None
    if not isinstance(entry, dict) or not isinstance(entry.get("fetched"), str):
        raise ValueError(f"{place} was not written by `stemma fetch`")
    return entry


def _may_begin(path: Path) -> bool:
    """Return whether a file without a whole line may be the beginning of one of ours."""
    begin = b'{"fetched":'
    with path.open("rb") as file:
        start = file.read(len(begin))
    return begin.startswith(start)
