"""Trust: which relations are read from which sections, as ``trust.toml`` next to this file says."""

import tomllib
from collections.abc import Mapping
from dataclasses import dataclass
from enum import StrEnum
from functools import cached_property
from hashlib import sha256
from pathlib import Path

from stemma.schema import SECTIONS, Field, RelationType

TABLE = Path(__file__).with_name("trust.toml")
_NEVER = (RelationType.INTRODUCES, RelationType.MENTIONS)
"""What the abstract alone says: sections would only add noise."""


class Voice(StrEnum):
    """Which sentences count: those on the paper's own work, or any."""

    OWN = "own"
    ANY = "any"


@dataclass(frozen=True)
class Trust:
    """For each kind of section the relations that are read from it."""

    table: Mapping[Field, Mapping[RelationType, Voice]]

    @classmethod
    def read(cls, file: Path = TABLE) -> "Trust":
        """Read a table. Raises ValueError if it is invalid, OSError if it cannot be read."""
        try:
            data = tomllib.loads(file.read_text("utf-8"))
            return cls({_section(name): _relations(name, of) for name, of in data.items()})
        except ValueError as error:
            raise ValueError(f"{file}: {error}") from error

    def voice(self, section: Field, relation: RelationType) -> Voice | None:
        """Return which sentences of a section count for a relation, None if none does."""
        return self.table.get(section, {}).get(relation)

    @cached_property
    def fingerprint(self) -> str:
        """A hash of the table."""
        rows = sorted(
            f"{section} {relation} {voice}"
            for section, of in self.table.items()
            for relation, voice in of.items()
        )
        return sha256("\n".join(rows).encode()).hexdigest()[:16]


def _section(name: str) -> Field:
    kinds = [each.value for each in SECTIONS]
    if name not in kinds:
        raise ValueError(f"{name!r} is not a kind of section: {', '.join(kinds)}")
    return Field(name)


def _relations(section: str, of: object) -> dict[RelationType, Voice]:
    if not isinstance(of, dict):
        raise ValueError(f"{section} should be a table of relations, such as BUILDS_ON = 'own'")
    relations = [each for each in RelationType if each not in _NEVER]
    for name, voice in of.items():
        if name not in relations:
            raise ValueError(f"{name!r} is not read from sections: {', '.join(relations)}")
        if voice not in list(Voice):
            raise ValueError(f"{section}: {name} should be 'own' or 'any', not {voice!r}")
    return {RelationType(name): Voice(voice) for name, voice in of.items()}
