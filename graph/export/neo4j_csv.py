"""Files for ``neo4j-admin database import``: a header and the data of each sort, and how to go on.

The importer knows no empty lists, and takes a list of one empty text for such; ``finish.cypher``
puts them right, makes the constraints, and then marks the graph as complete.
"""

from collections import defaultdict
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import ExitStack
from pathlib import Path
from typing import Any, TextIO

from stemma.graph.export.cypher_literal import list_literal, literal
from stemma.graph.export.property_type import NODES, RELATIONSHIPS, STATEMENT
from stemma.graph.neo4j import note
from stemma.graph.neo4j.layout import FILE as CONSTRAINTS
from stemma.graph.oxigraph.property_graph import (
    KEYS,
    Node,
    Properties,
    PropertyGraph,
    Relationship,
)
from stemma.graph.store import StoreError
from stemma.schema import RelationType
from stemma.schema.identifier import label_of

Progress = Callable[[int, int], None]

COMMAND = "neo4j-admin database import full neo4j --overwrite-destination @import.args"
"""The command that loads the files, run in their folder while the server is down."""

_BATCH = 1000
"""Rows of a statement in the script."""
_DELIMITERS = (0x1F, *range(0xFDD0, 0xFDF0))
"""Characters between the elements of lists; the first that occurs in no text is taken."""
_ALWAYS = {
    "Entity": ("aliases",),
    **{
        label: tuple(name for name, type_ in NODES[label].items() if type_.endswith("[]"))
        for label in ("Paper", "Author")
    },
}
_ALWAYS_SAID = tuple(name for name, type_ in STATEMENT.items() if type_.endswith("[]"))
"""Lists that nodes and statements always have, be they empty."""
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
    for code in _DELIMITERS:
        try:
            _Folder(folder, chr(code)).write(graph, progress)
        except _DelimiterOccursError:
            continue
        (folder / "import.args").write_text(_arguments(code), "utf-8")
        return
    raise StoreError("The texts of this graph use every character that could delimit lists.")


def _arguments(delimiter: int) -> str:
    nodes = [f"--nodes={name}-header.csv,{name}.csv" for name in NODES]
    relationships = [
        f"--relationships={name}={name}-header.csv,{name}.csv" for name in RELATIONSHIPS
    ]
    options = [
        f"--array-delimiter=U+{delimiter:04X}",
        "--multiline-fields=true",
        "--bad-tolerance=0",
        "--skip-bad-relationships=false",
    ]
    return _HOW.format(command=COMMAND) + "\n".join([*nodes, *relationships, *options, ""])


class _Folder:
    """A folder in which the elements of lists are delimited by one character."""

    def __init__(self, path: Path, delimiter: str) -> None:
        self._path, self._delimiter = path, delimiter
        self._files: dict[str, TextIO] = {}
        self._blank: dict[str, list[str]] = defaultdict(list)

    def write(self, graph: PropertyGraph, progress: Progress) -> None:
        with ExitStack() as opened:
            for name, columns in (*NODES.items(), *RELATIONSHIPS.items()):
                self._write_header(name, columns)
                file = (self._path / f"{name}.csv").open("w", encoding="utf-8", newline="")
                self._files[name] = opened.enter_context(file)
            for node in (*graph.files(), *graph.decisions(), graph.note()):
                self._add_node(node)
            for node in graph.entities():
                self._add_node(node)
            for relationship in (*graph.catalogue(), *graph.lineage()):
                self._add_relationship(relationship)
            for node in graph.people():
                self._add_node(node)
            for relationship in graph.bibliography():
                self._add_relationship(relationship)
            for done, part in enumerate(graph.papers(), start=1):
                self._add_node(part.paper)
                self._add_node(part.reading)
                for statement in part.statements:
                    self._add_relationship(statement)
                progress(done, graph.paper_count)
        with (self._path / "finish.cypher").open("w", encoding="utf-8") as file:
            file.writelines(_finish(self._blank))

    def _write_header(self, name: str, columns: Mapping[str, str]) -> None:
        ends = [":START_ID(work)", ":END_ID(work)"] if name in RELATIONSHIPS else [":LABEL"]
        header = [*ends, *(f"{column}:{type_}" for column, type_ in columns.items())]
        (self._path / f"{name}-header.csv").write_text(",".join(header) + "\n", "utf-8")

    def _add_node(self, node: Node) -> None:
        label = node.labels[0]
        self._add(label, [self._list(node.labels)], node.properties, NODES[label])
        key = KEYS[label]
        for name in _blank_lists(node.properties):
            found = f"MATCH (x:{label} {{{key}: row}}) SET x.{name} = ['']"
            self._blank[found].append(literal(node.properties[key]))

    def _add_relationship(self, edge: Relationship) -> None:
        ends = [_text(edge.start), _text(edge.end)]
        self._add(edge.type, ends, edge.properties, RELATIONSHIPS[edge.type])
        for name in _blank_lists(edge.properties):
            found = (
                f"MATCH (:{label_of(edge.start)} {{id: row[0]}})-[x:{edge.type}]->"
                f"(:{label_of(edge.end)} {{id: row[1]}}) "
                f"SET x.{name} = ['']"
            )
            self._blank[found].append(literal([edge.start, edge.end]))

    def _add(
        self, name: str, first: list[str], properties: Properties, columns: Mapping[str, str]
    ) -> None:
        if unknown := properties.keys() - columns.keys():
            raise ValueError(f"{name} has properties that are not in its header: {sorted(unknown)}")
        cells = [*first, *(self._cell(properties.get(column)) for column in columns)]
        self._files[name].write(",".join(cells) + "\n")

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
        if any(self._delimiter in each for each in texts):
            raise _DelimiterOccursError
        return _text(self._delimiter.join(texts))


def _text(value: str) -> str:
    """Quote a text. Quotes distinguish an empty text from none."""
    quoted = value.replace('"', '""')
    return f'"{quoted}"'


def _blank_lists(properties: Properties) -> Iterator[str]:
    for name, value in properties.items():
        if value == [""]:
            yield name


def _finish(blank: Mapping[str, Sequence[str]]) -> Iterator[str]:
    """Return the script that puts right what the importer cannot, line by line."""
    yield CONSTRAINTS.read_text("utf-8")
    yield "\n// Lists of one empty text, and empty ones, are none to the importer.\n"
    for found, all_rows in blank.items():
        for start in range(0, len(all_rows), _BATCH):
            rows = list_literal(all_rows[start : start + _BATCH])
            yield f"UNWIND {rows} AS row\n{found};\n"
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
