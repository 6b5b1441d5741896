"""Connections: a driver for one database, with bounds on how long anything may take."""

import logging
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager, suppress
from threading import Lock
from typing import Any, TypeVar

import neo4j
from neo4j.exceptions import DriverError, Neo4jError

from stemma.graph.neo4j.address import Address
from stemma.graph.neo4j.failure import store_errors
from stemma.graph.store import StoreError

OLDEST = (5, 26)
READING_SECONDS = 120.0
WRITING_SECONDS = 600.0
"""After these a server gives a transaction up."""

Row = Mapping[str, Any]
T = TypeVar("T")

Read = Callable[..., Sequence[Any]]
"""Answers a query with rows, given its parameters by their names."""

logging.getLogger("neo4j").addHandler(logging.NullHandler())  # What matters is raised.


class Connection:
    """Runs Cypher in one database. Raises StoreError for whatever goes wrong there."""

    def __init__(self, address: Address) -> None:
        self.address = address
        self.holds_graph = False
        """Whether one was seen there."""
        self._opening = Lock()
        self._opened: neo4j.Driver | None = None

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

        @neo4j.unit_of_work(timeout=READING_SECONDS)
        def ask(transaction: neo4j.ManagedTransaction) -> list[neo4j.Record]:
            return list(transaction.run(cypher, parameters))

        with store_errors(self.address), self.session(neo4j.READ_ACCESS) as session:
            return session.execute_read(ask)

    @contextmanager
    def reading(self) -> Iterator[Read]:
        """Ask many times, each in a transaction of its own, which is not tried again."""
        with self.session(neo4j.READ_ACCESS) as session:

            def ask(cypher: str, **parameters: Any) -> list[neo4j.Record]:
                with store_errors(self.address):
                    return list(
                        session.run(neo4j.Query(cypher, timeout=READING_SECONDS), parameters)
                    )

            yield ask

    def write(self, work: Callable[[neo4j.ManagedTransaction], T]) -> T:
        """Do some work in one transaction, which is tried again where that may help."""
        with store_errors(self.address), self.session() as session:
            return session.execute_write(neo4j.unit_of_work(timeout=WRITING_SECONDS)(work))

    def put(self, cypher: str, **parameters: Any) -> None:
        """Run one statement in a transaction of its own, which is tried again as in `write`."""
        self.write(lambda transaction: transaction.run(cypher, parameters).consume())

    def run(self, *statements: str) -> None:
        """Run statements that manage their own transactions."""
        with store_errors(self.address), self.session() as session:
            for statement in statements:
                session.run(statement).consume()

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
