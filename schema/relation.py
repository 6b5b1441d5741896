"""The eight relations from a paper, that is, from its contribution, to an entity."""

from enum import StrEnum


class RelationType(StrEnum):
    """What a text says of an entity; an entity with any other relation gets no MENTIONS."""

    INTRODUCES = "INTRODUCES"
    """The entity is this paper's own named contribution."""
    BUILDS_ON = "BUILDS_ON"
    """The contribution extends, adapts, or lives inside or on top of a prior named work."""
    IMPROVES_ON = "IMPROVES_ON"
    """The text states a limit of a prior named work, which the contribution addresses."""
    COMPARES_WITH = "COMPARES_WITH"
    """The entity is a baseline: measured or contrasted against in results."""
    USES = "USES"
    """An ingredient, tool or object of study, and none of the above."""
    RUNS_ON = "RUNS_ON"
    """Hardware that the work targets, was run on or measured on."""
    EVALUATED_ON = "EVALUATED_ON"
    """Datasets and benchmarks, and models that serve as the workload of an evaluation."""
    MENTIONS = "MENTIONS"
    """Background only."""

    @property
    def words(self) -> str:
        """The relation as it stands in a sentence: "builds on"."""
        return self.value.lower().replace("_", " ")


LINEAGE_RELATIONS = (RelationType.BUILDS_ON, RelationType.IMPROVES_ON)
"""The relations that make a lineage edge."""
