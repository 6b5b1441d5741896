"""Which names of a paper are of one thing."""

import pytest

from stemma.extract.encoder.grouping import join_names
from stemma.extract.encoder.paper_words import PaperWords, Span
from stemma.extract.pipeline import load
from stemma.extract.recognition import document_of

NLP = load(fast=True)


def read(text: str, title: str = "On Caches") -> PaperWords:
    return PaperWords.of(NLP(document_of(NLP, title, text)))


def spans(document: PaperWords, *names: str) -> list[Span]:
    found = []
    for name in names:
        at = document.text.index(name)
        span = document.span(at, at + len(name))
        assert span
        found.append(span)
    return found


def joined(text: str, *names: str | tuple[str, ...], introduced: float = 0.0) -> list[list[str]]:
    """The surfaces of the groups, of one or several names each, once those of one thing are
    joined."""
    document = read(text)
    each = [(name,) if isinstance(name, str) else name for name in names]
    chosen = [(k, spans(document, *some)) for k, some in enumerate(each)]
    result = join_names(document, chosen, [introduced] * len(chosen))
    return [[document.surface(span) for span in some] for _, some in result]


@pytest.mark.parametrize(
    ("name", "full"),
    [
        ("TER", "Tidal Eviction Rules"),
        ("Tern ML", "Tern machine learning"),
        ("Range BN", "Range Batch-Normalization"),
        ("TE-Rules#", "Tidal Eviction Rules#"),
        ("TE rules", "Tidal-Eviction (TE) rules"),
        ("ER2E", "Evict Rules to Evict"),
        ("vTF", "von Tern-Falk"),
        ("KEKs", "key eviction kernel"),
    ],
)
def test_a_name_joins_that_whose_words_its_acronyms_stand_for(name: str, full: str) -> None:
    assert joined(f"We age keys by {full}. Then {name} age keys.", full, name) == [[full, name]]


@pytest.mark.parametrize(
    ("name", "full"),
    [
        ("TE", "Tidal Eviction Rules"),  # Nothing stands for "Rules".
        ("TERN", "Tidal Eviction Rules"),
        ("FL", "Fed-LAMB"),  # An acronym of its own.
        ("Tern", "Tidal Eviction Rules"),
        ("8-bit Tern", "Tern"),
    ],
)
def test_other_names_stay(name: str, full: str) -> None:
    assert joined(f"We age keys by {full}. Then {name} age keys.", full, name) == [[full], [name]]


RULES = "tidal eviction rules"
GROUPS: dict[str, tuple[str, list[tuple[str, ...]], int]] = {
    "an acronym of several names joins none": (
        "We use tidal eviction rules and timed eviction rings. Then TER age keys.",
        [(RULES,), ("timed eviction rings",), ("TER",)],
        3,
    ),
    "an acronym that is explained joins no other name": (
        "We use tidal eviction rules (TER). Timed eviction rings age keys.",
        [(RULES, "TER"), ("Timed eviction rings",)],
        2,
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
        ("We present a Stag Transformer. StagFormer is fast.", "Stag Transformer", "StagFormer"),
        ("We present Key Age Trees. Bad key-age trees.", "Key Age Trees", "Bad key-age trees"),
        ("We present AMD-Kelpie-2. Kelpie-2 is fast.", "AMD-Kelpie-2", "Kelpie-2"),
        ("We present AMD Kelpie-2. Kelpie-2 is fast.", "AMD Kelpie-2", "Kelpie-2"),
        ("We present Kelpies (Flash-Aging Keys).", "Flash-Aging Keys", "Kelpies"),
        ("Flash-Aging Keys (Kelpies).", "Flash-Aging Keys", "Kelpies"),
        ("We present Kelpie. The Kelpie platform is fast.", "Kelpie", "Kelpie platform"),
    ],
    ids=[
        *("a word without a letter", "letters from within words", "further words"),
        *("a vendor", "a vendor apart", "brackets", "brackets about", "a word for what it is"),
    ],
)
def test_an_introduced_name_joins(text: str, name: str, other: str) -> None:
    (both,) = joined(text, name, other, introduced=0.9)
    assert {*both} == {name, other}
    assert len(joined(text, name, other)) == 2


@pytest.mark.parametrize(
    ("text", "names"),
    [
        ("We present Old-Kelpie. Kelpie is fast.", ["Old-Kelpie", "Kelpie"]),
        ("We present Kelpie. The Kelpie dataset is large.", ["Kelpie", "Kelpie dataset"]),
        ("We present Key Age Trees, KAT, and KAST.", [("Key Age Trees", "KAT"), "KAST"]),
    ],
)
def test_not_even_an_introduced_name_joins(text: str, names: list[str | tuple[str, ...]]) -> None:
    assert len(joined(text, *names, introduced=0.9)) == 2


@pytest.mark.parametrize(
    ("name", "in_latex", "form"),
    [("TERN-δ", "TERN-{\\delta}", "terndelta"), ("Médoc", "M\\'edoc", "medoc")],
)
def test_greek_letters_and_accents_are_those_of_latex(name: str, in_latex: str, form: str) -> None:
    document = read(f"We present {name}, in LaTeX {in_latex}.")
    plain, latex = spans(document, name, in_latex)
    assert document.form(plain) == document.form(latex) == form


@pytest.mark.parametrize(
    ("name", "other", "are_one"),
    [
        ("Kelpie-2", "kelpie 2s", True),
        ("approximated key searches", "approximate key search", True),
        ("key pruning", "pruned keys", False),
        ("aging policies", "aging policy", True),
        ("TERN*", "TERN", False),
        ("TERN*", "TERN-star", True),
        ("TERN+", "TERN", False),
        ("TERN", "TERN#", False),
        ("Fast Tern", "Faster Tern", False),
    ],
)
def test_names_are_one_whose_words_differ_in_inflections_alone(
    name: str, other: str, *, are_one: bool
) -> None:
    expected = [[name, other]] if are_one else [[name], [other]]
    assert joined(f"We age keys by {name}. Then {other} is fast.", name, other) == expected


def test_a_name_of_the_abstract_joins_its_short_form_in_the_title() -> None:
    text = "We compare tidal key caches."
    document = read(text, "A Study of Key Caches")
    title, whole = spans(document, "Key Caches", "tidal key caches")
    assert len(join_names(document, [(0, [whole]), (1, [title])], [0.0, 0.0])) == 1
    assert len(join_names(document, [(0, [whole]), (1, [title])], [0.9, 0.0])) == 2


def test_a_possessive_is_no_name_that_its_acronym_stands_for() -> None:
    text = "A2J finds joints. A2J's rules are Anchor-to-Joint Rules."
    assert len(joined(text, ("A2J", "A2J's"), "Anchor-to-Joint", introduced=0.9)) == 1
