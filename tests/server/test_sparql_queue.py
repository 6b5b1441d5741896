"""Whose turn it is: a client with many queries does not keep the others waiting."""

import asyncio
from contextlib import AsyncExitStack
from http import HTTPStatus

import pytest

from stemma.server.sparql.answering import Refusal
from stemma.server.sparql.fair_queue import FairQueue

pytestmark = pytest.mark.anyio


class Crowd:
    """Clients who take a place and keep it until they are let go."""

    def __init__(self, slots: int, size: int) -> None:
        self._queue = FairQueue(slots, size)
        self.going: list[str] = []
        self._kept: dict[str, asyncio.Event] = {}
        self.tasks: dict[str, asyncio.Task[None]] = {}

    async def come(self, *names: str) -> None:
        """Let queries come: the letter of a client and a number."""
        for name in names:
            self._kept[name] = asyncio.Event()
            self.tasks[name] = asyncio.create_task(self._go(name))
        await settled()

    async def leave(self, name: str) -> None:
        self._kept[name].set()
        await self.tasks[name]
        await settled()

    def refusal(self, name: str) -> Refusal:
        error = self.tasks[name].exception()
        assert error.retry_after
        return error

    async def _go(self, name: str) -> None:
        async with self._queue.slot(name[0]):
            self.going.append(name)
            try:
                await self._kept[name].wait()
            finally:
                self.going.remove(name)


async def settled() -> None:
    for _ in range(10):
        await asyncio.sleep(0)


async def test_one_client_leaves_half_of_the_places_and_the_queues_are_served_round_robin():
    crowd = Crowd(slots=4, size=10)
    await crowd.come("a1", "a2", "a3", "b1", "c1")
    assert crowd.going == ["a1", "a2", "b1", "c1"]
    crowd = Crowd(slots=1, size=10)
    await crowd.come("a1", "a2", "a3", "b1", "c1", "b2")
    order = []
    for _ in range(6):
        (going,) = crowd.going
        order.append(going)
        await crowd.leave(going)
    assert order == ["a1", "b1", "c1", "a2", "b2", "a3"]


async def test_who_has_many_waiting_is_reported_and_others_may_still_wait():
    crowd = Crowd(slots=1, size=4)
    await crowd.come("a1", "a2", "a3", "a4", "b1")
    assert crowd.refusal("a4").status == HTTPStatus.TOO_MANY_REQUESTS
    assert "2 of your queries are waiting" in str(crowd.refusal("a4"))
    await crowd.come("c1", "d1")
    assert crowd.refusal("d1").status == HTTPStatus.SERVICE_UNAVAILABLE
    for each in ("a1", "b1", "c1", "a2", "a3"):
        assert crowd.going == [each]
        await crowd.leave(each)


@pytest.mark.parametrize("gone", [["a1"], ["b1"], ["a1", "b1"]])
async def test_who_gives_up_leaves_the_place_to_the_next(gone):
    crowd = Crowd(slots=1, size=4)
    await crowd.come("a1", "b1", "c1")
    for each in gone:
        crowd.tasks[each].cancel()
    await settled()
    for each in sorted({"a1", "b1", "c1"} - {*gone}):
        assert crowd.going == [each]
        await crowd.leave(each)
    assert crowd.going == []


async def test_a_place_is_not_lost_with_who_gives_up_when_called():
    queue = FairQueue(slots=1, size=4)
    async with AsyncExitStack() as first:
        await first.enter_async_context(queue.slot("a"))
        second = asyncio.create_task(AsyncExitStack().enter_async_context(queue.slot("b")))
        await settled()
    second.cancel()  # It is called, and has not heard of it yet.
    await asyncio.gather(second, return_exceptions=True)
    async with asyncio.timeout(10), queue.slot("c"):
        pass
