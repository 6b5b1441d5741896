"""Which works of a lineage are shown: some kinds and years, and general terms if asked for."""

from collections.abc import Collection
from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING

from stemma.graph.criteria import ALL_YEARS, Years
from stemma.graph.filters import FilterField, fields_to_blame
from stemma.graph.store import Reader
from stemma.schema import Entity, EntityKind

if TYPE_CHECKING:
    from stemma.graph.lineage import LineageNode


@dataclass(frozen=True, slots=True)
class ShownWorks:
    """Works of a lineage: entities of these `kinds` (if none is given, all works), and of these
    years of publication. It may lead through others."""

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


@dataclass(slots=True)
class GeneralTerms:
    """Which works are general terms (GPU, quantization), as far as they were met.

    A lineage does not lead through them unless they are `wanted`: then all works pass.
    """

    reader: Reader
    wanted: bool
    left_out: set[str] = field(default_factory=set)
    _known: dict[str, bool] = field(default_factory=dict)

    def others(self, ids: Collection[str]) -> Collection[str]:
        """Return those that are not general terms, in their order; the rest is left out."""
        if self.wanted:
            return ids
        general = self.are_general(ids)
        found = [each for each in ids if not general[each]]
        self.left_out |= set(ids).difference(found)
        return found

    def are_general(self, ids: Collection[str]) -> dict[str, bool]:
        """Return, for each work, whether it is a general term."""
        unknown = [each for each in ids if each not in self._known]
        works = self.reader.works(unknown) if unknown else {}
        for each in unknown:
            self._known[each] = bool(getattr(works.get(each), "general", False))
        return self._known
