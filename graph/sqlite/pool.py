"""The pool: connections that read a store, each in a transaction of its own while it is lent."""

import sqlite3
from collections import deque
from contextlib import suppress
from threading import Lock

from stemma.graph.sqlite.file import StoreFile, latest_commit

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
        while True:
            try:
                connection = self._idle.pop()
            except IndexError:
                with self._opening:
                    connection = self._file.open_to_read()
            try:
                connection.execute("BEGIN")
                return connection, latest_commit(connection)
            except BaseException:
                connection.close()
                raise

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
