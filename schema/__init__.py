"""What the words of Stemma mean: the data model, its names, ids, formats, and the catalogue."""

from stemma.schema.catalogue import Addition, Catalogue, CatalogueError, Fact, Origin
from stemma.schema.comparison import Bound, Comparison, Direction
from stemma.schema.decision import (
    ChangeKind,
    Confirm,
    Decision,
    DecisionError,
    Merge,
    Reject,
    Rename,
    Split,
)
from stemma.schema.decision_file import DecisionFile
from stemma.schema.model import (
    CATALOGUE_ORIGIN,
    LINEAGE_RELATIONS,
    Entity,
    EntityKind,
    Evidence,
    Extraction,
    FoundEntity,
    FoundRelation,
    Mention,
    RelationType,
    Statement,
)
from stemma.schema.paper import (
    SECTIONS,
    Author,
    Citation,
    Field,
    FullText,
    Paper,
    Reference,
    Section,
    Source,
)
from stemma.schema.partial_date import PartialDate
from stemma.schema.problem import Problem

__all__ = [
    "CATALOGUE_ORIGIN",
    "LINEAGE_RELATIONS",
    "SECTIONS",
    "Addition",
    "Author",
    "Bound",
    "Catalogue",
    "CatalogueError",
    "ChangeKind",
    "Citation",
    "Comparison",
    "Confirm",
    "Decision",
    "DecisionError",
    "DecisionFile",
    "Direction",
    "Entity",
    "EntityKind",
    "Evidence",
    "Extraction",
    "Fact",
    "Field",
    "FoundEntity",
    "FoundRelation",
    "FullText",
    "Mention",
    "Merge",
    "Origin",
    "Paper",
    "PartialDate",
    "Problem",
    "Reference",
    "Reject",
    "RelationType",
    "Rename",
    "Section",
    "Source",
    "Split",
    "Statement",
]
