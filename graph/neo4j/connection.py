"""Connections: addresses of databases, a driver with bounds on how long anything may take, and what
its errors mean, in a sentence that says what to do."""

import logging
import math
import os
import re
import ssl
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from threading import Lock
from typing import Any, TypeVar
from urllib.parse import unquote, urlsplit, urlunsplit

import neo4j
from neo4j.exceptions import (
    AuthError,
    DriverError,
    Neo4jError,
    ServiceUnavailable,
    SessionExpired,
    UnsupportedServerProduct,
)

from stemma.graph.property_graph import LABELS
from stemma.graph.store import StoreError
from stemma.schema import DecisionError

SCHEMES = frozenset({"neo4j", "neo4j+s", "neo4j+ssc", "bolt", "bolt+s", "bolt+ssc"})
_EXAMPLE = "neo4j://user:password@localhost:7687"


@dataclass(frozen=True, slots=True)
class Address:
    """A database of a server. Without a `database` it is the user's home database."""

    server: str
    user: str | None
    password: str | None
    database: str | None

    @classmethod
    def parse(cls, url: str) -> "Address":
        """Read a URL; what it leaves out comes from the environment.

        That is ``NEO4J_USERNAME``, ``NEO4J_PASSWORD`` and ``NEO4J_DATABASE``; the database may
        also stand at the URL's end. Raises StoreError where it is no such URL.
        """
        parts = urlsplit(url)
        try:
            _ = parts.port
        except ValueError:
            raise StoreError(f"The port is not a number; write {_EXAMPLE}.") from None
        if parts.scheme not in SCHEMES or not parts.hostname:
            raise StoreError(f"This is not the address of a Neo4j server; write {_EXAMPLE}.")
        if parts.fragment or parts.path.count("/") > 1:
            raise StoreError(
                "What follows the port is not the name of a database: write "
                f"# and / in passwords as %23 and %2F, as in {_EXAMPLE}."
            )
        # A query is the context of routing, which a cluster may be set up to look at.
        server = urlunsplit((parts.scheme, parts.netloc.rpartition("@")[2], "", parts.query, ""))
        return cls(
            server,
            unquote(parts.username or "") or os.environ.get("NEO4J_USERNAME") or None,
            unquote(parts.password or "") or os.environ.get("NEO4J_PASSWORD") or None,
            unquote(parts.path.strip("/")) or os.environ.get("NEO4J_DATABASE") or None,
        )

    def __str__(self) -> str:
        """Say where it is, without the password."""
        return f"{self.server}/{self.database}" if self.database else self.server


_NO_DATABASE = (
    "The server at {server} has no database {database!r}. Community has one, neo4j: leave out "
    "what follows the port, and NEO4J_DATABASE."
)
_READ_ONLY = (
    "The database at {at} is read-only: write to another one, or have its administrator allow it "
    "(server.databases.read_only, server.databases.default_to_read_only)."
)
_TOO_SLOW = "{at} took too long: {message}"
_REFUSALS = {
    "AuthenticationRateLimit": (
        "{at} was sent too many wrong passwords: wait a few seconds, then try again."
    ),
    "CredentialsExpired": "The password of {user} at {at} has expired: choose a new one first.",
    "DatabaseNotFound": _NO_DATABASE,
    "IllegalDatabaseName": _NO_DATABASE,
    "ReadOnly": _READ_ONLY,
    "NotALeader": _READ_ONLY,
    "TransactionTimedOut": _TOO_SLOW,
    "LockClientStopped": _TOO_SLOW,  # It waited for a lock for too long.
    "Security": "{at} does not allow this to the user {user}: {message}",
    "TransientError": "{at} failed, even after several attempts: {message}",
    "": "{at} answers: {message} ({code})",
}
"""What errors of a server mean, by a part of their codes; the first that fits."""


