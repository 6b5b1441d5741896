"""Workers run what takes long beside the thread that speaks HTTP."""

import asyncio
import threading

import pytest

from asked import client_of
from patience import PATIENCE
from stemma.graph import Reader, open_store
from stemma.server.http.questions import Questions


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


def test_a_query_that_takes_too_long_is_reported(example_store: str) -> None:
    client = client_of(example_store, seconds=0.001)
    answer = client.post("/graphql", json={"query": "{ analysis { years { papers } } }"})
    assert answer.status_code == 200
    [error] = answer.json()["errors"]
    assert error["extensions"]["code"] == "TIMEOUT"
    assert "fewer works" in error["message"]
