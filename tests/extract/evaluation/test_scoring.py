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
    assert scores(gold, extracted({"MoE": "technique"}))["entity"] == Tally(right=1)
    assert scores(gold, extracted({"experts": "technique"}))["entity"] == Tally(
        spurious=1, missed=1
    )


def test_evidence_is_judged_of_relations_that_are_right(
    annotated: Annotated, extracted: Extracted
) -> None:
    names = ("A1", "B2", "C3")

    def quoting(*texts: str) -> list[tuple[str, str, str, float]]:
        return [("USES", name, text, 0.5) for name, text in zip(names, texts, strict=True)]

    models = dict.fromkeys(names, "model")
    gold = annotated(models, quoting("We start from A1, as others do.", "B2 follows.", ""))
    found = extracted(models, quoting("start from A1, as others", "It is unlike that.", "A quote."))
    assert scores(gold, found)["evidence"] == Tally(right=1, spurious=1, missed=1)


def test_quotations_share_half_of_the_shorter() -> None:
    assert quotes_the_same("one two  three", "x one two\nthree y")
    assert quotes_the_same("abcdefgh", "abcdXXXXYYYY")
    assert not quotes_the_same("abcdefgh", "abcXXXXXYYYY")


def test_a_paper_that_no_prediction_has_is_missed_whole(annotated: Annotated) -> None:
    gold = annotated({"GPU": "hardware"}, [("RUNS_ON", "GPU", "", 1)], title="Not Found")
    evaluation = evaluate([gold], [])
    assert evaluation.missing == ["Not Found"]
    assert evaluation.scores["entity"] == evaluation.scores["relation"] == Tally(missed=1)


def test_shares() -> None:
    tally = Tally(right=3, spurious=1, missed=3)
    assert (tally.precision, tally.recall, tally.f1) == (0.75, 0.5, 0.6)
    assert (Tally().precision, Tally().recall, Tally().f1) == (0, 0, 0)