@contextmanager
def store_errors(address: Address) -> Iterator[None]:
    """Turn the exceptions of the Neo4j driver into StoreError."""
    try:
        yield
    except (Neo4jError, DriverError) as error:
        raise StoreError(_sentence(error, address)) from error
    except (ValueError, OSError) as error:
        if isinstance(error, UnicodeError | DecisionError):
            raise
        raise StoreError(f"{address} cannot be reached: {error}") from error


def _sentence(error: Neo4jError | DriverError, address: Address) -> str:
    if isinstance(error, AuthError) and not (address.user and address.password):
        return (
            f"{address} requires a user and a password: set NEO4J_USERNAME and NEO4J_PASSWORD, "
            "or write them into the URL, as in neo4j://user:password@host:7687."
        )
    if isinstance(error, AuthError):
        return f"{address} does not accept user {address.user} with this password."
    if isinstance(error, Neo4jError):
        code, message = error.code or "", error.message or ""
        of = "ReadOnly" if "read-only" in message else code
        refusal = next(sentence for part, sentence in _REFUSALS.items() if part in of)
        told = {"user": address.user, "server": address.server, "database": address.database}
        return refusal.format(at=address, code=code, message=message, **told)
    if isinstance(error, UnsupportedServerProduct):
        return f"{address} is not a Neo4j server that Stemma supports: {error}"
    if isinstance(error, ServiceUnavailable | SessionExpired):
        return _unavailable(error, address)
    return f"{address} cannot be used: {error}"


def _unavailable(error: BaseException, address: Address) -> str:
    reason: BaseException | None = error
    while reason:
        if isinstance(reason, ssl.SSLCertVerificationError):
            return (
                f"The certificate of {address} cannot be verified: {reason.verify_message}. For "
                "a self-signed certificate, write neo4j+ssc:// or bolt+ssc://."
            )
        if isinstance(reason, ssl.SSLError):
            return (
                f"{address} does not use TLS: write neo4j:// or bolt://, or enable TLS there "
                "(server.bolt.tls_level)."
            )
        reason = reason.__cause__ or reason.__context__
    first = str(error).strip().splitlines()[0] if str(error).strip() else type(error).__name__
    return f"No Neo4j server answers at {address}: start it, or check the address. ({first})"


OLDEST = (5, 26)
READING_SECONDS = 120.0
WRITING_SECONDS = 600.0
"""After these a server gives a transaction up."""
_TRIES = 4
_SECONDS_BETWEEN_TRIES = 0.5
PREFIX = "STEMMA_LABEL_PREFIX"
"""The environment variable with what labels begin with."""
_LABEL = re.compile(rf"(?<=[:|])({'|'.join((*LABELS, 'StemmaPush', 'Retired'))})\b")
_PUSHES = """
CALL db.labels() YIELD label WHERE label ENDS WITH 'StemmaPush'
CALL (label) { MATCH (g:$(label) {name: 'graph'}) RETURN count(g) AS pushes }
WITH label WHERE pushes > 0 RETURN label ORDER BY size(label), label
"""
T = TypeVar("T")
Run = Callable[..., list[neo4j.Record]]
"""Runs a statement with parameters, and returns its rows."""

logging.getLogger("neo4j").addHandler(logging.NullHandler())  # What matters is raised.


