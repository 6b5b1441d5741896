"""The size of a graph, as a GraphQL type."""

import strawberry

from stemma.graph import Statistics as ModelStatistics


@strawberry.type(description="The size of the graph.")
class Statistics:
    """The size of the graph."""

    papers: int = strawberry.field(description="The number of papers.")
    entities: int = strawberry.field(description="The number of entities.")
    statements: int = strawberry.field(description="The number of statements.")
    lineage_edges: int = strawberry.field(description="The number of lineage edges.")
    decisions: int = strawberry.field(description="The number of decisions.")
    generation: str = strawberry.field(description="Changes whenever the graph does.")

    @classmethod
    def of(cls, model: ModelStatistics) -> "Statistics":
        return cls(
            papers=model.papers,
            entities=model.entities,
            statements=model.statements,
            lineage_edges=model.lineage_edges,
            decisions=model.decisions,
            generation=model.generation,
        )
