"""The pipeline, as spaCy sees it."""

from hypothesis import given
from hypothesis import strategies as st
from spacy.tokens import Doc, DocBin

import pipelines
from stemma.extract import document_of, load
from stemma.extract.recognition import found_in, sentences_of
from stemma.schema import Catalogue, Entity, EntityKind, RelationType

TITLE = "Kelpie: On GPUs"
ABSTRACT = "We present Kelpie. It outperforms vLLM by 2x, e.g. on an A100."
TEXT = f"{TITLE}\n\n{ABSTRACT}"


def related(doc: Doc) -> dict[str, set[str]]:
    """Types of relations by entity."""
    by_entity: dict[str, set[str]] = {}
    for relation in doc._.relations:
        by_entity.setdefault(relation.entity, set()).add(relation.type.value)
    return by_entity


@given(st.text(max_size=300))
def test_tokens_are_exactly_the_text(text: str) -> None:
    assert pipelines.shipped().make_doc(text).text == text


def test_names_come_apart_at_hyphens_and_slashes_but_versions_stay_whole() -> None:
    doc = pipelines.shipped().make_doc("PyTorch-based LLaMA-7B/13B, ZeRO++ v1.5")
    assert [token.text for token in doc] == [
        "PyTorch", "-", "based", "LLaMA", "-", "7B", "/", "13B", ",", "ZeRO++", "v1.5",
    ]  # fmt: skip


def test_what_has_no_blanks_is_cut_into_tokens() -> None:
    text = f"a {'x' * 5000} b"
    doc = pipelines.shipped().make_doc(text)
    assert doc.text == text
    assert max(map(len, doc)) <= 1000


def test_a_document_has_the_sentences_of_its_fields_as_a_plain_text_has() -> None:
    nlp = pipelines.shipped()
    doc = nlp(document_of(nlp, TITLE, ABSTRACT))
    assert [sentence.text.strip() for sentence in doc.sents] == [
        *(TITLE, "We present Kelpie.", "It outperforms vLLM by 2x, e.g. on an A100.")
    ]
    assert [each.in_title for each in sentences_of(doc)] == [True, False, False]
    assert found_in(nlp(TEXT)) == found_in(doc)


def test_entities_have_their_kind_as_label_and_the_catalogues_id() -> None:
    doc = pipelines.shipped()(TEXT)
    named = {(span.text, span.label_, span.kb_id_, span.id_) for span in doc.ents}
    assert ("vLLM", "framework", "entity/vllm", "vLLM") in named
    assert ("A100", "hardware", "entity/nvidia-a100", "A100") in named
    assert {span.label_ for span in doc.ents} <= {kind.value for kind in EntityKind}
    assert [span.text for span in doc.ents if span.id_ == "Kelpie"] == ["Kelpie", "Kelpie"]
    proposed = {(each.text, each.id_) for each in doc.spans["candidates"]}
    assert {("Kelpie", "coined"), ("vLLM", "catalogue")} <= proposed


def test_relations_lead_to_entities_and_quote_sentences() -> None:
    doc = pipelines.shipped()(TEXT)
    assert {relation.entity for relation in doc._.relations} == {span.id_ for span in doc.ents}
    (beaten,) = [relation for relation in doc._.relations if relation.entity == "vLLM"]
    assert beaten.type is RelationType.COMPARES_WITH
    (evidence,) = beaten.evidence
    assert evidence.text == "It outperforms vLLM by 2x, e.g. on an A100."
    assert beaten.comparison and beaten.comparison.factor == 2


def test_an_entity_ruler_in_front_adds_what_is_related_like_the_rest() -> None:
    nlp = load()
    text = "On Reefs\n\nOur system outperforms the coral oracle."
    ruler = nlp.add_pipe("entity_ruler", before="stemma_entities")
    ruler.add_patterns([{"label": "technique", "pattern": "coral oracle"}])
    doc = nlp(text)
    assert ("coral oracle", "doc.ents") in {(e.text, e.id_) for e in doc.spans["candidates"]}
    assert related(doc)["coral oracle"] == {"COMPARES_WITH"}


def test_entities_of_another_component_can_take_the_place_of_ours() -> None:
    nlp = load()
    nlp.remove_pipe("stemma_entities")
    ruler = nlp.add_pipe("entity_ruler", before="stemma_encoder")
    for label, pattern in (("framework", "vLLM"), ("GPE", "It")):
        ruler.add_patterns([{"label": label, "pattern": pattern}])
    doc = nlp(TEXT)
    assert related(doc)["vLLM"] == {"COMPARES_WITH"}
    assert "It" not in related(doc)


def test_components_get_what_they_require() -> None:
    assert not any(pipelines.shipped().analyze_pipes()["problems"].values())


def test_a_document_is_stored_whole() -> None:
    nlp = pipelines.shipped()
    doc = nlp(TEXT)
    stored = DocBin(store_user_data=True, docs=[doc]).to_bytes()
    (again,) = DocBin().from_bytes(stored).get_docs(nlp.vocab)
    assert found_in(again) == found_in(doc)
    assert list(map(str, again.spans["candidates"])) == list(map(str, doc.spans["candidates"]))


def test_another_catalogue_brings_other_names() -> None:
    concept = Entity("entity/seaweed", "Seaweed", EntityKind.DATASET)
    nlp = load(Catalogue({concept.id: concept}, (), "other"))
    entities, _ = found_in(nlp(document_of(nlp, "A Study", "It is tested on Seaweed and vLLM.")))
    assert ("Seaweed", concept.id) in {(entity.name, entity.concept) for entity in entities}
