"""The extractor: whatever the text, every statement is exact and complete."""

import gc
from collections.abc import Iterator

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from spacy.tokens import Doc

import pipelines
from stemma.extract import Extractor, extractor_fingerprint
from stemma.extract import extractor as module
from stemma.extract.entity import full_name
from stemma.extract.recognition import recognition
from stemma.schema import EntityKind, Extraction, Paper, Problem, RelationType, Source
from stemma.schema.name import paper_id
from stemma.worker_pool import worker_pool

WORDS = [
    "We", "propose", "present", "Kelp", "KelpNet-7B", "(KN)", "outperforms", "PyTorch", "-based",
    "GPU", "GPUs", "NVIDIA A100", "ImageNet", "on", "and", ",", ".", "however", "e.g.", "\\textbf{",
    "}", "$\\times$", "LLaMA-7B/13B", "called", "a novel", "framework", "suffers from", "such as",
    "é", "🚀", "\n", "\t", "İ", "ﬁ", "(", ")", ":", "-", "/", "large language models (LLMs)",
]  # fmt: skip
ONLY_FOR = {
    RelationType.RUNS_ON: {EntityKind.HARDWARE},
    RelationType.EVALUATED_ON: {EntityKind.DATASET, EntityKind.MODEL},
}
TEXTS = st.one_of(
    st.text(max_size=200),
    st.lists(st.sampled_from(WORDS), max_size=60).map(" ".join),
    st.lists(st.sampled_from(WORDS), max_size=30).map("".join),
)


def paper(title: str, abstract: str = "") -> Paper:
    return Paper(paper_id(title), title, abstract, sources=(Source("some.txt", "0" * 64, 7),))


def extract(title: str, abstract: str = "") -> Extraction:
    (result,) = pipelines.extractor().extract([paper(title, abstract)])
    assert isinstance(result, Extraction), result
    return result


def test_a_paper_is_related_to_what_it_names() -> None:
    extraction = extract(
        "Kelpie: Offloaded Training on a Single Machine",
        "Existing systems such as ZeRO-Infinity suffer from low GPU utilization. "
        "We present Kelpie, a training framework built on top of PyTorch. "
        "On an NVIDIA A100 GPU, Kelpie outperforms DeepSpeed by 2.1x. "
        "We evaluate it on ImageNet.",
    )
    assert {(relation.type.value, relation.entity) for relation in extraction.relations} >= {
        ("INTRODUCES", "Kelpie"),
        ("IMPROVES_ON", "ZeRO-Infinity"),
        ("BUILDS_ON", "PyTorch"),
        ("RUNS_ON", "NVIDIA A100"),
        ("COMPARES_WITH", "DeepSpeed"),
        ("EVALUATED_ON", "ImageNet"),
    }


def test_the_first_of_the_fullest_forms_is_the_name() -> None:
    assert full_name(["Kelp-GS", "kelp-gs"]) == "Kelp-GS"
    assert full_name(["GPU", "GPUs"]) == "GPU"
    assert full_name(["MoE", "Mixture of Experts"]) == "Mixture of Experts"
    assert full_name(["Tidal Pruning", "tidal pruning"]) == "tidal pruning"


@pytest.mark.parametrize(
    ("title", "concept"),
    [
        ("Cheaper Training with COCO: A Scheduling Algorithm", None),
        ("COCO: A Dataset of Common Objects", "entity/coco"),
        ("COCO: Common Objects in Their Places", "entity/coco"),
    ],
)
def test_a_name_coined_for_another_kind_of_thing_is_no_concept(title, concept):
    abstract = "We propose COCO. COCO is new, and it helps whoever is tired."
    extraction = extract(title, abstract)
    (coco,) = [entity for entity in extraction.entities if entity.name == "COCO"]
    assert coco.concept == concept
    if concept is None:
        assert coco.kind == "technique"


