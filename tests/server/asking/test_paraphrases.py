"""One question in many wordings; and no input breaks anything."""

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from stemma.graph import Reader
from stemma.server.asking import Answer, ask
from stemma.server.asking.grammar import grammar
from stemma.server.asking.words import words_of

SAME = {
    "what builds on LoRA": [
        "which works build on LoRA",
        "what is built on top of LoRA",
        "who builds upon LoRA",
        "works that build on LoRA",
        "everything that is based on LoRA",
        "descendants of LoRA",
        "LoRA's successors",
        "LoRA variants",
        "what are the extensions of LoRA",
        "what extends LoRA",
        "what is derived from LoRA",
        "lineage of LoRA",
        "the family tree of LoRA",
        "what did LoRA lead to",
        "what came after LoRA",
        "what actually builds on LoRA",
        "what succeeded LoRA",
        "what follow-up work exists for LoRA",
    ],
    "what does Fuyou build on": [
        "what inspired Fuyou",
        "what led to Fuyou",
        "what is Fuyou built on",
        "what is Fuyou based on",
        "which works does Fuyou build upon",
        "ancestors of Fuyou",
        "the ancestry of Fuyou",
        "what are Fuyou's roots",
        "where does Fuyou come from",
        "what did Fuyou derive from",
        "Fuyou builds on what",
        "on what is Fuyou based",
        "from which works is Fuyou derived",
        "where does the idea of Fuyou come from",
        "what preceded Fuyou",
        "what came before Fuyou",
    ],
    "which papers run on A100": [
        "papers on A100",
        "papers that run on A100",
        "what runs on A100",
        "what papers were run on the A100 GPU",
        "studies executed on the A100",
        "articles running on NVIDIA A100",
    ],
    "baselines of Fuyou": [
        "Fuyou's baselines",
        "what are the baselines of Fuyou",
        "which baselines does Fuyou use",
        "what does Fuyou compare with",
        "what is Fuyou compared against",
        "with what is Fuyou compared",
        "baselines used by Fuyou",
        "competitors of Fuyou",
        "what speedup does Fuyou achieve",
        "how does Fuyou perform",
        "how fast is Fuyou",
    ],
    "what builds on ZeRO as of 2021": [
        "as of 2021, what builds on ZeRO?",
        "descendants of ZeRO as in 2021",
        "what builds on ZeRO, as it was known in 2021",
    ],
    "what compares with vLLM since 2023": [
        "since 2023, what compares with vLLM",
        "which papers compare with vLLM since 2023",
        "what is compared to vLLM from 2023 on",
        "papers since 2023 that compare against vLLM",
        "what compares with vLLM after 2022",
        "papers that use vLLM as a baseline since 2023",
    ],
    "how is Fuyou related to ZeRO": [
        "how are Fuyou and ZeRO related",
        "path from Fuyou to ZeRO",
        "the relation between Fuyou and ZeRO",
        "what connects Fuyou with ZeRO",
        "what does Fuyou have to do with ZeRO",
        "how does Fuyou relate to ZeRO",
        "how did we get from Fuyou to ZeRO",
        "how Fuyou is connected to ZeRO",
        "is Fuyou related to ZeRO",
        "common ancestors of Fuyou and ZeRO",
        "ancestors of Fuyou back to ZeRO",
    ],
    "techniques used with LoRA": [
        "which techniques are used with LoRA",
        "what methods are used together with LoRA",
        "the techniques combined with LoRA",
        "methods that are used alongside LoRA",
    ],
    "who introduced FlashAttention": [
        "which paper introduced FlashAttention",
        "where was FlashAttention proposed",
        "who proposed FlashAttention",
        "when was FlashAttention first published",
        "the FlashAttention paper",
        "who is behind FlashAttention",
        "when did FlashAttention come out",
        "in which year was FlashAttention published",
        "who came up with FlashAttention",
        "whose idea was FlashAttention",
    ],
    "timeline of LoRA": ["LoRA over time", "the history of LoRA", "how did LoRA evolve"],
    "compare Punica and S-LoRA": [
        "Punica vs S-LoRA",
        "compare Punica with S-LoRA",
        "what is the difference between Punica and S-LoRA",
        "how do Punica and S-LoRA compare",
        "Punica and S-LoRA side by side",
        "comparison of Punica and S-LoRA",
        "is Punica faster than S-LoRA",
        "does Punica outperform S-LoRA",
        "how is Punica different from S-LoRA",
        "how much faster is Punica than S-LoRA",
        "which is more efficient, Punica or S-LoRA",
        "has anyone compared Punica with S-LoRA?",
    ],
    "which papers run on A100 and H100": ["which papers run on both A100 and H100"],
    "papers that build on ZeRO and run on V100": [
        "descendants of ZeRO that run on V100",
        "papers that both build on ZeRO and run on V100",
    ],
    "frameworks that use CUDA": ["which frameworks were introduced by papers that use CUDA"],
    "papers that use LoRA and quantization": [
        "is there a paper that combines LoRA with quantization",
    ],
    "what improves on LoRA": [
        "what are the limitations of LoRA",
        "which problems does LoRA have",
        "what is wrong with LoRA",
    ],
    "does Fuyou build on ZeRO": [
        "why does Fuyou build on ZeRO",
        "evidence that Fuyou builds on ZeRO",
        "Fuyou is based on ZeRO",
    ],
    "papers that use vLLM": ["what is vLLM used for", "what can vLLM be used for", "uses of vLLM"],
    "list all GPUs": ["list GPUs", "what GPUs are there?", "how many GPUs are there", "which GPUs"],
    "alternatives to vLLM": [
        "what are some alternatives to vLLM?",
        "what can I use instead of vLLM",
        "frameworks similar to vLLM",
        "frameworks like vLLM",
        "what can replace vLLM",
        "what alternatives to vLLM exist",
    ],
    "which GPUs does Fuyou run on": [
        "what GPU does Fuyou run on",
        "on which GPU was Fuyou trained",
        "GPUs used for Fuyou",
        "what GPUs were used to train Fuyou",
        "Fuyou's GPUs",
    ],
    "newest papers about LoRA": [
        "the most recent papers about LoRA",
        "what is the latest paper about LoRA",
        "latest work on LoRA",
        "papers about LoRA, newest first",
    ],
    "oldest papers that run on A100": [
        "what was the first paper to run on an A100?",
        "earliest papers on A100",
        "papers on A100",
        "do any papers run on A100",
        "count papers that run on A100",
        "papers on A100 sorted by date",
    ],
    "papers about LoRA since 2024": [
        "papers about LoRA in the last two years",
        "papers published in the past 2 years about LoRA",
        "papers about LoRA that were published after 2023",
        "papers about LoRA from 2024 and later",
    ],
    "most influential frameworks": [
        "most built upon frameworks",
        "which framework is most built on",
        "the most important frameworks",
        "sort frameworks by influence",
        "top frameworks most built upon",
        "which frameworks are most often improved on",
        "which frameworks have the most descendants",
    ],
    "which papers are about quantization": [
        "what should I read about quantization",
        "which papers should I read to understand quantization",
        "how many papers are there about quantization",
        "is there any paper on quantization?",
    ],
    "techniques introduced by papers in 2024": ["which papers introduce a technique in 2024"],
    "techniques introduced in 2024": [
        "which techniques were introduced in 2024",
        "list the techniques proposed in 2024",
        "which techniques appeared in 2024",
        "techniques of 2024",
        "techniques from 2024",
        "how many techniques came out in 2024",
        "new techniques in 2024",
    ],
    "what was new in 2021": [
        "what happened in 2021",
        "what was published in 2021",
        "what came out in 2021",
        "works of 2021",
        "what was there in 2021",
    ],
    "models before 2019": [
        "models from before 2019",
        "models until 2018",
        "models released before GPT-2",
        "models that appeared before GPT-2, please",
        "which models are older than GPT-2?",
    ],
    "techniques from 2010 to 2019": [
        "techniques of the 2010s",
        "which techniques appeared in the 2010s",
    ],
    "works since 2021": [
        "what has happened since LoRA",
        "developments since LoRA",
        "what is newer than GPT-3",
        "what came out after GPT-3",
    ],
    "works in 2021": ["works from the same year as LoRA", "what else is as old as LoRA"],
    "what builds on LoRA in 2023": ["did anyone build on LoRA in 2023"],
    "works between 2021 and 2023": [
        "what happened between LoRA and QLoRA",
        "what was published between QLoRA and LoRA",
    ],
    "papers since 2025": ["papers from this year"],
    "papers before 2021": ["papers from before LoRA", "papers published before LoRA"],
    "models until 2018": [
        "which models existed in 2018",
        "models that existed before 2019",
        "what models were available in 2018",
    ],
    "papers about LoRA in 2024": ["LoRA in 2024"],
    "techniques sorted by date": [
        "list techniques by date",
        "oldest techniques",
        "techniques by year",
        "which techniques appeared first",
    ],
    "trend of LoRA": [
        "when did LoRA become popular",
        "how has the use of LoRA changed over the years",
    ],
    "timeline of ZeRO": ["descendants of ZeRO by year"],
    "first work that builds on ZeRO": [
        "which was the first work to build on ZeRO",
        "who was first to build on ZeRO",
        "early works that build on ZeRO",
    ],
    "papers since 2016": ["papers from the last decade"],
    "newest works that build on LoRA": ["what builds on LoRA, newest first"],
    "oldest ancestors of Fuyou": ["which works does Fuyou build on, oldest first"],
    "what builds on ZeRO": ["works newer than ZeRO that build on it"],
    "which came first, LoRA or QLoRA": [
        "which is older, LoRA or QLoRA",
        "what was first: LoRA or QLoRA",
        "is LoRA older than QLoRA",
        "was LoRA introduced before QLoRA",
        "how long after LoRA did QLoRA appear",
        "how many years lie between LoRA and QLoRA",
    ],
    "papers that use A100": [
        "when was A100 first used",
        "is A100 still used",
        "has anyone used A100",
        "early papers that use A100",
        "since when do papers use A100",
        "when did papers start using the A100",
        "who used A100 first",
    ],
    "when was LoRA introduced": [
        "what year is LoRA from",
        "in which year did LoRA come out",
        "when is LoRA from",
        "how recent is LoRA",
        "how long has LoRA been around",
        "the beginnings of LoRA",
        "release date of LoRA",
    ],
    "what kinds of quantization are there": [
        "types of quantization",
        "list the kinds of quantization",
    ],
    "which frameworks do papers use": [
        "most used frameworks",
        "what are the most popular frameworks",
        "which frameworks are most often used",
        "which framework is used most",
        "top frameworks",
        "rank frameworks by number of papers",
        "frameworks sorted by usage",
        "which frameworks do people use",
        "how many frameworks do papers use",
        "which frameworks does everyone use",
    ],
    "which GPUs do papers use since 2024": [
        "most popular GPUs since 2024",
        "which GPUs are used since 2024",
        "which GPUs are used most often since 2024",
        "list all GPUs used since 2024",
    ],
    "papers about LoRA by year": [
        "trend of LoRA",
        "how many papers per year are about LoRA",
        "is LoRA becoming more popular",
    ],
    "papers about LoRA and quantization": ["does LoRA work with quantization?"],
    "which papers improve on vLLM": ["which papers make vLLM faster"],
    "what is Medusa": ["Medusa", "define Medusa", "tell me about Medusa", "what Medusa is",
                       "what do you know about Medusa", "summary of Medusa"],
}  # fmt: skip
BEFORE = ["", "please ", "can you tell me ", "Could you please show me ", "I would like to know ",
          "Hi, I'm looking for ", "tell me: ", "do you know "]  # fmt: skip
