"""Phrases of a paper, found by their normal forms."""

import pickle
from itertools import product

from hypothesis import given
from hypothesis import strategies as st

from stemma.extract.learned.bare_text import LONGEST_PHRASE, BareText
from stemma.extract.learned.form import normal_form
from stemma.extract.learned.form_index import FormIndex

WORDS = ["KV", "cache", "caches", "-", "of", "the", "GPT", "4", "gpt4s", ",", "loss", "é", "s"]
LINES = st.lists(st.lists(st.sampled_from(WORDS), min_size=1, max_size=9), max_size=3)
FORMS = ["kvcache", "cache", "gpt4", "gpt", "loss", "lo", "cacheof", "kvcachesgpt4", "s"]


def places(lines: list[list[str]], *forms: str) -> list[tuple[str, str]]:
    found = BareText(lines).places(FormIndex(forms))
    return [(" ".join(lines[s][start:end]), form) for (s, start, end), form in found]


def test_case_hyphens_and_a_plural_do_not_matter() -> None:
    lines = [["KV", "-", "caches", "and", "kvCache"]]
    assert places(lines, "kvcache") == [("KV - caches", "kvcache"), ("kvCache", "kvcache")]


def test_a_phrase_is_of_whole_words_without_punctuation_and_no_small_word_at_its_edge() -> None:
    assert places([["recache", "KV", ",", "cache", "of"]], "kvcache", "cacheof") == []


def test_of_phrases_that_begin_alike_the_longest_is_first() -> None:
    lines = [["GPT", "4", "cache"]]
    assert [form for _, form in places(lines, "gpt", "gpt4cache", "gpt4")] == [
        "gpt4cache", "gpt4", "gpt",
    ]  # fmt: skip


@given(LINES)
def test_all_phrases_with_a_form_are_found(lines: list[list[str]]) -> None:
    def is_edge(word: str) -> bool:
        return word[0].isalnum() and word not in ("of", "the") and bool(normal_form(word))

    expected = [
        ((s, i, j), form)
        for s, words in enumerate(lines)
        for i in range(len(words))
        for j in range(min(len(words), i + LONGEST_PHRASE), i, -1)
        if is_edge(words[i]) and is_edge(words[j - 1]) and "," not in words[i:j]
        if (form := normal_form("".join(words[i:j]))) in FORMS
    ]
    assert BareText(lines).places(FormIndex(FORMS)) == expected


def test_an_index_goes_to_other_processes() -> None:
    again = pickle.loads(pickle.dumps(FormIndex(["gpt", "cache"])))
    assert again.find("gptcache", range(8)) == [("cache", 3, 8), ("gpt", 0, 3)]
    assert FormIndex([]).find("gpt", range(3)) == []


@given(st.lists(st.text("gptcahe", min_size=1, max_size=5)), st.text("gptcahe"))
def test_few_forms_are_found_where_many_are(forms: list[str], text: str) -> None:
    others = ["".join(letters) for letters in product("uvwxyz", repeat=3)]
    few, many = (FormIndex(each).find(text, range(len(text))) for each in (forms, forms + others))
    assert sorted(few) == sorted(many)


def test_a_text_goes_to_other_processes() -> None:
    text, index = BareText([["KV", "-", "caches"]]), FormIndex(["kvcache"])
    assert pickle.loads(pickle.dumps(text)).places(index) == text.places(index) != []
