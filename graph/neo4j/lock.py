"""The writer's lock: one writer at a time on a database, wherever it runs.

It is a lock of Neo4j's own, held by a transaction that stays open: it goes with its holder,
however that ends.
"""

from collections.abc import Iterator
from contextlib import contextmanager, suppress

from neo4j import ManagedTransaction, Session, unit_of_work
from neo4j.exceptions import DriverError, Neo4jError

from stemma.graph.neo4j import note
from stemma.graph.neo4j.connection import Connection
from stemma.graph.neo4j.failure import TOO_SLOW, store_errors
from stemma.graph.store import StoreError

_SECONDS_TO_WAIT = 2.0
_TRIES = 5
"""A server that is slow, or was just started, may take that long without anybody writing."""
_WAITED = "Neo.ClientError.Transaction.LockClientStopped"
_TAKE = f"MATCH (n:_StemmaNote {{name: '{note.LOCK}'}}) SET n.taken = true"


@contextmanager
def writing(connection: Connection) -> Iterator[None]:
    """Hold the writer's lock. Raises StoreError if another process holds it."""
    address = connection.address

    def make(transaction: ManagedTransaction) -> None:
        transaction.run(f"MERGE (:_StemmaNote {{name: '{note.LOCK}'}})").consume()

    @unit_of_work(timeout=_SECONDS_TO_WAIT)
    def take_for_a_moment(transaction: ManagedTransaction) -> None:
        transaction.run(_TAKE).consume()

    connection.write(make)
    with store_errors(address):
        session = connection.session()
        try:
            for left in reversed(range(_TRIES)):
                try:
                    session.execute_write(take_for_a_moment)
                    break
                except Neo4jError as error:
                    if error.code not in TOO_SLOW:
                        raise
                    if error.code == _WAITED or not left:
                        raise StoreError(
                            f"Another process is writing to {address}. Try again when it has "
                            "finished."
                        ) from error
            holding = session.begin_transaction(metadata={"stemma": "holds the writer's lock"})
            holding.run(_TAKE).consume()
        except BaseException:
            _end(session)
            raise
    try:
        yield
    finally:
        _end(session)


def _end(session: Session) -> None:
    """Release the lock; if the server is gone, it is gone as well."""
    with suppress(Neo4jError, DriverError, OSError):
        session.close()
