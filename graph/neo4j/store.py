"""The store that keeps a graph in a Neo4j database."""

from collections.abc import Iterator
from contextlib import contextmanager

from stemma.graph.finding import Finding, about_decisions
from stemma.graph.neo4j import checking, note
from stemma.graph.neo4j.address import Address
from stemma.graph.neo4j.connection import Connection
from stemma.graph.neo4j.decision_node import DecisionNode
from stemma.graph.neo4j.layout import lay_out
from stemma.graph.neo4j.lock import writing
from stemma.graph.neo4j.reader import Neo4jReader
from stemma.graph.neo4j.writer import Neo4jWriter, files_read
from stemma.graph.snapshot_store import SnapshotStore
from stemma.schema import Catalogue
from stemma.schema.decision_file import DecisionFile


class Neo4jStore(SnapshotStore):
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
        """Begin to write. Raises StoreError where somebody else is writing."""
        lay_out(self._connection)
        with writing(self._connection):
            writer = Neo4jWriter(self._connection, self._decisions, self._catalogue)
            try:
                yield writer
            finally:
                writer.close()

    def close(self) -> None:
        """Let go of the server."""
        self._connection.close()

    @property
    def decisions(self) -> DecisionFile:
        """People's decisions on this graph, kept in the database."""
        return self._decisions

    def lacks_decisions(self) -> bool:
        """Tell whether the decisions have changed since the graph was written."""
        rows = self._connection.read(
            f"MATCH (g:_StemmaNote {{name: '{note.GRAPH}'}}) WHERE g.generation IS NOT NULL "
            "RETURN g.decision_file AS fingerprint"
        )
        return bool(rows) and rows[0]["fingerprint"] != self._decisions.fingerprint()

    def already_read(self, reading: str) -> frozenset[tuple[str, str]]:
        """Return (file, sha256) of the files that were read whole in this way."""
        return files_read(self._connection, reading)

    def check(self) -> Iterator[Finding]:
        """Look at all that there is, and yield what is wrong."""
        self.statistics()  # There is a graph to check.
        faults = False
        for found in checking.check(self._connection):
            faults |= found.fault
            yield found
        if not faults:
            yield from about_decisions(self)
