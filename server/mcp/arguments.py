"""Arguments that tools share."""

from typing import Annotated

from pydantic import BaseModel, ConfigDict, Field

from stemma.graph import LineageDirection
from stemma.schema import EntityKind, RelationType
from stemma.server.asking import LONGEST_QUESTION
from stemma.server.graphql.arguments import DEEPEST_LINEAGE

MOST = 50
"""Results of a page; `first` gives fewer where an answer would be too long."""
LONGEST_NAME = 1000

NameArgument = Annotated[
    str,
    Field(
        description="A name in any spelling, the title of a paper, or an id.",
        min_length=1,
        max_length=LONGEST_NAME,
    ),
]
TextArgument = Annotated[
    str, Field(description="Words of a name or a title.", min_length=1, max_length=LONGEST_NAME)
]
TitleArgument = Annotated[
    str | None, Field(description="Text that the title contains.", max_length=LONGEST_NAME)
]
QuestionArgument = Annotated[
    str,
    Field(
        description='A question in English: "what builds on ZeRO-Infinity since 2023?".',
        min_length=1,
        max_length=LONGEST_QUESTION,
    ),
]
DirectionArgument = Annotated[
    LineageDirection,
    Field(description="descendants: what builds on it. ancestors: what it builds on."),
]
DepthArgument = Annotated[
    int, Field(description="Maximum number of steps.", ge=1, le=DEEPEST_LINEAGE)
]
RelationsArgument = Annotated[
    list[RelationType] | None, Field(description="Only BUILDS_ON, or only IMPROVES_ON.")
]
MinConfidenceArgument = Annotated[float, Field(description="Minimum confidence.", ge=0, le=1)]
CatalogueArgument = Annotated[
    bool, Field(description="Include facts of the catalogue, which have no sentence.")
]
AsOfArgument = Annotated[
    str | None,
    Field(
        description="As it was known on this date (2021, 2021-04 or 2021-04-15); excludes "
        "statements found only in later or undated papers."
    ),
]
KindsArgument = Annotated[
    list[EntityKind] | None, Field(description="Only entities of these kinds.")
]
SinceArgument = Annotated[int | None, Field(description="First year.")]
UntilArgument = Annotated[int | None, Field(description="Last year.")]
FirstArgument = Annotated[int, Field(description="Size of the page.", ge=1, le=MOST)]
AfterArgument = Annotated[
    str | None,
    Field(description="`next_cursor` of the page before.", max_length=LONGEST_NAME),
]
QuotesArgument = Annotated[
    int, Field(description="Maximum number of statements of an edge.", ge=1, le=20)
]


class Condition(BaseModel):
    """A condition on papers: a relation to an entity."""

    model_config = ConfigDict(extra="forbid")

    entity: NameArgument
    relations: Annotated[
        list[RelationType] | None, Field(description="One of these; by default any.")
    ] = None
    include_narrower: Annotated[
        bool, Field(description="Include narrower entities: an H100 is a GPU.")
    ] = False
    or_entities: Annotated[list[str], Field(description="Or to one of these.", max_length=9)] = []
    excluded: Annotated[bool, Field(description="Papers that do not state it.")] = False


ConditionsArgument = Annotated[
    list[Condition] | None, Field(description="What the papers must all meet.", max_length=10)
]
