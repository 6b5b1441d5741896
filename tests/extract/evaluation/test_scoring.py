"""What counts as right."""

from collections.abc import Callable

from stemma.extract.evaluation import Annotation, Scores, evaluate
from stemma.extract.evaluation.scoring import Tally
from stemma.schema import Extraction

Annotated = Callable[..., Annotation]
Extracted = Callable[..., Extraction]


def scores(gold: Annotation, predicted: Extraction) -> Scores:
    return evaluate([gold], [predicted]).scores


def test_entities_pair_by_any_surface_form(annotated: Annotated, extracted: Extracted) -> None:
    gold = annotated({"mixture of experts|MoE": "technique"})
    assert scores(gold, extracted({"MoE": "technique"})).entity == Tally(right=1)
    assert scores(gold, extracted({"experts": "technique"})).entity == Tally(spurious=1, missed=1)


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
