"""The five kinds of entities."""

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
    """Data, a benchmark, a workload suite or a competition, for training or measuring."""
