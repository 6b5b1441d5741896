"""What counts as right."""

from collections.abc import Callable

import pytest

from stemma.extract.evaluation import Annotation, Scores, evaluate
from stemma.extract.evaluation.evaluation import Tally, quotes_the_same
from stemma.extract.evaluation.gold import annotation_key
from stemma.schema import EntityKind, Extraction, RelationType

Annotated = Callable[..., Annotation]
Extracted = Callable[..., Extraction]


def scores(gold: Annotation, predicted: Extraction) -> Scores:
    return evaluate([gold], [predicted]).scores


@pytest.mark.parametrize(
    ("one", "other"),
    [("key-value cache", "Key Value caches"), ("GPT-2.7B", "GPT 27B"), ("µ-op", "μop")],
)
def test_spellings_of_one_name(one: str, other: str) -> None:
    assert annotation_key(one) == annotation_key(other)


@pytest.mark.parametrize(
    ("one", "other"), [("FlashAttention", "FlashAttention-2"), ("C", "C++"), ("loss", "los")]
)
def test_names_that_differ(one: str, other: str) -> None:
    assert annotation_key(one) != annotation_key(other)


def test_entities_pair_by_any_surface_form(annotated: Annotated, extracted: Extracted) -> None:
    gold = annotated({"mixture of experts|MoE": "technique"})
    assert scores(gold, extracted({"MoE": "technique"})).entity == Tally(right=1)
    assert scores(gold, extracted({"experts": "technique"})).entity == Tally(spurious=1, missed=1)


def test_each_entity_pairs_once(annotated: Annotated, extracted: Extracted) -> None:
    gold = annotated({"graphics card|GPU": "hardware"})
    found = extracted({"GPUs": "hardware", "graphics cards": "hardware"})
    assert scores(gold, found).entity == Tally(right=1, spurious=1)


def test_the_partner_with_most_forms_is_preferred(
    annotated: Annotated, extracted: Extracted
) -> None:
    gold = annotated({"KV cache|cache": "technique"})
    found = extracted({"cache": "hardware", "KV cache|cache ": "technique"})
    assert scores(gold, found).entity_and_kind.right == 1


def test_a_wrong_kind_is_an_entity_found_without_its_kind(
    annotated: Annotated, extracted: Extracted
) -> None:
    counted = scores(annotated({"LoRA": "technique"}), extracted({"LoRA": "model"}))
    assert counted.entity == Tally(right=1)
    assert counted.entity_and_kind == Tally(spurious=1, missed=1)
    assert counted.kinds[EntityKind.TECHNIQUE] == Tally(missed=1)
    assert counted.kinds[EntityKind.MODEL] == Tally(spurious=1)


def test_a_relation_needs_its_entity_and_its_type(
    annotated: Annotated, extracted: Extracted
) -> None:
    gold = annotated({"vLLM": "framework"}, [("BUILDS_ON", "vLLM", "", 1)])
    right = extracted({"VLLM": "framework"}, [("BUILDS_ON", "VLLM", "", 0.9)])
    wrong = extracted({"vLLM": "framework"}, [("USES", "vLLM", "", 0.9)])
    stray = extracted({"SGLang": "framework"}, [("BUILDS_ON", "SGLang", "", 0.9)])
    assert scores(gold, right).relations[RelationType.BUILDS_ON] == Tally(right=1)
    assert scores(gold, wrong).relation == Tally(spurious=1, missed=1)
    assert scores(gold, stray).relation == Tally(spurious=1, missed=1)


def test_background_is_not_scored(annotated: Annotated, extracted: Extracted) -> None:
    gold = annotated({"GPU": "hardware"}, [("MENTIONS", "GPU", "", 1)])
    assert scores(gold, extracted({"GPU": "hardware"})).relation == Tally()


def test_lineage_asks_for_the_parent_alone(annotated: Annotated, extracted: Extracted) -> None:
    gold = annotated({"ZeRO": "technique"}, [("BUILDS_ON", "ZeRO", "", 1)])
    found = extracted({"ZeRO": "technique"}, [("IMPROVES_ON", "ZeRO", "", 0.5)])
    assert scores(gold, found).lineage == Tally(right=1)
    assert scores(gold, found).relation == Tally(spurious=1, missed=1)


def test_evidence_is_judged_of_relations_that_are_right(
    annotated: Annotated, extracted: Extracted
) -> None:
    gold = annotated(
        {"A1": "model", "B2": "model", "C3": "model"},
        [
            ("USES", "A1", "We start from A1, as others do.", 1),
            ("USES", "B2", "B2 follows.", 1),
            ("USES", "C3", "", 1),
        ],
    )
    found = extracted(
        {"A1": "model", "B2": "model", "C3": "model"},
        [
            ("USES", "A1", "start from A1, as others", 0.5),
            ("USES", "B2", "Something quite unlike it.", 0.5),
            ("USES", "C3", "Of this the annotator quotes nothing.", 0.5),
        ],
    )
    assert scores(gold, found).evidence == Tally(right=1, spurious=1, missed=1)


def test_quotations_share_half_of_the_shorter() -> None:
    assert quotes_the_same("one two  three", "x one two\nthree y")
    assert quotes_the_same("abcdefgh", "abcdXXXXYYYY")
    assert not quotes_the_same("abcdefgh", "abcXXXXXYYYY")
    assert not quotes_the_same("", "anything")


def test_a_paper_that_no_prediction_has_is_missed_whole(annotated: Annotated) -> None:
    gold = annotated({"GPU": "hardware"}, [("RUNS_ON", "GPU", "", 1)], title="Not Found")
    evaluation = evaluate([gold], [])
    assert evaluation.missing == ["Not Found"]
    assert evaluation.scores.entity == evaluation.scores.relation == Tally(missed=1)


def test_papers_pair_by_title_whatever_its_spelling(
    annotated: Annotated, extracted: Extracted
) -> None:
    gold = annotated({"GPU": "hardware"}, title="Small Bites: a Study")
    found = extracted({"GPU": "hardware"}, title="small bites - A study")
    other = extracted({"TPU": "hardware"}, title="Another")
    assert evaluate([gold], [found, other]).scores.entity == Tally(right=1)


def test_shares() -> None:
    tally = Tally(right=3, spurious=1, missed=3)
    assert (tally.precision, tally.recall, tally.f1) == (0.75, 0.5, 0.6)
    assert (Tally().precision, Tally().recall, Tally().f1) == (0, 0, 0)
