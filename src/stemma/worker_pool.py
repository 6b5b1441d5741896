"""Worker pools: processes that share some work and end with the one that they work for."""

import multiprocessing
import os
from collections.abc import Callable
from concurrent.futures import ProcessPoolExecutor
from threading import Thread
from typing import Any

_MOST_BY_DEFAULT = 8


def processors() -> int:
    """Return how many processes share this machine's processors, unless more are asked for."""
    try:
        usable = len(os.sched_getaffinity(0))
    except AttributeError:  # Only Linux reports what a process may use.
        usable = os.cpu_count() or 1
    return min(usable, _MOST_BY_DEFAULT)


def worker_pool(
    processes: int, initializer: Callable[..., object], *arguments: Any
) -> ProcessPoolExecutor:
    """Return a pool of new processes, in each of which `initializer` is called first.

    They end at once when this process does, however it ends.
    """
    return ProcessPoolExecutor(
        processes,
        mp_context=multiprocessing.get_context("spawn"),
        initializer=_start,
        initargs=(initializer, arguments),
    )


def _start(initializer: Callable[..., object], arguments: tuple[Any, ...]) -> None:
    # The pool's own queues never end: each worker holds both of their ends.
    Thread(target=_end_with_parent, daemon=True).start()
    initializer(*arguments)


def _end_with_parent() -> None:
    parent = multiprocessing.parent_process()
    assert parent
    parent.join()
    os._exit(1)
