"""Which spans are one entity, and which of them stand."""

import numpy as np

from stemma.extract.encoder.grouping import (
    Group,
    choose_groups,
    group,
    likely_spans,
)
from stemma.extract.encoder.network import WIDEST
from stemma.extract.encoder.paper_words import PaperWords, Span
from stemma.extract.pipeline import load
from stemma.extract.recognition import document_of

NLP = load(fast=True)
ABSTRACT = "We study paged key caching (PKC). PKC beats CUDA-LLM; CUDA helps."


def document() -> PaperWords:
    return PaperWords.of(NLP(document_of(NLP, "On Caches", ABSTRACT)))


def spans(read: PaperWords, *names: str) -> list[tuple[Span, float]]:
    places = []
    for name in names:
        at = read.text.index(name)
        span = read.span(at, at + len(name))
        assert span
        places.append((span, 0.9))
    return places


def test_an_acronym_its_long_form_and_its_plural_are_one_group() -> None:
    read = document()
    (only,) = group(read, spans(read, "paged key caching", "PKC"), {})
    assert [read.surface(span) for span in only.spans] == ["paged key caching", "PKC"]
    short = PaperWords.of(NLP(document_of(NLP, "On Caches", "A KV is full. All KVs are full.")))
    assert len(group(short, spans(short, "KV", "KVs"), {})) == 1


def test_names_of_one_concept_are_one_group() -> None:
    read = document()
    found = spans(read, "PKC", "CUDA")
    for concepts, groups in (
        ({}, 2),
        ({"pagedkeycaching": "x", "cuda": "x"}, 1),
        ({"pkc": "x", "cuda": "x"}, 1),
    ):
        assert len(group(read, found, concepts)) == groups


def test_a_name_within_one_that_is_surely_an_entity_does_not_stand() -> None:
    read = document()
    groups = group(read, sorted(spans(read, "CUDA-LLM", "CUDA")), {})
    chosen = choose_groups(groups, [0.5, 0.9], 0.3)
    assert [k for k, _ in chosen] == [1]
    assert [read.surface(s) for _, held in chosen for s in held] == ["CUDA-LLM"]


def test_of_spans_that_overlap_the_likelier_group_has_the_words() -> None:
    groups = [Group({(0, 2): 0.5}), Group({(1, 3): 0.6, (5, 6): 0.6})]
    assert choose_groups(groups, [0.7, 0.5], 0.3) == [(0, [(0, 2)]), (1, [(5, 6)])]
    assert choose_groups(groups, [0.7, 0.2], 0.3) == [(0, [(0, 2)])]


def test_of_spans_of_one_group_that_overlap_the_likelier_has_the_words() -> None:
    groups = [Group({(0, 2): 0.5, (0, 3): 0.4, (5, 6): 0.9, (5, 7): 0.95})]
    assert choose_groups(groups, [0.7], 0.3) == [(0, [(0, 2), (5, 7)])]


def test_only_the_likeliest_spans_are_looked_at_however_many_there_are() -> None:
    likely = np.full((300, WIDEST), 0.5)
    likely[7, 2] = 0.9
    found = dict(likely_spans(likely, [0] * 300))
    assert len(found) < likely.size
    assert found[7, 10] == 0.9
    assert list(found) == sorted(found)


def test_no_span_leaves_its_sentence_or_the_text() -> None:
    found = dict(likely_spans(np.full((4, WIDEST), 0.5), [0, 0, 1, 1]))
    assert list(found) == [(0, 1), (0, 2), (1, 2), (2, 3), (2, 4), (3, 4)]
