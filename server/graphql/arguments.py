"""Arguments that several fields of GraphQL share."""

from typing import Annotated

import strawberry

from stemma.graph import LineageDirection
from stemma.schema import EntityKind, RelationType

DEEPEST_LINEAGE = 20

NameArgument = Annotated[str, strawberry.argument(description="A name, in any spelling, or an id.")]
DirectionArgument = Annotated[
    LineageDirection,
    strawberry.argument(description="Descendants or ancestors of the work."),
]
DepthArgument = Annotated[
    int, strawberry.argument(description=f"Maximum number of steps, at most {DEEPEST_LINEAGE}.")
]
LineageRelationsArgument = Annotated[
    list[RelationType] | None,
    strawberry.argument(description="Only BUILDS_ON, or only IMPROVES_ON."),
]
MinConfidenceArgument = Annotated[
    float, strawberry.argument(description="Minimum confidence, from 0 to 1.")
]
IncludeCatalogueArgument = Annotated[
    bool, strawberry.argument(description="Include facts of the catalogue.")
]
AsOfArgument = Annotated[
    str | None,
    strawberry.argument(
        description="As it was known on this date (2021, 2021-04 or 2021-04-15); excludes "
        "statements found only in later or undated papers."
    ),
]
IncludeGeneralArgument = Annotated[
    bool,
    strawberry.argument(
        description="Include general terms (GPU, quantization), and what is reached only through "
        "them."
    ),
]
AuthorArgument = Annotated[
    str | None,
    strawberry.argument(
        description="Papers of this author: a name, an id or an ORCID; of several authors of one "
        "name, the papers of all."
    ),
]
OrganizationArgument = Annotated[
    str | None,
    strawberry.argument(
        description="Papers from an organization whose name has these words: that of the paper, "
        "or the affiliation of an author."
    ),
]
VenueArgument = Annotated[
    str | None,
    strawberry.argument(
        description="Papers in a journal, conference or book whose name has these words."
    ),
]
YearFromArgument = Annotated[int | None, strawberry.argument(description="First year.")]
YearToArgument = Annotated[int | None, strawberry.argument(description="Last year.")]
KindsArgument = Annotated[
    list[EntityKind] | None, strawberry.argument(description="Only entities of these kinds.")
]
GeneralArgument = Annotated[
    bool | None,
    strawberry.argument(
        description="Only general terms (GPU, quantization); "
        "if false, only named works (H100, GPTQ)."
    ),
]
BroaderArgument = Annotated[
    str | None,
    strawberry.argument(
        description="Only entities that have this one as a broader one, directly or not (an H100 "
        "is a GPU): a name or an id."
    ),
]
TitleTextArgument = Annotated[
    str | None, strawberry.argument(description="Text that the title contains.")
]


def check_depth(max_depth: int) -> None:
    """Raise ValueError where a number of steps is out of bounds."""
    if not 1 <= max_depth <= DEEPEST_LINEAGE:
        raise ValueError(f"`maxDepth` must be between 1 and {DEEPEST_LINEAGE}, not {max_depth}")
