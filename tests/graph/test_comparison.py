"""How a comparison turned out is kept with its statement."""

from dataclasses import replace

import pytest

from latest import latest
from stemma.schema import Bound, Comparison, Direction

COMPARISONS = [
    Comparison(2.2, metric="throughput", bound=Bound.UP_TO, condition='on "eight" GPUs'),
    Comparison(difference=3.4, unit="points", direction=Direction.WORSE),
    Comparison(low=1.3, high=2.0, bound=Bound.EXACT, metric="speed"),
    Comparison(direction=Direction.EQUAL),
]


@pytest.mark.parametrize("comparison", COMPARISONS, ids=str)
def test_a_store_gives_back_what_a_comparison_says(describe, store, comparison) -> None:
    found = describe("On Gnawer", "Gnawer is slow.", "framework Gnawer: COMPARES_WITH")
    (relation,) = found.relations
    found = replace(found, relations=(replace(relation, comparison=comparison),))
    with store.writer() as writer:
        writer.put([found], "by hand")
        writer.commit()
        writer.update([replace(found.paper, author_count=7)])
        writer.commit()
    (statement,) = latest(store).statements([found.paper.id])[found.paper.id]
    assert statement.comparison == comparison
