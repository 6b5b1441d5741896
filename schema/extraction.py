"""What is extracted from one paper, before linking: the unit of interchange."""

from dataclasses import dataclass

from stemma.schema.comparison import Comparison
from stemma.schema.entity import EntityKind
from stemma.schema.paper import Paper
from stemma.schema.statement import Evidence, Mention, RelationType


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


@dataclass(frozen=True, slots=True)
class Extraction:
    """A paper with all that was found in it; entity names are unique within it.

    `extractor` is the fingerprint of what found it: rules, catalogue and models.
    """

    paper: Paper
    entities: tuple[FoundEntity, ...] = ()
    relations: tuple[FoundRelation, ...] = ()
    extractor: str = ""
