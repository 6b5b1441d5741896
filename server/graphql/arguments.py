"""Arguments that several fields of GraphQL share."""

from typing import Annotated

import strawberry

from stemma.graph import LineageDirection
from stemma.schema import EntityKind, RelationType

DEEPEST_LINEAGE = 20

NameArgument = Annotated[str, strawberry.argument(description="A name, in any spelling, or an id.")]
DirectionArgument = Annotated[
    LineageDirection,
    strawberry.argument(description="What came of the work, or what it came from."),
]
DepthArgument = Annotated[
    int, strawberry.argument(description=f"How many steps, {DEEPEST_LINEAGE} at the most.")
]
LineageRelationsArgument = Annotated[
    list[RelationType] | None,
    strawberry.argument(description="BUILDS_ON or IMPROVES_ON alone."),
]
MinConfidenceArgument = Annotated[
    float, strawberry.argument(description="Leave out what is less sure, from 0 to 1.")
]
IncludeCatalogueArgument = Annotated[
    bool, strawberry.argument(description="Whether to count what no paper here says.")
]
YearFromArgument = Annotated[
    int | None, strawberry.argument(description="No earlier than this year.")
]
YearToArgument = Annotated[int | None, strawberry.argument(description="No later than this year.")]
KindsArgument = Annotated[
    list[EntityKind] | None, strawberry.argument(description="Entities of these kinds alone.")
]
GeneralArgument = Annotated[
    bool | None,
    strawberry.argument(
        description="General terms alone (GPU, quantization), or if it is false named works alone "
        "(H100, GPTQ)."
    ),
]
TitleTextArgument = Annotated[
    str | None, strawberry.argument(description="Contained in the title.")
]


def check_depth(max_depth: int) -> None:
    """Raise ValueError where a number of steps is out of bounds."""
    if not 1 <= max_depth <= DEEPEST_LINEAGE:
        raise ValueError(f"`maxDepth` is {max_depth}; it goes from 1 to {DEEPEST_LINEAGE}")
