"""Worker pools: processes that share some work and end with the one that they work for."""

import fcntl
import multiprocessing
import os
import signal
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
    _be_killed_with_parent()
    initializer(*arguments)


def _be_killed_with_parent() -> None:
    """Have the system do it as well, where it can: no thread runs while a pattern is matched."""
    parent = multiprocessing.parent_process()
    if parent and hasattr(fcntl, "F_SETSIG"):  # Linux
        pipe = parent.sentinel
        fcntl.fcntl(pipe, fcntl.F_SETOWN, os.getpid())
        fcntl.fcntl(pipe, fcntl.F_SETSIG, signal.SIGKILL)
        fcntl.fcntl(pipe, fcntl.F_SETFL, fcntl.fcntl(pipe, fcntl.F_GETFL) | os.O_ASYNC)
        if not parent.is_alive():  # It ended before.
            os._exit(1)


def _end_with_parent() -> None:
    parent = multiprocessing.parent_process()
    assert parent
    parent.join()
    os._exit(1)
