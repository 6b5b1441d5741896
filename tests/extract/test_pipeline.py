"""The pipeline, as spaCy sees it."""

from pathlib import Path

import spacy
from hypothesis import given
from hypothesis import strategies as st

from stemma.extract.document import document_of, found_in
from stemma.extract.pipeline import build_pipeline, register_components
from stemma.schema import Catalogue, Entity, EntityKind

NLP = build_pipeline()
TITLE, ABSTRACT = "Kelpie: On GPUs", "We present Kelpie. It outperforms vLLM, e.g. on an A100."


@given(st.text(max_size=300))
def test_tokens_are_exactly_the_text(text: str) -> None:
    assert NLP.make_doc(text).text == text


def test_names_come_apart_at_hyphens_and_slashes_but_versions_stay_whole() -> None:
    tokens = [token.text for token in NLP.make_doc("PyTorch-based LLaMA-7B/13B, ZeRO++ v1.5")]
    assert tokens == [
        "PyTorch", "-", "based", "LLaMA", "-", "7B", "/", "13B", ",", "ZeRO++", "v1.5",
    ]  # fmt: skip


def test_a_document_has_the_sentences_of_its_fields() -> None:
    doc = NLP(document_of(NLP, TITLE, ABSTRACT))
    assert [sentence.text.strip() for sentence in doc.sents] == [
        TITLE,
        "We present Kelpie.",
        "It outperforms vLLM, e.g. on an A100.",
    ]


def test_every_component_has_a_registered_factory() -> None:
    register_components()
    blank = spacy.blank("en")
    assert NLP.pipe_names
    assert all(blank.has_factory(name) for name in NLP.pipe_names)


def test_the_pipeline_is_saved_and_loaded_whole(tmp_path: Path) -> None:
    NLP.to_disk(tmp_path)
    again = spacy.load(tmp_path)
    there, here = (nlp(document_of(nlp, TITLE, ABSTRACT)) for nlp in (again, NLP))
    assert found_in(there) == found_in(here)


def test_another_catalogue_brings_other_names() -> None:
    concept = Entity("entity/seaweed", "Seaweed", EntityKind.DATASET)
    nlp = build_pipeline(Catalogue({concept.id: concept}, (), "other"))
    entities, _ = found_in(nlp(document_of(nlp, "A Study", "It is tested on Seaweed and vLLM.")))
    assert ("Seaweed", concept.id) in {(each.name, each.concept) for each in entities}
