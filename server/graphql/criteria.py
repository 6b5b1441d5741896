"""Papers that meet several criteria at once, and what they name, as GraphQL fields."""

from typing import Annotated

import strawberry

from stemma.graph import criteria as model
from stemma.graph.criteria import MOST_CRITERIA, Years
from stemma.graph.provenance import provenance_named
from stemma.schema import RelationType
from stemma.server.graphql.arguments import (
    AuthorArgument,
    BroaderArgument,
    KindsArgument,
    OrganizationArgument,
    VenueArgument,
    YearFromArgument,
    YearToArgument,
)
from stemma.server.graphql.context import StemmaInfo
from stemma.server.graphql.list_size import ListSize, some
from stemma.server.graphql.page import FirstArgument, count
from stemma.server.graphql.works import (
    Entity,
    RelationsArgument,
    Statement,
)

ENTITIES_WHERE = (
    "Entities in the papers that meet several criteria, by number of papers: for example, the "
    "datasets on which papers that build on Mamba are evaluated. The entities of the criteria "
    "are excluded."
)
MATCHES = ListSize(slicing_arguments=["first"], sized_fields=["matches"])


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


@strawberry.type(description="An entity that the papers name.")
class EntityMatch:
    """An entity that the papers name."""

    entity: Entity = strawberry.field(description="The entity.")
    statements: list[Statement] = strawberry.field(
        description="Statements of papers about it, by confidence.", directives=[some(5)]
    )


@strawberry.type(description="Entities that papers name, by the number of papers.")
class EntityMatches:
    """The entities that papers name."""

    matches: list[EntityMatch] = strawberry.field(description="The first of them.")
    total_count: int = strawberry.field(description="The number of results.")
    truncated: bool = strawberry.field(
        description=f"Whether the criteria are met by more than {model.MOST_SOURCES} papers, of "
        "which only the oldest were considered."
    )


def entities_where(
    info: StemmaInfo,
    all: CriteriaArgument,
    relations: RelationsArgument = None,
    kinds: KindsArgument = None,
    year_from: YearFromArgument = None,
    year_to: YearToArgument = None,
    author: AuthorArgument = None,
    organization: OrganizationArgument = None,
    venue: VenueArgument = None,
    first: FirstArgument = 20,
    after: Annotated[
        str | None, strawberry.argument(description="Continue after the entity with this id.")
    ] = None,
    broader: BroaderArgument = None,
) -> EntityMatches:
    """Find what papers name."""
    found = model.entities_where(
        info.context.reader,
        criteria_of(info, all),
        tuple(kinds or ()),
        tuple(relations or ()),
        Years(year_from, year_to),
        count(info, first),
        provenance_named(info.context.reader, author, organization, venue),
        after,
        info.context.reader.resolve(broader) if broader else None,
    )
    info.context.fetch_ends(each for match in found.matches for each in match.statements)
    return EntityMatches(
        matches=[
            EntityMatch(
                entity=Entity.of(info.context, match.entity),
                statements=[Statement.of(info.context, each) for each in match.statements],
            )
            for match in found.matches
        ],
        total_count=found.total,
        truncated=found.truncated,
    )


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
