"""Views of statements: a relation to an entity, with the sentences that state it."""

import re
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from typing import Any, Self

from stemma.graph import BadCursorError, Work
from stemma.graph.selection import StatementKey
from stemma.schema import Comparison, Direction, Evidence, Paper, RelationType, Statement
from stemma.schema.comparison import Bound
from stemma.server.views.view import View, derived
from stemma.server.views.work import NameView, PaperNameView

_ID = re.compile(r"statement/((?:paper|entity)/[^/]+)/([a-z-]+)/(entity/[^/]+)")


@dataclass(frozen=True, slots=True, kw_only=True, repr=False)
class EvidenceView(View):
    """The exact sentence that states a relation."""

    model: Evidence = field(compare=False)
    text: str = derived("The sentence, exactly as in the paper.")
    field: str = derived(
        "Where it is: `title`, `abstract`, or a kind of section such as `introduction`.",
        "field.value",
    )
    section: str | None = derived(
        "The kind of section in words, such as `related work`; null for title and abstract."
    )
    start: int = derived("Offset of its first character, from 0.")
    end: int = derived("Offset after its last character.")

    def __str__(self) -> str:
        return self.text


@dataclass(frozen=True, slots=True, kw_only=True, repr=False)
class ComparisonView(View):
    """The result of a comparison, as the sentence states it."""

    text: str = derived("The result in words: `2.2x the throughput`.")
    factor: float | None = derived("The factor: 2 for “2x faster”.")
    difference: float | None = derived("The difference, in `unit`.")
    unit: str | None = derived("The unit of the difference or range: `%`, `points`.")
    low: float | None = derived("The lower end of a range.")
    high: float | None = derived("The upper end of a range.")
    bound: Bound | None = derived("Whether the number is exact or a bound.")
    metric: str | None = derived("What was measured.")
    direction: Direction | None = derived("How the paper's contribution performs.")
    condition: str | None = derived("Under which condition.")

    model: Comparison = field(compare=False)

    def _text(self) -> str:
        return str(self.model)

    def __str__(self) -> str:
        return self.text


@dataclass(frozen=True, slots=True, kw_only=True, repr=False)
class StatementView(View):
    """A relation of a work to an entity. There is one statement for each triple."""

    id: str = derived(
        "Made of the ids of the work and the entity, and of the relation: the same in every answer "
        "and after every build."
    )
    subject: NameView = derived("A paper, or an entity for a fact of the catalogue.")
    relation: RelationType = derived("The relation of the subject to the entity.")
    entity: NameView = derived("The entity that the statement is about.")
    confidence: float = derived("The confidence, from 0 to 1.")
    origin: str = derived("The component and version that found it, or `catalogue`.")
    confirmed: bool = derived("Whether a decision confirmed it; the confidence is then 1.")
    paper: PaperNameView | None = derived("The paper; null for a fact of the catalogue.")
    comparison: ComparisonView | None = derived(
        "The result of a COMPARES_WITH, if the evidence states it."
    )
    evidence: tuple[EvidenceView, ...] = derived("The sentences that support it, strongest first.")
    model: Statement = field(compare=False)
    works: Mapping[str, Work] = field(compare=False)
    """Among them are the subject and the entity, to name them."""

    @classmethod
    def of(cls, statement: Statement, works: Mapping[str, Work]) -> Self:
        """Return the view of a statement, whose subject and entity are among `works`."""
        return cls(model=statement, works=works)

    def _id(self) -> str:
        return statement_id(self.model)

    def _subject(self) -> NameView:
        return NameView.of(self.model.subject, self.works)

    def _entity(self) -> NameView:
        return NameView.of(self.model.entity, self.works)

    def _paper(self) -> PaperNameView | None:
        paper = self.works.get(self.model.subject)
        return PaperNameView.of_paper(paper) if isinstance(paper, Paper) else None

    def _comparison(self) -> ComparisonView | None:
        return ComparisonView(model=self.model.comparison) if self.model.comparison else None

    def _evidence(self) -> tuple[EvidenceView, ...]:
        return tuple(EvidenceView(model=each) for each in self.model.evidence)

    @property
    def sentence(self) -> str | None:
        """The strongest sentence; None for a fact of the catalogue."""
        return self.evidence[0].text if self.evidence else None

    def to_rows(self) -> list[dict[str, Any]]:
        compared = self.comparison
        first = self.evidence[0] if self.evidence else None
        published = self.paper.published if self.paper else None
        return [
            {
                "subject": self.subject.id,
                "subject_name": self.subject.name,
                "published": str(published) if published else None,
                "relation": self.relation.name,
                "entity": self.entity.id,
                "entity_name": self.entity.name,
                "confidence": self.confidence,
                "comparison": compared.text if compared else None,
                "factor": compared.factor if compared else None,
                "metric": compared.metric if compared else None,
                "direction": compared.direction.name if compared and compared.direction else None,
                "sentence": self.sentence,
                "field": first.field if first else None,
                "section": first.section if first else None,
                "start": first.start if first else None,
                "end": first.end if first else None,
                "origin": self.origin,
            }
        ]

    @classmethod
    def columns(cls) -> tuple[str, ...]:
        return (
            *("subject", "subject_name", "published", "relation", "entity", "entity_name"),
            *("confidence", "comparison", "factor", "metric", "direction", "sentence"),
            *("field", "section", "start", "end", "origin"),
        )

    def __str__(self) -> str:
        return f"{self.subject} {self.relation.words} {self.entity} ({self.confidence:.2f})"


def works_of(statements: Iterable[Statement]) -> set[str]:
    """Return the subjects and entities (ids) of statements."""
    return {id_ for each in statements for id_ in (each.subject, each.entity)}


def statement_id(statement: Statement) -> str:
    """Return the id of a statement, made of the three that it is unique by."""
    relation = statement.relation.lower().replace("_", "-")
    return f"statement/{statement.subject}/{relation}/{statement.entity}"


def statement_key(id_: str) -> StatementKey:
    """Return what the statement with an id is unique by. Raises BadCursorError if it is no id."""
    found = _ID.fullmatch(id_)
    relation = found[2].upper().replace("-", "_") if found else ""
    if not found or relation not in RelationType.__members__:
        raise BadCursorError(id_)
    return (found[1], RelationType(relation), found[3])
