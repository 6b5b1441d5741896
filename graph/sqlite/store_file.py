"""The file of a store: which files are ours, how they are opened, and what it means if that fails.

SQLite's write-ahead log keeps readers and the writer apart, and recovers what a killed writer left.
Its locks belong to the process: nothing but SQLite may open the file while a connection has it.
Connections that read wait in a pool, and are in a transaction of their own while they are lent.
"""

import errno
import fcntl
import json
import os
import re
import sqlite3
from collections import deque
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from hashlib import blake2b
from pathlib import Path
from tempfile import gettempdir
from threading import Lock
from typing import Any

from stemma.graph.store import StoreError
from stemma.schema.decision_file import DecisionFile
from stemma.schema.namespace import DATA

_APPLICATION = int.from_bytes(b"Stma")
"""Says in the header of a file that it is a store (``PRAGMA application_id``)."""
_FORMAT = 17
"""The layout of the tables (``PRAGMA user_version``)."""
_PATIENCE = 5.0
"""Seconds to wait while SQLite recovers or closes the file, or while somebody else writes."""
_WAL = "PRAGMA journal_mode = WAL"
_LOG = "PRAGMA wal_autocheckpoint = 0; PRAGMA journal_size_limit = 0;"
"""The log is moved into the file by `tidy` alone."""
_BUSY = frozenset({sqlite3.SQLITE_BUSY, sqlite3.SQLITE_LOCKED})
_UNREADABLE = frozenset({sqlite3.SQLITE_CANTOPEN, sqlite3.SQLITE_READONLY, sqlite3.SQLITE_IOERR})
_IMPOSSIBLE = _UNREADABLE | {sqlite3.SQLITE_FULL, sqlite3.SQLITE_NOMEM, sqlite3.SQLITE_PERM}
_LATEST = "SELECT number, mark FROM commits ORDER BY number DESC LIMIT 1"


class NoGraphError(StoreError):
    """Nothing was committed to a file, or there is none."""


