"""Trust: which relations are read from which sections, as ``trust.toml`` next to this file says."""

import re
import tomllib
from collections.abc import Mapping
from dataclasses import dataclass
from functools import cached_property
from hashlib import sha256
from pathlib import Path
from typing import NamedTuple

from stemma.schema import LINEAGE_RELATIONS, SECTIONS, Field, RelationType

TABLE = Path(__file__).with_name("trust.toml")
_NEVER = (RelationType.INTRODUCES, RelationType.MENTIONS)
"""What the abstract alone says: sections would only add noise."""
_SHARES = re.compile(r"(own|any)(?: (0\.\d{1,3}|1(?:\.0)?))?(?:, any(?: (0\.\d{1,3}|1(?:\.0)?))?)?")
_LEAST, _LEAST_OF_LINEAGE = 0.6, 0.8
"""The confidence from which sections state a relation."""


class Shares(NamedTuple):
    """Factors on the network's confidence: for sentences on the paper's own work, and for others.

    0 means that they are not read.
    """

    own: float
    other: float


@dataclass(frozen=True)
class Trust:
    """For each kind of section the relations that are read from it."""

    table: Mapping[Field, Mapping[RelationType, Shares]]

    @classmethod
    def read(cls, file: Path = TABLE) -> "Trust":
        """Read a table. Raises ValueError if it is invalid, OSError if it cannot be read."""
        try:
            data = tomllib.loads(file.read_text("utf-8"))
            return cls({_section(name): _relations(name, of) for name, of in data.items()})
        except ValueError as error:
            raise ValueError(f"{file}: {error}") from error

    def share(self, section: Field, relation: RelationType, *, own: bool) -> float:
        """Return the factor on the confidence of a relation that a sentence of a section states."""
        shares = self.table.get(section, {}).get(relation)
        return 0.0 if shares is None else shares.own if own else shares.other

    @cached_property
    def fingerprint(self) -> str:
        """A hash of the table."""
        rows = sorted(
            f"{section} {relation} {shares}"
            for section, of in self.table.items()
            for relation, shares in of.items()
        )
        return sha256("\n".join(rows).encode()).hexdigest()[:16]


def least_confidence(relation: RelationType) -> float:
    """Return the confidence from which sections state a relation."""
    return _LEAST_OF_LINEAGE if relation in LINEAGE_RELATIONS else _LEAST


def _section(name: str) -> Field:
    kinds = [each.value for each in SECTIONS]
    if name not in kinds:
        raise ValueError(f"{name!r} is not a kind of section: {', '.join(kinds)}")
    return Field(name)


def _relations(section: str, of: object) -> dict[RelationType, Shares]:
    if not isinstance(of, dict):
        raise ValueError(f"{section} should be a table of relations, such as BUILDS_ON = 'own'")
    relations = [each for each in RelationType if each not in _NEVER]
    for name in of:
        if name not in relations:
            raise ValueError(f"{name!r} is not read from sections: {', '.join(relations)}")
    return {RelationType(name): _shares(section, name, text) for name, text in of.items()}


def _shares(section: str, relation: str, text: object) -> Shares:
    found = _SHARES.fullmatch(text) if isinstance(text, str) else None
    if not found or (found[1] == "any" and ", any" in found[0]):
        raise ValueError(
            f"{section}: {relation} should be as 'own', 'any 0.8' or 'own 0.9, any 0.5', "
            f"not {text!r}"
        )
    first = float(found[2] or 1)
    if found[1] == "any":
        return Shares(first, first)
    return Shares(first, float(found[3] or 1) if ", any" in found[0] else 0.0)
