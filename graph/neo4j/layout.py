"""The layout of a database: the constraints and indexes that ``schema/neo4j.cypher`` lists."""

import re
from collections.abc import Iterator
from hashlib import sha256
from pathlib import Path

import stemma.schema
from stemma.graph.neo4j import note
from stemma.graph.neo4j.connection import Connection
from stemma.graph.store import StoreError

FILE = Path(stemma.schema.__file__).with_name("neo4j.cypher")
_NAME = re.compile(r"(\w+) IF NOT EXISTS")


def statements() -> Iterator[str]:
    """Return the statements of the file, without its comments."""
    lines = FILE.read_text("utf-8").splitlines()
    script = "\n".join(line for line in lines if not line.startswith("//"))
    for statement in script.split(";"):
        if statement.strip():
            yield statement.strip()


def lacking(connection: Connection) -> dict[str, str]:
    """Return the statements for what a database does not have, by the names that they give it."""
    held = {
        each["name"]
        for kind in ("CONSTRAINTS", "INDEXES")
        for each in connection.read(f"SHOW {kind} YIELD name RETURN name")
    }
    named = {_NAME.findall(each)[0]: each for each in statements()}
    return {name: statement for name, statement in named.items() if name not in held}


def lay_out(connection: Connection) -> None:
    """Create the constraints and indexes that are missing.

    Raises StoreError where the graph has another format than ours, and where the database holds
    papers, entities or authors that are not Stemma's: anything else may be there, and is left
    alone.
    """
    digest = sha256(FILE.read_bytes()).hexdigest()[:16]
    noted = connection.read(
        f"MATCH (g:_StemmaNote {{name: '{note.GRAPH}'}}) RETURN g.layout AS layout, "
        "g.format AS format"
    )
    if noted and noted[0]["format"] is not None:
        note.expect_format(connection.address, noted[0]["format"])
    if noted and noted[0]["layout"] == digest:
        return
    if not noted and connection.read("MATCH (n:Paper|Entity|Author) RETURN 1 LIMIT 1"):
        raise StoreError(
            f"{connection.address} holds :Paper, :Entity or :Author nodes that are not Stemma's. "
            "Use an empty database, or one whose nodes have other labels."
        )
    lacked = lacking(connection)
    connection.run(
        *lacked.values(),
        "CALL db.awaitIndexes(300)",
        f"MERGE (g:_StemmaNote {{name: '{note.GRAPH}'}}) SET g.layout = '{digest}'",
    )
