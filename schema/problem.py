"""Problems: what could not be read, where, and why."""

import re
from dataclasses import dataclass

_PARTICULAR = re.compile(r"'[^']*'|\"[^\"]*\"|<[^>]*>|\d+")

_NOT_READ = "cannot be read: "


@dataclass(frozen=True, slots=True)
class Problem:
    """Something in an input that was skipped; the rest was read.

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

    @property
    def is_temporary(self) -> bool:
        """Whether the file may be readable later: it could not be opened, or needs a library."""
        return self.reason.startswith(_NOT_READ) or " need an extra: " in self.reason

    def __str__(self) -> str:
        place = self.file if self.line is None else f"{self.file}:{self.line}"
        return f"{place}: {self.reason}"


def unreadable(file: str, error: OSError) -> Problem:
    """Return the problem of a file that the system could not read."""
    return Problem(file, None, f"{_NOT_READ}{error.strerror or error}")


def reason_of(error: Exception) -> str:
    """Say why a record is invalid, by the error that reading it raised."""
    return f"{error.args[0]!r} is missing" if isinstance(error, KeyError) else str(error)
