"""Acronyms and their long forms."""

import pytest

from stemma.extract.acronym import definitions


@pytest.mark.parametrize(
    ("text", "pair"),
    [
        ("We use Mixture of Experts (MoE) here.", ("Mixture of Experts", "MoE")),
        ("The remote direct memory access (RDMA) is", ("remote direct memory access", "RDMA")),
        ("many network interface cards (NICs)", ("network interface cards", "NICs")),
        ("a stochastic shortest path (SSP)", ("stochastic shortest path", "SSP")),
        ("by in-context learning (ICL)", ("in-context learning", "ICL")),
        ("a novel Low-Rank Adaptation (LoRA, ours)", ("Low-Rank Adaptation", "LoRA")),
    ],
)
def test_a_long_form_spells_its_acronym(text: str, pair: tuple[str, str]) -> None:
    ((long, short),) = definitions(text)
    assert (text[slice(*long)], text[slice(*short)]) == pair


@pytest.mark.parametrize(
    "text", ["It grew (see Table 2).", "The end (GPU).", "A (B) C", "(MoE)", "faster (2x)"]
)
def test_other_brackets_define_nothing(text: str) -> None:
    assert list(definitions(text)) == []
