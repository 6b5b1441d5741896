"""All that a database of Neo4j holds, to be compared with what another one does."""

import json
from typing import Any

import neo4j

from stemma.graph.neo4j import Address

Everything = dict[str, Any]
_OF_TIES = ("age", "ties", "decision_tables")
_KEY = "coalesce({0}.id, {0}.paper, {0}.code)"


def contents(url: str, ties: bool = False) -> Everything:
    """Return all nodes, relationships, constraints and indexes of a database.

    Left out is what distinguishes writers: their token, their lock, how often they wrote, and when;
    and what connects names, without `ties`.
    """
    address = Address.parse(url)
    auth = (address.user or "", address.password or "")
    with neo4j.GraphDatabase.driver(address.server, auth=auth) as driver:

        def ask(query: str) -> list[Any]:
            return [list(record.values()) for record in driver.execute_query(query).records]

        shown = "NOT {0}:_StemmaUse AND NOT {0}:_StemmaTie" if not ties else "true"
        nodes = ask(
            "MATCH (n) WHERE (NOT n:_StemmaNote OR NOT n.name IN ['lock', 'history']) "
            f"AND {shown.format('n')} RETURN labels(n), n{{.*}}"
        )
        for _, own in nodes:
            for name in ("writer", "generation", "layout", *(() if ties else _OF_TIES)):
                own.pop(name, None)
            if "statistics" in own:
                own["statistics"] = json.loads(own["statistics"])
        edges = ask(
            f"MATCH (a)-[r]->(b) WHERE {shown.format('b')} "
            f"RETURN type(r), {_KEY.format('a')}, {_KEY.format('b')}, r{{.*}}"
        )
        return {
            "nodes": sorted(
                ((sorted(labels), sorted(own.items())) for labels, own in nodes), key=str
            ),
            "relationships": sorted(
                ((type_, start, end, sorted(own.items())) for type_, start, end, own in edges),
                key=str,
            ),
            "constraints": sorted(ask("SHOW CONSTRAINTS YIELD name, type RETURN name, type")),
            "indexes": sorted(ask("SHOW INDEXES YIELD name, type RETURN name, type")),
        }
