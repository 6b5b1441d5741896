"""Checking a database: whether it holds what was pushed there."""

from collections.abc import Iterator

from stemma.graph.finding import Finding
from stemma.graph.neo4j.connection import Connection
from stemma.graph.neo4j.layout import lacking
from stemma.graph.neo4j.reader import Neo4jReader
from stemma.schema import RelationType

_COUNTS = {
    "papers": "MATCH (n:Paper) WHERE n.added_in IS NOT NULL RETURN count(n)",
    "entities": "MATCH (n:Entity) WHERE n.added_in IS NOT NULL RETURN count(n)",
    "statements": f"MATCH ()-[r:{'|'.join(RelationType)}]->(:Entity) WHERE r.origin IS NOT NULL "
    "RETURN count(r)",
    "lineage edges": "MATCH ()-[r:DERIVES_FROM]->() WHERE r.relations IS NOT NULL RETURN count(r)",
}


def check(connection: Connection, reader: Neo4jReader) -> Iterator[Finding]:
    """Yield what is not as the last push left it."""
    again = f"Push everything again: `stemma push {connection.address} --full`."
    if missing := lacking(connection):
        yield Finding(f"The database lacks {', '.join(sorted(missing))}.", again)
    noted = reader.statistics()
    counts = (noted.papers, noted.entities, noted.statements, noted.lineage_edges)
    for (name, query), expected in zip(_COUNTS.items(), counts, strict=True):
        ((found,),) = connection.read(query)
        if found != expected:
            yield Finding(f"There are {found:,} {name}, and there should be {expected:,}.", again)
    if "run" in reader.note():
        yield Finding(
            "A push is under way, or was stopped before its end.",
            f"The next one goes on where it ended: `stemma push {connection.address}`.",
            fault=False,
        )
