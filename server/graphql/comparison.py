"""What a comparison says, as a GraphQL type."""

import strawberry

from stemma.schema import Bound, Direction
from stemma.schema import Comparison as ModelComparison


@strawberry.type(description="The result of a comparison, as far as a sentence states it.")
class Comparison:
    """How a comparison turned out."""

    text: str = strawberry.field(description="As text, such as `up to 2.2x higher throughput`.")
    factor: float | None = strawberry.field(
        description="The factor in the sentence; below 1 for a share."
    )
    difference: float | None = strawberry.field(description="The difference, in `unit`.")
    unit: str | None = strawberry.field(description="%, points, dB, ms, mAP …")
    low: float | None = strawberry.field(description="The lowest of several values.")
    high: float | None = strawberry.field(description="The highest of several values.")
    bound: Bound | None = strawberry.field(description="How to interpret the amount.")
    metric: str | None = strawberry.field(description="What was measured.")
    direction: Direction | None = strawberry.field(description="Which of the two is better.")
    condition: str | None = strawberry.field(
        description="The part of the sentence that states the condition."
    )

    @classmethod
    def of(cls, model: ModelComparison) -> "Comparison":
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
