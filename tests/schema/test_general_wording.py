"""Named works and general terms, distinguished by how names are written."""

import pytest

from stemma.schema import Catalogue, EntityKind
from stemma.schema.general_wording import ends_as_general, written_as_general

GENERAL = {"quantile pruning": "technique", "mobile GPU": "hardware", "QNNs": "model"}
GENERAL |= {"vector database": "framework"}
NAMED = {"QuillNet-50": "model", "quill2vec": "technique", "scikit-quill": "framework"}
NAMED |= {"Quill optimizer": "technique", "QuillMind LLM": "model"}


def test_words_in_lower_case_and_plurals_are_general_but_not_coined_words_and_digits():
    for names, general in ((GENERAL, True), (NAMED, False)):
        for name, kind in names.items():
            assert written_as_general(name, EntityKind(kind)) is general, name


@pytest.mark.parametrize(
    ("name", "general"),
    [("Sparse Quill Attention", True), ("Distillation", True), ("QNN", True), ("Quillon", False)],
)
def test_what_capitals_leave_open_the_end_of_the_name_decides(name, general):
    assert written_as_general(name, EntityKind.TECHNIQUE) is None
    assert ends_as_general(name, EntityKind.TECHNIQUE) is general


def test_a_concept_of_the_catalogue_is_general_by_a_name_in_lower_case_or_where_it_says_so():
    concepts = Catalogue.shipped().concepts
    general = {"gpu", "cnn", "llm", "transformer", "quantization", "pipeline-parallelism"}
    named = {"vllm", "lora", "imagenet", "resnet-50", "nvidia-h100", "pytorch", "resnet", "gem5"}
    assert all(concepts[f"entity/{each}"].general for each in general)
    assert not any(concepts[f"entity/{each}"].general for each in named)
