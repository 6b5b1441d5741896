"""The limits of what assistants ask: a bounded number of questions at once, each in time."""

import asyncio
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from time import monotonic
from typing import TypeVar

from stemma.graph import Reader, Store

MOST_AT_ONCE = 4
MOST_WAITING = 32
RETRY_AFTER = 5.0
Found = TypeVar("Found")


class BusyError(Exception):
    """Too many questions are waiting; the next may be asked in `RETRY_AFTER` seconds."""

    def __init__(self) -> None:
        super().__init__(f"Too many questions are waiting. Ask again in {RETRY_AFTER:g} s.")


class Questions:
    """Answers questions from the newest generation of `store`, in threads of their own."""

    def __init__(self, store: Store, seconds: float) -> None:
        self._store, self.seconds = store, seconds
        self._threads = ThreadPoolExecutor(MOST_AT_ONCE, thread_name_prefix="mcp")
        self._open = 0

    async def ask(self, question: Callable[[Reader], Found]) -> Found:
        """Answer a question. Raises TimeoutError where it takes too long, or BusyError.

        What does not check the time goes on until it does, and counts as open until then.
        """
        if self._open >= MOST_AT_ONCE + MOST_WAITING:
            raise BusyError
        self._open += 1
        deadline = monotonic() + self.seconds
        asked = asyncio.get_running_loop().run_in_executor(
            self._threads, self._answer, question, deadline
        )
        asked.add_done_callback(self._close)
        async with asyncio.timeout(self.seconds):
            return await asyncio.shield(asked)

    def _close(self, asked: "asyncio.Future[Found]") -> None:
        self._open -= 1
        if not asked.cancelled():
            asked.exception()  # Retrieve it, so that asyncio does not log it.

    def _answer(self, question: Callable[[Reader], Found], deadline: float) -> Found:
        if monotonic() > deadline:
            raise TimeoutError
        with self._store.snapshot() as reader:
            return question(reader)
