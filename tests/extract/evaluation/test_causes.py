"""Each wrong lineage edge is counted once, under what is there instead."""

from collections.abc import Callable

from stemma.extract.evaluation import Annotation, evaluate
from stemma.schema import Extraction

Annotated = Callable[..., Annotation]
Extracted = Callable[..., Extraction]


def test_causes_of_missed_and_spurious_edges(annotated: Annotated, extracted: Extracted) -> None:
    both = {"vLLM": "framework", "LoRA": "technique", "OPT": "model", "Rust": "framework"}
    gold = annotated(
        {**both, "Sage": "framework"},
        [
            ("BUILDS_ON", "vLLM", "", 1),
            ("IMPROVES_ON", "LoRA", "", 1),
            ("BUILDS_ON", "Sage", "", 1),
            ("USES", "OPT", "", 1),
        ],
    )
    predicted = extracted(
        {**both, "Kite": "model"},
        [
            ("USES", "vLLM", "", 0.5),
            ("BUILDS_ON", "OPT", "", 0.5),
            ("BUILDS_ON", "Rust", "", 0.5),
            ("IMPROVES_ON", "Kite", "", 0.5),
        ],
    )
    causes = evaluate([gold], [predicted]).lineage_causes
    assert causes.missed == {"USES": 1, "MENTIONS": 1, "no entity": 1}
    assert causes.spurious == {"USES": 1, "MENTIONS": 1, "no entity": 1}


def test_one_relation_of_lineage_for_another_is_no_error_of_lineage(
    annotated: Annotated, extracted: Extracted
) -> None:
    entities = {"vLLM": "framework"}
    gold = annotated(entities, [("BUILDS_ON", "vLLM", "", 1), ("COMPARES_WITH", "vLLM", "", 1)])
    predicted = extracted(entities, [("IMPROVES_ON", "vLLM", "", 0.5)])
    causes = evaluate([gold], [predicted]).lineage_causes
    assert not causes.missed
    assert not causes.spurious
