"""General terms (GPU, quantization), through which a lineage need not lead."""

from collections.abc import Collection
from dataclasses import dataclass, field

from stemma.graph.store import Reader


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
