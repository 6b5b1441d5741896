"""Worker pools: processes that share some work and end with the one that they work for."""

import fcntl
import multiprocessing
import os
import signal
import sys
from collections.abc import Callable, Iterator
from concurrent.futures import ProcessPoolExecutor
from contextlib import contextmanager
from threading import Thread
from typing import Any

_MOST_BY_DEFAULT = 8
# What a process shared that was killed is removed by a tracker, without a word.
sys.warnoptions.append("ignore:resource_tracker")


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

    They end at once when this process does, however it ends; Ctrl-C is for this one alone.
    """
    pool = ProcessPoolExecutor(
        processes,
        mp_context=multiprocessing.get_context("spawn"),
        initializer=_start,
        initargs=(initializer, arguments),
    )
    before = signal.pthread_sigmask(signal.SIG_BLOCK, {signal.SIGINT})
    for _ in range(processes):
        pool.submit(int)  # starts one, in which the signal stays blocked
    signal.pthread_sigmask(signal.SIG_SETMASK, before)
    return pool


@contextmanager
def stoppable(on_stop: Callable[[], object]) -> Iterator[None]:
    """Stop the work within by KeyboardInterrupt at SIGINT or SIGTERM, and then all workers.

    `on_stop` is called first. A second signal ends this process as it is.
    """

    def stop(*_: object) -> None:
        for sign in handled:
            signal.signal(sign, signal.SIG_DFL)
        on_stop()
        raise KeyboardInterrupt

    signals = (signal.SIGINT, signal.SIGTERM)
    handled = [sign for sign in signals if signal.getsignal(sign) is not signal.SIG_IGN]
    for sign in handled:
        signal.signal(sign, stop)
    try:
        yield
    except KeyboardInterrupt:
        for process in multiprocessing.active_children():
            process.kill()
        raise


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
