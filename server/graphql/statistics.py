"""The size of a graph, as a GraphQL type."""

from stemma.server.graphql.of_view import Shown, of_view
from stemma.server.views.build import KindCount, RelationCount, StatisticsView


@of_view(KindCount)
class CountByKind(Shown):
    """The number of entities of a kind."""


@of_view(RelationCount)
class CountByRelation(Shown):
    """The number of statements of a relation."""


@of_view(StatisticsView, sizes={"entitiesByKind": 5, "statementsByRelation": 8})
class Statistics(Shown):
    """The size of a graph."""
