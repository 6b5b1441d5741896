"""The figures are those of the scorer that comes with the annotations."""

import importlib.util
from json import loads
from pathlib import Path
from types import ModuleType
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from annotated import annotated, extracted
from stemma.extract.evaluation import Annotation, evaluate
from stemma.schema import EntityKind, RelationType
from stemma.schema.interchange import dump


@pytest.fixture(scope="session")
def scorer(shared: Path) -> ModuleType:
    spec = importlib.util.spec_from_file_location("score", shared / "gold" / "score.py")
    assert spec and spec.loader
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


def gold_json(annotation: Annotation) -> dict[str, Any]:
    return {
        "title": annotation.title,
        "entities": [
            {"name": each.name, "kind": each.kind.value, "mentions": list(each.mentions)}
            for each in annotation.entities
        ],
        "relations": [
            {"type": each.type.value, "entity": each.entity, "evidence": list(each.evidence)}
            for each in annotation.relations
        ],
    }


WORDS = ["GPU", "gpus", "A-100", "a100", "KV cache", "cache", "C++", "C", "µ", "LoRA", "loras"]
FORMS = st.lists(st.sampled_from(WORDS), min_size=1, max_size=3).map("|".join)
KINDS = st.sampled_from([kind.value for kind in EntityKind])
TYPES = st.sampled_from([relation.value for relation in RelationType])
SENTENCES = st.sampled_from(["", "We use it.", "We use  it", "it", "On A100 it flies.", "flies so"])


@st.composite
def papers(draw: st.DrawFn) -> tuple[dict[str, str], list[tuple[str, str, str, float]]]:
    drawn = draw(st.dictionaries(FORMS, KINDS, max_size=6))
    entities = {form.split("|")[0]: (form, kind) for form, kind in drawn.items()}
    if not entities:
        return {}, []
    claims = st.tuples(TYPES, st.sampled_from(sorted(entities)), SENTENCES, st.floats(0, 1))
    return dict(entities.values()), draw(st.lists(claims, max_size=8))


@given(st.lists(st.tuples(papers(), papers(), st.booleans()), max_size=3))
def test_on_papers_of_every_sort(scorer, drawn):
    gold = [annotated(*ours, title=f"Paper {n}") for n, (ours, _, _) in enumerate(drawn)]
    predictions = [
        extracted(*theirs, title=f"paper {n}")
        for n, (_, theirs, was_read) in enumerate(drawn)
        if was_read
    ]
    theirs = scorer.score(
        {scorer.norm(each.title): gold_json(each) for each in gold},
        {
            scorer.norm(prediction.paper.title): loads(dump(prediction))
            for prediction in predictions
        },
    )
    names = {name.strip().removeprefix("kind ") for name in theirs} - {"missing papers"}
    ours = evaluate(gold, predictions).scores
    assert names <= ours.keys()
    for figure, tally in ours.items():
        rows = (figure, f"  {figure}", f"  kind {figure}")
        counted: dict[str, int] = next((theirs[row] for row in rows if row in theirs), {})
        expected = tuple(counted.get(each, 0) for each in ("tp", "fp", "fn"))
        assert (tally.right, tally.spurious, tally.missed) == expected, figure
        assert (tally.precision, tally.recall, tally.f1) == pytest.approx(scorer.prf(*expected))
