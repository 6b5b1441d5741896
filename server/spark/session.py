"""Sessions of Spark: the one that `spark-submit` configures, or one of our own."""

from __future__ import annotations

import os
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from typing import TYPE_CHECKING

from stemma.distribution import install

if TYPE_CHECKING:
    from pyspark.sql import SparkSession

MISSING = f"Spark needs an extra: {install('spark')}"
_NO_JAVA = (
    "Spark could not be started. It needs Java 17 or 21: install it (Debian: apt install "
    "openjdk-17-jre-headless), or set JAVA_HOME. Spark says: {}"
)


class SparkError(RuntimeError):
    """Spark cannot be used; the message says what to do."""


@contextmanager
def spark_session(
    master: str | None = None, processes: int | None = None
) -> Iterator[SparkSession]:
    """Yield the session of this process, or start one and stop it at the end.

    `master` is what Spark calls the cluster; without it, what `spark-submit` or the configuration
    names, or else as many `processes` of this machine, by default as it has processors. A session
    that there is, as in a notebook, stays on the cluster that it is on. Raises SparkError.
    """
    try:
        from py4j.protocol import Py4JJavaError  # noqa: PLC0415 - an extra
        from pyspark import SparkConf, SparkContext  # noqa: PLC0415
        from pyspark.errors import PySparkException  # noqa: PLC0415
        from pyspark.sql import SparkSession  # noqa: PLC0415
    except ImportError as error:
        raise SparkError(MISSING) from error
    started_here = SparkSession.getActiveSession() is None
    # The workers on this machine are to run the Python that has Stemma.
    os.environ.setdefault("PYSPARK_PYTHON", sys.executable)
    try:
        SparkContext._ensure_initialized()  # Before that, a SparkConf has not what is configured.
        configured = SparkConf()
        builder = SparkSession.builder.appName("stemma")
        master = master or configured.get("spark.master") or f"local[{processes or '*'}]"
        builder = builder.master(master)
        defaults = _DEFAULTS | {"spark.ui.showConsoleProgress": str(sys.stderr.isatty()).lower()}
        if master == "local" or master.startswith("local["):
            # Other machines may get Stemma only with their first task.
            defaults["spark.python.daemon.module"] = "stemma.server.spark.daemon"
        for name, value in defaults.items():
            if not configured.contains(name):
                builder = builder.config(name, value)
        spark = builder.getOrCreate()
    except PySparkException as error:
        raise SparkError(_NO_JAVA.format(error)) from error
    except Py4JJavaError as error:
        raise SparkError(f"Spark could not be started: {_without_frames(error)}") from error
    # Otherwise each join has as many parts as both of its sides together.
    parallelism = spark.sparkContext.defaultParallelism
    spark.sparkContext._conf.setIfMissing("spark.default.parallelism", str(parallelism))
    try:
        yield spark
    except (PySparkException, Py4JJavaError) as error:
        raise SparkError(f"the Spark job failed: {_without_frames(error)}") from error
    finally:
        if started_here:
            spark.stop()


def _without_frames(error: Exception) -> str:
    """Return what an error says, without the lines of Java's stack."""
    lines = str(error).splitlines()
    return "\n".join(each for each in lines if not each.lstrip().startswith(("at ", "... ")))


_DEFAULTS = {
    "spark.log.level": "WARN",
    # A folder that is named as input means all that is in it.
    "spark.hadoop.mapreduce.input.fileinputformat.input.dir.recursive": "true",
}
