"""Trust: how sure sections make a relation, as the weights in ``trust.toml`` beside it say."""

import math
import tomllib
from collections.abc import Mapping
from dataclasses import dataclass
from functools import cached_property
from hashlib import sha256
from pathlib import Path

from stemma.schema import RelationType

TABLE = Path(__file__).with_name("trust.toml")
_READ = tuple(each for each in RelationType if each is not RelationType.MENTIONS)
LEAST, BASE = "least", "base"
"""The keys of the confidence from which a relation is stated, and of what every entity has."""


@dataclass(frozen=True)
class Trust:
    """For each relation that sections state the weights of features, by name."""

    table: Mapping[RelationType, Mapping[str, float]]

    @classmethod
    def read(cls, file: Path = TABLE) -> "Trust":
        """Read a table. Raises ValueError if it is invalid, OSError if it cannot be read."""
        try:
            data = tomllib.loads(file.read_text("utf-8"))
            return cls({_relation(name): _weights(name, of) for name, of in data.items()})
        except ValueError as error:
            raise ValueError(f"{file}: {error}") from error

    def confidence(self, relation: RelationType, features: Mapping[str, float]) -> float:
        """Return the probability of a relation to an entity with these features."""
        weights = self.table[relation]
        total = weights.get(BASE, 0.0) + sum(
            weights.get(name, 0.0) * value for name, value in features.items()
        )
        return 1 / (1 + math.exp(-max(-30.0, min(30.0, total))))

    def least(self, relation: RelationType) -> float:
        """Return the least confidence at which a relation is stated from sections, from 0 to 1."""
        return self.table[relation][LEAST]

    @cached_property
    def fingerprint(self) -> str:
        """A hash of the table."""
        rows = sorted(f"{name} {sorted(of.items())}" for name, of in self.table.items())
        return sha256("\n".join(rows).encode()).hexdigest()[:16]


def _relation(name: str) -> RelationType:
    if name not in _READ:
        raise ValueError(f"{name!r} is not read from sections: {', '.join(_READ)}")
    return RelationType(name)


def _weights(relation: str, of: object) -> dict[str, float]:
    if not isinstance(of, dict) or LEAST not in of:
        raise ValueError(f"{relation} should be a table with weights, and the key {LEAST!r}")
    for name, weight in of.items():
        if type(weight) not in (int, float):
            raise ValueError(f"{relation}: {name} should be a number, not {weight!r}")
    return {name: float(weight) for name, weight in of.items()}
