"""Which spans are one entity, which of them stand, and which of their words are the name."""

import numpy as np
import pytest

import pipelines
from stemma.extract.encoder.grouping import (
    Group,
    choose_groups,
    group,
    is_placeholder,
    join_names,
    likely_spans,
    name_within,
)
from stemma.extract.encoder.network import WIDEST
from stemma.extract.encoder.paper_words import PaperWords, Span
from stemma.schema import EntityKind

ABSTRACT = "We study paged key caching (PKC). PKC beats CUDA-LLM; CUDA helps."


def read(text: str = ABSTRACT, title: str = "On Caches") -> PaperWords:
    return PaperWords.of(pipelines.recognised(title, text))


def spans(document: PaperWords, *names: str) -> list[Span]:
    listed = []
    for name in names:
        at = document.text.index(name)
        span = document.span(at, at + len(name))
        assert span
        listed.append(span)
    return listed


def grouped(
    document: PaperWords, names: list[str], concepts: dict[str, str] | None = None
) -> list[Group]:
    return group(document, [(s, 0.9) for s in sorted(spans(document, *names))], concepts or {})


def test_an_acronym_its_long_form_and_its_plural_are_one_group() -> None:
    document = read()
    (only,) = grouped(document, ["paged key caching", "PKC"])
    assert [document.surface(span) for span in only] == ["paged key caching", "PKC"]
    assert len(grouped(read("A KV is full. All KVs are full."), ["KV", "KVs"])) == 1


def test_names_of_one_concept_are_one_group() -> None:
    for concepts, groups in (
        ({}, 2),
        ({"pagedkeycaching": "x", "cuda": "x"}, 1),
        ({"pkc": "x", "cuda": "x"}, 1),
    ):
        assert len(grouped(read(), ["PKC", "CUDA"], concepts)) == groups


def test_a_name_within_one_that_is_surely_an_entity_does_not_stand() -> None:
    document = read()
    chosen = choose_groups(grouped(document, ["CUDA-LLM", "CUDA"]), [0.5, 0.9], 0.3)
    assert [k for k, _ in chosen] == [1]
    assert [document.surface(s) for _, held in chosen for s in held] == ["CUDA-LLM"]


def test_of_spans_that_overlap_the_likelier_group_and_in_it_the_likelier_span_has_the_words():
    groups = [{(0, 2): 0.5}, {(1, 3): 0.6, (5, 6): 0.9, (5, 7): 0.95}]
    assert choose_groups(groups, [0.7, 0.5], 0.3) == [(0, [(0, 2)]), (1, [(5, 7)])]
    assert choose_groups(groups, [0.7, 0.2], 0.3) == [(0, [(0, 2)])]


def test_only_the_likeliest_spans_are_looked_at_however_many_there_are() -> None:
    likely = np.full((300, WIDEST), 0.5)
    likely[7, 2] = 0.9
    spans_seen = dict(likely_spans(likely, [0] * 300))
    assert len(spans_seen) < likely.size
    assert spans_seen[7, 10] == 0.9
    assert list(spans_seen) == sorted(spans_seen)


def test_no_span_leaves_its_sentence_or_the_text() -> None:
    spans_seen = dict(likely_spans(np.full((4, WIDEST), 0.5), [0, 0, 1, 1]))
    assert list(spans_seen) == [(0, 1), (0, 2), (1, 2), (2, 3), (2, 4), (3, 4)]


def joined(text: str, *names: str | tuple[str, ...], introduced: float = 0.0) -> list[list[str]]:
    """The surfaces of the groups, of one or several names each, once those of one thing are
    joined."""
    document = read(text)
    each = [(name,) if isinstance(name, str) else name for name in names]
    chosen = [(k, spans(document, *some)) for k, some in enumerate(each)]
    result = join_names(document, chosen, [introduced] * len(chosen))
    return [[document.surface(span) for span in some] for _, some in result]


STAND_FOR = [
    ("TER", "Tidal Eviction Rules"),
    ("Tern ML", "Tern machine learning"),
    ("TE-Rules#", "Tidal Eviction Rules#"),
    ("vTF", "von Tern-Falk"),
    ("KEKs", "key eviction kernel"),
    # Words that differ in inflections alone.
    ("kelpie 2s", "Kelpie-2"),
    ("aging policy", "aging policies"),
    ("TERN-star", "TERN*"),
]
OTHERS = [
    ("TE", "Tidal Eviction Rules"),  # Nothing stands for "Rules".
    ("FL", "Fed-LAMB"),  # An acronym of its own.
    ("Tern", "Tidal Eviction Rules"),
    ("TERN#", "TERN"),
    ("Faster Tern", "Fast Tern"),
]


