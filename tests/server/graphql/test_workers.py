"""Workers run what takes long beside the thread that speaks HTTP."""

import asyncio
import threading
from contextlib import suppress

import pytest

from asked import client_of
from patience import PATIENCE
from stemma.graph import open_store
from stemma.server.http.questions import MOST_AT_ONCE, BusyError, Questions
from stemma.server.mcp.server import MOST_WAITING

SECONDS = 0.5
"""Enough for threads to start on a busy machine: what starts too late ends at once."""


def test_too_many_questions_are_refused_until_slow_ones_have_ended(example_store):
    release = threading.Event()

    async def main() -> None:
        questions = Questions(open_store(example_store), SECONDS, MOST_WAITING)
        slow = lambda: questions.ask(lambda reader: release.wait(PATIENCE))  # noqa: E731
        asked = [asyncio.ensure_future(slow()) for _ in range(MOST_AT_ONCE + MOST_WAITING)]
        await asyncio.sleep(0)
        with pytest.raises(BusyError):
            await slow()
        ends = await asyncio.gather(*asked, return_exceptions=True)
        expected = [TimeoutError] * MOST_AT_ONCE + [BusyError] * MOST_WAITING
        assert [type(each) for each in ends] == expected
        with pytest.raises(BusyError):  # Those in their threads count until they end.
            await slow()
        release.set()
        async with asyncio.timeout(PATIENCE):
            while True:
                with suppress(BusyError, TimeoutError):
                    assert await questions.ask(lambda reader: "in time") == "in time"
                    return
                await asyncio.sleep(0.01)

    try:
        asyncio.run(main())
    finally:
        release.set()


def test_others_are_answered_meanwhile(example_store):
    questions = Questions(open_store(example_store), PATIENCE, 0)
    answered = threading.Event()

    async def main() -> None:
        slow = questions.ask(lambda reader: answered.wait(PATIENCE))
        found = await asyncio.gather(slow, questions.ask(lambda reader: answered.set()))
        assert found == [True, None]

    asyncio.run(main())


def test_a_lookup_takes_no_thread(example_store, monkeypatch):
    client = client_of(example_store)

    async def refuse(*_: object) -> None:
        raise BusyError

    monkeypatch.setattr(Questions, "ask", refuse)
    lookup = """{ entity(name: "LoRA") { name introducedBy { name authors { name } }
      statements { totalCount nodes { subject { name } } } } }"""
    assert client.post("/graphql", json={"query": lookup}).json()["data"]["entity"]["introducedBy"]
    lineage = """{ lineage(of: "LoRA") { totalCount } }"""
    [error] = client.post("/graphql", json={"query": lineage}).json()["errors"]
    assert error["extensions"]["code"] == "BUSY"


def test_a_query_that_takes_too_long_is_reported(example_store):
    client = client_of(example_store, seconds=0.001)
    answer = client.post("/graphql", json={"query": "{ analysis { years { papers } } }"})
    assert answer.status_code == 200
    [error] = answer.json()["errors"]
    assert error["extensions"]["code"] == "TIMEOUT"
    assert "fewer works" in error["message"]
