"""Workers run what takes long beside the thread that speaks HTTP."""

import asyncio
import threading

import pytest

from asked import client_of
from patience import PATIENCE
from stemma.graph import Reader, open_store
from stemma.server.http.questions import BusyError, Questions


def test_what_takes_too_long_is_not_awaited(example_store: str) -> None:
    questions = Questions(open_store(example_store), 0.05, 0)
    let_go, ended = threading.Event(), threading.Event()

    def blocking(reader: Reader) -> None:
        let_go.wait()
        ended.set()

    async def main() -> None:
        with pytest.raises(TimeoutError):
            await questions.ask(blocking)
        assert not ended.is_set()
        let_go.set()

    asyncio.run(main())
    assert ended.wait(PATIENCE)


def test_others_are_answered_meanwhile(example_store: str) -> None:
    questions = Questions(open_store(example_store), PATIENCE, 0)
    answered = threading.Event()

    async def main() -> None:
        slow = questions.ask(lambda reader: answered.wait(PATIENCE))
        found = await asyncio.gather(slow, questions.ask(lambda reader: answered.set()))
        assert found == [True, None]

    asyncio.run(main())


def test_a_lookup_that_is_asked_again_takes_no_thread(
    example_store: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    client = client_of(example_store)
    lookup = """{ entity(name: "LoRA") { name introducedBy { name authors { name } }
      statements { totalCount nodes { subject { name } } } } }"""
    lineage = """{ lineage(of: "LoRA") { totalCount } }"""
    first, _ = (client.post("/graphql", json={"query": each}) for each in (lookup, lineage))
    assert first.json()["data"]["entity"]["introducedBy"]

    async def refuse(*_: object) -> None:
        raise BusyError

    monkeypatch.setattr(Questions, "ask", refuse)
    assert client.post("/graphql", json={"query": lookup}).json() == first.json()
    [error] = client.post("/graphql", json={"query": lineage}).json()["errors"]
    assert error["extensions"]["code"] == "TIMEOUT"


def test_a_query_that_takes_too_long_is_reported(example_store: str) -> None:
    client = client_of(example_store, seconds=0.001)
    answer = client.post("/graphql", json={"query": "{ analysis { years { papers } } }"})
    assert answer.status_code == 200
    [error] = answer.json()["errors"]
    assert error["extensions"]["code"] == "TIMEOUT"
    assert "fewer works" in error["message"]
