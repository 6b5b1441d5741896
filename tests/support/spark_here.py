"""Whether Spark can be used on this machine."""

import os
import shutil
from importlib.util import find_spec

import pytest

from kept import UnavailableError


def need_spark() -> None:
    """Skip a test, or fail where that must not be, if there is no PySpark or no Java."""
    try:
        _look_for_it()
    except UnavailableError as error:
        if os.environ.get("STEMMA_REQUIRE_SPARK") == "1":
            pytest.fail(f"STEMMA_REQUIRE_SPARK is set, and {error}")
        pytest.skip(str(error))


def _look_for_it() -> None:
    if find_spec("pyspark") is None:
        raise UnavailableError("there is no PySpark")
    if not os.environ.get("JAVA_HOME") and shutil.which("java") is None:
        raise UnavailableError("there is no Java")
