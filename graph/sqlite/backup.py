"""Backup: a copy of a store that may be in use, which is a store itself."""

import os
import sqlite3
from contextlib import closing
from pathlib import Path
from shutil import rmtree
from tempfile import mkdtemp

from stemma.graph.sqlite.file import StoreFile
from stemma.graph.sqlite.reader import SqliteReader
from stemma.graph.store import StoreError


def back_up(reader: SqliteReader, target: Path) -> Path | None:
    """Copy what a reader sees, and people's decisions, to the new file `target`.

    Returns the file of decisions beside it, None if there is none. What is written meanwhile is no
    part of it. Raises StoreError where the copy cannot be made: nothing of it is left then.
    """
    decisions = StoreFile(target).decisions.path
    for path in (target, decisions):
        if path.exists():
            raise StoreError(f"{path} already exists: name a new file for the backup.")
    new: Path | None = None
    try:
        new = Path(mkdtemp(prefix=f".{target.name}-", dir=target.absolute().parent))
        copy = new / target.name
        with closing(sqlite3.connect(copy)) as made:
            reader.copy_to(made)
        _sync(copy)
        # Later decisions than those of the graph are applied by the next build.
        text = reader.decisions.text()
        if text.data:
            decisions.write_bytes(text.data)
            _sync(decisions)
        copy.rename(target)
        _sync(target.absolute().parent)
    except (OSError, sqlite3.OperationalError) as error:
        decisions.unlink(missing_ok=True)
        reason = getattr(error, "strerror", None) or error
        raise StoreError(f"{target} cannot be written: {reason}") from error
    finally:
        if new:
            rmtree(new, ignore_errors=True)
    return decisions if text.data else None


def _sync(path: Path) -> None:
    descriptor = os.open(path, os.O_RDONLY)
    try:
        os.fsync(descriptor)
    finally:
        os.close(descriptor)
