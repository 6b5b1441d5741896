"""The store that keeps a graph in a Neo4j database."""

from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path

from stemma.graph.cypher.value import Answer, Value
from stemma.graph.finding import Finding
from stemma.graph.neo4j import checking, note
from stemma.graph.neo4j.address import Address
from stemma.graph.neo4j.connection import Connection
from stemma.graph.neo4j.decision_node import DecisionNode
from stemma.graph.neo4j.layout import lay_out
from stemma.graph.neo4j.lock import writing
from stemma.graph.neo4j.reader import Neo4jReader
from stemma.graph.neo4j.writer import Neo4jWriter, files_read
from stemma.graph.store import Store, StoreError
from stemma.schema import Catalogue
from stemma.schema.decision_file import DecisionFile


class Neo4jStore(Store):
    """A graph in a Neo4j database, in which the first writer makes constraints and indexes.

    `catalogue` is what writers link with, the shipped one if none is given. A snapshot is one read
    transaction; any number of threads may read at once.
    """

    def __init__(self, address: Address, catalogue: Catalogue | None = None) -> None:
        self._connection = Connection(address)
        self._catalogue = catalogue
        self._decisions = DecisionNode(self._connection)

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

    @contextmanager
    def writer(self) -> Iterator[Neo4jWriter]:
        """Start to write. Raises StoreError if another process is writing."""
        lay_out(self._connection)
        with writing(self._connection):
            writer = Neo4jWriter(self._connection, self._decisions, self._catalogue)
            try:
                yield writer
            finally:
                writer.close()

    def close(self) -> None:
        """Close the connections to the server."""
        self._connection.close()

    @property
    def decisions(self) -> DecisionFile:
        """People's decisions on this graph, kept in the database."""
        return self._decisions

    def lacks_decisions(self) -> bool:
        rows = self._connection.read(
            f"MATCH (g:_StemmaNote {{name: '{note.GRAPH}'}}) WHERE g.generation IS NOT NULL "
            "RETURN g.decision_file AS fingerprint"
        )
        return bool(rows) and rows[0]["fingerprint"] != self._decisions.fingerprint()

    def already_read(self, reading: str) -> frozenset[tuple[str, str]]:
        """Return (file, sha256) of the files that were read whole in this way."""
        return files_read(self._connection, reading)

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

    def back_up(self, target: Path) -> Path | None:
        """Refuse: what copies a database is Neo4j's own."""
        raise StoreError(f"{self.url} is a database: back it up with `neo4j-admin database dump`.")

    def _check_data(self) -> Iterator[Finding]:
        self.statistics()  # There is a graph to check.
        yield from checking.check(self._connection, self._catalogue or Catalogue.shipped())
