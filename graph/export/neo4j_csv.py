"""Files for ``neo4j-admin database import``: a header and the data of each sort, and how to go on.

The importer knows no empty lists, and takes a list of one empty text for such; ``finish.cypher``
puts them right, makes the constraints, and then marks the graph as complete.
"""

from collections import defaultdict
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import ExitStack
from dataclasses import dataclass
from json import dumps as literal
from pathlib import Path
from typing import Any, TextIO

from stemma.graph.export.property_type import NODES, RELATIONSHIPS, STATEMENT
from stemma.graph.neo4j import note
from stemma.graph.neo4j.elements import KEYS, Node, Properties, Relationship
from stemma.graph.neo4j.layout import FILE as CONSTRAINTS
from stemma.graph.sqlite.property_graph import PropertyGraph
from stemma.graph.store import StoreError
from stemma.schema import RelationType
from stemma.schema.identifier import label_of

Progress = Callable[[int, int], None]

COMMAND = "neo4j-admin database import full neo4j --overwrite-destination @import.args"
"""The command that loads the files, run in their folder while the server is down."""

_BATCH = 1000
"""Rows of a statement in the script."""
NO_DELIMITER = "The texts of this graph use every character that could delimit lists."
DELIMITERS = tuple(map(chr, (0x1F, *range(0xFDD0, 0xFDF0))))
"""Characters between the elements of lists; the first that occurs in no text is taken."""
_ALWAYS = {
    "Entity": ("aliases",),
    **{
        label: tuple(name for name, type_ in NODES[label].items() if type_.endswith("[]"))
        for label in ("Paper", "Author")
    },
}
_ALWAYS_SAID = tuple(name for name, type_ in STATEMENT.items() if type_.endswith("[]"))
"""Lists that nodes and statements always have, even if they are empty."""
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


def write(graph: PropertyGraph, folder: Path, progress: Progress) -> None:
    """Write the files into an empty folder. Raises StoreError if nothing can delimit its lists."""
    for delimiter in DELIMITERS:
        try:
            _Folder(folder, Rows(delimiter)).write(graph, progress)
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
        return repr(value)

    def _list(self, values: Sequence[Any]) -> str:
        texts = [each if isinstance(each, str) else repr(each) for each in values]
        if any(self.delimiter in each for each in texts):
            raise _DelimiterOccursError
        return _text(self.delimiter.join(texts))


def blank_lists(item: Node | Relationship) -> Iterator[tuple[str, str]]:
    r"""Yield how lists of one empty text are restored: a statement, and the row that it takes.

    A row is a literal of Cypher as JSON writes it, in ASCII. Neo4j reads ``\u005C`` and its like
    before anything else, but not behind a backslash, and each one in a text is doubled.
    """
    for name, value in item.properties.items():
        if value != [""]:
            continue
        if isinstance(item, Node):
            label = item.labels[0]
            key = KEYS[label]
            found = f"MATCH (x:{label} {{{key}: row}}) SET x.{name} = ['']"
            yield found, literal(item.properties[key])
        else:
            found = (
                f"MATCH (:{label_of(item.start)} {{id: row[0]}})-[x:{item.type}]->"
                f"(:{label_of(item.end)} {{id: row[1]}}) "
                f"SET x.{name} = ['']"
            )
            yield found, literal([item.start, item.end])


class _Folder:
    """A folder in which the files are written."""

    def __init__(self, path: Path, rows: Rows) -> None:
        self._path, self._rows = path, rows
        self._files: dict[str, TextIO] = {}
        self._blank: dict[str, list[str]] = defaultdict(list)

    def write(self, graph: PropertyGraph, progress: Progress) -> None:
        with ExitStack() as opened:
            for name in (*NODES, *RELATIONSHIPS):
                (self._path / f"{name}-header.csv").write_text(header(name), "utf-8")
                file = (self._path / f"{name}.csv").open("w", encoding="utf-8", newline="")
                self._files[name] = opened.enter_context(file)
            for node in (*graph.files(), *graph.decisions(), graph.note()):
                self._add(node)
            for node in graph.entities():
                self._add(node)
            for relationship in (*graph.catalogue(), *graph.lineage()):
                self._add(relationship)
            for node in graph.people():
                self._add(node)
            for relationship in graph.bibliography():
                self._add(relationship)
            for done, part in enumerate(graph.papers(), start=1):
                self._add(part.paper)
                self._add(part.reading)
                for statement in part.statements:
                    self._add(statement)
                progress(done, graph.paper_count)
        with (self._path / "finish.cypher").open("w", encoding="utf-8") as file:
            file.writelines(finish(self._blank))

    def _add(self, item: Node | Relationship) -> None:
        rows = self._rows
        name, row = rows.of_node(item) if isinstance(item, Node) else rows.of_relationship(item)
        self._files[name].write(row + "\n")
        for found, place in blank_lists(item):
            self._blank[found].append(place)


def _text(value: str) -> str:
    """Quote a text. Quotes distinguish an empty text from none."""
    quoted = value.replace('"', '""')
    return f'"{quoted}"'


def finish(blank: Mapping[str, Sequence[str]]) -> Iterator[str]:
    """Return the script that puts right what the importer cannot, line by line."""
    yield CONSTRAINTS.read_text("utf-8")
    yield "\n// Lists of one empty text, and empty ones, are none to the importer.\n"
    for found, all_rows in blank.items():
        for start in range(0, len(all_rows), _BATCH):
            rows = ",\n".join(all_rows[start : start + _BATCH])
            yield f"UNWIND [\n{rows}\n] AS row\n{found};\n"
    for label, names in _ALWAYS.items():
        for name in names:
            yield (
                f"MATCH (n:{label}) WHERE n.{name} IS NULL "
                f"CALL (n) {{ SET n.{name} = [] }} IN TRANSACTIONS;\n"
            )
    types = "|".join(relation.value for relation in RelationType)
    for name in _ALWAYS_SAID:
        yield (
            f"MATCH (:Paper)-[r:{types}]->() WHERE r.{name} IS NULL "
            f"CALL (r) {{ SET r.{name} = [] }} IN TRANSACTIONS;\n"
        )
    yield "\n// Now Stemma may read it.\n"
    yield f"MATCH (g:_StemmaNote {{name: '{note.GRAPH}'}}) SET g.generation = 1;\n"
