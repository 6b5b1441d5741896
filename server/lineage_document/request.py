"""The query parameters of a lineage document."""

from collections.abc import Callable, Collection, Iterable, Iterator
from dataclasses import dataclass
from typing import Any

from starlette.datastructures import QueryParams

from stemma.graph import LineageDirection, LineageEdge, LineageFilter, Reader
from stemma.graph.filters import WHOLE_LINEAGE
from stemma.graph.lineage import Reach, edges_within, reach
from stemma.schema import LINEAGE_RELATIONS, RelationType
from stemma.server.graphql.arguments import DEEPEST_LINEAGE

_TRUTH = {"true": True, "false": False}


@dataclass(frozen=True, slots=True)
class LineageRequest:
    """The arguments of a lineage; defaults and meaning are those of GraphQL's field `lineage`."""

    direction: LineageDirection = LineageDirection.DESCENDANTS
    max_depth: int = 3
    filter: LineageFilter = WHOLE_LINEAGE

    @classmethod
    def parse(cls, parameters: QueryParams) -> "LineageRequest":
        """Parse query parameters, which have the names of GraphQL's arguments.

        `relations` are separated by commas, or given one at a time. Raises ValueError, which names
        what is allowed.
        """
        given: dict[str, Any] = {}
        filtering: dict[str, Any] = {}
        for name in parameters:
            values = parameters.getlist(name)
            if name not in _PARAMETERS:
                raise ValueError(f"there is no parameter {name!r}; there are {_all(_PARAMETERS)}")
            if len(values) > 1 and name != "relations":
                raise ValueError(f"`{name}` is given {len(values)} times")
            field, read = _PARAMETERS[name]
            of = filtering if field in LineageFilter.__match_args__ else given
            of[field] = read(",".join(values))
        return cls(**given, filter=LineageFilter(**filtering))

    def reach(self, reader: Reader, work: str) -> Reach:
        """Find what the lineage of a work (an id) reaches."""
        return reach(reader, work, self.direction, self.max_depth, self.filter)

    def edges(
        self, reader: Reader, children: Collection[str], within: Collection[str]
    ) -> Iterator[LineageEdge]:
        """Yield the edges from `children` to parents that are `within` the lineage."""
        return edges_within(reader, children, within, self.filter)


def _direction(value: str) -> LineageDirection:
    if value.upper() not in LineageDirection.__members__:
        allowed = _all(LineageDirection.__members__)
        raise ValueError(f"`direction` is {value!r}; there are {allowed}")
    return LineageDirection[value.upper()]


def _max_depth(value: str) -> int:
    try:
        depth = int(value)
    except ValueError:
        depth = 0
    if not 1 <= depth <= DEEPEST_LINEAGE:
        raise ValueError(f"`maxDepth` is {value!r}; it goes from 1 to {DEEPEST_LINEAGE}")
    return depth


def _relations(value: str) -> tuple[RelationType, ...]:
    known = {relation.name: relation for relation in LINEAGE_RELATIONS}
    named = [each.strip().upper() for each in value.split(",")]
    if unknown := [each for each in named if each not in known]:
        raise ValueError(f"`relations` has {unknown[0]!r}; lineage is made of {_all(known)}")
    return tuple(known[each] for each in named)


def _min_confidence(value: str) -> float:
    try:
        confidence = float(value)
    except ValueError:
        confidence = -1.0
    if not 0 <= confidence <= 1:
        raise ValueError(f"`minConfidence` is {value!r}; it goes from 0 to 1")
    return confidence


def _include_catalogue(value: str) -> bool:
    if value.lower() not in _TRUTH:
        raise ValueError(f"`includeCatalogue` is {value!r}; there are {_all(_TRUTH)}")
    return _TRUTH[value.lower()]


def _all(choices: Iterable[str]) -> str:
    return ", ".join(choices)


_PARAMETERS: dict[str, tuple[str, Callable[[str], Any]]] = {
    "direction": ("direction", _direction),
    "maxDepth": ("max_depth", _max_depth),
    "relations": ("relations", _relations),
    "minConfidence": ("min_confidence", _min_confidence),
    "includeCatalogue": ("include_catalogue", _include_catalogue),
}
