"""The pages that a build changed in an index, in the format of SQLite's write-ahead log.

A generation keeps them beside its index. Written into the index of the generation before, they
make of it a copy of the newest one, at the cost of what changed and not of what there is. To write
them twice does no harm.
"""

import os
import shutil
import sqlite3
from contextlib import closing, suppress
from pathlib import Path

PAGE_LOGS = "changes-since-*.wal"
_HEADER = 32
_FRAME_HEADER = 24
_COUNTERS = (range(24, 28), range(92, 96))
"""Where the header of a database counts how often it was written: see its file format."""


def page_log(generation: Path, before: str) -> Path:
    """Return where a generation keeps what changed since the one of the name `before`."""
    return generation / PAGE_LOGS.replace("*", before)


def start_log(index: sqlite3.Connection) -> bool:
    """Make an index write all changes to a log first. Return whether it can."""
    # No other process looks on: so it needs no shared memory, which not every file system has.
    index.execute("PRAGMA locking_mode = EXCLUSIVE")
    ((mode,),) = index.execute("PRAGMA journal_mode = WAL")
    index.execute("PRAGMA wal_autocheckpoint = 0")
    return bool(mode == "wal")


def end_log(index: sqlite3.Connection, path: Path, log: Path | None) -> None:
    """Write what was logged and committed into the index at `path`, and keep it as `log`."""
    # SQLite removes its own name of the log. Without a second one, the next build copies the index.
    if log:
        with suppress(OSError):
            os.link(_log_of(path), log)
    index.execute("PRAGMA journal_mode = DELETE")


def bring_up_to_date(index: Path, log: Path) -> bool:
    """Write the pages that changed in the newest generation into `index`, that of the one before.

    `log` is beside the newest index. Returns whether the other is a copy of that now.
    """
    shutil.copyfile(log, _log_of(index))
    size = log.stat().st_size - _HEADER
    try:
        with closing(sqlite3.connect(index)) as db:
            db.executescript("PRAGMA locking_mode = EXCLUSIVE; PRAGMA synchronous = OFF;")
            ((page_size,),) = db.execute("PRAGMA page_size")
            ((_, valid, written),) = db.execute("PRAGMA wal_checkpoint(PASSIVE)")
            db.execute("PRAGMA journal_mode = DELETE")
    except sqlite3.DatabaseError:
        return False
    if not size == valid * (_FRAME_HEADER + page_size) == written * (_FRAME_HEADER + page_size):
        return False
    return _header(index) == _header(log.with_name(index.name))


def _log_of(index: Path) -> Path:
    return index.with_name(f"{index.name}-wal")


def _header(index: Path) -> bytes:
    """Return the header of an index: its size, its schema's version, its free pages."""
    with index.open("rb") as file:
        header = bytearray(file.read(100))
    for counter in _COUNTERS:
        header[counter.start : counter.stop] = bytes(len(counter))
    return bytes(header)
