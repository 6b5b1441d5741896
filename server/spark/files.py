"""Files on whatever file system Spark writes to."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from pyspark.sql import SparkSession


def expect_new(spark: SparkSession, path: str) -> None:
    """Raise FileExistsError where there is something at `path` already."""
    system, place = _at(spark, path)
    if system.exists(place):
        raise FileExistsError(f"{path} already exists: name a new folder.")


def _at(spark: SparkSession, path: str) -> tuple[Any, Any]:
    """Return the file system of a path, and the path, as Hadoop has them."""
    context: Any = spark.sparkContext
    place = context._jvm.org.apache.hadoop.fs.Path(path)
    return place.getFileSystem(context._jsc.hadoopConfiguration()), place
