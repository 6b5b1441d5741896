"""What tests get from elsewhere: fetched once, and kept in a cache."""

import fcntl
import os
import shutil
import subprocess
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path

import pytest


class UnavailableError(Exception):
    """Something cannot be had here; the message says why."""


@contextmanager
def needed(group: str) -> Iterator[None]:
    """Skip what needs something that cannot be had, or fail where a `group` must not be skipped."""
    try:
        yield
    except UnavailableError as error:
        fail_if_required(group, error)
        pytest.skip(str(error))


def fail_if_required(group: str, error: UnavailableError) -> None:
    """Fail where tests of a group, such as NEO4J, must not be skipped."""
    variable = f"STEMMA_REQUIRE_{group}"
    if os.environ.get(variable) == "1":
        pytest.fail(f"{variable} is set, and something is missing: {error}")


def kept(name: str, fetch: Callable[[Path], None]) -> Path:
    """Return a folder of the cache, which `fetch` makes the first time."""
    cache = Path(os.environ.get("XDG_CACHE_HOME") or Path.home() / ".cache") / "stemma-tests"
    cache.mkdir(parents=True, exist_ok=True)
    folder = cache / name
    with folder.with_suffix(".lock").open("w") as lock:
        fcntl.flock(lock, fcntl.LOCK_EX)  # Test runs side by side fetch once.
        if not folder.exists():
            part = folder.with_suffix(".part")
            shutil.rmtree(part, ignore_errors=True)
            fetch(part)
            part.rename(folder)
    return folder


def run(command: Sequence[str], what: str, seconds: float, cwd: Path | None = None) -> None:
    """Run what fetches `what`. Raises UnavailableError where that fails, or takes too long."""
    program = Path(command[0]).name
    try:
        done = subprocess.run(
            command, cwd=cwd, capture_output=True, text=True, check=False, timeout=seconds
        )
    except subprocess.TimeoutExpired as error:
        raise UnavailableError(f"{program} took too long to get {what}") from error
    if done.returncode:
        raise UnavailableError(f"{program} could not get {what}:\n{done.stdout}{done.stderr}")