@pytest.mark.slow
@given(title=TEXTS.filter(lambda text: bool(text.strip())), abstract=TEXTS)
@settings(suppress_health_check=[HealthCheck.too_slow])
def test_any_text_gives_statements_that_may_stand_together(title: str, abstract: str) -> None:
    extraction = extract(title, abstract)
    kinds = {entity.name: entity.kind for entity in extraction.entities}
    assert len(kinds) == len(extraction.entities)
    assert {relation.entity for relation in extraction.relations} == set(kinds)
    for span in (
        *(mention for entity in extraction.entities for mention in entity.mentions),
        *(evidence for relation in extraction.relations for evidence in relation.evidence),
    ):
        assert extraction.paper.text(span.field)[span.start : span.end] == span.text
    assert all(entity.mentions for entity in extraction.entities)
    for relation in extraction.relations:
        assert relation.evidence
        assert kinds[relation.entity] in ONLY_FOR.get(relation.type, EntityKind)
        assert 0 <= relation.confidence == round(relation.confidence, 3) <= 1
    for name in kinds:
        types = [relation.type for relation in extraction.relations if relation.entity == name]
        assert len(set(types)) == len(types)
        assert RelationType.MENTIONS not in types or len(types) == 1
    assert extract(title, abstract) == extraction


def test_a_paper_that_fails_is_reported_and_the_rest_is_read(monkeypatch):
    extractor = pipelines.extractor()
    pipeline = extractor.pipeline

    def burst(doc: Doc) -> Doc:
        if "thunder" in recognition(doc).text:
            raise ArithmeticError("too loud")
        return doc

    monkeypatch.setattr(pipeline, "_components", [*pipeline._components, ("burst", burst)])
    first, second = extractor.extract([paper("Of thunder"), paper("Of rain")])
    assert isinstance(second, Extraction)
    assert isinstance(first, Problem)
    assert (first.file, first.line) == ("some.txt", 7)
    assert "too loud" in first.reason


MANY = [paper(f"Kelpie{n}: On GPUs", f"We use BERT and T{n}Net.") for n in range(100)]


@pytest.mark.process
def test_several_processes_give_the_same_in_the_same_order_and_end_with_the_extractor() -> None:
    extractor = Extractor()
    alone = list(pipelines.extractor().extract(MANY))
    assert list(extractor.extract(MANY, processes=2)) == alone
    (pool,) = extractor._pools.values()
    del extractor
    # Before the interpreter does.
    with pytest.raises(RuntimeError, match="after shutdown"):
        pool.submit(print)


@pytest.mark.process
@pytest.mark.long
def test_by_default_several_processes_join_when_the_work_has_taken_some_time(monkeypatch):
    alone = list(pipelines.extractor().extract(MANY))
    # Here, after the first batch.
    monkeypatch.setattr(module, "processors", lambda: 2)
    monkeypatch.setattr(module, "_SECONDS_TO_START", 1e-9)
    started = list[int]()
    monkeypatch.setattr(
        module, "worker_pool", lambda many, *rest: started.append(many) or worker_pool(many, *rest)
    )
    assert list(Extractor().extract(MANY, processes=None)) == alone
    assert started == [2]


@pytest.mark.parametrize("cores", [1, 2])
def test_little_work_is_done_by_one_process(monkeypatch, cores):
    monkeypatch.setattr(module, "processors", lambda: cores)
    monkeypatch.setattr(module, "_SECONDS_TO_START", 60.0 if cores > 1 else 0.0)
    monkeypatch.setattr(module, "worker_pool", lambda *_: pytest.fail("processes are started"))
    extractor = Extractor()
    extractor.pipeline = pipelines.shipped()
    assert len(list(extractor.extract(MANY[:20], processes=None))) == 20


@pytest.mark.slow
def test_reading_leaves_no_cyclic_garbage_since_none_is_searched_for() -> None:
    extractor = pipelines.extractor()
    texts = [("Kelp: Sorting", "We present Kelp, which outperforms vLLM on an A100 GPU by 2x.")] * 3
    extractor.find(texts)
    gc.collect()
    gc.disable()
    try:
        extractor.find(texts)
        assert not gc.isenabled(), "who had switched it off wants it off"
        assert gc.collect() == 0
    finally:
        gc.enable()
    extractor.find(texts)
    assert gc.isenabled()


def test_papers_are_taken_as_they_are_needed() -> None:
    taken = 0

    def endless() -> Iterator[Paper]:
        nonlocal taken
        while True:
            taken += 1
            yield paper(f"Paper {taken}")

    next(iter(pipelines.extractor().extract(endless())))
    assert taken < 1000


def test_the_fingerprint_tells_of_the_catalogue() -> None:
    assert Extractor().fingerprint == extractor_fingerprint() != extractor_fingerprint("another")
