"""Cypher on a store in a file, by a ladybug file: an embedded database that is only read.

The file is made with the first query of a commit, in the cache beside the store. Its
dialect is smaller than Neo4j's, and each node has one label: Paper, Entity or Author.
"""

import datetime
import decimal
import re
import uuid
import warnings
from collections import defaultdict
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from functools import cache
from pathlib import Path as File
from typing import TYPE_CHECKING, Any

from stemma.distribution import install
from stemma.graph.cypher import CypherAnswer, Node, Path, Relationship, Value
from stemma.graph.property_graph import KIND_LABELS, NODES, RELATIONSHIPS, Part, PropertyGraph
from stemma.graph.sqlite.reader import SqliteReader
from stemma.graph.sqlite.store_file import locked
from stemma.graph.store import StoreError
from stemma.schema.name import label_of

if TYPE_CHECKING:
    import ladybug

_FORMAT = 5
_READING_SECONDS = 120
_BATCH = 2000
"""Works that are copied at once."""
_TYPES = {
    "ID(work)": "STRING PRIMARY KEY",
    "string": "STRING",
    "long": "INT64",
    "double": "DOUBLE",
    "boolean": "BOOL",
    "date": "DATE",
}
_COLUMNS = {
    name: {column: type_ for column, type_ in columns.items() if column != "added_in"}
    for name, columns in (*NODES.items(), *RELATIONSHIPS.items())
}
_ENDS = {"WROTE": "FROM Author TO Paper", "CITES": "FROM Paper TO Paper"}
_NO_LABEL = re.compile(r"Table (\w+) does not exist")
_OWN_LABELS = {label: kind.value for kind, label in KIND_LABELS.items()}
_ON_NEO4J = "For all of Cypher, use Neo4j: `stemma push neo4j://…`, then query that store."
_FIRST = ("MATCH", "OPTIONAL", "UNWIND", "WITH", "RETURN")
_PARTS = re.compile(
    r"""(?P<comment> /\* .*? \*/ | //[^\r\n]* )
    | (?P<quoted> "(?:[^"\\]|\\.)*" | '(?:[^'\\]|\\.)*' | `[^`]*` )""",
    re.DOTALL | re.VERBOSE,
)
# Keywords may follow a number without a space: LIMIT 1e1LOAD FROM ….
_DOORS = re.compile(r"(?<![^\W\d])(?:LOAD|CALL)(?!\w)", re.IGNORECASE)
_WORD = re.compile(r"\s*(\w*)")
_NO_LINE_END = re.compile(r"[^\r\n]")


def ask(
    reader: SqliteReader,
    query: str,
    parameters: Mapping[str, Value],
    progress: Callable[[int], None],
) -> CypherAnswer:
    """Query a graph. Raises StoreError if ladybug is missing or refuses the query."""
    text = _reading(query)
    for name, value in parameters.items():
        _check_parameter(name, value)
    try:
        with _opened(reader, progress) as database, _ladybug().Connection(database) as connection:
            connection.set_query_timeout(int(1000 * _READING_SECONDS))
            result = _executed(connection, text, parameters)
            columns = result.get_column_names()
            rows = [[_value(each) for each in row] for row in result]
            return CypherAnswer(columns, rows, {})
    except RuntimeError as error:
        raise StoreError(_reason(str(error))) from error


def _executed(
    connection: "ladybug.Connection", text: str, parameters: Mapping[str, Value]
) -> "ladybug.QueryResult":
    """Execute one statement. Raises StoreError if ladybug refuses it.

    Unlike execute alone, prepare takes no more than one statement, and does not take the one that
    was prepared for parameters of other types, which crashes.
    """
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", DeprecationWarning)
        prepared = connection.prepare(text, dict(parameters))
    if not prepared.is_success():
        raise StoreError(_reason(prepared.get_error_message()))
    result = connection.execute(prepared, dict(parameters))
    assert not isinstance(result, list)
    return result


@cache
def _ladybug() -> Any:
    try:
        import ladybug  # noqa: PLC0415 - an extra
    except ImportError:
        raise StoreError(
            "Cypher over a store in a file needs ladybug, an embedded database: "
            f"{install('cypher')}. {_ON_NEO4J}"
        ) from None
    return ladybug


def _check_parameter(name: str, value: Value) -> None:
    """Let through what ladybug knows the type of."""
    each_of = value if isinstance(value, list) and value else [value]
    sort = type(each_of[0])
    plain = sort in (bool, int, float, str, type(None)) and all(type(x) is sort for x in each_of)
    if not plain or any(sort is int and not -(2**63) <= x < 2**63 for x in each_of):
        raise StoreError(
            f"The parameter {name} has a type that a store in a file does not support: use a "
            "string, a 64-bit number, true, false or null, or a list of strings or numbers. "
            f"{_ON_NEO4J}"
        )


def _reason(message: str) -> str:
    """Say what is not understood here, and what to do about it."""
    if "read-only" in message:
        return (
            "Cypher cannot write to a store in a file: change it with `stemma "
            "build`, `stemma remove` and `stemma decide`."
        )
    if message.startswith("Interrupted"):
        return f"The query took longer than {_READING_SECONDS} seconds."
    match = _NO_LABEL.search(message)
    if match and (kind := _OWN_LABELS.get(match[1])):
        return (
            f"A store in a file has only the labels Paper, Entity and Author: write "
            f'(:Entity {{kind: "{kind}"}}) for (:{match[1]}).'
        )
    if match and match[1] == "Baseline":
        return (
            "A store in a file has only the labels Paper, Entity and Author: a baseline is what "
            "a paper COMPARES_WITH, (:Entity)<-[:COMPARES_WITH]-(:Paper)."
        )
    return f"{message} (Stores in files support a subset of Cypher. {_ON_NEO4J})"


