"""Problems: what could not be read, where, and why."""

import re
from dataclasses import dataclass

_PARTICULAR = re.compile(r"'[^']*'|\"[^\"]*\"|<[^>]*>|\d+")


@dataclass(frozen=True, slots=True)
class Problem:
    """Something in an input that was passed over; the rest was read.

    `line` counts from 1 and is None where the whole file is meant; `reason` says what to do.
    `skipped` means that it cost a record, and not just a part of one.
    """

    file: str
    line: int | None
    reason: str
    skipped: bool = False

    @property
    def kind(self) -> str:
        """The reason without its variable parts, by which problems are grouped."""
        return _PARTICULAR.sub("", self.reason.partition(":")[0])

    def __str__(self) -> str:
        place = self.file if self.line is None else f"{self.file}:{self.line}"
        return f"{place}: {self.reason}"
