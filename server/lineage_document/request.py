"""The query parameters of a lineage document."""

from collections.abc import Callable, Collection, Iterable, Iterator
from dataclasses import dataclass
from typing import Any

from starlette.datastructures import QueryParams

from stemma.graph import LineageDirection, LineageEdge, LineageFilter, Reader, Work
from stemma.graph.criteria import Years
from stemma.graph.filters import WHOLE_LINEAGE, check_years, date_asked
from stemma.graph.lineage import Reach, edges_within, reach
from stemma.schema import LINEAGE_RELATIONS, EntityKind, PartialDate, RelationType
from stemma.server.graphql.arguments import DEEPEST_LINEAGE
from stemma.server.presentation.wording import kind_of

KINDS = (*(kind.value for kind in EntityKind), "paper")
"""The kinds of works on a lineage."""
_LAST_YEAR = 9999
_TRUTH = {"true": True, "false": False}


@dataclass(frozen=True, slots=True)
class LineageRequest:
    """The arguments of a lineage; defaults and meaning are those of GraphQL's field `lineage`.

    `kinds` (any, if none is given) and the years choose what is shown, not which works the lineage
    leads through.
    """

    direction: LineageDirection = LineageDirection.DESCENDANTS
    max_depth: int = 3
    filter: LineageFilter = WHOLE_LINEAGE
    kinds: tuple[str, ...] = ()
    year_from: int | None = None
    year_to: int | None = None

    def __post_init__(self) -> None:
        check_years(self.year_from, self.year_to)

    @classmethod
    def parse(cls, parameters: QueryParams) -> "LineageRequest":
        """Parse query parameters, which have the names of GraphQL's arguments.

        `relations` and `kinds` are separated by commas, or given one at a time. Raises ValueError,
        which names what is allowed.
        """
        given: dict[str, Any] = {}
        filtering: dict[str, Any] = {}
        for name in parameters:
            values = parameters.getlist(name)
            if name not in _PARAMETERS:
                known = _all(_PARAMETERS)
                raise ValueError(f"unknown parameter {name!r}; known parameters: {known}")
            if len(values) > 1 and name not in ("relations", "kinds"):
                raise ValueError(f"`{name}` is given {len(values)} times; only one is allowed")
            field, read = _PARAMETERS[name]
            of = filtering if field in LineageFilter.__match_args__ else given
            of[field] = read(",".join(values))
        return cls(**given, filter=LineageFilter(**filtering))

    @property
    def years(self) -> Years:
        """The years of the works that are shown."""
        return Years(self.year_from, self.year_to)

    @property
    def shows_all(self) -> bool:
        """Whether works of all kinds and years are shown."""
        return not (self.kinds or self.years)

    def shows(self, work: Work, published: PartialDate | None) -> bool:
        """Return whether a work of the lineage is shown."""
        return (not self.kinds or kind_of(work) in self.kinds) and self.years.hold(
            published.year if published else None
        )

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
        raise ValueError(f"`direction` must be one of {allowed}, not {value!r}")
    return LineageDirection[value.upper()]


def _max_depth(value: str) -> int:
    try:
        depth = int(value)
    except ValueError:
        depth = 0
    if not 1 <= depth <= DEEPEST_LINEAGE:
        raise ValueError(f"`maxDepth` must be between 1 and {DEEPEST_LINEAGE}, not {value!r}")
    return depth


def _relations(value: str) -> tuple[RelationType, ...]:
    known = {relation.name: relation for relation in LINEAGE_RELATIONS}
    named = [each.strip().upper() for each in value.split(",")]
    if unknown := [each for each in named if each not in known]:
        raise ValueError(f"`relations` must be one of {_all(known)}, not {unknown[0]!r}")
    return tuple(known[each] for each in named)


def _min_confidence(value: str) -> float:
    try:
        confidence = float(value)
    except ValueError:
        confidence = -1.0
    if not 0 <= confidence <= 1:
        raise ValueError(f"`minConfidence` must be between 0 and 1, not {value!r}")
    return confidence


def _include_catalogue(value: str) -> bool:
    if value.lower() not in _TRUTH:
        raise ValueError(f"`includeCatalogue` must be true or false, not {value!r}")
    return _TRUTH[value.lower()]


def _as_of(value: str) -> PartialDate:
    date = date_asked(value)
    if date is None:
        raise ValueError("`asOf` is empty; it must be a date, such as 2021-04")
    return date


def _kinds(value: str) -> tuple[str, ...]:
    named = [each.strip().lower() for each in value.split(",")]
    if unknown := [each for each in named if each not in KINDS]:
        raise ValueError(f"`kinds` must be one of {_all(KINDS)}, not {unknown[0]!r}")
    return tuple(each for each in KINDS if each in named)


def _year(name: str) -> Callable[[str], int]:
    def read(value: str) -> int:
        year = int(value) if value.isascii() and value.isdigit() and len(value) < 9 else 0
        if not 1 <= year <= _LAST_YEAR:
            raise ValueError(f"`{name}` must be a year, such as 2023, not {value!r}")
        return year

    return read


def _all(choices: Iterable[str]) -> str:
    return ", ".join(choices)


_PARAMETERS: dict[str, tuple[str, Callable[[str], Any]]] = {
    "direction": ("direction", _direction),
    "maxDepth": ("max_depth", _max_depth),
    "relations": ("relations", _relations),
    "minConfidence": ("min_confidence", _min_confidence),
    "includeCatalogue": ("include_catalogue", _include_catalogue),
    "asOf": ("as_of", _as_of),
    "kinds": ("kinds", _kinds),
    "yearFrom": ("year_from", _year("yearFrom")),
    "yearTo": ("year_to", _year("yearTo")),
}
