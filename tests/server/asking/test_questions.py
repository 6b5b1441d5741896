"""Questions as people type them, with the form and the names that are understood."""

from dataclasses import replace
from pathlib import Path

import pytest

from described import describe
from filled import stored
from stemma.graph import BadCursorError, open_store
from stemma.schema.paper import Author
from stemma.server.asking import LONGEST_QUESTION, ask
from stemma.server.asking.parser import Parser
from stemma.server.asking.question import question_of

TABLE = Path(__file__).with_name("questions.txt").read_text("utf-8").splitlines()
ROWS = [[cell.strip() for cell in row.split("|")] for row in TABLE[1:]]


DOCUMENTATION = Path(__file__).parents[3] / "docs" / "asking.md"
DOCUMENTED = [
    line.strip("|").split("|")
    for line in DOCUMENTATION.read_text("utf-8").splitlines()
    if line.startswith("| ") and "for example" not in line
]
EXAMPLES = [question.strip() for _, questions in DOCUMENTED for question in questions.split(";")]


@pytest.fixture
def asked(reader):
    """Ask the example papers."""
    return lambda question: ask(reader, question)


@pytest.mark.parametrize(("question", "understood", "work"), ROWS)
def test_a_question_has_a_form(asked, question, understood, work):
    answer = asked(question)
    assert answer.understood_as == understood
    assert any(work in each.name for each in answer.works[:10]), answer.works
    assert answer.total >= len(answer.works)


def test_the_line_on_top_says_what_was_understood_and_how_many(asked):
    answer = asked("which papers run on H100?")
    assert answer.text == "Papers that run on NVIDIA H100: 4."
    assert {each.relation for each in answer.statements} == {"RUNS_ON"}
    sentence = answer.said[answer.works[-1].id]
    assert "H100" in sentence
    path = asked("how is Fuyou related to ZeRO?")
    assert path.text == "Fuyou improves on ZeRO-Infinity; ZeRO-Infinity builds on ZeRO."
    origin = asked("who introduced FlashAttention?").text
    assert origin.startswith("FlashAttention (technique, 2022-05-27), introduced in “")


def test_what_only_the_catalogue_says_has_the_sentence_that_introduces_it(asked, reader):
    answer = asked("what builds on LoRA?")
    sentences = answer.sentences(reader, answer.works)
    (id_,) = (each.id for each in answer.works if each.name == "QLoRA")
    assert not answer.said[id_]
    assert sentences[id_].startswith("QLoRA ")


@pytest.mark.parametrize(
    ("asks", "years"),
    [
        ("papers since 2023", (2023, None)),
        ("papers from 2020 to 2022", (2020, 2022)),
        ("papers between 2020 and 2022", (2020, 2022)),
        ("papers after 2020", (2021, None)),
        ("papers before 2022", (None, 2021)),
        ("papers until 2022", (None, 2022)),
        ("papers in 2024 on GPUs", (2024, 2024)),
        ("papers of the 2010s", (2010, 2019)),
        ("papers at ICML 2023", (2023, 2023)),
        ('papers about "GPUs in 2024"', (None, None)),
        ("papers on CNN-2014", (None, None)),
    ],
)
def test_years_may_stand_anywhere(asks, years):
    chosen = question_of(Parser.shipped().parse(asks), lambda: 2024).selection
    assert (chosen.since, chosen.until) == years


def test_the_last_years_are_those_before_the_newest_paper(asked):
    newest = asked("newest papers").works[0].published.year
    assert asked("papers in the last two years").understood_as == f"papers since {newest - 1}"
    assert asked("papers this year").understood_as == f"papers since {newest}"


