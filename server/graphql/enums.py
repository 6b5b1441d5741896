"""The enumerations of the GraphQL schema: those of the model, with their descriptions."""

import strawberry

from stemma.graph import LineageDirection, PageOrder
from stemma.schema import EntityKind, RelationType

GraphQLEntityKind = strawberry.enum(
    EntityKind, description="What an entity is; one entity has one kind."
)
GraphQLRelationType = strawberry.enum(
    RelationType,
    description="What a paper says of an entity: INTRODUCES, BUILDS_ON and IMPROVES_ON make "
    "lineage; an entity it COMPARES_WITH is a baseline.",
)
GraphQLLineageDirection = strawberry.enum(
    LineageDirection,
    description="DESCENDANTS: what came of a work. ANCESTORS: what it came from.",
)
GraphQLPageOrder = strawberry.enum(
    PageOrder,
    description="By name; by date, oldest first; or by the number of papers, most first.",
)
