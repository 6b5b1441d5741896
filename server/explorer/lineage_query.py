"""The query in GraphQL for a lineage, with all of its filters."""

from collections.abc import Sequence
from dataclasses import dataclass

from stemma.graph import LineageDirection, LineageFilter
from stemma.server.explorer.graphql_text import arguments, string

_FIELDS = """\
    nodes {
      depth
      published
      work { id name ... on Entity { kind } }
    }
    edges {
      child { name }
      parent { name }
      relations
      confidence
      statements { paper { name } evidence { text } }
    }
"""


@dataclass(frozen=True, slots=True)
class LineageQuery:
    """The lineage of a work (an id) that is an entity, or a paper that introduces none.

    `kinds` (also "paper") and `years` choose among its works. GraphQL knows no kind "paper": with
    it the query yields all kinds.
    """

    root: str
    directions: Sequence[LineageDirection]
    depth: int
    filter: LineageFilter
    include_general: bool = True
    first: int = 100
    kinds: tuple[str, ...] = ()
    years: tuple[int | None, int | None] = (None, None)

    def graphql(self) -> str:
        """Return a field for each direction."""
        fields = "".join(
            f"  {direction.value}: lineage({self._arguments(direction)}) {{\n{_FIELDS}  }}\n"
            for direction in self.directions
        )
        note = "# All kinds: choose among them.\n" if self._with_papers else ""
        return f"{note}query Lineage {{\n{fields}}}\n"

    @property
    def _with_papers(self) -> bool:
        return "paper" in self.kinds

    def _arguments(self, direction: LineageDirection) -> str:
        relations = self.filter.relations
        kinds = ", ".join(each.upper() for each in self.kinds)
        first, last = self.years
        return arguments(
            {
                "of": string(self.root),
                "direction": direction.name,
                "maxDepth": str(self.depth),
                "relations": f"[{', '.join(relations)}]" if relations else None,
                "minConfidence": f"{self.filter.min_confidence:g}"
                if self.filter.min_confidence
                else None,
                "includeCatalogue": None if self.filter.include_catalogue else "false",
                "includeGeneral": None if self.include_general else "false",
                "asOf": string(str(self.filter.as_of)) if self.filter.as_of else None,
                "kinds": f"[{kinds}]" if kinds and not self._with_papers else None,
                "yearFrom": str(first) if first else None,
                "yearTo": str(last) if last else None,
                "first": str(self.first),
            }
        )
