"""How long tests wait for what has to come.

Long enough for a machine that stands still for seconds, as shared ones do: what is quick is a
question for benchmarks. These bounds are there so that a test of something that hangs ends.
"""

import time
from collections.abc import Callable

PATIENCE = 60.0
"""Seconds for what takes less than one on a quiet machine."""


def eventually(condition: Callable[[], object]) -> None:
    """Wait until something is so."""
    deadline = time.monotonic() + PATIENCE
    while not condition():
        assert time.monotonic() < deadline, "it did not come to that"
        time.sleep(0.05)
