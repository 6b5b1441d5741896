"""Lineages of several works at once; a name that leads nowhere leaves the others their answers."""

from typing import Annotated

import strawberry

from stemma.graph import (
    AmbiguousNameError,
    LineageDirection,
    LineageFilter,
    UnknownNameError,
    trace,
)
from stemma.graph.criteria import Years
from stemma.graph.filters import date_asked
from stemma.graph.shown_works import ShownWorks
from stemma.server.graphql.arguments import (
    AsOfArgument,
    DepthArgument,
    DirectionArgument,
    IncludeCatalogueArgument,
    IncludeGeneralArgument,
    KindsArgument,
    LineageRelationsArgument,
    MinConfidenceArgument,
    YearFromArgument,
    YearToArgument,
    check_depth,
)
from stemma.server.graphql.context import StemmaInfo
from stemma.server.graphql.lineage import Lineage
from stemma.server.graphql.list_size import ListSize
from stemma.server.graphql.page import FirstArgument, count
from stemma.server.graphql.works import Work, show

MOST_ROOTS = 10
LINEAGES = (
    "The lineages of several works, in the order of their names. A name that cannot be resolved is "
    "part of the answer, not an error. For more pages of one of them, use `lineage`."
)
LINEAGES_SIZE = ListSize(
    assumed_size=MOST_ROOTS, slicing_arguments=["first"], sized_fields=["nodes", "edges"]
)


@strawberry.type(description="Nothing in the graph has this name or id.")
class UnknownName:
    """A name that no work has."""

    name: str = strawberry.field(description="As requested.")
    message: str = strawberry.field(description="A human-readable message.")
    nearest: list[str] = strawberry.field(description="Similar names.")


@strawberry.type(description="Several works have this name.")
class AmbiguousName:
    """A name that several works have."""

    name: str = strawberry.field(description="As requested.")
    message: str = strawberry.field(description="A human-readable message.")
    candidates: list[Work] = strawberry.field(description="The works: request one of their ids.")


LineageResult = Annotated[
    Lineage | UnknownName | AmbiguousName,
    strawberry.union("LineageResult", description="A lineage, or why a name has none."),
]


def lineages(
    info: StemmaInfo,
    of: Annotated[
        list[str],
        strawberry.argument(description=f"Names, in any spelling, or ids; at most {MOST_ROOTS}."),
    ],
    direction: DirectionArgument = LineageDirection.DESCENDANTS,
    max_depth: DepthArgument = 3,
    relations: LineageRelationsArgument = None,
    min_confidence: MinConfidenceArgument = 0.0,
    include_catalogue: IncludeCatalogueArgument = True,
    first: FirstArgument = 20,
    include_general: IncludeGeneralArgument = True,
    as_of: AsOfArgument = None,
    kinds: KindsArgument = None,
    year_from: YearFromArgument = None,
    year_to: YearToArgument = None,
) -> list[LineageResult]:
    """Trace the lineage of each work."""
    check_depth(max_depth)
    count(info, len(of), MOST_ROOTS, name="the length of `of`")
    chosen = LineageFilter(
        tuple(relations or ()), min_confidence, include_catalogue, date_asked(as_of)
    )
    shown = ShownWorks(tuple(kinds or ()), Years(year_from, year_to))
    number = count(info, first)

    def answer(name: str) -> Lineage | UnknownName | AmbiguousName:
        reader = info.context.reader
        try:
            found = trace(
                reader,
                reader.resolve(name),
                direction,
                max_depth=max_depth,
                filter=chosen,
                first=number,
                include_general=include_general,
                show=shown,
            )
        except UnknownNameError as error:
            return UnknownName(name=name, message=str(error), nearest=list(error.nearest))
        except AmbiguousNameError as error:
            candidates: list[Work] = [show(info.context, each) for each in error.candidates]
            return AmbiguousName(name=name, message=str(error), candidates=candidates)
        return Lineage.of(info.context, found, chosen)

    return [answer(name) for name in of]