class StoreFile:
    """The file at `path`, which need not exist yet. `base` begins the IRIs of its data."""

    def __init__(self, path: Path, base: str | None = None) -> None:
        self.path = path
        self._asked_base = base
        self._is_immutable = False

    @property
    def decisions(self) -> DecisionFile:
        """People's decisions, in a file beside this one, so that it outlives the store."""
        path = self.path.resolve()
        return DecisionFile(path.with_name(f"{path.name}.decisions.toml"))

    @property
    def new_base(self) -> str:
        """What the IRIs of a new store begin with."""
        return self._asked_base or DATA

    @property
    def cache(self) -> Path:
        """The folder for what is made from the graph, and can be made again."""
        path = self.path.resolve()
        return path.with_name(f"{path.name}-cache")

    def writable_cache(self) -> Path:
        """Return the cache, or where nothing can be written beside the file a temporary folder.

        That is one of this user's alone, for all processes on this machine. Raises OSError where it
        cannot be made.
        """
        with suppress(OSError):
            self.cache.mkdir(exist_ok=True)
        if os.access(self.cache, os.W_OK):
            return self.cache
        key = str(self.path.resolve()).encode()
        name = f"stemma-cache-{os.getuid()}-{blake2b(key, digest_size=8).hexdigest()}"
        folder = Path(gettempdir()) / name
        folder.mkdir(mode=0o700, exist_ok=True)
        if folder.stat().st_uid != os.getuid():
            raise PermissionError(errno.EPERM, "it belongs to another user", str(folder))
        return folder

    def identity(self) -> tuple[int, ...]:
        """Return numbers that tell this file from another in its place. Raises NoGraphError."""
        try:
            found = self.path.stat()
        except FileNotFoundError:
            raise self._nothing_yet() from None
        except OSError as error:
            raise StoreError(f"{self.path} cannot be read: {error.strerror}") from error
        unchanging = (found.st_mtime_ns, found.st_size) if self._is_immutable else ()
        return found.st_dev, found.st_ino, *unchanging

    def open_to_read(self) -> sqlite3.Connection:
        """Open the file, for any thread. Raises NoGraphError where there is no graph."""
        if not self._is_there():
            raise self._nothing_yet()
        with _closed_on_failure(self._connect()) as connection:
            if not self.is_filled(connection):
                raise self._nothing_yet()
            return connection

    def open_to_write(self) -> sqlite3.Connection:
        """Open the file, which is made if there is none. Raises StoreError if that is busy."""
        self._is_there()
        with (
            damage_as_store_error(self.path),
            _closed_on_failure(_connected(self.path, "rwc")) as connection,
        ):
            self.is_filled(connection)
            connection.executescript("PRAGMA page_size = 8192; PRAGMA cache_size = -65536;")
            ((mode,),) = connection.execute(_WAL)
            if mode != "wal":
                raise StoreError(
                    f"{self.path} is on a file system that SQLite's write-ahead log does not "
                    "support, such as a share of another machine. Keep the store on a disk of "
                    "this machine."
                )
            connection.executescript(_LOG)
            return connection

    def begin(self, connection: sqlite3.Connection) -> None:
        """Begin a transaction that writes. Raises StoreError if another process is writing."""
        with damage_as_store_error(self.path):
            connection.execute("BEGIN IMMEDIATE")
        self.is_filled(connection)

    def commit(self, connection: sqlite3.Connection) -> None:
        """Make visible what was written."""
        connection.execute("COMMIT")

    def tidy(self, connection: sqlite3.Connection) -> None:
        """Move what was committed from the log into the file, and empty the log."""
        # It is safe in the log: what somebody still reads, or has no room, a later commit moves.
        with suppress(sqlite3.OperationalError):
            connection.execute("PRAGMA wal_checkpoint(TRUNCATE)").fetchall()

    def _is_there(self) -> bool:
        """Return whether there is a file. Raises StoreError where there is a folder."""
        if self.path.is_dir():
            raise _not_ours(self.path)
        return self.path.exists()

    def _connect(self) -> sqlite3.Connection:
        """Open the file to read it, wherever it is."""
        try:
            return self._opened("rw")
        except sqlite3.OperationalError as error:
            if _code(error) not in _UNREADABLE:
                raise
            reason = error
        log = self.path.with_name(f"{self.path.name}-wal")
        with suppress(OSError):
            if log.stat().st_size:
                raise StoreError(
                    f"{self.path} cannot be read here: what was written last is in {log}, and "
                    "SQLite may not write beside it. Copy both files to where it may."
                ) from reason
        try:
            # Nobody else can write there either, so that no log is needed.
            connection = self._opened("ro&immutable=1")
        except sqlite3.OperationalError as error:
            raise StoreError(f"{self.path} cannot be opened: {_said(self.path, error)}") from error
        self._is_immutable = True
        return connection

    def _opened(self, mode: str) -> sqlite3.Connection:
        with _closed_on_failure(_connected(self.path, mode)) as connection:
            connection.execute("PRAGMA query_only = 1")
            connection.execute("SELECT 1 FROM sqlite_schema LIMIT 1").fetchall()
            return connection

    def is_filled(self, connection: sqlite3.Connection) -> bool:
        """Return whether a file contains a graph.

        Raises StoreError where it is none of ours, or has another base than is asked for.
        """
        ((application,),) = connection.execute("PRAGMA application_id")
        ((version,),) = connection.execute("PRAGMA user_version")
        tables = connection.execute("SELECT 1 FROM sqlite_schema LIMIT 1").fetchone()
        if application != _APPLICATION:
            if tables or application or version:
                raise _not_ours(self.path)
            return False
        if version != _FORMAT:
            raise StoreError(
                f"{self.path} has the store format {version}; this version of Stemma reads "
                f"{_FORMAT}. Move the file away and build again; decisions, which are beside it, "
                "then apply to the new one."
            )
        base = read_meta(connection, "base", DATA)
        if self._asked_base not in (None, base):
            raise StoreError(
                f"{self.path} has the base {base}, not {self._asked_base}: the base of a store "
                "cannot be changed."
            )
        return True

    def _nothing_yet(self) -> NoGraphError:
        return NoGraphError(
            f"There is no graph in {self.path} yet: create one with `stemma build`."
        )


def sign(connection: sqlite3.Connection) -> None:
    """Say in the header of a new file that it is a store, in the transaction that fills it."""
    connection.execute(f"PRAGMA application_id = {_APPLICATION}")
    connection.execute(f"PRAGMA user_version = {_FORMAT}")


def latest_commit(connection: sqlite3.Connection) -> tuple[int, str]:
    """Return the number of the last commit, and the digest of all until then."""
    number, mark = connection.execute(_LATEST).fetchone() or (0, "")
    return int(number), str(mark)


def read_meta(connection: sqlite3.Connection, key: str, default: Any = None) -> Any:
    """Return what `IndexWriter.put_meta` wrote, or the default."""
    row = connection.execute("SELECT value FROM meta WHERE key = ?", [key]).fetchone()
    return json.loads(row[0]) if row else default