@pytest.mark.parametrize(
    ("question", "remark"),
    [
        ("what builds on ZeRO-Infinty", "“ZeRO-Infinty” is read as ZeRO-Infinity."),
        ("papers that use FlashAtention", "“FlashAtention” is read as FlashAttention."),
        ("papers by Nobody Atall", "No paper here is known to be by Nobody Atall."),
        ("does LoRA build on Fuyou", "Neither descends from the other; "),
        ("papers by Nobody Atall about attention", "No paper here is known to be by Nobody Atall."),
        ("how is Mamba related to vLLM", "Neither lineage nor comparisons connect"),
        ("papers since 2024 until 2020", "The first year (2024) is after the last (2020)."),
        ("papers that use Mamba and use ZeRO", "Papers that use Mamba and use ZeRO: 0. "),
        ("what builds on LoRA since 2024", "Left out by the years: "),
        ("GPUs in histology in 1950", "Nothing in 1950 is known to match; these are of all"),
        ("papers about FlashAtention in 1950", "“FlashAtention” is read as FlashAttention."),
        ("does Fuyou run on RTX 4090", "Yes: Fuyou runs on RTX 4090."),
        ("does Punica run on H100", "Nothing here says that Punica runs on NVIDIA H100."),
        ("papers evaluated on MMMU", "No paper here states anything about MMMU."),
        ("how does LoRA differ from MMMU", "No paper here states anything about MMMU."),
        ("who introduced MMLU", "introduced by no paper here"),
        ("who wrote MMLU", "No authors are known here of MMLU. MMLU (dataset, 2020), "),
        ("what is QLoRA", "; what builds on it directly: 2 (Guanaco and LoftQ)."),
        ("what builds on LoRA except vLLM", "What is to be left out was not among these."),
        ("Punica vs S-LoRA", "; Punica builds on Batching; S-LoRA builds on LoRA and"),
        ("compare vLLM, SGLang and Orca", "Left out of the question: Orca serving system."),
        ("vLLM vs SGLang", "SGLang improves on vLLM; vLLM (2023"),
        ("what does Fuyou build on", "Directly: 1; the others through these."),
        ("papers on cooking for astronauts", "No paper here has “astronauts”."),
        ("papers on quality of life", "Perhaps no paper here is about quality of life"),
        ("quantizaton of langage modls", "“langage” is read as language."),
        ("number of papers per year", "Of 2014: 1, "),
        ("10.1000/none?", "No paper here has the identifier 10.1000/none."),
        ("baselines of MMLU", "Baselines of MMLU: 0. MMLU (dataset, 2020), "),
    ],
)
def test_the_answer_says_what_it_does_not_know(asked, question, remark):
    assert remark in asked(question).text


@pytest.mark.parametrize(
    ("question", "of_all_years"),
    [
        ("what builds on LoRA since 2024?", ["what builds on LoRA?"]),
        ("in 2023, which papers use LoRA", ["which papers use LoRA"]),
        ("what builds on LoRA", []),
    ],
)
def test_what_years_leave_out_is_a_question_away(asked, question, of_all_years):
    assert [*asked(question).suggestions] == of_all_years


def test_what_is_excluded_is_not_counted(reader, asked):
    for question, but in (("what builds on LoRA", "QLoRA"), ("list all GPUs", "A100 and V100")):
        every, others = asked(question), asked(f"{question} except {but}")
        assert others.total == every.total - len(but.split(" and "))
        page = ask(reader, f"{question} except {but}", 3, "3")
        assert (page.works, page.total) == (others.works[3:6], others.total)


def test_notes_say_what_is_a_common_term_and_how_many_cite_a_paper(asked):
    notes = asked("lineage of Medusa").notes
    assert notes["entity/speculative-decoding"] == "ancestor, a common term"
    assert "cited by 7 papers" in asked("most cited papers").notes.values()


def test_a_work_is_followed_by_the_papers_that_name_it(asked, reader):
    work, *papers = asked("what is QLoRA").works
    assert {each.id for each in papers} == {*reader.papers_naming([work.id])[work.id]}


def test_a_result_says_who_is_better(asked):
    assert "AWQ compares with GPTQ: better, on WikiText-2." in asked("GPTQ vs AWQ").text


def test_each_work_has_its_own_sentence(asked, reader):
    stated = asked("which papers run on H100?")
    found = asked("guessing several tokens ahead")
    for answer in (stated, found):
        papers = [each for each in answer.works if each.id.startswith("paper/")]
        assert papers
        sentences = answer.sentences(reader, answer.works)
        assert all(sentences[each.id] in each.abstract for each in papers[:5])
    assert "token" in sentences[papers[0].id].lower()
    compared = asked("compare Mamba and Transformer")
    assert len(compared.sentences(reader, compared.works)) == len(compared.works) > 2


