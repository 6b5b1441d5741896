"""The engines of `stemma extract`: processes, or a cluster."""

from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from enum import StrEnum
from typing import TYPE_CHECKING, Annotated

import typer

from stemma.server.cli.terminal import complain

if TYPE_CHECKING:
    from pyspark.sql import SparkSession

    from stemma.server.build_report import BuildReport
    from stemma.server.extraction_settings import ExtractionSettings


class Engine(StrEnum):
    """What does the work: this machine's processes, or a cluster."""

    LOCAL = "local"
    SPARK = "spark"


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
