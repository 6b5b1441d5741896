"""Workers run what takes long beside the thread that speaks HTTP."""

import asyncio
import json
import threading
from typing import Any

import pytest

from patience import PATIENCE
from stemma.graph import Reader, open_store
from stemma.server.graphql.endpoint import GraphQLEndpoint
from stemma.server.http.questions import Questions
from stemma.server.settings import Settings


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


def requested(endpoint: GraphQLEndpoint, query: str) -> tuple[int, str]:
    """Send a request, as a server would; return the status and the answer."""
    scope = {
        "type": "http",
        "method": "POST",
        "path": "/graphql",
        "query_string": b"",
        "headers": [(b"content-type", b"application/json")],
    }
    sent = list[dict[str, Any]]()

    async def receive() -> dict[str, Any]:
        return {"type": "http.request", "body": json.dumps({"query": query}).encode()}

    async def send(message: Any) -> None:
        sent.append(message)

    asyncio.run(endpoint(scope, receive, send))
    return sent[0]["status"], bytes(sent[1]["body"]).decode()


def test_a_query_that_takes_too_long_is_reported(example_store: str) -> None:
    with open_store(example_store) as store:
        endpoint = GraphQLEndpoint(store, Settings(seconds=0.001))
        status, text = requested(endpoint, "{ analysis { years { papers } } }")
    assert status == 200
    assert '"code":"TIMEOUT"' in text
    assert "fewer works" in text
