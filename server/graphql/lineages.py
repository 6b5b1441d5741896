"""Lineages of several works at once; a name that leads nowhere leaves the others their answers."""

from typing import Annotated

import strawberry

from stemma.graph import AmbiguousNameError, UnknownNameError, trace
from stemma.graph.selection import LINEAGE, Selection
from stemma.server.graphql.arguments import with_selection
from stemma.server.graphql.context import StemmaInfo
from stemma.server.graphql.lineage import Lineage
from stemma.server.graphql.list_size import ListSize
from stemma.server.graphql.page import count
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


@with_selection(
    [name for name in LINEAGE if name != "after"], {"first": "Maximum number of works."}, first=20
)
def lineages(
    info: StemmaInfo,
    of: Annotated[
        list[str],
        strawberry.argument(description=f"Names, in any spelling, or ids; at most {MOST_ROOTS}."),
    ],
    selection: Selection,
) -> list[LineageResult]:
    """Trace the lineage of each work."""
    count(info, len(of), MOST_ROOTS, name="the length of `of`")
    count(info, selection.first)

    def answer(name: str) -> Lineage | UnknownName | AmbiguousName:
        reader = info.context.reader
        try:
            found = trace(reader, reader.resolve(name), selection)
        except UnknownNameError as error:
            return UnknownName(name=name, message=str(error), nearest=list(error.nearest))
        except AmbiguousNameError as error:
            candidates: list[Work] = [show(info.context, each) for each in error.candidates]
            return AmbiguousName(name=name, message=str(error), candidates=candidates)
        return Lineage.of(info.context, found, selection)

    return [answer(name) for name in of]
