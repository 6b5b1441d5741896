"""The query parameters of a lineage document."""

from collections.abc import Collection, Iterator
from dataclasses import dataclass

from starlette.datastructures import QueryParams

from stemma.graph import LineageDirection, LineageEdge, LineageFilter, Reader, Work, kind_of
from stemma.graph.filters import WHOLE_LINEAGE, Years, check_years, date_asked
from stemma.graph.lineage import Traversal, edges_within, traverse
from stemma.schema import LINEAGE_RELATIONS, EntityKind, PartialDate
from stemma.server.graphql.arguments import DEEPEST_LINEAGE
from stemma.server.http.query_parameters import QueryParameters

KINDS = (*(kind.value for kind in EntityKind), "paper")
"""The kinds of works on a lineage."""
PARAMETERS = (
    *("direction", "maxDepth", "relations", "minConfidence", "includeCatalogue", "asOf"),
    *("kinds", "yearFrom", "yearTo"),
)


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
        return cls.of(QueryParameters(parameters, PARAMETERS))

    @classmethod
    def of(cls, given: QueryParameters, default_depth: int = 3) -> "LineageRequest":
        """Return what `given` asks for, which may have other parameters as well."""
        kinds = given.named("kinds", {each: each for each in KINDS})
        return cls(
            given.choice("direction", list(LineageDirection), LineageDirection.DESCENDANTS),
            given.number("maxDepth", default_depth, DEEPEST_LINEAGE),
            LineageFilter(
                given.choices("relations", LINEAGE_RELATIONS),
                given.min_confidence(),
                given.truth("includeCatalogue", default=True),
                date_asked(given.text("asOf")),
            ),
            tuple(each for each in KINDS if each in kinds),
            given.year("yearFrom"),
            given.year("yearTo"),
        )

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

    def traverse(self, reader: Reader, work: str) -> Traversal:
        """Find what the lineage of a work (an id) reaches."""
        return traverse(reader, work, self.direction, self.max_depth, self.filter)

    def edges(
        self, reader: Reader, children: Collection[str], within: Collection[str]
    ) -> Iterator[LineageEdge]:
        """Yield the edges from `children` to parents that are `within` the lineage."""
        return edges_within(reader, children, within, self.filter)
