"""Checking: whether all that a database's graph should hold is there."""

import json
from collections.abc import Iterator

from stemma.graph.finding import Finding
from stemma.graph.neo4j import note
from stemma.graph.neo4j.connection import Connection
from stemma.graph.neo4j.counting import counted
from stemma.graph.neo4j.layout import lacking
from stemma.graph.neo4j.tie_check import misfits
from stemma.graph.neo4j.ties import layout_of
from stemma.schema import Catalogue

_ADRIFT = {
    "papers of which it is not known what was read in them": """
        MATCH (p:Paper) WHERE p._order IS NOT NULL
        AND NOT EXISTS { MATCH (:_StemmaReading {paper: p.id}) } RETURN p.id AS id ORDER BY id""",
    "papers that are missing, although they were read": """
        MATCH (n:_StemmaReading) WHERE NOT EXISTS { MATCH (:Paper {id: n.paper}) }
        RETURN n.paper AS id ORDER BY id""",
}
_NAMED = "MATCH (n:_StemmaReading) RETURN n.paper AS paper, n.names AS names ORDER BY paper"
_ENTITIES = "MATCH (e:Entity) WHERE e._order IS NOT NULL RETURN e.id AS id"
_FORGET_TIES = f"MATCH (g:_StemmaNote {{name: '{note.GRAPH}'}}) REMOVE g.ties"
_REPAIR = (
    "Another program has changed the database. Restore a backup of it, or `stemma remove` these "
    "papers and build them again."
)


def check(connection: Connection, catalogue: Catalogue) -> Iterator[Finding]:
    """Yield what is wrong with the graph in a database that holds one.

    Ties are checked if the graph was linked with `catalogue`; otherwise the next writer makes all.
    """
    (row,) = connection.read(f"MATCH (g:_StemmaNote {{name: '{note.GRAPH}'}}) RETURN g AS own")
    own = dict(row["own"])
    if own.get("unfinished"):
        yield Finding(
            "A writer is running, or stopped before it had written everything.",
            "Wait for it, or repeat `stemma build` or whichever command it was: it continues "
            "from there.",
        )
        return
    if lacked := lacking(connection):
        yield Finding(
            f"Constraints or indexes are missing: {', '.join(lacked)}.",
            "Run the statements of schema/neo4j.cypher in the database.",
        )
    for what, cypher in _ADRIFT.items():
        yield from _finding(what, [each["id"] for each in connection.read(cypher)])
    entities = {each["id"] for each in connection.read(_ENTITIES)}
    named = {
        id_
        for each in connection.read(_NAMED)
        for id_ in note.load_names(each["paper"], each["names"])[1].values()
    }
    yield from _finding("entities that are missing, although papers name them", named - entities)
    noted, now = json.loads(own["statistics"]), connection.write(counted)
    for what in sorted(noted):
        if noted[what] != now[what]:
            yield Finding(
                f"{what.replace('_', ' ')}: expected {noted[what]}, found {now[what]}.",
                _REPAIR,
            )
    if own.get("ties") == layout_of(catalogue.fingerprint):
        yield from _check_ties(connection)


def _check_ties(connection: Connection) -> Iterator[Finding]:
    papers, nodes = misfits(connection.read)
    if papers or nodes:
        such = f", such as {papers[0]}" if papers else ""
        yield Finding(
            f"Papers whose ties by authors or references are wrong: {len(papers)}{such}; "
            f"nodes of ties that are wrong: {nodes}.",
            f"Run `{_FORGET_TIES}` in the database: the next build that changes something "
            "links all papers again.",
        )


def _finding(what: str, ids: "set[str] | list[str]") -> Iterator[Finding]:
    if ids:
        yield Finding(f"There are {what}: {len(ids)}, such as {min(ids)}.", _REPAIR)
