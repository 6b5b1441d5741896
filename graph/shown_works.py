"""Which works of a lineage are shown, whatever works it leads through."""

from collections.abc import Collection
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

from stemma.graph.criteria import ALL_YEARS, Years
from stemma.graph.filters import FilterField, fields_to_blame
from stemma.schema import Entity, EntityKind

if TYPE_CHECKING:
    from stemma.graph.lineage import LineageNode


@dataclass(frozen=True, slots=True)
class ShownWorks:
    """Works of a lineage: entities of these `kinds` (if none is given, all works), and of these
    years of publication."""

    kinds: tuple[EntityKind, ...] = ()
    years: Years = ALL_YEARS

    def __bool__(self) -> bool:
        return bool(self.kinds or self.years)

    def shows(self, node: "LineageNode") -> bool:
        """Return whether a work is shown."""
        return self.years.hold(node.published.year if node.published else None) and (
            not self.kinds or (isinstance(node.work, Entity) and node.work.kind in self.kinds)
        )

    def emptied_by(self, nodes: Collection["LineageNode"]) -> tuple[FilterField, ...]:
        """Return which of the fields leave out all works of a lineage, if they do."""

        def passes(kept: Collection[FilterField]) -> bool:
            chosen = replace(
                self,
                kinds=self.kinds if FilterField.KINDS in kept else (),
                years=self.years if FilterField.YEARS in kept else ALL_YEARS,
            )
            return any(map(chosen.shows, nodes))

        given = {FilterField.KINDS: bool(self.kinds), FilterField.YEARS: bool(self.years)}
        return fields_to_blame([each for each, is_set in given.items() if is_set], passes)


ALL_WORKS = ShownWorks()
