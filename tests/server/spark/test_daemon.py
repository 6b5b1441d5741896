"""Processes of Python that Spark starts on this machine."""

import gc
import sys


def test_they_have_stemma_loaded_and_do_not_look_for_garbage_in_it(spark) -> None:
    def state(_: int) -> tuple[bool, bool]:
        return "stemma.server.spark.extracting" in sys.modules, gc.get_freeze_count() > 0

    assert spark.sparkContext.parallelize([0], 1).map(state).collect() == [(True, True)]
