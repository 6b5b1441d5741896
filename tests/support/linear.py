"""Whether time grows as a text does, and not as its square."""

from collections.abc import Callable
from time import process_time

LENGTH = 16_000
SHARE = 8
SLACK, FLOOR = 3.0, 0.05
"""Linear work would need 1, quadratic work comes to 8; the floor is in seconds."""


def repeated(text: str) -> str:
    """Return a long text of one thing."""
    return (text * LENGTH)[:LENGTH]


def grows_linearly(use: Callable[[str], object], long: str) -> bool:
    """Return whether a text takes `use` about eight times as long as its first eighth."""

    def seconds(text: str) -> float:
        began = process_time()
        use(text)
        return process_time() - began

    return any(  # Others may use the machine meanwhile.
        seconds(long) < SLACK * SHARE * seconds(long[: len(long) // SHARE]) + FLOOR
        for _ in range(3)
    )
