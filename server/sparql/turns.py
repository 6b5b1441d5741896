"""Turns: who of many may go next, so that nobody who asks for much keeps the others waiting."""

from asyncio import Future, get_running_loop
from collections import Counter, OrderedDict, deque
from collections.abc import AsyncIterator, Hashable
from contextlib import asynccontextmanager
from http import HTTPStatus

from stemma.server.sparql.answering import Refusal

_RETRY_AFTER = 5


class Turns:
    """Lets `places` go at once and `queue` more wait, in a line for each client.

    No client has more than half of either (rounded up), and the lines take turns.
    """

    def __init__(self, places: int, queue: int) -> None:
        self._places, self._queue = places, queue
        self._share, self._own_queue = (places + 1) // 2, (queue + 1) // 2
        self._running = Counter[Hashable]()
        self._lines = OrderedDict[Hashable, deque[Future[None]]]()

    @asynccontextmanager
    async def turn(self, client: Hashable) -> AsyncIterator[None]:
        """Wait for a place, and keep it. Raises Refusal where too many wait already."""
        await self._wait(client)
        try:
            yield
        finally:
            self._leave(client)

    async def _wait(self, client: Hashable) -> None:
        if self._may_go(client):
            self._running[client] += 1
            return
        line = self._lines.get(client, deque())
        if len(line) >= self._own_queue:
            raise Refusal(
                HTTPStatus.TOO_MANY_REQUESTS,
                f"{len(line)} queries of yours wait here already. Try again when you have answers.",
                _RETRY_AFTER,
            )
        if sum(map(len, self._lines.values())) >= self._queue:
            raise busy()
        called = get_running_loop().create_future()
        line.append(called)
        self._lines[client] = line
        try:
            await called
        except BaseException:
            if called.done() and not called.cancelled():
                self._leave(client)  # It was called, and gave up in the same moment.
            else:
                self._forget(client, called)
            raise

    def _may_go(self, client: Hashable) -> bool:
        return self._running.total() < self._places and self._running[client] < self._share

    def _leave(self, client: Hashable) -> None:
        self._running[client] -= 1
        if not self._running[client]:
            del self._running[client]
        self._call()

    def _call(self) -> None:
        """Call whoever is next: the first of a line that waits longest for its turn."""
        while may_go := [client for client in self._lines if self._may_go(client)]:
            client = may_go[0]
            called = self._lines[client][0]
            self._lines.move_to_end(client)
            self._forget(client, called)
            if not called.done():  # Who gave up just now is still in its line.
                self._running[client] += 1
                called.set_result(None)

    def _forget(self, client: Hashable, called: Future[None]) -> None:
        line = self._lines.get(client, deque())
        if called in line:
            line.remove(called)
            if not line:
                del self._lines[client]


def busy(why: str = "Too many queries are running. Try again in a moment.") -> Refusal:
    """Say that it may be tried again."""
    return Refusal(HTTPStatus.SERVICE_UNAVAILABLE, why, _RETRY_AFTER)
