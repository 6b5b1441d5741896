"""The grammar, as its file describes it."""

import pytest

from stemma.server.asking.grammar import Grammar, grammar
from stemma.server.asking.interpretation import QuestionInterpreter
from stemma.server.asking.words import name_of, words_of

SMALL = {
    "not_names": [],
    "courtesies": {"before": ["please"], "after": ["thanks"]},
    "unsupported": [{"says": ["not"]}],
    "modifiers": [{"effect": "since", "says": ["since {a}"]}],
    "rules": {"the": ["the|a"]},
    "meanings": {"kind": {"paper": ["paper|papers"], "model": ["model|models"]}},
    "relations": {},
    "caveats": {},
    "forms": [{"intent": "papers", "says": ["<the>? <kind> of {object}"]}],
}


def read(question: str) -> list[tuple[str, ...]]:
    """Return what each parse keeps, in words."""
    return [
        tuple(value if isinstance(value, str) else name_of(value) for _, value in parse.kept)
        + tuple(modifier.text for modifier in parse.modifiers)
        for parse in Grammar(SMALL).parses(words_of(question))
    ]


def test_a_form_is_words_rules_and_slots():
    assert read("the papers of Ink") == [("paper", "Ink")]
    assert read("Models of the Ink!") == [("model", "the Ink")]
    assert read("papers Ink") == []


def test_the_reading_with_the_longest_names_comes_first():
    assert read("papers of Ink since 2020 thanks") == [
        ("paper", "Ink since 2020 thanks"),
        ("paper", "Ink since 2020"),
        ("paper", "Ink thanks", "since 2020"),
        ("paper", "Ink", "since 2020"),
    ]


def test_a_name_behind_other_words_is_the_last_reading():
    small = Grammar(
        {
            **SMALL,
            "courtesies": {"before": ["list"], "after": []},
            "forms": [
                {"intent": "identity", "says": ["{of}"]},
                {"intent": "papers", "says": ["list? <kind>"]},
            ],
        }
    )
    read = [
        (parse.form.intent, parse.words_in_names) for parse in small.parses(words_of("list papers"))
    ]
    assert read[:2] == [("identity", 2), ("papers", 0)]
    assert ("identity", 1) in read[2:]
    assert small.parses(words_of("papers"))[0].form.intent == "identity"


def test_misspelt_words_are_corrected_to_those_of_the_grammar_and_keep_their_text():
    small = Grammar(SMALL)
    assert {"papers", "of", "since", "the"} <= small.vocabulary
    (first, *_) = small.corrections(words_of("papres of Ink"))
    assert [word.key for word in first] == ["papers", "of", "ink"]
    assert name_of(first) == "papres of Ink"
    assert list(small.corrections(words_of("papers of Ink"))) == []


def test_what_is_not_a_year_is_not_a_modifier():
    assert read("papers of Ink since 20") == [("paper", "Ink since 20")]


def test_a_grammar_that_refers_to_no_rule_is_refused():
    broken = {**SMALL, "forms": [{"intent": "papers", "says": ["<no> {object}"]}]}
    with pytest.raises(ValueError, match="<no>"):
        Grammar(broken)


def test_every_intent_of_the_grammar_has_a_question():
    for intent in grammar().intents:
        assert callable(getattr(QuestionInterpreter, f"_{intent}", None)), intent


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("what's LoRA?", ["what", "'s", "lora"]),
        ("NanoFlow’s  baselines.", ["nanoflow", "'s", "baselines"]),
        ('what is "What If"?', ["what", "is", None]),
        ("C++ vs. (C#)", ["c++", "vs", "c#"]),
        ("\ud800 ?", []),
        ("", []),
    ],
)
def test_words_are_distinguished(text: str, words: list[str | None]):
    assert [word.key for word in words_of(text)] == words
