"""Views of two works side by side: what they share, and how they are related."""

from dataclasses import dataclass
from typing import Any, Self

from stemma.graph import Reader
from stemma.graph.comparing import Aspect, Profile, SharedAndOwn, SideBySide
from stemma.schema import PartialDate
from stemma.server.views.statement import EdgeView, StatementView, works_of, works_of_edges
from stemma.server.views.view import View, derived
from stemma.server.views.work import WHEN_PUBLISHED, NameView


def named(aspect: Aspect, verb: str = "name", whose: str = "its") -> Any:
    """Return a field of what the papers of works name in one aspect."""
    return derived(
        f"The {aspect.value} that {whose} papers {verb}.", lambda model: model.aspects[aspect]
    )


@dataclass(frozen=True, slots=True, kw_only=True, repr=False)
class ComparedWorkView(View[Profile]):
    """One of two works that are compared."""

    work: NameView = derived("The work.")
    published: PartialDate | None = derived(WHEN_PUBLISHED)
    papers: tuple[NameView, ...] = derived(
        "The papers that introduce it, or the paper itself.", of="Paper"
    )


@dataclass(frozen=True, slots=True, kw_only=True, repr=False)
class EntityOverlapView(View[SharedAndOwn]):
    """Entities that both works name, and those of one alone."""

    shared: tuple[NameView, ...] = derived("Entities of both.", of="Entity")
    left: tuple[NameView, ...] = derived("Entities of the left work alone.", of="Entity")
    right: tuple[NameView, ...] = derived("Entities of the right work alone.", of="Entity")

    def __bool__(self) -> bool:
        return bool(self.model)


@dataclass(frozen=True, slots=True, kw_only=True, repr=False)
class ComparisonOfWorks(View[SideBySide]):
    """Two works side by side."""

    cites = True
    left: ComparedWorkView = derived("The first work.")
    right: ComparedWorkView = derived("The second work.")
    hardware: EntityOverlapView = named(Aspect.HARDWARE, whose="their")
    frameworks: EntityOverlapView = named(Aspect.FRAMEWORKS, whose="their")
    techniques: EntityOverlapView = named(Aspect.TECHNIQUES, whose="their")
    models: EntityOverlapView = named(Aspect.MODELS, whose="their")
    datasets: EntityOverlapView = named(Aspect.DATASETS, whose="their")
    baselines: EntityOverlapView = named(Aspect.BASELINES, "compare with", whose="their")
    lineage: tuple[EdgeView, ...] = derived(
        "The way from one to the other over lineage, if there is one.", "lineage.edges"
    )
    statements: tuple[StatementView, ...] = derived(
        "Statements of either work about the other, by confidence; facts of the catalogue last."
    )
    compared_by: tuple[NameView, ...] = derived("Papers that compare with both.", of="Paper")

    @classmethod
    def of(cls, reader: Reader, compared: SideBySide) -> Self:
        named = reader.works(works_of_edges(compared.lineage.edges) | works_of(compared.statements))
        return cls(
            model=compared, named={**named, **{paper.id: paper for paper in compared.compared_by}}
        )

    def __str__(self) -> str:
        return f"{self.left.work} and {self.right.work} side by side"

    def aspects(self) -> dict[Aspect, EntityOverlapView]:
        """Return what both works name, by aspect."""
        return {aspect: getattr(self, aspect.value) for aspect in Aspect}

    def to_rows(self) -> list[dict[str, Any]]:
        """Return a row for each entity of either work, with the aspect and whose it is."""
        return [
            {
                "aspect": aspect.value,
                "id": entity.id,
                "name": entity.name,
                "left": side != "right",
                "right": side != "left",
            }
            for aspect, both in self.aspects().items()
            for side in ("shared", "left", "right")
            for entity in getattr(both, side)
        ]

    @classmethod
    def columns(cls) -> tuple[str, ...]:
        return ("aspect", "id", "name", "left", "right")
