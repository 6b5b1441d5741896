"""Checking of ties: whether they are those that follow from the records of papers."""

from stemma.graph.neo4j.connection import Read
from stemma.graph.neo4j.record import paper
from stemma.graph.neo4j.record_ties import codes_of_record
from stemma.schema.batches import batched

_BATCH = 1000
_READINGS = "MATCH (n:_StemmaReading) RETURN n.paper AS paper ORDER BY paper"
_HELD = """
UNWIND $papers AS paper MATCH (n:_StemmaReading {paper: paper}) MATCH (p:Paper {id: paper})
RETURN paper, properties(p) AS own,
  [(n)-[r:_GOES_BY|_REFERS_TO|_IS_BY]->(t) | [type(r), t.code]] AS ties
"""
_LOOSE = "MATCH (t:_StemmaTie) WHERE NOT EXISTS { (t)--() } RETURN count(t) AS count"


def misfits(read: Read) -> tuple[list[str], int]:
    """Return which papers (ids) have other ties than they should, and how many nodes have none."""
    wrong = list[str]()
    for batch in batched((row["paper"] for row in read(_READINGS)), _BATCH):
        for row in read(_HELD, papers=batch):
            record = [
                [sort.value, code]
                for sort, codes in codes_of_record(paper(row["own"])).items()
                for code in codes
            ]
            if sorted(row["ties"]) != sorted(record):
                wrong.append(row["paper"])
    (loose,) = read(_LOOSE)
    return wrong, loose["count"]
