"""What makes two spellings one name, and how a name becomes an id."""

import re

import pytest
from hypothesis import given
from hypothesis import strategies as st

from stemma.schema import name
from stemma.schema.name import (
    coined_entity_id,
    entity_id,
    is_id,
    match_key,
    paper_id,
    plain,
    slug,
    without_possessive,
    without_stray_brackets,
)


@pytest.mark.parametrize(
    ("a", "b"),
    [
        ("ZeRO-Infinity", "zero infinity"),
        ("Mélange", "Melange"),
        ("PIXART-δ", "PixArt-delta"),
        (r"{\'E}lo{\"\i}se Mar\c{c}al", "Éloïse Marçal"),
        (r"Erd\H{o}s S{\o}rensen K\aa berg", "Erdős Sørensen Kåberg"),
        (r"\v Cech Wei\ss{}", "Čech Weiß"),
        ("LLM.int8()", "LLM int8"),
        ("GPU", "GPUs"),
        ("TVM", "TVM's"),
        ("Gaussian processes", "Gaussian process"),
        ("KV caches", "KV cache"),
        ("diffusion policies", "diffusion policy"),
        ("RRT*", "RRT-star"),
        ("*A*", "A"),  # in italics
        ("A100", "A100-80GB"),
        ("H100", "8x H100 80 GB HBM3"),
        ("H100", "H100 NVL"),
        ("FlashAttention-2", "FlashAttention v2"),
        ("LLaMA-2 7B", "LLaMA v2 7B"),
    ],
)
def test_spellings_of_one_name_match(a: str, b: str) -> None:
    assert match_key(a) == match_key(b)


@pytest.mark.parametrize("name", ["Moore's law", "'s", "'", "L'Hospital", "GPUs", "", "f''(x)"])
def test_what_is_not_a_possessive_stays(name: str) -> None:
    assert without_possessive(name) == name


@pytest.mark.parametrize(
    ("name", "expected"),
    [
        ("KV) cache", "KV cache"),
        ("GEMM)-based convolution", "GEMM-based convolution"),
        ("Sobol' [QMC", "Sobol' QMC"),
        ("f(x)) of [a]", "f(x) of [a]"),
    ],
)
def test_brackets_without_a_partner_are_no_part_of_a_name(name: str, expected: str) -> None:
    assert without_stray_brackets(name) == expected
    assert match_key(name) == match_key(expected)


@pytest.mark.parametrize(
    ("a", "b"),
    [
        ("ZeRO", "ZeRO++"),
        ("LLaMA-2 7B", "LLaMA-27B"),
        ("GPT-3.5", "GPT-35"),
        ("RRT", "RRT*"),
        ("ViT", "ViT-S"),
        ("loss", "los"),
        ("Unity", "unit"),
        ("GB200", "GB200 NVL72"),
        ("PCIe", "PCIe 4.0"),
        ("λ", "LaMDA"),
    ],
)
def test_different_names_do_not_match(a: str, b: str) -> None:
    assert match_key(a) != match_key(b)


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        (r"{\it torch.matmul}", "torch.matmul"),
        (r"\textbf{models}~(LLMs)", "models (LLMs)"),
        (r"43.8\%", "43.8%"),
        (r"\proj", "proj"),
        (r"M\'elange and Fr\'{e}chet", "Mélange and Fréchet"),
        (r"\(k\)-nearest neighbours", "k-nearest neighbours"),
        (r"$\boldsymbolπ_{0}$", "π_0"),
        ("nothing to do", "nothing to do"),
    ],
)
def test_latex_is_kept_out_of_names(text: str, expected: str) -> None:
    assert plain(text) == expected


def test_a_slug_is_readable() -> None:
    names = "ZeRO++", "C#", "Mélange", "PIXART-δ", "λScale"
    assert " ".join(map(slug, names)) == "zero-plus-plus c-sharp melange pixart-delta lambdascale"


@given(st.text(min_size=1, max_size=400))
def test_any_name_has_a_short_slug_that_is_its_own_slug(name: str) -> None:
    made = slug(name)
    assert re.fullmatch(r"[a-z0-9]+(-[a-z0-9]+)*", made)
    assert len(made) <= 105
    assert slug(made) == made


@given(st.text(alphabet="abcXYZ 0123-.", min_size=1, max_size=30))
def test_case_does_not_count(name: str) -> None:
    assert match_key(name) == match_key(name.upper()) == match_key(name.lower())


def test_long_titles_with_one_beginning_have_different_slugs() -> None:
    beginning = "a study of the same long beginning " * 5
    assert slug(beginning + "one") != slug(beginning + "two")


def test_ids_carry_their_type() -> None:
    assert entity_id("ZeRO-Infinity") == "entity/zero-infinity"
    assert entity_id("RRT*") == "entity/rrt-star"
    assert paper_id("Attention Is All You Need") == "paper/attention-is-all-you-need"
    assert coined_entity_id("CUDA", "paper/unlearnable") == "entity/cuda--unlearnable"
    assert is_id("entity/cuda")
    assert not is_id("CUDA")


def test_what_is_too_long_for_a_name_is_not_remembered():
    before = name._remembered_key.cache_info().currsize
    assert match_key("Kiln " * 1000) == match_key("kiln" * 1000)
    assert name._remembered_key.cache_info().currsize == before
