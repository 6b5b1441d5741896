"""What counts as right."""

from collections.abc import Callable

from stemma.extract.evaluation import Annotation, Scores, evaluate
from stemma.extract.evaluation.evaluation import Tally, quotes_the_same
from stemma.schema import Extraction

Annotated = Callable[..., Annotation]
Extracted = Callable[..., Extraction]


def scores(gold: Annotation, predicted: Extraction) -> Scores:
    return evaluate([gold], [predicted]).scores


def test_entities_pair_by_any_surface_form(annotated: Annotated, extracted: Extracted) -> None:
    gold = annotated({"mixture of experts|MoE": "technique"})
    assert scores(gold, extracted({"MoE": "technique"})).entity == Tally(right=1)
    assert scores(gold, extracted({"experts": "technique"})).entity == Tally(spurious=1, missed=1)


def test_quotations_share_half_of_the_shorter() -> None:
    assert quotes_the_same("one two  three", "x one two\nthree y")
    assert quotes_the_same("abcdefgh", "abcdXXXXYYYY")
    assert not quotes_the_same("abcdefgh", "abcXXXXXYYYY")


def test_a_paper_that_no_prediction_has_is_missed_whole(annotated: Annotated) -> None:
    gold = annotated({"GPU": "hardware"}, [("RUNS_ON", "GPU", "", 1)], title="Not Found")
    evaluation = evaluate([gold], [])
    assert evaluation.missing == ["Not Found"]
    assert evaluation.scores.entity == evaluation.scores.relation == Tally(missed=1)
