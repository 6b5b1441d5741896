"""Files for ``neo4j-admin database import``: a header and the data of each sort, and how to go on.

``finish.cypher`` makes the constraints and indexes, and then notes which state of the store it is,
so that the graph can be read, and the next push writes only what changed since.
"""

from collections.abc import Callable, Mapping, Sequence
from contextlib import ExitStack
from dataclasses import dataclass
from datetime import date
from json import dumps as literal
from pathlib import Path
from typing import Any, TextIO

from stemma.graph.neo4j.layout import FILE as CONSTRAINTS
from stemma.graph.neo4j.layout import push_note
from stemma.graph.property_graph import (
    NODES,
    RELATIONSHIPS,
    Node,
    Properties,
    PropertyGraph,
    Relationship,
)
from stemma.graph.store import Reader, StoreError, WorkType

Progress = Callable[[int, int], None]

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
            _Folder(folder, Rows(delimiter)).write(reader, progress)
        except _DelimiterOccursError:
            continue
        files = {name: f"{name}.csv" for name in (*NODES, *RELATIONSHIPS)}
        (folder / "import.args").write_text(arguments(delimiter, files), "utf-8")
        return
    raise StoreError(NO_DELIMITER)


def header(name: str) -> str:
    """Return the header of the nodes or relationships of a type."""
    of_nodes = name in NODES
    ends = [":LABEL"] if of_nodes else [":START_ID(work)", ":END_ID(work)"]
    columns = NODES[name] if of_nodes else RELATIONSHIPS[name]
    return ",".join([*ends, *(f"{column}:{type_}" for column, type_ in columns.items())]) + "\n"


def arguments(delimiter: str, files: Mapping[str, str]) -> str:
    """Return the arguments of the importer; `files` are the data of each type that there is."""
    nodes = [f"--nodes={name}-header.csv,{files[name]}" for name in NODES if name in files]
    relationships = [
        f"--relationships={name}={name}-header.csv,{files[name]}"
        for name in RELATIONSHIPS
        if name in files
    ]
    options = [
        f"--array-delimiter=U+{ord(delimiter):04X}",
        "--multiline-fields=true",
        "--bad-tolerance=0",
        "--skip-bad-relationships=false",
    ]
    return _HOW.format(command=COMMAND) + "\n".join([*nodes, *relationships, *options, ""])


@dataclass(frozen=True, slots=True)
class Rows:
    """Nodes and relationships as rows, the elements of lists separated by one character."""

    delimiter: str

    def of_node(self, node: Node) -> tuple[str, str]:
        """Return the label that says what a node is, and its row."""
        label = node.labels[0]
        return label, self._row(label, [self._list(node.labels)], node.properties, NODES[label])

    def of_relationship(self, edge: Relationship) -> tuple[str, str]:
        """Return the type of a relationship, and its row."""
        ends = [_text(edge.start), _text(edge.end)]
        return edge.type, self._row(edge.type, ends, edge.properties, RELATIONSHIPS[edge.type])

    def _row(
        self, name: str, first: list[str], properties: Properties, columns: Mapping[str, str]
    ) -> str:
        if unknown := properties.keys() - columns.keys():
            raise ValueError(f"{name} has properties that are not in its header: {sorted(unknown)}")
        return ",".join([*first, *(self._cell(properties.get(column)) for column in columns)])

    def _cell(self, value: Any) -> str:
        match value:
            case None:
                return ""
            case list():
                return self._list(value)
            case str():
                return _text(value)
            case bool():
                return str(value).lower()
            case date():
                return value.isoformat()
        return repr(value)

    def _list(self, values: Sequence[Any]) -> str:
        texts = [each if isinstance(each, str) else repr(each) for each in values]
        if any(self.delimiter in each for each in texts):
            raise _DelimiterOccursError
        return _text(self.delimiter.join(texts))


class _Folder:
    """A folder in which the files are written."""

    def __init__(self, path: Path, rows: Rows) -> None:
        self._path, self._rows = path, rows
        self._files: dict[str, TextIO] = {}

    def write(self, reader: Reader, progress: Progress) -> None:
        graph, state = PropertyGraph(reader), reader.changed_since(None).now
        number, people, done = int(state.partition("-")[0]), set[str](), 0
        counted = reader.statistics()
        with ExitStack() as opened:
            for name in (*NODES, *RELATIONSHIPS):
                (self._path / f"{name}-header.csv").write_text(header(name), "utf-8")
                file = (self._path / f"{name}.csv").open("w", encoding="utf-8", newline="")
                self._files[name] = opened.enter_context(file)
            for type_ in WorkType:
                for ids in graph.ids(type_):
                    nodes, found = graph.whole(type_, ids)
                    wrote = {each.start for each in found if each.type == "WROTE"} - people
                    people |= wrote
                    for node in (*nodes, *graph.people(sorted(wrote))):
                        self._add(Node(node.labels, node.properties | {"added_in": number}))
                    for relationship in found:
                        self._add(relationship)
                    done += len(ids)
                    progress(done, counted.papers + counted.entities)
        # A literal as JSON writes it, in ASCII, is one of Cypher: Neo4j reads \\u005C and its like
        # before anything else, but not behind a backslash, and each one in a text is doubled.
        note = ", ".join(
            f"g.{name} = {literal(own)}" for name, own in push_note(reader, state).items()
        )
        (self._path / "finish.cypher").write_text(
            f"{CONSTRAINTS.read_text('utf-8')}\n// Now Stemma may read it, and go on from here.\n"
            f"MERGE (g:StemmaPush {{name: 'graph'}}) SET {note};\n",
            "utf-8",
        )

    def _add(self, item: Node | Relationship) -> None:
        rows = self._rows
        name, row = rows.of_node(item) if isinstance(item, Node) else rows.of_relationship(item)
        self._files[name].write(row + "\n")


def _text(value: str) -> str:
    """Quote a text. Quotes distinguish an empty text from none."""
    quoted = value.replace('"', '""')
    return f'"{quoted}"'
