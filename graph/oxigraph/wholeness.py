"""Wholeness: whether the files of a generation are all there."""

import sqlite3
from contextlib import closing
from pathlib import Path

_FILES = ("lock", "index.db", "rdf/CURRENT")


def lack(generation: Path) -> str | None:
    """Say what the generation in a folder lacks at first sight; None if nothing does."""
    for name in _FILES:
        if not (generation / name).is_file():
            return f"{name} is missing"
    try:
        with closing(open_index(generation)) as index:
            finished = index.execute("SELECT 1 FROM meta WHERE key = 'statistics'").fetchone()
    except sqlite3.DatabaseError as error:
        return f"index.db cannot be read: {error}"
    return None if finished else "index.db was never finished"


def open_index(generation: Path) -> sqlite3.Connection:
    """Open the index of a generation, which nobody changes any more, for any thread to read."""
    return sqlite3.connect(
        f"{(generation / 'index.db').absolute().as_uri()}?mode=ro&immutable=1",
        uri=True,
        check_same_thread=False,
    )
