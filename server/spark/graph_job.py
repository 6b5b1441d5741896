"""The job that links extractions, and writes the graph that they make."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING, Any

from stemma.schema import Catalogue, Extraction, Problem, Source
from stemma.schema.interchange import record
from stemma.schema.interchange_parquet import absent_columns, without_nulls
from stemma.server.spark.files import expect_complete, expect_new
from stemma.server.spark.property_graph import SparkPropertyGraph
from stemma.server.spark.source_records import ProblemsParam
from stemma.server.spark.tables import write_neo4j_csv, write_parquet

if TYPE_CHECKING:
    from pyspark import RDD
    from pyspark.sql import SparkSession

_WRITERS = {"parquet": write_parquet, "neo4j-csv": write_neo4j_csv}


@dataclass
class GraphReport:
    """What a graph has that was written, and what could not be read."""

    papers: int
    entities: int
    problems: list[Problem] = field(default_factory=list)


def write_graph(
    spark: SparkSession, extractions: str, output: str, format: str, catalogue: Catalogue | None
) -> GraphReport:
    """Link the `extractions` (Parquet), and write the graph to the new folder `output`.

    `format` is ``parquet`` or ``neo4j-csv``. Without papers, nothing is written. Raises
    FileExistsError where there is such a folder, ValueError where these are no extractions, not
    all of them, or a paper was extracted twice.
    """
    expect_complete(spark, extractions)
    expect_new(spark, output)
    context = spark.sparkContext
    unread = context.accumulator({}, ProblemsParam())

    def read(rows: Iterable[Any]) -> Iterator[Extraction]:
        found: dict[Problem, None] = {}
        for row in rows:
            each = _extraction(row.asDict(recursive=True))
            if isinstance(each, Problem):
                found[each] = None
            else:
                yield each
        unread.add(found)

    frame = spark.read.parquet(extractions)
    if absent := absent_columns(frame.columns):
        raise ValueError(f"{extractions}: {absent}")
    ids = frame.selectExpr("paper.id").where("id IS NOT NULL").groupBy("id").count()
    if twice := [each.id for each in ids.where("count > 1").take(3)]:
        raise ValueError(
            f"{extractions} has papers more than once, such as {', '.join(twice)}: extract all "
            "files together"
        )
    graph = SparkPropertyGraph(frame.rdd.mapPartitions(read), catalogue or Catalogue.shipped())
    items: RDD[Any] = graph.nodes()
    counts = graph.statistics
    if counts["papers"]:
        _WRITERS[format](spark, items.union(graph.relationships()), output)
    return GraphReport(counts["papers"], counts["entities"], list(unread.value))


def _extraction(row: dict[str, Any]) -> Extraction | Problem:
    """Read a row; its paper keeps the id that distinguishes it from others of its title."""
    data = without_nulls(row)
    found = record(data, Source("", "", 0))
    paper = data.get("paper") or {}
    if not isinstance(found, str) and not paper.get("id"):
        found = "not an interchange record: the paper has no id"
    if isinstance(found, str):
        return Problem(str(paper.get("title")), None, found, skipped=True)
    return replace(found, paper=replace(found.paper, id=paper["id"]))
