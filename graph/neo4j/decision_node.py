"""People's decisions, kept in the database that they are about."""

from pathlib import Path

from neo4j import ManagedTransaction

from stemma.graph.neo4j import note
from stemma.graph.neo4j.connection import Connection
from stemma.schema.decision_file import DecisionFile

_NODE = f"(d:_StemmaNote {{name: '{note.DECISIONS}'}})"


class DecisionNode(DecisionFile):
    """The decisions on the graph of a database, as the text that a file of them would have.

    All who write to the graph share them. People may edit the text themselves::

        MATCH (d:_StemmaNote {name: "decisions"}) RETURN d.text
    """

    def __init__(self, connection: Connection) -> None:
        parts = connection.address.server.partition("://")
        super().__init__(Path(f"the note of decisions at {parts[2]}"))
        self._connection = connection

    def _bytes(self) -> bytes:
        found = self._connection.read(f"MATCH {_NODE} RETURN d.text AS text")
        text: str = found[0]["text"] or "" if found else ""
        return text.encode()

    def _replace(self, text: str) -> None:
        def replace(transaction: ManagedTransaction) -> None:
            transaction.run(f"MERGE {_NODE} SET d.text = $text", text=text).consume()

        self._connection.write(replace)
