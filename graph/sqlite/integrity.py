"""Wholeness: whether the files of a generation are all there, and what it means if they fail."""

import sqlite3
from collections.abc import Iterator
from contextlib import closing, contextmanager
from pathlib import Path

from stemma.graph.store import StoreError

_FILES = ("lock", "index.db")
_CORRUPT = frozenset({sqlite3.SQLITE_CORRUPT, sqlite3.SQLITE_NOTADB})
_NOT_POSSIBLE = frozenset(
    {
        sqlite3.SQLITE_FULL,
        sqlite3.SQLITE_IOERR,
        sqlite3.SQLITE_CANTOPEN,
        sqlite3.SQLITE_NOMEM,
        sqlite3.SQLITE_PERM,
        sqlite3.SQLITE_READONLY,
    }
)


def missing_file(generation: Path) -> str | None:
    """Return what is obviously missing in the generation in a folder; None if nothing is."""
    for name in _FILES:
        if not (generation / name).is_file():
            return f"{name} is missing"
    try:
        with closing(open_index(generation)) as index:
            finished = index.execute("SELECT 1 FROM meta WHERE key = 'statistics'").fetchone()
    except sqlite3.DatabaseError as error:
        return f"index.db cannot be read: {error}"
    return None if finished else "index.db is incomplete"


def open_index(generation: Path) -> sqlite3.Connection:
    """Open the index of a generation, which does not change any more, for any thread to read."""
    file = generation / "index.db"
    file.open("rb").close()  # SQLite does not say why it cannot.
    return sqlite3.connect(
        f"{file.absolute().as_uri()}?mode=ro&immutable=1", uri=True, check_same_thread=False
    )


@contextmanager
def damage_as_store_error(path: Path) -> Iterator[None]:
    """Turn what the two databases raise about damaged files at `path` into StoreError."""
    try:
        yield
    except sqlite3.DatabaseError as error:
        code = getattr(error, "sqlite_errorcode", 0) & 0xFF
        # What is asked for is there, and is UTF-8, in each index that was finished.
        lacking = str(error).startswith(("no such", "Could not decode"))
        if lacking or code in _CORRUPT:
            raise damaged(path, error) from error
        if code in _NOT_POSSIBLE:
            raise StoreError(f"{path} cannot be used: {error}") from error
        raise
    except RuntimeError as error:
        if "Corruption" not in str(error):
            raise
        raise damaged(path, error) from error


def damaged(path: Path, reason: object) -> StoreError:
    """Return the error for a store of which a part is damaged."""
    description = " ".join(str(reason).split())
    return StoreError(f"{path} is damaged ({description}). `stemma check` says what to do.")