def test_a_well_known_name_that_is_not_here_is_no_misspelt_other_one(tmp_path):
    paper = describe("DeepSpeech", "We present DeepSpeech.", "model DeepSpeech: INTRODUCES")
    with open_store(stored(tmp_path, paper)) as store, store.snapshot() as reader:
        assert "read as" not in ask(reader, "everything about DeepSpeed").text
        assert "read as DeepSpeech" in ask(reader, "everything about DeepSpeach").text


def test_where_nothing_is_cited_what_most_build_upon_is_influential(tmp_path):
    paper = describe("Kid", "We present Kid, which builds on Goat.", "model Goat: BUILDS_ON")
    with open_store(stored(tmp_path, paper)) as store, store.snapshot() as reader:
        assert [e.name for e in ask(reader, "most influential papers").works] == ["Goat"]
        assert (
            ask(reader, "most cited papers on goats").understood_as
            == "papers about goats, the best match first"
        )


def test_a_surname_means_all_who_have_it_and_names_need_not_be_whole(tmp_path):
    papers = [
        replace(each, paper=replace(each.paper, authors=(Author(name),)))
        for each, name in (
            (describe("Sheep"), "Ada Quill"),
            (describe("Goats"), "Bo Quill"),
            (describe("Cows"), "Cy Quillfeather"),
            (describe("Of ducks and geese: a count"), "Di E. Feather"),
        )
    ]
    with open_store(stored(tmp_path, *papers)) as store, store.snapshot() as reader:
        answer = ask(reader, "papers by Quill")
        birds = ask(reader, "papers by Di Feather"), ask(reader, 'who wrote "Of Ducks and Geese"')
    assert answer.understood_as == "papers that are by Ada Quill or Bo Quill"
    assert {each.name for each in answer.works} == {"Sheep", "Goats"}
    assert [e.works[0].name for e in birds] == ["Of ducks and geese: a count"] * 2
    assert [e.understood_as for e in birds] == [
        "papers that are by Di E. Feather", "everything about “Of ducks and geese: a count”"
    ]  # fmt: skip


def test_pages_go_on_from_a_cursor(reader):
    whole = ask(reader, "papers since 2022").works
    first = ask(reader, "papers since 2022", 5)
    second = ask(reader, "papers since 2022", 5, first.end_cursor)
    assert first.works + second.works == whole[:10]
    assert ask(reader, "papers since 2022", len(whole)).end_cursor is None
    assert ask(reader, "top 3 papers since 2022").total == 3
    with pytest.raises(BadCursorError):
        ask(reader, "papers", 5, "x")


@pytest.mark.parametrize("question", ["x" * (LONGEST_QUESTION + 1), "a " * 61])
def test_a_question_is_short(asked, question):
    answer = asked(question)
    assert "can have at most" in answer.text
    assert answer.suggestions
    assert not answer.understood_as


@pytest.mark.parametrize(
    "question",
    [
        *("", "?!", '"', "\0 \ud800", "what builds on", "compare and", "of of of of", "(" * 99),
        *("papers that use and or not without", "and " * 60, "a b c d e f g h i j k l m n"),
    ],
)
def test_any_text_has_an_answer(asked, question):
    assert asked(question).text


def test_what_is_suggested_has_an_answer(asked):
    questions = asked("").suggestions
    assert len(questions) > 8
    for each in questions:
        assert asked(each).works, each
        assert not asked(each).understood_as.startswith("papers about what"), each


@pytest.mark.parametrize("question", EXAMPLES)
def test_a_question_of_the_table_has_an_answer(asked, question):
    answer = asked(question)
    assert answer.understood_as, answer.text
    assert answer.works, answer.text
    is_search = question in EXAMPLES[-2:] or "about LoRA" in question
    assert answer.understood_as.startswith("papers about") == is_search