class Connection:
    """Runs Cypher in one database, whose labels begin with `prefix`: see `labelled`.

    Raises StoreError for whatever goes wrong there.
    """

    def __init__(self, address: Address, prefix: str | None = None) -> None:
        self.address = address
        self._prefix = os.environ.get(PREFIX) if prefix is None else prefix
        self._opening = Lock()
        self._opened: neo4j.Driver | None = None
        self.checked = -math.inf
        """When there last was a graph that this version reads (`monotonic`)."""

    @property
    def prefix(self) -> str:
        """What the labels of the graph begin with: if it was not given, that of the one there."""
        if self._prefix is None:
            prefixes = [label.removesuffix("StemmaPush") for (label,) in self._read(_PUSHES, {})]
            if len(prefixes) > 1 and prefixes[0]:
                raise StoreError(
                    f"{self.address} holds several graphs of Stemma: choose one by {PREFIX}, which "
                    f"is what its labels begin with ({', '.join(prefixes)})."
                )
            if not prefixes:
                return ""
            self._prefix = prefixes[0]
        return self._prefix

    def labelled(self, cypher: str) -> str:
        """Return a statement with the prefix before the labels of the graph."""
        prefix = self.prefix
        return _LABEL.sub(rf"{prefix}\1", cypher) if prefix else cypher

    @property
    def _driver(self) -> neo4j.Driver:
        with self._opening:
            if self._opened is None:
                self._opened = self._open()
            return self._opened

    def _open(self) -> neo4j.Driver:
        user, password = self.address.user, self.address.password
        driver = neo4j.GraphDatabase.driver(
            self.address.server,
            auth=(user or "neo4j", password) if password else None,
            connection_timeout=10.0,
            connection_acquisition_timeout=30.0,
            liveness_check_timeout=10.0,
            max_transaction_retry_time=30.0,
            notifications_min_severity="OFF",
            user_agent="stemma",
        )
        try:
            _check_version(driver.get_server_info().agent, self.address)
        except BaseException:
            driver.close()
            raise
        return driver

    def session(self, access: str = neo4j.WRITE_ACCESS) -> neo4j.Session:
        """Open a session, for one thread."""
        return self._driver.session(
            database=self.address.database, default_access_mode=access, fetch_size=2000
        )

    def read(self, cypher: str, **parameters: Any) -> list[neo4j.Record]:
        """Ask once, and again where that may help."""
        return self._read(self.labelled(cypher), parameters)

    def _read(self, cypher: str, parameters: dict[str, Any]) -> list[neo4j.Record]:
        query = neo4j.Query(cypher, timeout=READING_SECONDS)
        with store_errors(self.address):
            for left in reversed(range(_TRIES)):
                try:
                    with self.session(neo4j.READ_ACCESS) as session:
                        return list(session.run(query, parameters))
                except (Neo4jError, DriverError) as error:
                    if not left or not error.is_retryable():
                        raise
                time.sleep(_SECONDS_BETWEEN_TRIES)
        raise AssertionError("the last try returns or raises")

    def write(self, cypher: str, **parameters: Any) -> None:
        """Write once: see `transact`."""
        self.transact(lambda run: run(cypher, **parameters))

    def transact(self, work: Callable[[Run], T]) -> T:
        """Do some work in one transaction, which is tried again where that may help.

        `work` is given a function that runs a statement with parameters, and returns its rows.
        """

        @neo4j.unit_of_work(timeout=WRITING_SECONDS)
        def in_transaction(transaction: neo4j.ManagedTransaction) -> T:
            def run(cypher: str, **parameters: Any) -> list[neo4j.Record]:
                return list(transaction.run(self.labelled(cypher), parameters))

            return work(run)

        with store_errors(self.address), self.session() as session:
            return session.execute_write(in_transaction)

    def close(self) -> None:
        """Close the connections to the server."""
        with self._opening, suppress(Neo4jError, DriverError, OSError):  # It may be gone already.
            driver, self._opened = self._opened, None
            if driver:
                driver.close()


def _check_version(agent: str, address: Address) -> None:
    """Raise StoreError where the server (``Neo4j/5.26.1``) is too old, or something else."""
    product, _, version = agent.partition("/")
    numbers = version.split("-")[0].split(".")
    known = product == "Neo4j" and len(numbers) > 1 and all(map(str.isdecimal, numbers[:2]))
    if known and (int(numbers[0]), int(numbers[1])) >= OLDEST:
        return
    oldest = ".".join(map(str, OLDEST))
    raise StoreError(f"{address} is {agent}; Stemma needs Neo4j {oldest} or later.")
