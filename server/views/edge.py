"""Views of lineage edges: a work that derives from an earlier one, and the statements behind it."""

from collections.abc import Collection, Iterable, Mapping
from dataclasses import dataclass, field
from functools import lru_cache
from typing import Any, Self

from stemma.graph import LineageEdge, Reader, Work
from stemma.graph.selection import camel_case, written
from stemma.graph.store_filters import WHOLE_LINEAGE, LineageFilter
from stemma.schema import LINEAGE_RELATIONS, RelationType
from stemma.server.views.statement import StatementView, works_of
from stemma.server.views.view import View, derived, documented
from stemma.server.views.wording import relation_phrase
from stemma.server.views.work import NameView


@dataclass(frozen=True, slots=True, kw_only=True, repr=False)
class RelationConfidence(View):
    """The confidence of one relation of an edge alone."""

    relation: RelationType = documented("The relation.")
    confidence: float = documented("Its confidence, from 0 to 1.")


@dataclass(frozen=True, slots=True, kw_only=True, repr=False)
class EdgeView(View):
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
        "1 - Π(1 - c) over distinct papers, each by its strongest statement."
    )
    confidences: tuple[RelationConfidence, ...] = derived("The same for each relation alone.")
    anachronism: bool = derived("Whether the parent was published after its child.")
    statements: tuple[StatementView, ...] = derived(
        "The statements that support it, with their sentences: those with a sentence first, then "
        "by confidence."
    )

    model: LineageEdge = field(compare=False)
    works: Mapping[str, Work] = field(compare=False)
    """Among them are the works at its ends and those of its statements, to name them."""
    filter: LineageFilter = field(default=WHOLE_LINEAGE, compare=False)
    """That by which it was selected."""

    @classmethod
    def of(
        cls, edge: LineageEdge, works: Mapping[str, Work], filter: LineageFilter = WHOLE_LINEAGE
    ) -> Self:
        """Return the view of an edge, whose ends and papers are among `works`."""
        return cls(model=edge, works=works, filter=filter)

    def _id(self) -> str:
        return edge_id(self.model, self.filter)

    def _child(self) -> NameView:
        return NameView.of(self.model.child, self.works)

    def _parent(self) -> NameView:
        return NameView.of(self.model.parent, self.works)

    def _confidences(self) -> tuple[RelationConfidence, ...]:
        return tuple(
            RelationConfidence(relation=relation, confidence=confidence)
            for relation, confidence in self.model.confidences.items()
        )

    def _statements(self) -> tuple[StatementView, ...]:
        return tuple(StatementView.of(each, self.works) for each in self.model.statements)

    @property
    def in_catalogue(self) -> bool:
        """Whether it is a fact of the catalogue, whatever papers state as well."""
        return any(each.paper is None for each in self.statements)

    @property
    def phrase(self) -> str:
        """The relations in words; of several, each with its own confidence."""
        return self.phrase_in({})

    def phrase_in(self, wording: Mapping[RelationType, str]) -> str:
        """Return the relations in words, for which `wording` has others."""
        return relation_phrase(
            {each.relation: each.confidence for each in self.confidences}, wording
        )

    def to_rows(self) -> list[dict[str, Any]]:
        first = next((each for each in self.statements if each.evidence), None)
        alone = {each.relation: each.confidence for each in self.confidences}
        return [
            {
                "child": self.child.id,
                "child_name": self.child.name,
                "parent": self.parent.id,
                "parent_name": self.parent.name,
                "relations": "; ".join(relation.name for relation in self.relations),
                **{each.name.lower(): alone.get(each) for each in LINEAGE_RELATIONS},
                "confidence": self.confidence,
                "anachronism": self.anachronism,
                "sentence": first.sentence if first else None,
                "paper": first.subject.name if first else None,
            }
        ]

    @classmethod
    def columns(cls) -> tuple[str, ...]:
        return (
            *("child", "child_name", "parent", "parent_name", "relations"),
            *(relation.name.lower() for relation in LINEAGE_RELATIONS),
            *("confidence", "anachronism", "sentence", "paper"),
        )

    def __str__(self) -> str:
        return f"{self.child} {self.phrase} {self.parent} ({self.confidence:.2f})"


def edge_views(
    reader: Reader, edges: Collection[LineageEdge], filter: LineageFilter = WHOLE_LINEAGE
) -> tuple[EdgeView, ...]:
    """Return views of edges, with the names of works and papers."""
    works = reader.works(works_of_edges(edges))
    return tuple(EdgeView.of(each, works, filter) for each in edges)


def works_of_edges(edges: Iterable[LineageEdge]) -> set[str]:
    """Return the works (ids) at the ends of edges, and of their statements."""
    ids = set[str]()
    for edge in edges:
        ids |= {edge.child, edge.parent, *works_of(edge.statements)}
    return ids


def edge_id(edge: LineageEdge, filter: LineageFilter) -> str:
    """Return an id that a client can keep an edge by.

    An edge that is filtered has another confidence and fewer statements, and so another id.
    """
    compared = RelationType.COMPARES_WITH in edge.relations
    return f"edge/{edge.child}/{edge.parent}{_filtered(filter, compared)}"


@lru_cache(maxsize=64)
def _filtered(filter: LineageFilter, compared: bool) -> str:
    """Return a filter as the end of an id."""
    given = {"relations": (), **filter.given}
    if compared:
        given["relations"] = (RelationType.COMPARES_WITH,)
    elif {*given["relations"]} == {*LINEAGE_RELATIONS}:
        given["relations"] = ()
    parts = {camel_case(name): written(value) for name, value in given.items()}
    filtered = "&".join(f"{name}={value}" for name, value in parts.items() if value)
    return f"?{filtered}" if filtered else ""
