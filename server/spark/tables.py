"""Tables on a cluster: a property graph as files for neo4j-admin, or as Parquet.

Each label, and each type of relationship, is a table: a folder of files that the machines write.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator
from typing import TYPE_CHECKING, Any

from pyspark import StorageLevel
from pyspark.sql import types

from stemma.graph.export.neo4j_csv import (
    DELIMITERS,
    NO_DELIMITER,
    Rows,
    arguments,
    blank_lists,
    finish,
    header,
)
from stemma.graph.export.property_type import NODES, RELATIONSHIPS
from stemma.graph.neo4j.elements import Node, Relationship
from stemma.graph.store import StoreError
from stemma.server.spark.files import rename, write_text

if TYPE_CHECKING:
    from pyspark import RDD
    from pyspark.sql import SparkSession

_SIMPLE: dict[str, types.DataType] = {
    "string": types.StringType(),
    "long": types.LongType(),
    "double": types.DoubleType(),
    "boolean": types.BooleanType(),
}


def write_neo4j_csv(spark: SparkSession, items: RDD[Node | Relationship], output: str) -> None:
    """Write files for ``neo4j-admin database import``. Raises StoreError as the export does."""
    items = _in_few_parts(items)
    delimiter = _delimiter(items)
    rows = Rows(delimiter)

    def row(item: Node | Relationship) -> tuple[str, str]:
        return rows.of_node(item) if isinstance(item, Node) else rows.of_relationship(item)

    # One pass writes all tables, each into a folder that Spark names by its column.
    frame = spark.createDataFrame(items.map(row), "name string, line string", verifySchema=False)
    frame.write.partitionBy("name").text(output)
    names = [each for each in (*NODES, *RELATIONSHIPS)
             if rename(spark, f"{output}/name={each}", f"{output}/{each}")]  # fmt: skip
    for name in names:
        write_text(spark, f"{output}/{name}-header.csv", header(name))
    blank: dict[str, list[str]] = defaultdict(list)
    for found, place in items.flatMap(blank_lists).collect():
        blank[found].append(place)
    write_text(spark, f"{output}/finish.cypher", "".join(finish(blank)))
    files = {name: f"{name}/part-.*" for name in names}
    write_text(spark, f"{output}/import.args", arguments(delimiter, files))


def write_parquet(spark: SparkSession, items: RDD[Node | Relationship], output: str) -> None:
    """Write a folder of Parquet for each label and each type of relationship."""
    named = _in_few_parts(items).keyBy(_name)
    for name in sorted(named.keys().distinct().collect()):
        properties = NODES.get(name) or RELATIONSHIPS[name]
        ends = ("labels",) if name in NODES else ("start", "end")
        columns = [types.StructField(each, _type("string[]" if each == "labels" else "string"))
                   for each in ends]  # fmt: skip
        columns += [types.StructField(each, _type(type_)) for each, type_ in properties.items()]
        rows = _of(named, name).map(_row)
        frame = spark.createDataFrame(rows, types.StructType(columns), verifySchema=False)
        frame.write.parquet(f"{output}/{name}")


def _in_few_parts(items: RDD[Node | Relationship]) -> RDD[Node | Relationship]:
    # A union has the parts of all that it is made of, and each part is a file in each table.
    return items.coalesce(items.context.defaultParallelism).persist(StorageLevel.MEMORY_AND_DISK)


def _of(named: RDD[tuple[str, Any]], name: str) -> RDD[Any]:
    return named.filter(lambda each: each[0] == name).values()


def _name(item: Node | Relationship) -> str:
    return item.labels[0] if isinstance(item, Node) else item.type


def _row(item: Node | Relationship) -> dict[str, Any]:
    if isinstance(item, Node):
        return {"labels": list(item.labels), **item.properties}
    return {"start": item.start, "end": item.end, **item.properties}


def _type(name: str) -> types.DataType:
    if name.endswith("[]"):
        return types.ArrayType(_type(name.removesuffix("[]")))
    return _SIMPLE["string" if name.startswith("ID") else name]


def _delimiter(items: RDD[Node | Relationship]) -> str:
    """Return a character that occurs in no list."""

    def occurring(item: Node | Relationship) -> Iterator[str]:
        for value in item.properties.values():
            for text in value if isinstance(value, list) else ():
                if isinstance(text, str) and not text.isprintable():
                    yield from set(DELIMITERS) & set(text)

    taken = set(items.flatMap(occurring).distinct().collect())
    free = (each for each in DELIMITERS if each not in taken)
    if not (found := next(free, None)):
        raise StoreError(NO_DELIMITER)
    return found
