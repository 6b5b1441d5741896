"""A fair queue: a client who sends many queries does not keep the others waiting."""

from asyncio import Semaphore
from collections import Counter
from collections.abc import AsyncIterator, Hashable
from contextlib import AsyncExitStack, asynccontextmanager
from http import HTTPStatus
from weakref import WeakValueDictionary

from stemma.server.sparql.answering import Refusal

_RETRY_AFTER = 5


class FairQueue:
    """Has `slots` for queries that run and room for `size` more to wait.

    No client has more than half of either (rounded up). Only as many queries of a client wait for a
    slot as it may have slots; the others wait for these, so that clients take turns.
    """

    def __init__(self, slots: int, size: int) -> None:
        self._slots, self._size = Semaphore(slots), size
        self._slots_each, self._size_each = (slots + 1) // 2, (size + 1) // 2
        self._slots_of = WeakValueDictionary[Hashable, Semaphore]()
        self._waiting = Counter[Hashable]()

    @asynccontextmanager
    async def slot(self, client: Hashable) -> AsyncIterator[None]:
        """Wait for a slot, and hold it. Raises Refusal where too many wait already."""
        semaphore = self._slots_of.setdefault(client, Semaphore(self._slots_each))
        if semaphore.locked() or self._slots.locked():
            self._check_room(client)
        async with AsyncExitStack() as held:
            self._waiting[client] += 1
            try:
                await held.enter_async_context(semaphore)
                await held.enter_async_context(self._slots)
            finally:
                self._waiting -= Counter([client])
            yield

    def _check_room(self, client: Hashable) -> None:
        if self._waiting[client] >= self._size_each:
            raise Refusal(
                HTTPStatus.TOO_MANY_REQUESTS,
                f"{self._waiting[client]} of your queries are waiting already. Try again when they "
                "have been answered.",
                _RETRY_AFTER,
            )
        if self._waiting.total() >= self._size:
            raise busy()


def busy(reason: str = "Too many queries are running. Try again in a moment.") -> Refusal:
    """Return a refusal of a query that may be asked again later."""
    return Refusal(HTTPStatus.SERVICE_UNAVAILABLE, reason, _RETRY_AFTER)
