"""Arguments that tools share."""

from collections.abc import Callable
from typing import Annotated, Any

from pydantic import BaseModel, BeforeValidator, ConfigDict, Field

from stemma.graph import LineageDirection, LineageOrder
from stemma.graph.criteria import MOST_CRITERIA
from stemma.schema import EntityKind, RelationType
from stemma.server.asking import LONGEST_QUESTION
from stemma.server.graphql.arguments import DEEPEST_LINEAGE

MOST = 50
"""Results of a page; `first` gives fewer where an answer would be too long."""
LONGEST_NAME = 1000


def _in_case(change: Callable[[str], str]) -> Callable[[Any], Any]:
    """Return what changes the case of a string, and leaves other values to be refused."""
    return lambda value: change(value) if isinstance(value, str) else value


# Relations are in upper case, kinds in lower case: assistants mix them up.
_Relation = Annotated[RelationType, BeforeValidator(_in_case(str.upper))]
_Kind = Annotated[EntityKind, BeforeValidator(_in_case(str.lower))]
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
AuthorArgument = Annotated[
    str | None,
    Field(
        description="Name, id or ORCID of an author; of several of one name, the papers of all.",
        max_length=LONGEST_NAME,
    ),
]
OrganizationArgument = Annotated[
    str | None,
    Field(
        description="Words of the name of an organization, or of an author's affiliation.",
        max_length=LONGEST_NAME,
    ),
]
VenueArgument = Annotated[
    str | None,
    Field(description="Words of a journal, conference or book.", max_length=LONGEST_NAME),
]
CitesArgument = Annotated[
    str | None,
    Field(description="Work in their lists of references.", max_length=LONGEST_NAME),
]
CitedByArgument = Annotated[
    str | None,
    Field(description="Work whose list of references has them.", max_length=LONGEST_NAME),
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
    BeforeValidator(_in_case(str.lower)),
    Field(description="descendants: what builds on it. ancestors: what it builds on."),
]
LineageOrderArgument = Annotated[
    LineageOrder,
    BeforeValidator(_in_case(str.lower)),
    Field(description="depth: by steps, then date. date: oldest first. newest: newest first."),
]
DepthArgument = Annotated[
    int, Field(description="Maximum number of steps.", ge=1, le=DEEPEST_LINEAGE)
]
RelationsArgument = Annotated[
    list[_Relation] | None, Field(description="Only BUILDS_ON, or only IMPROVES_ON.")
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
KindsArgument = Annotated[list[_Kind] | None, Field(description="Only entities of these kinds.")]
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
        list[_Relation] | None,
        Field(
            description="One of these; by default any. EVALUATED_ON has datasets, RUNS_ON "
            "hardware, COMPARES_WITH baselines."
        ),
    ] = None
    include_narrower: Annotated[
        bool, Field(description="Include narrower entities: an H100 is a GPU.")
    ] = False
    or_entities: Annotated[
        list[Annotated[str, Field(min_length=1, max_length=LONGEST_NAME)]],
        Field(description="Or to one of these.", max_length=MOST_CRITERIA - 1),
    ] = []
    excluded: Annotated[bool, Field(description="Papers that do not state it.")] = False


ConditionsArgument = Annotated[
    list[Condition] | None,
    Field(
        description=f"What the papers must all meet; at most {MOST_CRITERIA} entities in all.",
        max_length=MOST_CRITERIA,
    ),
]
