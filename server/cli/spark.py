"""Commands on a cluster: the engine of `stemma extract`, and link."""

from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from enum import StrEnum
from typing import TYPE_CHECKING, Annotated

import typer

from stemma.schema.quantity import quantity
from stemma.server.cli.extraction_settings import CatalogueOption, catalogue_with
from stemma.server.cli.terminal import complain, remarks

if TYPE_CHECKING:
    from pyspark.sql import SparkSession

    from stemma.server.build_report import BuildReport
    from stemma.server.extraction_settings import ExtractionSettings

_MOST_PROBLEMS = 10
"""Problems that are listed one by one."""


class Engine(StrEnum):
    """What does the work: this machine's processes, or a cluster."""

    LOCAL = "local"
    SPARK = "spark"


class GraphFormat(StrEnum):
    """The formats of a graph that a cluster writes."""

    PARQUET = "parquet"
    NEO4J_CSV = "neo4j-csv"


EngineOption = Annotated[
    Engine, typer.Option("--engine", help="Processes of this machine, or a cluster with Spark.")
]
MasterOption = Annotated[
    str | None,
    typer.Option(
        "--master",
        help="With Spark: the cluster, as `spark-submit` names it. By default what `spark-submit` "
        "or the configuration says, or else processes of this machine.",
        show_default=False,
    ),
]


def link(
    extractions: Annotated[
        str,
        typer.Argument(help="What `stemma extract --engine spark` wrote: a folder or URI."),
    ],
    output: Annotated[str, typer.Option("--output", "-o", help="A new folder or URI.")],
    format: Annotated[
        GraphFormat,
        typer.Option("--format", "-f", help="Parquet, or files for `neo4j-admin database import`."),
    ] = GraphFormat.PARQUET,
    catalogue: CatalogueOption = None,
    engine: EngineOption = Engine.SPARK,
    master: MasterOption = None,
) -> None:
    """Link extractions on a cluster, and write the whole graph.

    The result is the graph that `stemma load` and `stemma export` give, with a folder for each
    label and each type of relationship. Decisions are not applied.

    Example: `stemma link extractions -f neo4j-csv -o for-neo4j`
    """
    if engine is Engine.LOCAL:
        reason = "to link on a single machine, use `stemma load`"
        raise typer.BadParameter(reason, param_hint="--engine")
    known = catalogue_with(catalogue)
    with _spark(master) as spark:
        from stemma.server.spark.graph_job import write_graph  # noqa: PLC0415 - an extra

        report = write_graph(spark, extractions, output, format.value, known)
    for problem in report.problems[:_MOST_PROBLEMS]:
        complain(str(problem))
    if (more := len(report.problems) - _MOST_PROBLEMS) > 0:
        complain(quantity(more, "more problem"))
    if not report.papers:
        complain("no papers could be read")
        raise typer.Exit(1)
    remarks.print(
        f"{quantity(report.papers, 'paper')} and "
        f"{quantity(report.entities, 'entity', 'entities')} written to {output}.",
        markup=False,
    )
    if format is GraphFormat.NEO4J_CSV:
        remarks.print(f"{output}/import.args explains how to load it.", markup=False)


def extract_on_spark(
    paths: Sequence[str],
    output: str,
    settings: "ExtractionSettings",
    master: str | None,
) -> "BuildReport":
    """Extract on a cluster, and return what that did."""
    with _spark(master, settings.processes) as spark:
        from stemma.server.spark.extracting import extract  # noqa: PLC0415 - an extra

        return extract(spark, paths, output, settings)


def refuse_with_spark(given: Mapping[str, object]) -> None:
    """Report an option that a cluster does not have, if one is given."""
    for name, value in given.items():
        if value is not None:
            raise typer.BadParameter("cannot be used with --engine spark", param_hint=name)


def new_folder_given(output: str) -> str:
    """Return the folder for Parquet; a file will not do."""
    if output == "-" or output.endswith((".jsonl", ".gz")):
        raise typer.BadParameter(
            "with --engine spark, name a new folder or URI for files in Parquet",
            param_hint="--output",
        )
    return output


@contextmanager
def _spark(master: str | None, processes: int | None = None) -> "Iterator[SparkSession]":
    from stemma.server.spark.session import SparkError, spark_session  # noqa: PLC0415 - an extra

    try:
        with spark_session(master, processes) as spark:
            yield spark
    except (SparkError, FileExistsError, ValueError) as error:
        complain(str(error))
        raise typer.Exit(1) from error
