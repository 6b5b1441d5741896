"""The layout of a database: the constraints and indexes that ``schema/neo4j.cypher`` lists, and
what the node ``:StemmaPush`` notes of the graph as a whole."""

import json
import re
from collections.abc import Iterator, Mapping
from dataclasses import asdict
from pathlib import Path
from typing import Any

import stemma.schema
from stemma.graph.history import dump
from stemma.graph.neo4j.connection import Connection
from stemma.graph.reader import Reader, Statistics
from stemma.graph.store import StoreError
from stemma.schema import EntityKind, RelationType

FILE = Path(stemma.schema.__file__).with_name("neo4j.cypher")
_NAME = re.compile(r"(\w+) IF NOT EXISTS")
_PREFIX = re.compile(r"[A-Za-z]\w{0,39}")


def statements(prefix: str = "") -> Iterator[str]:
    """Return the statements of the file, without its comments; a prefix goes before all names."""
    lines = FILE.read_text("utf-8").splitlines()
    script = "\n".join(line for line in lines if not line.startswith("//"))
    for statement in script.split(";"):
        if statement.strip():
            # Relationships have no labels: all graphs of a database share their index.
            before = "" if "()-[" in statement else prefix.lower()
            yield _NAME.sub(rf"{before}\1 IF NOT EXISTS", statement.strip())


def lacking(connection: Connection) -> dict[str, str]:
    """Return the statements for what a database does not have, by the names that they give it."""
    held = {
        record["name"]
        for kind in ("CONSTRAINTS", "INDEXES")
        for record in connection.read(f"SHOW {kind} YIELD name RETURN name")
    }
    named = {_NAME.findall(statement)[0]: statement for statement in statements(connection.prefix)}
    return {name: statement for name, statement in named.items() if name not in held}


def lay_out(connection: Connection) -> None:
    """Create the constraints and indexes that are missing.

    Raises StoreError where the database holds nodes with labels of the graph that are not Stemma's:
    anything else may be there, and is left alone.
    """
    prefix = connection.prefix
    if prefix and not _PREFIX.fullmatch(prefix):
        raise StoreError(f"{prefix!r} cannot begin labels: use letters, digits and underscores.")
    pushed = connection.read("MATCH (g:StemmaPush {name: 'graph'}) RETURN 1")
    if not pushed and connection.read("MATCH (n:Paper|Entity|Author) RETURN 1 LIMIT 1"):
        raise StoreError(
            f"{connection.address} holds :{prefix}Paper, :{prefix}Entity or :{prefix}Author nodes "
            "that were not pushed: give the labels of this graph a prefix (--label-prefix Stemma), "
            "or push to another database. What an earlier version of Stemma built there has to go "
            "first: MATCH (n) DETACH DELETE n."
        )
    if lacked := lacking(connection):
        for statement in (*lacked.values(), "CALL db.awaitIndexes(300)"):
            connection.write(statement)


FORMAT = 6
"""Of the graph in Neo4j; another one is pushed again as a whole."""


def push_note(reader: Reader, state: str) -> dict[str, Any]:
    """Return the properties of the note on a graph that was pushed whole, in a `state` of it."""
    counted = asdict(reader.statistics())
    decisions, generation = counted.pop("decisions"), counted.pop("generation")
    return {
        "format": FORMAT,
        "state": state,
        "generation": generation,
        "catalogue": reader.catalogue,
        "decisions": decisions,
        "statistics": json.dumps(counted),
        "former": json.dumps(dict(reader.former)),
        "unapplied": json.dumps([*reader.unapplied().items()]),
        "builds": dump(reader.builds()),
    }


def number_of(state: str) -> int:
    """Return the number of the push that writes a state of the store: `added_in` of its nodes."""
    return int(state.partition("-")[0])


def statistics_in(note: Mapping[str, Any]) -> Statistics:
    """Read what a note says of the size of the graph."""
    counted = json.loads(note["statistics"])
    counted["by_kind"] = {kind: counted["by_kind"].get(kind, 0) for kind in EntityKind}
    counted["by_relation"] = {
        relation: counted["by_relation"].get(relation, 0) for relation in RelationType
    }
    return Statistics(**counted, generation=str(note["generation"]), decisions=note["decisions"])