@pytest.mark.parametrize(("name", "full"), STAND_FOR + OTHERS)
def test_a_name_joins_that_whose_words_its_acronyms_stand_for(name: str, full: str) -> None:
    groups = joined(f"We age keys by {full}. Then {name} age keys.", full, name)
    assert groups == ([[full, name]] if (name, full) in STAND_FOR else [[full], [name]])


RULES = "tidal eviction rules"
GROUPS: dict[str, tuple[str, list[tuple[str, ...]], int]] = {
    "an acronym of several names joins none": (
        "We use tidal eviction rules and timed eviction rings. Then TER age keys.",
        [(RULES,), ("timed eviction rings",), ("TER",)],
        3,
    ),
    "in brackets not every word needs a letter": (
        "We use Tidal Eviction of Aged Rules (TER).",
        [("Tidal Eviction of Aged Rules",), ("TER",)],
        1,
    ),
    "the acronym of the last words of a name stands behind it": (
        f"We use timed {RULES} (TER). TER is fast.",
        [(f"timed {RULES}",), ("TER",)],
        1,
    ),
    "what stands in brackets may be something else": (
        "We use old cups (TER). TER is fast.",
        [("old cups",), ("TER",)],
        2,
    ),
}


@pytest.mark.parametrize(("text", "names", "groups"), GROUPS.values(), ids=GROUPS)
def test_what_names_an_acronym_joins(text: str, names: list[tuple[str, ...]], groups: int) -> None:
    assert len(joined(text, *names)) == groups


AGED = "Tidal Eviction of Aged Rules"


@pytest.mark.parametrize(
    ("text", "name", "other"),
    [
        (f"We present {AGED}. TER is fast.", AGED, "TER"),
        ("We present Key Age Trees. Bad key-age trees.", "Key Age Trees", "Bad key-age trees"),
        ("We present AMD-Kelpie-2. Kelpie-2 is fast.", "AMD-Kelpie-2", "Kelpie-2"),
        ("We present Kelpies (Flash-Aging Keys).", "Flash-Aging Keys", "Kelpies"),
    ],
    ids=["a word without a letter", "further words", "a vendor", "brackets"],
)
def test_an_introduced_name_joins(text: str, name: str, other: str) -> None:
    (both,) = joined(text, name, other, introduced=0.9)
    assert {*both} == {name, other}
    assert len(joined(text, name, other)) == 2


def test_not_even_an_introduced_name_joins_what_is_another_thing() -> None:
    for text, names in (
        ("We present Old-Kelpie. Kelpie is fast.", ["Old-Kelpie", "Kelpie"]),
        ("We present Kelpie. The Kelpie dataset is large.", ["Kelpie", "Kelpie dataset"]),
        ("We present Key Age Trees, KAT, and KAST.", [("Key Age Trees", "KAT"), "KAST"]),
    ):
        assert len(joined(text, *names, introduced=0.9)) == 2


def test_a_name_of_the_abstract_joins_its_short_form_in_the_title() -> None:
    text = "We compare tidal key caches."
    document = read(text, "A Study of Key Caches")
    title, whole = spans(document, "Key Caches", "tidal key caches")
    assert len(join_names(document, [(0, [whole]), (1, [title])], [0.0, 0.0])) == 1
    assert len(join_names(document, [(0, [whole]), (1, [title])], [0.9, 0.0])) == 2


def name_in(surface: str, kind: EntityKind) -> str:
    document = read(f"We use {surface} here.")
    (span,) = spans(document, surface)
    return document.surface(name_within(document, span, kind))


@pytest.mark.parametrize(
    ("surface", "name"),
    [
        ("LLaMA-7B/13B", "LLaMA-7B"),
        ("ResNet-18/34/50", "ResNet-18"),
        ("Google BERT-base/large", "BERT-base"),
        # These are names as a whole.
        *((each, each) for each in ("ViT-B/16", "7B/13B", "Falcon-7/40/180B", "DLR/HIT Hand 2")),
    ],
)
def test_of_a_list_the_first_is_named(surface: str, name: str) -> None:
    assert name_in(surface, EntityKind.MODEL) == name


@pytest.mark.parametrize(
    ("surface", "name"),
    # Without the vendor the last would be words, or other names.
    [("Microsoft DeepSpeed", "DeepSpeed"), ("Google Cloud", "Google Cloud"), ("Intel", "Intel")],
)
def test_a_name_has_no_vendor_but_of_hardware_and_data(surface: str, name: str) -> None:
    assert name_in(surface, EntityKind.FRAMEWORK) == name
    for kind in (EntityKind.HARDWARE, EntityKind.DATASET):
        assert name_in(surface, kind) == surface


def test_a_command_that_stands_for_a_name_is_none() -> None:
    assert all(map(is_placeholder, (r"\ours", r"$\methodname$", r"\SysName")))
    assert not any(map(is_placeholder, (r"\lieflow", r"\textsc{Tool}", "method")))
