"""Apache Jena's Fuseki, as a process that answers SPARQL beside Stemma."""

import subprocess
import time
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager, suppress
from typing import Any

import httpx

from patience import PATIENCE
from ports import free_port


@contextmanager
def answering(command: Callable[[int], Sequence[str]], name: str, **process: Any) -> Iterator[str]:
    """Run the command that serves on a port, and yield the URL of the data set with a name.

    `process` are arguments of Popen. Raises TimeoutError where it does not answer in time.
    """
    port = free_port()
    url = f"http://127.0.0.1:{port}/{name}"
    with subprocess.Popen(
        command(port), stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL, **process
    ) as running:
        try:
            _wait(url)
            yield url
        finally:
            running.kill()


def _wait(url: str) -> None:
    deadline = time.monotonic() + PATIENCE
    while time.monotonic() < deadline:
        with suppress(httpx.HTTPError):
            httpx.get(url, params={"query": "ASK {}"})
            return
        time.sleep(0.2)
    raise TimeoutError(f"nothing answers at {url}")
