"""How sure statements of a language model are: by relation, as measured on annotated papers."""

import tomllib
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from functools import cached_property
from hashlib import sha256
from pathlib import Path

from stemma.schema import RelationType

UNMEASURED = 0.5
"""The confidence of a relation for which it was not measured."""


@dataclass(frozen=True)
class Confidences:
    """For each relation the share of a model's statements that is right."""

    table: Mapping[RelationType, float] = field(default_factory=dict)

    @classmethod
    def read(cls, file: Path) -> "Confidences":
        """Read a table in TOML, such as ``BUILDS_ON = 0.61``.

        Raises ValueError if it is invalid, OSError if it cannot be read.
        """
        try:
            data = tomllib.loads(file.read_text("utf-8"))
        except ValueError as error:
            raise ValueError(f"{file}: {error}") from error
        for name, value in data.items():
            if name not in list(RelationType):
                raise ValueError(f"{file}: {name!r} is not one of {', '.join(RelationType)}")
            if isinstance(value, bool) or not isinstance(value, int | float) or not 0 <= value <= 1:
                raise ValueError(f"{file}: {name} should be a number from 0 to 1, not {value!r}")
        return cls({RelationType(name): float(value) for name, value in data.items()})

    @classmethod
    def measured(cls, judged: Iterable[tuple[RelationType, bool]]) -> "Confidences":
        """Take the shares from statements and whether each is right.

        One right and one wrong statement are added for each relation (Laplace's rule): few
        statements say little.
        """
        counts: dict[RelationType, list[int]] = {}
        for relation, right in judged:
            count = counts.setdefault(relation, [1, 2])
            count[0] += right
            count[1] += 1
        return cls({each: right / all_ for each, (right, all_) in sorted(counts.items())})

    def of(self, relation: RelationType) -> float:
        """Return the confidence of a relation."""
        return self.table.get(relation, UNMEASURED)

    def write(self, file: Path, comment: str) -> None:
        """Write the table as a file that `read` takes. Raises OSError."""
        rows = (f"{relation} = {value:.3f}\n" for relation, value in self.table.items())
        file.write_text(f"# {comment}\n{''.join(rows)}", "utf-8")

    @cached_property
    def fingerprint(self) -> str:
        """A hash of the table."""
        rows = sorted(f"{relation} {value}" for relation, value in self.table.items())
        return sha256("\n".join(rows).encode()).hexdigest()[:16]
