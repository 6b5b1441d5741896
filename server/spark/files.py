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


def expect_complete(spark: SparkSession, path: str) -> None:
    """Raise ValueError where a job that writes the folder `path` failed or still runs."""
    system, place = _at(spark, f"{path}/_temporary")
    if system.exists(place):
        raise ValueError(f"{path} is incomplete: the job that writes it failed, or still runs.")


def write_text(spark: SparkSession, path: str, text: str) -> None:
    """Write a file in UTF-8."""
    system, place = _at(spark, path)
    system.setWriteChecksum(False)
    stream = system.create(place, True)
    try:
        stream.write(bytearray(text.encode()))
    finally:
        stream.close()


def rename(spark: SparkSession, path: str, new: str) -> bool:
    """Rename a file or folder, and return whether there was one."""
    system, place = _at(spark, path)
    return bool(system.exists(place) and system.rename(place, _at(spark, new)[1]))


def _at(spark: SparkSession, path: str) -> tuple[Any, Any]:
    """Return the file system of a path, and the path, as Hadoop has them."""
    context: Any = spark.sparkContext
    place = context._jvm.org.apache.hadoop.fs.Path(path)
    return place.getFileSystem(context._jsc.hadoopConfiguration()), place
