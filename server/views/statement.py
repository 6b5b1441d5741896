"""Views of statements, and of the edges of a lineage that they make."""

import re
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from functools import lru_cache, partial
from operator import itemgetter
from typing import ClassVar

from stemma.graph import BadCursorError, LineageEdge
from stemma.graph.selection import EDGES, Selection, StatementKey, camel_case, written
from stemma.schema import (
    LINEAGE_RELATIONS,
    Comparison,
    Direction,
    Evidence,
    RelationType,
    Statement,
)
from stemma.schema.comparison import Bound
from stemma.server.views.view import View, derived
from stemma.server.views.wording import relation_phrase
from stemma.server.views.work import NameView, PaperNameView

_ID = re.compile(r"statement/((?:paper|entity)/[^/]+)/([a-z-]+)/(entity/[^/]+)")


@dataclass(frozen=True, slots=True, kw_only=True, repr=False)
class EvidenceView(View[Evidence]):
    """The exact sentence that states a relation."""

    text: str = derived("The sentence, exactly as in the paper.")
    field: str = derived(
        "Where it is: `title`, `abstract`, or a kind of section such as `introduction`.",
        "field.value",
    )
    section: str | None = derived(
        "The kind of section in words, such as `related work`; null for title and abstract."
    )
    start: int = derived("Offset of its first code point in the title, abstract or section.")
    end: int = derived("Offset after its last code point.")

    def __str__(self) -> str:
        return self.text


@dataclass(frozen=True, slots=True, kw_only=True, repr=False)
class ComparisonView(View[Comparison]):
    """The result of a comparison, as the sentence states it."""

    text: str = derived("The result in words: `2.2x the throughput`.", str)
    factor: float | None = derived("The factor: 2 for “2x faster”.")
    difference: float | None = derived("The difference, in `unit`.")
    unit: str | None = derived("The unit of the difference or range: `%`, `points`.")
    low: float | None = derived("The lower end of a range.")
    high: float | None = derived("The upper end of a range.")
    bound: Bound | None = derived("Whether the number is exact or a bound.")
    metric: str | None = derived("What was measured.")
    direction: Direction | None = derived("How the paper's contribution performs.")
    condition: str | None = derived("Under which condition.")

    def __str__(self) -> str:
        return self.text


def statement_id(statement: Statement) -> str:
    """Return the id of a statement, made of the three that it is unique by."""
    relation = statement.relation.lower().replace("_", "-")
    return f"statement/{statement.subject}/{relation}/{statement.entity}"


@dataclass(frozen=True, slots=True, kw_only=True, repr=False)
class StatementView(View[Statement]):
    """A relation of a work to an entity. There is one statement for each triple."""

    id: str = derived(
        "Made of the ids of the work and the entity, and of the relation: the same in every answer "
        "and after every build.",
        statement_id,
    )
    subject: NameView = derived("A paper, or an entity for a fact of the catalogue.")
    relation: RelationType = derived("The relation of the subject to the entity.")
    entity: NameView = derived("The entity that the statement is about.", of="Entity")
    confidence: float = derived("The confidence, from 0 to 1.")
    origin: str = derived("The component and version that found it, or `catalogue`.")
    confirmed: bool = derived("Whether a decision confirmed it; the confidence is then 1.")
    paper: PaperNameView | None = derived(
        "The paper; null for a fact of the catalogue.", "subject", of="Paper"
    )
    comparison: ComparisonView | None = derived(
        "The result of a COMPARES_WITH, if the evidence states it."
    )
    evidence: tuple[EvidenceView, ...] = derived(
        "The sentences that support it, strongest first.", size=2
    )
    table: ClassVar = {
        "subject": "subject.id",
        "subject_name": "subject.name",
        "published": "paper.published",
        "relation": "relation",
        "entity": "entity.id",
        "entity_name": "entity.name",
        "confidence": "confidence",
        "comparison": "comparison.text",
        "factor": "comparison.factor",
        "metric": "comparison.metric",
        "direction": "comparison.direction",
        "sentence": "sentence",
        "field": "strongest.field",
        "section": "strongest.section",
        "start": "strongest.start",
        "end": "strongest.end",
        "origin": "origin",
    }

    @property
    def strongest(self) -> EvidenceView | None:
        """The strongest evidence; None for a fact of the catalogue."""
        return self.evidence[0] if self.evidence else None

    @property
    def sentence(self) -> str | None:
        """The strongest sentence; None for a fact of the catalogue."""
        return self.strongest.text if self.strongest else None

    def __str__(self) -> str:
        return f"{self.subject} {self.relation.words} {self.entity} ({self.confidence:.2f})"


