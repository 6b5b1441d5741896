"""Entities: the named things that papers introduce, build on, use and compare with."""

from dataclasses import dataclass
from enum import StrEnum


class EntityKind(StrEnum):
    """The kind of an entity. Each entity has one kind."""

    HARDWARE = "hardware"
    """A device, chip, memory, interconnect, machine, or architecture generation."""
    FRAMEWORK = "framework"
    """Software to run, link or program against."""
    TECHNIQUE = "technique"
    """A method, algorithm, optimisation, training scheme, number format or building block."""
    MODEL = "model"
    """A trained network, a model family, or a named network architecture."""
    DATASET = "dataset"
    """Data, a benchmark, a workload suite or a competition."""


@dataclass(frozen=True, slots=True)
class Entity:
    """A node of the graph that is not a paper.

    `aliases` are its other names, sorted; `broader` are ids of the entities that it is a case of.
    `general` distinguishes a general term, which names a class of things or a common method (GPU,
    quantization), from a named work (H100, GPTQ). `year`: when it first appeared, as far as the
    catalogue knows.
    """

    id: str
    name: str
    kind: EntityKind
    aliases: tuple[str, ...] = ()
    broader: tuple[str, ...] = ()
    general: bool = False
    year: int | None = None
