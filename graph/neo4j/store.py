"""The store that reads a graph which was pushed to a Neo4j database."""

from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path

from stemma.graph.cypher.value import Answer, Value
from stemma.graph.finding import Finding
from stemma.graph.neo4j.address import Address
from stemma.graph.neo4j.checking import check
from stemma.graph.neo4j.connection import Connection
from stemma.graph.neo4j.push import Pushed, Tick, push
from stemma.graph.neo4j.reader import Neo4jReader
from stemma.graph.store import Reader, Store, StoreError


class Neo4jStore(Store):
    """A graph in a Neo4j database, which is read there and written by `push` alone.

    The labels of its nodes begin with `prefix`: if that is not given, the graph that is there says
    so. A snapshot is one read transaction; any number of threads may read at once.
    """

    def __init__(self, address: Address, prefix: str | None = None) -> None:
        self._connection = Connection(address, prefix)

    @property
    def url(self) -> str:
        """Where it is, without the password."""
        return str(self._connection.address)

    @contextmanager
    def snapshot(self) -> Iterator[Neo4jReader]:
        """Read in one transaction, which begins with the first question."""
        reader = Neo4jReader(self._connection)
        try:
            yield reader
        finally:
            reader.close()

    def push(
        self, reader: Reader, full: bool = False, tick: Tick = lambda done, total: None
    ) -> Pushed:
        """Bring this graph to the state of a local store: see `stemma.graph.neo4j.push.push`."""
        return push(reader, self._connection, full, tick)

    def close(self) -> None:
        """Close the connections to the server."""
        self._connection.close()

    def cypher(
        self,
        query: str,
        parameters: Mapping[str, Value],
        write: bool = False,
        progress: Callable[[int], None] = lambda papers: None,
    ) -> Answer:
        """Answer a query on the server, in all of Cypher."""
        from stemma.graph.cypher import server  # noqa: PLC0415 - loads what it needs alone

        return server.ask(self._connection, query, parameters, write)

    def check(self) -> Iterator[Finding]:
        """Compare the database with what the last push noted, and yield what is wrong."""
        with self.snapshot() as reader:
            reader.note()  # There is a graph to check.
            yield from check(self._connection, reader)

    def _check_data(self) -> Iterator[Finding]:
        return self.check()

    def back_up(self, target: Path) -> Path | None:
        """Refuse: what copies a database is Neo4j's own."""
        raise StoreError(f"{self.url} is a database: back it up with `neo4j-admin database dump`.")
