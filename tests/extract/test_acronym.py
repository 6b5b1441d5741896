"""Acronyms and their long forms."""

import pytest

from stemma.extract.acronym import definitions, spells


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


@pytest.mark.parametrize(
    ("long", "short", "does"),
    [
        ("Sliding-window Cache Quantization", "SCQ", True),
        ("Staggered Transformer", "StagFormer", True),
        ("Mixture of Kronecker Adapters", "MoKA", True),
        ("Sliding-window Cache Quantization", "KVQ", False),
        ("Kelpie-7B", "KB", False),
        ("KAT trees", "KAT", False),
    ],
)
def test_letters_spell_a_long_form_that_stands_elsewhere(
    long: str, short: str, *, does: bool
) -> None:
    assert spells(long, short) is does
