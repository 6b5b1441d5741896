"""The model: entities, what papers state of them, and the sentences behind it.

An extraction is what is found in one paper, before linking: the unit of interchange.
"""

from dataclasses import dataclass
from enum import StrEnum

from stemma.schema.comparison import Comparison
from stemma.schema.paper import Field, Paper


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


class RelationType(StrEnum):
    """What a paper says about an entity. INTRODUCES, BUILDS_ON and IMPROVES_ON make the lineage;
    an entity that it COMPARES_WITH is a baseline.

    An entity with any other relation gets no MENTIONS.
    """

    INTRODUCES = "INTRODUCES"
    """The entity is the paper's own named contribution."""
    BUILDS_ON = "BUILDS_ON"
    """The contribution extends, adapts, or lives inside or on top of a prior named work."""
    IMPROVES_ON = "IMPROVES_ON"
    """The paper states a limit of a prior named work, which the contribution addresses."""
    COMPARES_WITH = "COMPARES_WITH"
    """The entity is a baseline: measured or contrasted against in results."""
    USES = "USES"
    """An ingredient, tool or object of study, if none of the above applies."""
    RUNS_ON = "RUNS_ON"
    """Hardware that the work targets, was run on or measured on."""
    EVALUATED_ON = "EVALUATED_ON"
    """Datasets and benchmarks, and models that serve as the workload of an evaluation."""
    MENTIONS = "MENTIONS"
    """Background only."""

    @property
    def words(self) -> str:
        """The relation as words of a sentence: "builds on"."""
        return self.value.lower().replace("_", " ")


LINEAGE_RELATIONS = (RelationType.BUILDS_ON, RelationType.IMPROVES_ON)
"""The relations that make a lineage edge."""
CATALOGUE_ORIGIN = "catalogue"
"""The origin of statements that come from the catalogue: their subject is an entity."""


@dataclass(frozen=True, slots=True)
class Span:
    """A stretch of a paper's text. Offsets are Unicode code points, half open, into the field."""

    text: str
    field: Field
    start: int
    end: int


@dataclass(frozen=True, slots=True)
class Mention(Span):
    """Where a text names an entity: the surface form as it stands there."""


@dataclass(frozen=True, slots=True)
class Evidence(Span):
    """The exact sentence that states a relation."""

    @property
    def section(self) -> str | None:
        """The kind of section that it is in, in words; None for title and abstract."""
        return self.field.section


@dataclass(frozen=True, slots=True)
class Statement:
    """`subject` (a work's id) has `relation` to `entity` (an id); unique by these three.

    `evidence` has the strongest first, and is empty where the origin is the catalogue.
    `comparison` is how a COMPARES_WITH turned out, as far as the evidence says. What people
    `confirmed` has the confidence 1.
    """

    subject: str
    relation: RelationType
    entity: str
    confidence: float
    evidence: tuple[Evidence, ...]
    origin: str
    comparison: Comparison | None = None
    confirmed: bool = False

    @property
    def key(self) -> tuple[str, RelationType, str]:
        """The subject, relation and entity, which together identify a statement."""
        return (self.subject, self.relation, self.entity)


@dataclass(frozen=True, slots=True)
class FoundEntity:
    """An entity as one paper names it; `concept`: id of the catalogue concept, where certain."""

    name: str
    kind: EntityKind
    concept: str | None
    mentions: tuple[Mention, ...]


@dataclass(frozen=True, slots=True)
class FoundRelation:
    """A relation of the paper to one of its found entities, which `entity` gives by name.

    `confidence` is in [0, 1]; `evidence` has the strongest sentence first; `origin` names the
    component that found it, with its version; `comparison` is how a COMPARES_WITH turned out.
    """

    type: RelationType
    entity: str
    confidence: float
    evidence: tuple[Evidence, ...]
    origin: str
    comparison: Comparison | None = None


VECTOR_SIZE = 192
"""Bytes of the vector of a paper: two numbers in each."""


@dataclass(frozen=True, slots=True)
class Extraction:
    """A paper with all that was found in it; entity names are unique within it.

    `extractor` is the fingerprint of what found it: rules, catalogue and models. `vector` is what
    title and abstract mean, as the sentence encoder packs it in VECTOR_SIZE bytes; empty if it is
    not known.
    """

    paper: Paper
    entities: tuple[FoundEntity, ...] = ()
    relations: tuple[FoundRelation, ...] = ()
    extractor: str = ""
    vector: bytes = b""
