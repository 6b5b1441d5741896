"""The store that reads a graph which was pushed to a Neo4j database, and checks what is there."""

from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from stemma.graph.neo4j.connection import Address, Connection
from stemma.graph.neo4j.layout import lacking
from stemma.graph.neo4j.reader import Neo4jReader
from stemma.graph.store import Finding, Store, StoreError
from stemma.schema import RelationType

_COUNTED = {
    "papers": "(n:Paper) WHERE n.added_in IS NOT NULL",
    "entities": "(n:Entity) WHERE n.added_in IS NOT NULL",
    "statements": f"()-[r:{'|'.join(RelationType)}]->(:Entity) WHERE r.origin IS NOT NULL",
    "lineage edges": "()-[r:DERIVES_FROM]->(:Entity) WHERE r.relations IS NOT NULL",
}


class Neo4jStore(Store):
    """A graph in a Neo4j database, which is read here; `push` writes it.

    The labels of its nodes begin with `prefix`: if that is not given, the graph that is there says
    so. Any number of threads may read at once.
    """

    def __init__(self, address: Address, prefix: str | None = None) -> None:
        self.connection = Connection(address, prefix)

    @property
    def url(self) -> str:
        """The address of the database, without the password."""
        return str(self.connection.address)

    @contextmanager
    def snapshot(self) -> Iterator[Neo4jReader]:
        """Read what is there, each time that it is asked."""
        yield Neo4jReader(self.connection)

    def close(self) -> None:
        """Close the connections to the server."""
        self.connection.close()

    def check(self) -> Iterator[Finding]:
        """Compare what is counted with what the last push noted, and yield what is wrong."""
        again = f"Push everything again: `stemma push {self.url} --full`."
        with self.snapshot() as reader:
            noted = reader.statistics()  # There is a graph to check.
            if reader.note()["run"] is not None:
                yield Finding(
                    "A push is under way, or was stopped before its end.",
                    f"The next one goes on where it ended: `stemma push {self.url}`.",
                    fault=False,
                )
                return
        if missing := lacking(self.connection):
            yield Finding(f"The database lacks {', '.join(sorted(missing))}.", again)
        counts = (noted.papers, noted.entities, noted.statements, noted.lineage_edges)
        for (name, pattern), expected in zip(_COUNTED.items(), counts, strict=True):
            ((count,),) = self.connection.read(f"MATCH {pattern} RETURN count(*)")
            if count != expected:
                difference = f"There are {count:,} {name}, and there should be {expected:,}."
                yield Finding(difference, again)

    def back_up(self, target: Path) -> Path | None:
        """Refuse: what copies a database is Neo4j's own."""
        raise StoreError(f"{self.url} is a database: back it up with `neo4j-admin database dump`.")
