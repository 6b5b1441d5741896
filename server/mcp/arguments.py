"""The arguments of tools: filters, as `Selection` defines them, names and questions."""

from collections.abc import Callable
from enum import StrEnum
from functools import partial
from typing import Annotated, Any

from pydantic import BaseModel, BeforeValidator, ConfigDict, Field

from stemma.graph.searching import MOST_CRITERIA
from stemma.graph.selection import Filter, FilterError, filters
from stemma.schema import PartialDate, RelationType
from stemma.server.asking import LONGEST_QUESTION
from stemma.server.selecting import annotated, selecting

MOST = 50
"""Results of a page; `first` gives fewer where an answer would be too long."""
LONGEST = 1000
"""Characters of an argument."""


def _annotation(filter: Filter) -> Any:
    facts: dict[str, Any] = {"description": filter.help}
    type_: Any = str if filter.type is PartialDate else filter.type
    if type_ in (int, float):
        highest = MOST if filter.name == "first" else filter.maximum
        facts |= {"ge": filter.minimum, "le": highest}
    elif issubclass(type_, StrEnum):
        type_ = Annotated[type_, BeforeValidator(_as_written(filter))]
    elif type_ is str and not filter.many:
        facts["max_length"] = LONGEST
    return Annotated[annotated(filter, type_), Field(**facts)]


with_selection = partial(selecting, _annotation)
"""Returns a decorator that gives a tool an argument for each filter: see `selecting`."""


def _as_written(filter: Filter) -> Callable[[Any], Any]:
    """Return what reads a member of an enumeration in any case; assistants mix them up."""

    def read(value: Any) -> Any:
        try:
            return filter.read_one(value) if isinstance(value, str) else value
        except FilterError:
            return value  # To be refused with the list of what is allowed.

    return read


_Relation = Annotated[RelationType, BeforeValidator(_as_written(filters()["relations"]))]
NameArgument = Annotated[
    str,
    Field(
        description="A name in any spelling, the title of a paper, or an id.",
        min_length=1,
        max_length=LONGEST,
    ),
]
TextArgument = Annotated[
    str, Field(description="Words of a name or a title.", min_length=1, max_length=LONGEST)
]
QuestionArgument = Annotated[
    str,
    Field(
        description='A question in English: "what builds on ZeRO-Infinity since 2023?".',
        min_length=1,
        max_length=LONGEST_QUESTION,
    ),
]
ComparisonsArgument = Annotated[
    bool, Field(description="If no lineage connects them, go over comparisons too.")
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
    others: Annotated[
        list[Annotated[str, Field(min_length=1, max_length=LONGEST)]],
        Field(alias="or_entities", description="Or to one of these.", max_length=MOST_CRITERIA - 1),
    ] = []
    excluded: Annotated[bool, Field(description="Papers that do not state it.")] = False


ConditionsArgument = Annotated[
    list[Condition] | None,
    Field(
        description=f"What the papers must all meet; at most {MOST_CRITERIA} entities in all.",
        max_length=MOST_CRITERIA,
    ),
]
