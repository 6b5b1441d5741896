"""Whether Spark can be used on this machine."""

import os
import shutil
from importlib.util import find_spec

from kept import UnavailableError, needed


def need_spark() -> None:
    """Skip a test, or fail where that must not be, if there is no PySpark or no Java."""
    with needed("SPARK"):
        _look_for_it()


def _look_for_it() -> None:
    if find_spec("pyspark") is None:
        raise UnavailableError("there is no PySpark")
    if not os.environ.get("JAVA_HOME") and shutil.which("java") is None:
        raise UnavailableError("there is no Java")