@contextmanager
def _opened(reader: SqliteReader, progress: Callable[[int], None]) -> Iterator["ladybug.Database"]:
    """Open the file of a commit in the cache, making it first where there is none to be read."""
    embedded = _ladybug()
    version = f"{_FORMAT}-{embedded.Database.get_storage_version()}"
    name = f"cypher-{version}-{reader.state}.lbug"
    database = _read(reader.file.cache / name)
    if database is None:
        folder = reader.file.writable_cache()
        path = folder / name
        with locked(folder / "cypher.lock"):
            database = _read(path)  # Another process may have made it meanwhile.
            if database is None:
                for old in folder.glob("cypher-*"):
                    old.unlink()
                _make(path, PropertyGraph(reader), progress)
                database = embedded.Database(path, read_only=True)
    with database:
        yield database


def _read(path: File) -> "ladybug.Database | None":
    """Open a file, None where there is none, or a part of one, or one of another format."""
    if not path.exists():
        return None
    try:
        database: ladybug.Database = _ladybug().Database(path, read_only=True)
    except RuntimeError:
        return None
    return database


def _make(path: File, graph: PropertyGraph, progress: Callable[[int], None]) -> None:
    new = path.with_name(f"{path.name}.part")
    embedded = _ladybug()
    try:
        with embedded.Database(new) as database, embedded.Connection(database) as connection:
            _create_tables(connection)
            papers = 0
            for part in graph.parts(_BATCH):
                _copy(connection, part)
                papers += len(part.ids) if part.phase == "papers" else 0
                progress(papers)
        new.replace(path)
    finally:
        for left in new.parent.glob(f"{new.name}*"):
            left.unlink()


def _create_tables(connection: "ladybug.Connection") -> None:
    for name, columns in _COLUMNS.items():
        typed = ", ".join(f"{column} {_type(type_)}" for column, type_ in columns.items())
        if name in NODES:
            connection.execute(f"CREATE NODE TABLE {name}({typed})")
        else:
            ends = _ENDS.get(name, "FROM Paper TO Entity, FROM Entity TO Entity")
            connection.execute(f"CREATE REL TABLE {name}({ends}, {typed})")


def _type(name: str) -> str:
    return f"{_TYPES[name[:-2]]}[]" if name.endswith("[]") else _TYPES[name]


def _copy(connection: "ladybug.Connection", part: Part) -> None:
    """Copy nodes and then relationships, whose ends have to be there before."""
    waiting: dict[tuple[str, ...], list[dict[str, Value]]] = defaultdict(list)
    for node in part.nodes:
        waiting[(node.labels[0],)].append(node.properties)
    for edge in part.relationships:
        ends = {"start": edge.start, "end": edge.end}
        key = (edge.type, label_of(edge.start), label_of(edge.end))
        waiting[key].append(ends | edge.properties)
    for (name, *labels), rows in waiting.items():
        empty = dict.fromkeys((*(("start", "end") if labels else ()), *_COLUMNS[name]))
        columns = ", ".join(f"r.`{column}`" for column in empty)
        between = " (from='{}', to='{}')".format(*labels) if labels else ""
        copying = f"COPY {name} FROM (UNWIND $rows AS r RETURN {columns}){between}"
        _executed(connection, copying, {"rows": [empty | row for row in rows]})


def _value(value: Any) -> Value:  # noqa: PLR0911 - a case each
    match value:
        case {"_NODES": nodes, "_RELS": edges}:
            return Path(tuple(map(_value, nodes)), tuple(map(_value, edges)))
        case {"_SRC": start, "_DST": end, "_ID": id_, "_LABEL": type_, **own}:
            return Relationship(_id(id_), type_, _id(start), _id(end), _known(own))
        case {"_ID": id_, "_LABEL": label, **own}:
            return Node(_id(id_), (label,), _known(own))
        case dict():
            return {str(name): _value(each) for name, each in value.items()}
        case list() | tuple():
            return [_value(each) for each in value]
        case datetime.date() | datetime.time():
            return value.isoformat()
        case bytes() | bytearray():
            return value.hex()
        case datetime.timedelta() | decimal.Decimal() | uuid.UUID():
            return str(value)
    return value


def _id(internal: Mapping[str, int]) -> str:
    return f"{internal['table']}:{internal['offset']}"


def _known(properties: Mapping[Any, Any]) -> dict[str, Value]:
    """Leave out nulls: properties that others in the table of a node or relationship have."""
    return {name: _value(each) for name, each in properties.items() if each is not None}


def _reading(query: str) -> str:
    """Return a query without its comments; everything else keeps its position.

    Raises StoreError for a query that does more than read the graph: a database that is opened to
    be read still reads files (``LOAD FROM``) and calls procedures (``CALL``), and ladybug has no
    setting against either. Both are clauses, which may come anywhere after the first one.

    Comments are removed because ladybug does not end one at ``/* **/``, where others do.
    """
    text = _PARTS.sub(lambda part: _blank(part) if part["comment"] else part.group(), query)
    first = _WORD.match(text)
    if first is None or first[1].upper() not in _FIRST:
        raise StoreError(
            "A store in a file supports queries that begin with MATCH, OPTIONAL MATCH, UNWIND, "
            f"WITH or RETURN. {_ON_NEO4J}"
        )
    if match := _DOORS.search(_PARTS.sub(_blank, text)):
        raise StoreError(
            f"A store in a file does not support queries with {match.group().upper()}: they "
            "could read more than the graph. (A name is written in backquotes: "
            f"`{match.group()}`.) {_ON_NEO4J}"
        )
    return text


def _blank(part: re.Match[str]) -> str:
    return _NO_LINE_END.sub(" ", part.group())
