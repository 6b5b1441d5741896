"""Meanings: entities with the mentions that mean them, as people decide on them."""

from collections.abc import Collection

from stemma.graph.linking.generality import is_general
from stemma.graph.linking.linked_entity import coined_entity, other_names, preferred_name
from stemma.graph.linking.naming import Mention, best_kind
from stemma.schema import Entity, EntityKind


class Meaning:
    """An entity, the mentions that mean it, and the concepts of the catalogue that it is."""

    def __init__(
        self, entity: Entity, members: Collection[Mention], concept: Entity | None = None
    ) -> None:
        self.id = entity.id
        self.entity = entity
        self.members = list(members)
        self.concepts = [concept] if concept else []
        self._name: str | None = None
        self._kind: EntityKind | None = None
        self._other_names: set[str] = set()

    def take_in(self, other: "Meaning") -> None:
        """Be what `other` is as well."""
        self._name = self.entity.name
        self._kind = self._kind or other._kind
        self._other_names |= {other.entity.name, *other._other_names}
        self.members += other.members
        self.concepts += other.concepts
        self._describe()

    def leave(self, papers: Collection[str], id_: str, name: str | None) -> "Meaning":
        """Return, with a new id, what `papers` mean, and be it no longer."""
        left = self.named_in(papers)
        gone = set(left)
        self.members = [each for each in self.members if each not in gone]
        if self.members or self.concepts:
            self._describe()
        new = Meaning(coined_entity(id_, name or preferred_name(left), left), left)
        new._name = name
        return new

    def rename(self, name: str) -> None:
        """Be called `name`."""
        self._other_names.add(self.entity.name)
        self._name = name
        self._describe()

    def change_kind(self, kind: EntityKind) -> None:
        """Be of `kind`."""
        self._kind = kind
        self._describe()

    def named_in(self, papers: Collection[str]) -> list[Mention]:
        """Return the mentions by `papers`."""
        return [each for each in self.members if each.paper.paper in papers]

    def _describe(self) -> None:
        concept = self.concepts[0] if self.concepts else None
        name = self._name or (concept.name if concept else preferred_name(self.members))
        kind = self._kind or (concept.kind if concept else best_kind(self.members))
        known = self._other_names.union(*((each.name, *each.aliases) for each in self.concepts))
        observed = other_names(self.members, (name, *known))
        wider = {broader for each in self.concepts for broader in each.broader}
        self.entity = Entity(
            self.id,
            name,
            kind,
            tuple(sorted({*known, *observed} - {name})),
            tuple(sorted(wider - {self.id})),
            concept.general if concept else is_general(name, kind, self.members),
        )