def works_of(statements: Iterable[Statement]) -> set[str]:
    """Return the subjects and entities (ids) of statements."""
    return {id_ for statement in statements for id_ in (statement.subject, statement.entity)}


def statement_key(id_: str) -> StatementKey:
    """Return the key of the statement with an id. Raises BadCursorError if it is no id."""
    match = _ID.fullmatch(id_)
    relation = match[2].upper().replace("-", "_") if match else ""
    if not match or relation not in RelationType.__members__:
        raise BadCursorError(id_)
    return (match[1], RelationType(relation), match[3])


@dataclass(frozen=True, slots=True, kw_only=True, repr=False)
class RelationConfidence(View[tuple[RelationType, float]]):
    """The confidence of one relation of an edge alone."""

    relation: RelationType = derived("The relation.", itemgetter(0))
    confidence: float = derived("Its confidence, from 0 to 1.", itemgetter(1))


def _alone(relation: RelationType, edge: "EdgeView") -> float | None:
    """Return the confidence of one relation of an edge alone."""
    return edge.model.confidences.get(relation)


@dataclass(frozen=True, slots=True, kw_only=True, repr=False)
class EdgeView(View[LineageEdge]):
    """`child` builds on or improves on `parent`, or on a path is compared with it."""

    id: str = derived(
        "Made of the ids of child and parent, and of the filters by which the edge was selected."
    )
    child: NameView = derived("The later work.")
    parent: NameView = derived("The earlier work.")
    relations: tuple[RelationType, ...] = derived(
        "BUILDS_ON, IMPROVES_ON or both; on a path also COMPARES_WITH."
    )
    confidence: float = derived(
        "From 0 to 1: 1 - Π(1 - c) over distinct papers, each by its strongest statement."
    )
    confidences: tuple[RelationConfidence, ...] = derived(
        "The confidence of each relation alone.", lambda model: model.confidences.items(), size=2
    )
    anachronism: bool = derived("Whether the parent was published after its child.")
    statements: tuple[StatementView, ...] = derived(
        "The statements that support it, by confidence; facts of the catalogue last.", size=2
    )
    table: ClassVar = {
        "child": "child.id",
        "child_name": "child.name",
        "parent": "parent.id",
        "parent_name": "parent.name",
        "relations": "relations",
        **{relation.name.lower(): partial(_alone, relation) for relation in LINEAGE_RELATIONS},
        "confidence": "confidence",
        "anachronism": "anachronism",
        "sentence": "quoted.sentence",
        "paper": "quoted.subject.name",
    }

    def _id(self) -> str:
        return edge_id(self.model, self.selection)

    @property
    def quoted(self) -> StatementView | None:
        """The first statement with a sentence."""
        return next((statement for statement in self.statements if statement.evidence), None)

    @property
    def in_catalogue(self) -> bool:
        """Whether it is a fact of the catalogue, whatever papers state as well."""
        return any(statement.paper is None for statement in self.statements)

    @property
    def phrase(self) -> str:
        """The relations in words; of several, each with its own confidence."""
        return self.phrase_in({})

    def phrase_in(self, wording: Mapping[RelationType, str]) -> str:
        """Return the relations in words, for which `wording` has others."""
        return relation_phrase(
            {confidence.relation: confidence.confidence for confidence in self.confidences}, wording
        )

    def __str__(self) -> str:
        return f"{self.child} {self.phrase} {self.parent} ({self.confidence:.2f})"


def works_of_edges(edges: Iterable[LineageEdge]) -> set[str]:
    """Return the works (ids) at the ends of edges, and of their statements."""
    ids = set[str]()
    for edge in edges:
        ids |= {edge.child, edge.parent, *works_of(edge.statements)}
    return ids


def edge_id(edge: LineageEdge, selection: Selection) -> str:
    """Return an id that a client can keep an edge by.

    An edge that is filtered has another confidence and fewer statements, and so another id.
    """
    compared = RelationType.COMPARES_WITH in edge.relations
    return f"edge/{edge.child}/{edge.parent}{_filtered(selection, compared)}"


@lru_cache(maxsize=64)
def _filtered(selection: Selection, compared: bool) -> str:
    """Return what selects the statements of an edge as the end of an id."""
    given = {"relations": (), **selection.given(EDGES)}
    if compared:
        given["relations"] = (RelationType.COMPARES_WITH,)
    elif {*given["relations"]} == {*LINEAGE_RELATIONS}:
        given["relations"] = ()
    parts = {camel_case(name): written(value) for name, value in given.items()}
    filtered = "&".join(f"{name}={value}" for name, value in parts.items() if value)
    return f"?{filtered}" if filtered else ""
