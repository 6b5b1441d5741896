"""Connections: a driver for one database, with bounds on how long anything may take."""

import logging
import os
import re
from collections.abc import Callable
from contextlib import suppress
from threading import Lock
from typing import Any, TypeVar

import neo4j
from neo4j.exceptions import DriverError, Neo4jError

from stemma.graph.neo4j.address import Address
from stemma.graph.neo4j.failure import store_errors
from stemma.graph.property_graph import LABELS
from stemma.graph.store import StoreError

OLDEST = (5, 26)
READING_SECONDS = 120.0
WRITING_SECONDS = 600.0
"""After these a server gives a transaction up."""
PREFIX = "STEMMA_LABEL_PREFIX"
"""The environment variable with what labels begin with."""
_LABEL = re.compile(rf"(?<=[:|])({'|'.join((*LABELS, 'StemmaPush', 'Retired'))})\b")
_PUSHES = """
CALL db.labels() YIELD label WHERE label ENDS WITH 'StemmaPush'
CALL (label) { MATCH (g:$(label) {name: 'graph'}) RETURN count(g) AS pushes }
WITH label WHERE pushes > 0 RETURN label ORDER BY size(label), label
"""
T = TypeVar("T")

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

    @property
    def prefix(self) -> str:
        """What the labels of the graph begin with: if it was not given, that of the one there."""
        if self._prefix is None:
            found = [label.removesuffix("StemmaPush") for (label,) in self._read(_PUSHES)]
            if len(found) > 1 and found[0]:
                raise StoreError(
                    f"{self.address} holds several graphs of Stemma: choose one by {PREFIX}, which "
                    f"is what its labels begin with ({', '.join(found)})."
                )
            if not found:
                return ""
            self._prefix = found[0]
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
        """Ask once, in a transaction of its own, which is tried again where that may help."""
        return self._read(self.labelled(cypher), **parameters)

    def _read(self, cypher: str, **parameters: Any) -> list[neo4j.Record]:
        @neo4j.unit_of_work(timeout=READING_SECONDS)
        def ask(transaction: neo4j.ManagedTransaction) -> list[neo4j.Record]:
            return list(transaction.run(cypher, parameters))

        with store_errors(self.address), self.session(neo4j.READ_ACCESS) as session:
            return session.execute_read(ask)

    def write(self, work: Callable[[neo4j.ManagedTransaction], T]) -> T:
        """Do some work in one transaction, which is tried again where that may help."""
        with store_errors(self.address), self.session() as session:
            return session.execute_write(neo4j.unit_of_work(timeout=WRITING_SECONDS)(work))

    def run(self, *statements: str) -> None:
        """Run statements that manage their own transactions."""
        with store_errors(self.address), self.session() as session:
            for statement in statements:
                session.run(self.labelled(statement)).consume()

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
