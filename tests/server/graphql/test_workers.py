"""Workers run what takes long beside the thread that speaks HTTP."""

import asyncio
import threading
from typing import Any

import pytest
from starlette.testclient import TestClient

from asked import client_of
from patience import PATIENCE
from stemma.graph import open_store
from stemma.server.app import make_app
from stemma.server.graphql.endpoint import Workers


def test_what_takes_too_long_is_not_awaited() -> None:
    workers = Workers(1)
    let_go, ended = threading.Event(), threading.Event()

    async def blocking() -> None:
        let_go.wait()
        ended.set()

    async def main() -> None:
        with pytest.raises(TimeoutError):
            await workers.run(blocking, 0.05)
        assert not ended.is_set()
        let_go.set()

    asyncio.run(main())
    assert ended.wait(PATIENCE)


def test_what_looks_up_is_ended_in_time() -> None:
    workers = Workers(1)
    ended = threading.Event()

    async def looking_up() -> None:
        try:
            await asyncio.sleep(60)
        finally:
            ended.set()

    async def main() -> None:
        with pytest.raises(TimeoutError):
            await workers.run(looking_up, 0.05)

    asyncio.run(main())
    assert ended.wait(PATIENCE)


def test_others_are_answered_meanwhile() -> None:
    workers = Workers(2)
    answered = threading.Event()

    async def slow() -> None:
        assert answered.wait(PATIENCE)

    async def fast() -> None:
        answered.set()

    async def main() -> None:
        await asyncio.gather(workers.run(slow, PATIENCE), workers.run(fast, PATIENCE))

    asyncio.run(main())


def test_a_query_that_takes_too_long_is_reported(example_store: str) -> None:
    client = client_of(example_store, seconds=0.001)
    answer = client.post("/graphql", json={"query": "{ analysis { years { papers } } }"})
    assert answer.status_code == 200
    [error] = answer.json()["errors"]
    assert error["extensions"]["code"] == "TIMEOUT"
    assert "fewer works" in error["message"]


@pytest.mark.parametrize(
    ("query", "quick"),
    [
        ('{ search(text: "attention") { nodes { id name } } }', True),
        ('{ entity(name: "LoRA") { papers { nodes { title } } } }', True),
        ('{ search(text: "attention", first: 100) { nodes { ... on Entity { narrower { broader { '
         "narrower { id } } } } } }", False),
        ('{ lineage(of: "LoRA") { truncated } }', False),
        ('query { ...all } fragment all on Query { search(text: "a") { totalCount } }', False),
    ],
)  # fmt: skip
def test_small_lookups_are_answered_without_a_worker_once_they_are_known(
    example_store: str, query: str, quick: bool
) -> None:
    threads = list[str]()
    with open_store(example_store) as store:
        snapshot = store.snapshot

        def watched() -> Any:
            threads.append(threading.current_thread().name)
            return snapshot()

        store.snapshot = watched  # type: ignore[method-assign]
        client = TestClient(make_app(store), "http://localhost")
        answers = {client.post("/graphql", json={"query": query}).text for _ in range(3)}
    assert len(answers) == 1
    in_workers = [each.startswith("graphql") for each in threads]
    assert in_workers == [True, not quick, not quick]