@contextmanager
def damage_as_store_error(path: Path) -> Iterator[None]:
    """Turn what SQLite and Oxigraph raise about damaged files at `path` into StoreError."""
    try:
        yield
    except sqlite3.DatabaseError as error:
        # What is asked for is there, and is UTF-8, in each store that was written.
        lacking = str(error).startswith(("no such", "Could not decode"))
        if lacking or _code(error) == sqlite3.SQLITE_CORRUPT:
            raise damaged(path, error) from error
        if _code(error) == sqlite3.SQLITE_NOTADB:
            raise _not_ours(path) from error
        if _code(error) in _IMPOSSIBLE:
            raise StoreError(f"{path} cannot be used: {_said(path, error)}") from error
        if _code(error) in _BUSY:
            busy = f"Another process is writing to {path}. Try again when it has finished."
            raise StoreError(busy) from error
        raise
    except RuntimeError as error:
        if "Corruption" not in str(error):
            raise
        raise damaged(path, error) from error


@contextmanager
def locked(path: Path) -> Iterator[None]:
    """Wait until no other process does something, for which the file `path` stands."""
    lock = os.open(path, os.O_RDWR | os.O_CREAT | os.O_CLOEXEC, 0o644)
    try:
        fcntl.flock(lock, fcntl.LOCK_EX)
        yield
    finally:
        os.close(lock)


def damaged(path: Path, reason: object) -> StoreError:
    """Return the error for a store of which a part is damaged."""
    description = " ".join(str(reason).split())
    return StoreError(f"{path} is damaged ({description}). `stemma check` says what to do.")


def _not_ours(path: Path) -> StoreError:
    return StoreError(
        f"{path} is not a Stemma store, or its beginning is damaged. Give the path of a store, or "
        "of a new file."
    )


def _connected(path: Path, mode: str) -> sqlite3.Connection:
    connection = sqlite3.connect(
        f"{path.absolute().as_uri()}?mode={mode}",
        _PATIENCE,
        isolation_level=None,
        check_same_thread=False,
        uri=True,
    )
    connection.create_function("regexp", 2, lambda *given: bool(re.fullmatch(*given)))
    return connection


@contextmanager
def _closed_on_failure(connection: sqlite3.Connection) -> Iterator[sqlite3.Connection]:
    """Close a connection where its use fails; else it stays open."""
    try:
        yield connection
    except BaseException:
        connection.close()
        raise


def _code(error: sqlite3.DatabaseError) -> int:
    return getattr(error, "sqlite_errorcode", 0) & 0xFF


def _said(path: Path, error: sqlite3.DatabaseError) -> str:
    """Return why a file cannot be used, which SQLite does not always say."""
    try:
        os.close(os.open(path.parent, os.O_RDONLY))
    except OSError as reason:
        return str(reason.strerror)
    is_allowed = os.access(path, os.R_OK) and os.access(path.parent, os.W_OK)
    is_denied = _code(error) == sqlite3.SQLITE_CANTOPEN and not is_allowed
    return "permission denied, to it or to its folder" if is_denied else str(error)


_KEPT = 16
"""Connections that wait for the next reader."""


class Pool:
    """Connections to one file, which stays the same as long as it `is_current`."""

    def __init__(self, file: StoreFile) -> None:
        self._file = file
        self._identity = file.identity()
        # Its methods are atomic: a reader may be let go while another one is made.
        self._idle: deque[sqlite3.Connection] = deque()
        self._opening = Lock()
        self._closed = False

    @property
    def is_current(self) -> bool:
        """Whether no other file was put in the place of this one."""
        return self._file.identity() == self._identity

    def take(self) -> tuple[sqlite3.Connection, tuple[int, str]]:
        """Return a connection that sees one commit until it is given back, and that commit."""
        try:
            connection = self._idle.pop()
        except IndexError:
            with self._opening:
                connection = self._file.open_to_read()
        with _closed_on_failure(connection):
            connection.execute("BEGIN")
            return connection, latest_commit(connection)

    def give(self, connection: sqlite3.Connection) -> None:
        """Take a connection back."""
        with suppress(sqlite3.Error):
            if connection.in_transaction:
                connection.execute("ROLLBACK")
            if not self._closed and len(self._idle) < _KEPT:
                self._idle.append(connection)
                return
        connection.close()

    def close(self) -> None:
        """Close the connections that are not lent, and the others when they are given back."""
        self._closed = True
        while self._idle:
            with suppress(IndexError):
                self._idle.pop().close()
