"""The query that an answer gives can be run unchanged, and gives the same works."""

import asyncio
from collections.abc import Iterator

import pytest

from stemma.server.graphql.context import Context
from stemma.server.graphql.schema import make_schema

QUESTIONS = [
    "what builds on ZeRO-Infinity",
    "what builds on LoRA directly",
    "what builds on LoRA without the catalogue",
    "what improves on LoRA",
    "which techniques build on LoRA since 2024",
    "which papers build on LoRA",
    "what does Fuyou build on",
    "timeline of LoRA",
    "timeline of LoRA until 2023",
    "which papers run on H100",
    "which papers run on GPUs",
    "which papers run on GPUs between 2022 and 2023",
    "what hardware does Fuyou run on",
    "baselines of Fuyou",
    "what compares with vLLM since 2024",
    "how is Fuyou related to ZeRO",
    "how is DistServe related to Punica",
    "how is LoRA related to Adam",
    "how is LoRA related to LoRA",
    "does Fuyou build on ZeRO",
    "does Fuyou run on an RTX 4090",
    "techniques used with LoRA",
    "who introduced FlashAttention",
    "datasets that Mamba papers evaluate on",
    "papers about LoRA and quantization",
    "papers about breaking the gpu memory wall",
    "papers about “Attention Is All You Need”",
    "papers in 2023",
    "datasets in 2023",
    "list all hardware",
    "most influential works",
    "most influential techniques until 2022",
    "what is new in 2025",
    "what is new",
    "models of the 2010s",
    "papers published before FlashAttention",
    "quantization techniques since LoRA",
    "newest works that build on LoRA",
    "which came first, LoRA or QLoRA",
    "is LoRA older than LoRA",
    "latest papers",
    "which GPUs do papers use",
    "most used GPUs since 2023",
    "which CPUs do papers run on",
    "which NPUs do papers use",
    "NPUs used in papers since 2020",
    "which datasets do papers evaluate on",
    "most used datasets since 2024",
    "which works do papers use",
    "list all GPUs",
    "which GPUs does Fuyou run on",
    "kinds of quantization",
    "which attention techniques are there",
    "alternatives to vLLM",
    "newest papers about LoRA",
    "oldest techniques",
    "papers in the last two years",
    "which techniques were introduced in 2024",
    "wich papers run on H100",
    "is Fuyou faster than ZeRO-Infinity",
    "papers by Microsoft",
    "what is Medusa",
    "what is “Attention Is All You Need”",
    "which techniques run on H100",
    "compare vLLM and SGLang",
    "compare vLLM and vLLM",
    "what builds on ZeRO-Infinty",
    'what builds on \\"LoRA{}\\" # (',
    "why is the sky blue in the evening",
    "papers that do not use LoRA",
]


@pytest.mark.parametrize("question", QUESTIONS)
def test_a_query_gives_the_works_of_its_answer(asked, reader, question: str):
    answer = asked(question)
    found = asyncio.run(make_schema().execute(answer.query, context_value=Context(reader)))
    assert not found.errors, answer.query
    assert set(_ids(found.data)) == {work.id for work in answer.works}, answer.query


def _ids(data: object) -> Iterator[str]:
    """Yield every id in an answer: only what was asked for has its id selected."""
    if isinstance(data, dict):
        if "id" in data:
            yield data["id"]
        for value in data.values():
            yield from _ids(value)
    elif isinstance(data, list):
        for value in data:
            yield from _ids(value)
