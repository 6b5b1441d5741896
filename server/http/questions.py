"""Questions that take a thread: a bounded number of them at once, each answered in time."""

import asyncio
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from contextvars import copy_context
from typing import TypeVar

from stemma.graph import Reader, Store

MOST_AT_ONCE = 4
"""Python runs one thread at a time, and lets others run while the store reads."""
RETRY_AFTER = 5.0
Found = TypeVar("Found")


class BusyError(Exception):
    """Too many questions are waiting; the next may be asked in `RETRY_AFTER` seconds."""

    def __init__(self) -> None:
        super().__init__(f"The server is busy. Ask again in {RETRY_AFTER:g} s.")


class Questions:
    """Answers questions from the newest generation of `store`, in threads of their own.

    So a large answer does not delay what else a server does. At most `most_waiting` wait.
    """

    def __init__(self, store: Store, seconds: float, most_waiting: int) -> None:
        self._store, self.seconds = store, seconds
        self._threads = ThreadPoolExecutor(MOST_AT_ONCE, thread_name_prefix="questions")
        self._most, self._open = MOST_AT_ONCE + most_waiting, 0

    async def ask(self, question: Callable[[Reader], Found]) -> Found:
        """Answer one. Raises TimeoutError where it takes too long, BusyError if no thread is free.

        What does not check the time goes on until it does, and counts as open until then.
        """
        if self._open >= self._most:
            raise BusyError
        self._open += 1
        begun = self._threads.submit(copy_context().run, self._answer, question)
        asked = asyncio.wrap_future(begun)
        asked.add_done_callback(self._close)
        try:
            async with asyncio.timeout(self.seconds):
                return await asyncio.shield(asked)
        except TimeoutError:
            if begun.cancel():  # No thread was free for it.
                raise BusyError from None
            raise

    def _close(self, asked: "asyncio.Future[Found]") -> None:
        self._open -= 1
        if not asked.cancelled():
            asked.exception()  # Retrieve it, so that asyncio does not log it.

    def _answer(self, question: Callable[[Reader], Found]) -> Found:
        with self._store.snapshot() as reader:
            return question(reader)
