"""Files for ``neo4j-admin database import``: a header and the data of each sort, and how to go on.

``finish.cypher`` makes the constraints and indexes, and then notes which state of the store it is,
so that the graph can be read, and the next push writes only what changed since.
"""

from contextlib import ExitStack
from datetime import date
from json import dumps as literal
from pathlib import Path
from typing import Any, TextIO

from stemma.graph.export.portion import Progress
from stemma.graph.neo4j.layout import FILE as CONSTRAINTS
from stemma.graph.neo4j.layout import number_of, push_note
from stemma.graph.property_graph import NODES, RELATIONSHIPS, PropertyGraph
from stemma.graph.reader import Reader

COMMAND = "neo4j-admin database import full neo4j --overwrite-destination @import.args"
"""The command that loads the files, run in their folder while the server is down."""

DELIMITER = "\ufdd1"
"""The character between the elements of lists, which Unicode reserves for uses such as this: a text
that has it all the same has a replacement character there."""
_HOW = """\
# Load it into a new database, or in place of one, with the server down. In this folder:
#
#     {command}
#
# Start the server, and finish:
#
#     cypher-shell -u neo4j -f finish.cypher
"""


def write(reader: Reader, folder: Path, progress: Progress) -> None:
    """Write the files into an empty folder."""
    state = reader.changed_since(None).now
    _write_rows(reader, folder, number_of(state), progress)
    for name, columns in {**NODES, **RELATIONSHIPS}.items():
        first = [":LABEL"] if name in NODES else [":START_ID(work)", ":END_ID(work)"]
        header = ",".join([*first, *(f"{column}:{type_}" for column, type_ in columns.items())])
        (folder / f"{name}-header.csv").write_text(f"{header}\n", "utf-8")
    arguments = [
        *(f"--nodes={name}-header.csv,{name}.csv" for name in NODES),
        *(f"--relationships={name}={name}-header.csv,{name}.csv" for name in RELATIONSHIPS),
        f"--array-delimiter=U+{ord(DELIMITER):04X}",
        "--multiline-fields=true",
        "--bad-tolerance=0",
        "--skip-bad-relationships=false",
    ]
    listed = "\n".join([*arguments, ""])
    (folder / "import.args").write_text(_HOW.format(command=COMMAND) + listed, "utf-8")
    # A literal as JSON writes it, in ASCII, is one of Cypher: Neo4j reads \\u005C and its like
    # before anything else, but not behind a backslash, and each one in a text is doubled.
    note = ", ".join(
        f"g.{name} = {literal(value)}" for name, value in push_note(reader, state).items()
    )
    (folder / "finish.cypher").write_text(
        f"{CONSTRAINTS.read_text('utf-8')}\n// Now Stemma may read it, and go on from here.\n"
        f"MERGE (g:StemmaPush {{name: 'graph'}}) SET {note};\n"
        f"MERGE (p:StemmaPush {{number: {number_of(state)}}}) SET p.at = datetime();\n",
        "utf-8",
    )


def _write_rows(reader: Reader, folder: Path, number: int, progress: Progress) -> None:
    with ExitStack() as opened:
        files: dict[str, TextIO] = {}
        for name in (*NODES, *RELATIONSHIPS):
            file = (folder / f"{name}.csv").open("w", encoding="utf-8", newline="")
            files[name] = opened.enter_context(file)
        for part in PropertyGraph(reader).parts():
            for node in part.nodes:
                name, properties = node.labels[0], node.properties | {"added_in": number}
                files[name].write(_row(list(node.labels), *map(properties.get, NODES[name])))
            for edge in part.relationships:
                values = map(edge.properties.get, RELATIONSHIPS[edge.type])
                files[edge.type].write(_row(edge.start, edge.end, *values))
            progress(part.done, part.total)


def _row(*values: Any) -> str:
    return ",".join(map(_cell, values)) + "\n"


def _cell(value: Any) -> str:
    match value:
        case None:
            return ""
        case list():
            texts = (item if isinstance(item, str) else repr(item) for item in value)
            return _cell(DELIMITER.join(text.replace(DELIMITER, "\ufffd") for text in texts))
        case str():  # Quotes distinguish an empty text from none.
            quoted = value.replace('"', '""')
            return f'"{quoted}"'
        case bool():
            return str(value).lower()
        case date():
            return value.isoformat()
    return repr(value)
