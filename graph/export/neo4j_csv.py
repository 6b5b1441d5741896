"""Files for ``neo4j-admin database import``: a header and the data of each sort, and how to go on.

``finish.cypher`` makes the constraints and indexes, and then notes which state of the store it is,
so that the graph can be read, and the next push writes only what changed since.
"""

from collections.abc import Iterable
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
from stemma.graph.store import StoreError

COMMAND = "neo4j-admin database import full neo4j --overwrite-destination @import.args"
"""The command that loads the files, run in their folder while the server is down."""

NO_DELIMITER = "The texts of this graph use every character that could delimit lists."
DELIMITERS = tuple(map(chr, (0x1F, *range(0xFDD0, 0xFDF0))))
"""Characters between the elements of lists; the first that occurs in no text is taken."""
_HOW = """\
# Load it into a new database, or in place of one, with the server down. In this folder:
#
#     {command}
#
# Start the server, and finish:
#
#     cypher-shell -u neo4j -f finish.cypher
"""


class _DelimiterOccursError(Exception):
    """A text holds the character that is to stand between texts."""


def write(reader: Reader, folder: Path, progress: Progress) -> None:
    """Write the files into an empty folder. Raises StoreError if nothing can delimit its lists."""
    for delimiter in DELIMITERS:
        try:
            _write_rows(reader, folder, delimiter, progress)
        except _DelimiterOccursError:
            continue
        break
    else:
        raise StoreError(NO_DELIMITER)
    for name, columns in {**NODES, **RELATIONSHIPS}.items():
        first = [":LABEL"] if name in NODES else [":START_ID(work)", ":END_ID(work)"]
        header = ",".join([*first, *(f"{column}:{type_}" for column, type_ in columns.items())])
        (folder / f"{name}-header.csv").write_text(f"{header}\n", "utf-8")
    arguments = [
        *(f"--nodes={name}-header.csv,{name}.csv" for name in NODES),
        *(f"--relationships={name}={name}-header.csv,{name}.csv" for name in RELATIONSHIPS),
        f"--array-delimiter=U+{ord(delimiter):04X}",
        "--multiline-fields=true",
        "--bad-tolerance=0",
        "--skip-bad-relationships=false",
    ]
    listed = "\n".join([*arguments, ""])
    (folder / "import.args").write_text(_HOW.format(command=COMMAND) + listed, "utf-8")
    # A literal as JSON writes it, in ASCII, is one of Cypher: Neo4j reads \\u005C and its like
    # before anything else, but not behind a backslash, and each one in a text is doubled.
    state = reader.changed_since(None).now
    noted = push_note(reader, state)
    note = ", ".join(f"g.{name} = {literal(own)}" for name, own in noted.items())
    (folder / "finish.cypher").write_text(
        f"{CONSTRAINTS.read_text('utf-8')}\n// Now Stemma may read it, and go on from here.\n"
        f"MERGE (g:StemmaPush {{name: 'graph'}}) SET {note};\n"
        f"MERGE (p:StemmaPush {{number: {number_of(state)}}}) SET p.at = datetime();\n",
        "utf-8",
    )


def _write_rows(reader: Reader, folder: Path, delimiter: str, progress: Progress) -> None:
    """Write nodes and relationships. Raises _DelimiterOccursError."""
    number = number_of(reader.changed_since(None).now)
    with ExitStack() as opened:
        files: dict[str, TextIO] = {}
        for name in (*NODES, *RELATIONSHIPS):
            file = (folder / f"{name}.csv").open("w", encoding="utf-8", newline="")
            files[name] = opened.enter_context(file)
        for part in PropertyGraph(reader).parts():
            for node in part.nodes:
                name, own = node.labels[0], node.properties | {"added_in": number}
                cells = [list(node.labels), *map(own.get, NODES[name])]
                files[name].write(_row(cells, delimiter))
            for edge in part.relationships:
                columns = RELATIONSHIPS[edge.type]
                cells = [edge.start, edge.end, *map(edge.properties.get, columns)]
                files[edge.type].write(_row(cells, delimiter))
            progress(part.done, part.total)


def _row(cells: Iterable[Any], delimiter: str) -> str:
    return ",".join(_cell(cell, delimiter) for cell in cells) + "\n"


def _cell(value: Any, delimiter: str) -> str:
    match value:
        case None:
            return ""
        case list():
            texts = [each if isinstance(each, str) else repr(each) for each in value]
            if any(delimiter in text for text in texts):
                raise _DelimiterOccursError
            return _cell(delimiter.join(texts), delimiter)
        case str():  # Quotes distinguish an empty text from none.
            quoted = value.replace('"', '""')
            return f'"{quoted}"'
        case bool():
            return str(value).lower()
        case date():
            return value.isoformat()
    return repr(value)
