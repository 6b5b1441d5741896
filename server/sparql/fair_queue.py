"""A fair queue: a client who sends many queries does not keep the others waiting."""

from asyncio import Future, get_running_loop
from collections import Counter, OrderedDict, deque
from collections.abc import AsyncIterator, Hashable
from contextlib import asynccontextmanager
from http import HTTPStatus

from stemma.server.sparql.answering import Refusal

_RETRY_AFTER = 5


class FairQueue:
    """Has `slots` for queries that run and room for `size` more to wait, in a queue per client.

    No client has more than half of either (rounded up), and the queues are served round-robin.
    """

    def __init__(self, slots: int, size: int) -> None:
        self._slots, self._size = slots, size
        self._slots_each, self._size_each = (slots + 1) // 2, (size + 1) // 2
        self._running = Counter[Hashable]()
        self._queues = OrderedDict[Hashable, deque[Future[None]]]()

    @asynccontextmanager
    async def slot(self, client: Hashable) -> AsyncIterator[None]:
        """Wait for a slot, and hold it. Raises Refusal where too many wait already."""
        await self._acquire(client)
        try:
            yield
        finally:
            self._release(client)

    async def _acquire(self, client: Hashable) -> None:
        if self._may_start(client):
            self._running[client] += 1
            return
        queue = self._queues.get(client, deque())
        if len(queue) >= self._size_each:
            raise Refusal(
                HTTPStatus.TOO_MANY_REQUESTS,
                f"{len(queue)} of your queries are waiting already. Try again when they have "
                "been answered.",
                _RETRY_AFTER,
            )
        if sum(map(len, self._queues.values())) >= self._size:
            raise busy()
        started = get_running_loop().create_future()
        queue.append(started)
        self._queues[client] = queue
        try:
            await started
        except BaseException:
            if started.done() and not started.cancelled():
                self._release(client)  # It got a slot, and was cancelled in the same moment.
            else:
                self._remove(client, started)
            raise

    def _may_start(self, client: Hashable) -> bool:
        return self._running.total() < self._slots and self._running[client] < self._slots_each

    def _release(self, client: Hashable) -> None:
        self._running[client] -= 1
        if not self._running[client]:
            del self._running[client]
        self._start_next()

    def _start_next(self) -> None:
        """Start as many as may: each time the first of the queue that was served least lately."""
        while may_start := [client for client in self._queues if self._may_start(client)]:
            client = may_start[0]
            started = self._queues[client][0]
            self._queues.move_to_end(client)
            self._remove(client, started)
            if not started.done():  # What was cancelled just now is still in its queue.
                self._running[client] += 1
                started.set_result(None)

    def _remove(self, client: Hashable, started: Future[None]) -> None:
        queue = self._queues.get(client, deque())
        if started in queue:
            queue.remove(started)
            if not queue:
                del self._queues[client]


def busy(reason: str = "Too many queries are running. Try again in a moment.") -> Refusal:
    """Return a refusal that may be tried again."""
    return Refusal(HTTPStatus.SERVICE_UNAVAILABLE, reason, _RETRY_AFTER)
