"""Workers: threads that answer one request each, besides the one that handles HTTP."""

import asyncio
from collections.abc import Callable, Coroutine
from concurrent.futures import ThreadPoolExecutor
from contextvars import Context, copy_context
from threading import local
from typing import Any, TypeVar

Result = TypeVar("Result")

MOST = 4
"""Requests that are answered at once; others wait. Python runs one thread at a time, and lets
others run while the store reads."""


class Workers:
    """Runs coroutines in threads of their own, so that a large answer does not delay others.

    A coroutine may read the store as it goes: in its thread nothing else is waiting.
    """

    def __init__(self, most: int = MOST) -> None:
        self._threads = ThreadPoolExecutor(most, thread_name_prefix="graphql")
        self._own = local()

    async def run(self, make: Callable[[], Coroutine[Any, Any, Result]], seconds: float) -> Result:
        """Run the coroutine that `make` makes. Raises TimeoutError after so many seconds.

        What does not check the time goes on until it does, but its result is not awaited.
        """
        loop = asyncio.get_running_loop()
        async with asyncio.timeout(seconds):
            return await loop.run_in_executor(
                self._threads, self._run, make, seconds, copy_context()
            )

    def _run(
        self, make: Callable[[], Coroutine[Any, Any, Result]], seconds: float, context: Context
    ) -> Result:
        runner: asyncio.Runner | None = getattr(self._own, "runner", None)
        if runner is None:
            runner = self._own.runner = asyncio.Runner()
        return runner.run(_within(make, seconds), context=context)


async def _within(make: Callable[[], Coroutine[Any, Any, Result]], seconds: float) -> Result:
    async with asyncio.timeout(seconds):
        return await make()
