"""How a comparison turned out is kept with its statement."""

from dataclasses import replace

import pytest

from latest import latest
from stemma.schema import Bound, Comparison, Direction, Extraction, RelationType

COMPARISONS = [
    Comparison(
        factor=2.2,
        bound=Bound.UP_TO,
        metric="throughput",
        direction=Direction.BETTER,
        condition='on "eight" GPUs',
    ),
    Comparison(difference=3.4, unit="points", direction=Direction.WORSE),
    Comparison(low=1.3, high=2.0, bound=Bound.EXACT, metric="speed"),
    Comparison(direction=Direction.EQUAL),
]


def compared(describe, comparison: Comparison) -> Extraction:
    extraction = describe(
        "Nibbler: Small Bites",
        "Nibbler is faster than Gnawer.",
        "framework Nibbler: INTRODUCES",
        "framework Gnawer: COMPARES_WITH",
    )
    relations = (replace(each, comparison=comparison) for each in extraction.relations[1:])
    return replace(extraction, relations=(extraction.relations[0], *relations))


@pytest.mark.parametrize("comparison", COMPARISONS, ids=str)
def test_a_store_gives_back_what_a_comparison_says(describe, store, comparison) -> None:
    with store:
        with store.writer() as writer:
            writer.put([compared(describe, comparison)], "by hand")
            writer.commit()
        (statement,) = latest(store).statements(["entity/gnawer"], [RelationType.COMPARES_WITH])[
            "entity/gnawer"
        ]
        assert statement.comparison == comparison


def test_it_outlives_a_change_of_sources(describe, store) -> None:
    extraction = compared(describe, COMPARISONS[0])
    with store:
        with store.writer() as writer:
            writer.put([extraction], "by hand")
            writer.commit()
        with store.writer() as writer:
            writer.update([replace(extraction.paper, author_count=7)])
            writer.commit()
        (statement,) = latest(store).statements(
            [extraction.paper.id], [RelationType.COMPARES_WITH]
        )[extraction.paper.id]
        assert statement.comparison == COMPARISONS[0]
