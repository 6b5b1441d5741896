"""Papers that meet several criteria at once, and what they name, as GraphQL fields."""

from typing import Annotated

import strawberry

from stemma.graph import Page
from stemma.graph import criteria as model
from stemma.graph.criteria import MOST_CRITERIA
from stemma.graph.selection import Selection
from stemma.schema import RelationType
from stemma.server.graphql.context import StemmaInfo
from stemma.server.graphql.objects import bounded, with_selection
from stemma.server.graphql.works import EntityConnection, entity_connection

ENTITIES_WHERE = (
    "Entities in the papers that meet several criteria, by number of papers: for example, the "
    "datasets on which papers that build on Mamba are evaluated. The entities of the criteria "
    "are excluded."
)


@strawberry.input(description="A condition on papers: a relation to an entity.")
class PaperCriterion:
    """A condition on papers: a relation to an entity."""

    entity: str = strawberry.field(
        description="A name, in any spelling, or an id. The id of a paper selects this paper."
    )
    relations: list[RelationType] | None = strawberry.field(
        default=None, description="One of these relations; by default any."
    )
    include_narrower: bool = strawberry.field(
        default=False, description="Include narrower entities: an H100 is a GPU."
    )
    others: list[str] | None = strawberry.field(
        default=None, name="or", description="Or a relation to one of these, by name or id."
    )
    excluded: bool = strawberry.field(
        default=False,
        name="not",
        description="Papers that do not state such a relation.",
    )


CriteriaArgument = Annotated[
    list[PaperCriterion],
    strawberry.argument(
        description=f"Conditions that the papers must all meet; at most {MOST_CRITERIA} "
        "entities in all."
    ),
]


@with_selection(
    (
        *("relations", "kinds", "since", "until", "author", "organization", "venue", "broader"),
        *("first", "after"),
    ),
    first=20,
)
def entities_where(
    info: StemmaInfo, all: CriteriaArgument, selection: Selection
) -> EntityConnection:
    """Find what papers name."""
    chosen = bounded(info, selection)
    found = model.entities_where(info.context.reader, criteria_of(info, all), chosen)
    stated = {match.entity.id: match.statements for match in found.matches}
    works = tuple(match.entity for match in found.matches)
    page = Page(works, found.total, found.has_next, selection.after is not None)
    return entity_connection(info.context, page, stated, found.truncated)


def criteria_of(info: StemmaInfo, given: list[PaperCriterion]) -> list[model.Criterion]:
    """Read criteria. Raises ValueError where there are too many, and what `resolve` does."""
    model.check_criteria("`all` names", sum(1 + len(each.others or ()) for each in given))
    resolve = info.context.reader.resolve
    return [
        model.Criterion(
            resolve(each.entity),
            tuple(each.relations or ()),
            each.include_narrower,
            tuple(map(resolve, each.others or ())),
            each.excluded,
        )
        for each in given
    ]