AFTER = ["", "?", "??", " please", ", please?", " in this graph?", "!", " so far?", ", thanks."]

quietly = settings(
    deadline=None,
    suppress_health_check=[HealthCheck.function_scoped_fixture],
)


@pytest.mark.parametrize(
    ("question", "other"),
    [(question, other) for question, others in SAME.items() for other in others],
)
def test_a_paraphrase_has_the_same_answer(asked, question: str, other: str):
    answer = asked(question)
    assert answer.works
    assert asked(other).works == answer.works, asked(other).understood_as or asked(other).text


@quietly
@given(
    question=st.sampled_from([each for own in SAME.items() for each in (own[0], *own[1])]),
    before=st.sampled_from(BEFORE),
    after=st.sampled_from(AFTER),
    case=st.sampled_from([str, str.lower, str.upper, str.capitalize]),
    spaces=st.sampled_from([" ", "  ", "\t", "\n"]),
)
def test_case_courtesy_and_punctuation_do_not_matter(
    asked, question: str, before: str, after: str, case, spaces: str
):
    said = case(f"{before}{question}{after}".replace(" ", spaces))
    assert asked(said).works == asked(question).works, said


WORDS = st.sampled_from(
    ["what", "which", "builds", "on", "LoRA", "vLLM", "papers", "techniques", "since", "2023",
     "between", "and", "not", "the", "of", "related", "to", "with", "is", "'s", "compare", "\"",
     "“", "how", "does", "baselines", "2024", "in", "a", "?", "entity/lora", "paper/", "H100"]
)  # fmt: skip


@quietly
@given(question=st.text(max_size=520))
def test_no_text_breaks_anything(reader: Reader, question: str):
    _is_whole(ask(reader, question))


@quietly
@given(question=st.lists(WORDS, max_size=60).map(" ".join))
def test_no_sequence_of_words_breaks_anything(reader: Reader, question: str):
    _is_whole(ask(reader, question))


def _is_whole(answer: Answer) -> None:
    assert answer.text
    assert answer.query
    assert answer.understood_as or answer.suggestions
    answer.text.encode()


@quietly
@given(words=st.lists(WORDS, max_size=60))
def test_no_question_has_more_readings_than_can_be_looked_through(words: list[str]):
    assert len(grammar().parses(words_of(" ".join(words)))) <= 5000
