"""People's decisions, kept in the database that they are about."""

from functools import partial
from pathlib import Path

from neo4j import ManagedTransaction

from stemma.graph.neo4j import note
from stemma.graph.neo4j.connection import Connection
from stemma.schema.decision_file import DecisionFile, DecisionText, changed_meanwhile

_NODE = f"(d:_StemmaNote {{name: '{note.DECISIONS}'}})"


class DecisionNode(DecisionFile):
    """The decisions on the graph of a database, as the text that a file of them would have.

    All who write to the graph share them. People may edit the text themselves::

        MATCH (d:_StemmaNote {name: "decisions"}) RETURN d.text
    """

    def __init__(self, connection: Connection) -> None:
        parts = connection.address.server.partition("://")
        super().__init__(Path(f"the decisions in {parts[2]}"))
        self._connection = connection

    def _bytes(self) -> bytes:
        found = self._connection.read(f"MATCH {_NODE} RETURN d.text AS text")
        text: str = found[0]["text"] or "" if found else ""
        return text.encode()

    def _replace(self, text: DecisionText) -> None:
        self._connection.write(partial(self.replace, text=text))

    def replace(self, transaction: ManagedTransaction, text: DecisionText) -> None:
        """Write a text if the transaction is committed.

        Raises DecisionError if another process has changed the file in the meantime.
        """
        (row,) = transaction.run(
            f"MERGE {_NODE} SET d.locked = true REMOVE d.locked RETURN coalesce(d.text, '') AS text"
        )
        if DecisionText(text.place, row["text"].encode()).fingerprint != text.replaced:
            raise changed_meanwhile(text)
        transaction.run(f"MATCH {_NODE} SET d.text = $text", text=text.data.decode()).consume()
