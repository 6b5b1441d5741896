"""Whether time grows as a text does, and not as its square."""

from collections.abc import Callable
from time import process_time

LENGTH, LONGER = 2_000, 8
SLACK, FLOOR = 3.0, 0.05
"""Linear work would need 1, quadratic work comes to 8; the floor is in seconds."""


def grows_linearly(use: Callable[[str], object], repeated: str) -> bool:
    """Return whether eight times as much of a text takes `use` about eight times as long."""
    long = (repeated * LONGER * LENGTH)[: LONGER * LENGTH]

    def seconds(text: str) -> float:
        began = process_time()
        use(text)
        return process_time() - began

    return any(  # Others may use the machine meanwhile.
        seconds(long) < SLACK * LONGER * seconds(long[:LENGTH]) + FLOOR for _ in range(3)
    )
