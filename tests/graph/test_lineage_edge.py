"""What is stated about a lineage edge, the most informative first."""

from stemma.graph.lineage import lineage_edge
from stemma.schema import Evidence, Field, RelationType, Statement
from stemma.schema.model import CATALOGUE_ORIGIN

BUILDS, IMPROVES = RelationType.BUILDS_ON, RelationType.IMPROVES_ON


def test_what_has_a_sentence_comes_before_what_is_surer() -> None:
    sentence = Evidence("Kelp extends Holm.", Field.ABSTRACT, 0, 18)
    fact = Statement("entity/kelp", BUILDS, "entity/holm", 1.0, (), CATALOGUE_ORIGIN)
    weak = Statement("paper/a", IMPROVES, "entity/holm", 0.2, (sentence,), "by hand")
    strong = Statement("paper/b", BUILDS, "entity/holm", 0.8, (sentence,), "by hand")
    edge = lineage_edge("entity/kelp", "entity/holm", [], [fact, weak, strong], {})
    assert edge.statements == (strong, weak, fact)
