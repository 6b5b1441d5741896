"""Problems: what could not be read, where, and why."""

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Problem:
    """Something in an input that was passed over; the rest was read.

    `line` counts from 1 and is None where the whole file is meant; `reason` says what to do.
    """

    file: str
    line: int | None
    reason: str

    def __str__(self) -> str:
        place = self.file if self.line is None else f"{self.file}:{self.line}"
        return f"{place}: {self.reason}"
