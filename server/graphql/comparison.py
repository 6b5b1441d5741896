"""What a comparison says, as a GraphQL type."""

import strawberry

from stemma.schema import Bound, Direction
from stemma.schema import Comparison as ModelComparison


@strawberry.type(description="How a comparison turned out, as far as a sentence says.")
class Comparison:
    """How a comparison turned out."""

    text: str = strawberry.field(description="In a few words: `up to 2.2x higher throughput`.")
    factor: float | None = strawberry.field(
        description="How many times, as the sentence words it; below 1 a share."
    )
    difference: float | None = strawberry.field(description="An amount in the unit.")
    unit: str | None = strawberry.field(description="%, points, dB, ms, mAP …")
    low: float | None = strawberry.field(description="The least of several figures.")
    high: float | None = strawberry.field(description="The greatest of several figures.")
    bound: Bound | None = strawberry.field(description="How the amount is to be read.")
    metric: str | None = strawberry.field(description="What was measured.")
    direction: Direction | None = strawberry.field(description="Who did better.")
    condition: str | None = strawberry.field(
        description="The part of the sentence that says where it holds."
    )

    @classmethod
    def of(cls, model: ModelComparison) -> "Comparison":
        """Show `model`."""
        return cls(
            text=str(model),
            factor=model.factor,
            difference=model.difference,
            unit=model.unit,
            low=model.low,
            high=model.high,
            bound=model.bound,
            metric=model.metric,
            direction=model.direction,
            condition=model.condition,
        )
