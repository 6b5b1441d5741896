"""Views of statements: a relation to an entity, with the sentences that state it."""

import re
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from typing import Any, Self

from stemma.graph import BadCursorError, Work
from stemma.graph.statement_page import StatementKey
from stemma.schema import Comparison, Direction, Evidence, Paper, RelationType, Statement
from stemma.schema.comparison import Bound
from stemma.server.views.view import View, derived, documented
from stemma.server.views.work import NameView, PaperNameView

_ID = re.compile(r"statement/((?:paper|entity)/[^/]+)/([a-z-]+)/(entity/[^/]+)")


@dataclass(frozen=True, slots=True, kw_only=True, repr=False)
class EvidenceView(View):
    """The exact sentence that states a relation."""

    text: str = documented("The sentence, exactly as in the paper.")
    field: str = documented(
        "Where it is: `title`, `abstract`, or a kind of section such as `introduction`."
    )
    section: str | None = documented(
        "The kind of section in words, such as `related work`; null for title and abstract."
    )
    start: int = documented("Offset of its first character, from 0.")
    end: int = documented("Offset after its last character.")

    @classmethod
    def of(cls, evidence: Evidence) -> Self:
        return cls(
            text=evidence.text,
            field=evidence.field.value,
            section=evidence.section,
            start=evidence.start,
            end=evidence.end,
        )

    def __str__(self) -> str:
        return self.text


@dataclass(frozen=True, slots=True, kw_only=True, repr=False)
class ComparisonView(View):
    """The result of a comparison, as the sentence states it."""

    text: str = documented("The result in words: `2.2x the throughput`.")
    factor: float | None = documented("The factor: 2 for “2x faster”.")
    difference: float | None = documented("The difference, in `unit`.")
    unit: str | None = documented("The unit of the difference or range: `%`, `points`.")
    low: float | None = documented("The lower end of a range.")
    high: float | None = documented("The upper end of a range.")
    bound: Bound | None = documented("Whether the number is exact or a bound.")
    metric: str | None = documented("What was measured.")
    direction: Direction | None = documented("How the paper's contribution performs.")
    condition: str | None = documented("Under which condition.")

    @classmethod
    def of(cls, comparison: Comparison) -> Self:
        return cls(
            text=str(comparison),
            factor=comparison.factor,
            difference=comparison.difference,
            unit=comparison.unit,
            low=comparison.low,
            high=comparison.high,
            bound=comparison.bound,
            metric=comparison.metric,
            direction=comparison.direction,
            condition=comparison.condition,
        )

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
        return ComparisonView.of(self.model.comparison) if self.model.comparison else None

    def _evidence(self) -> tuple[EvidenceView, ...]:
        return tuple(map(EvidenceView.of, self.model.evidence))

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
