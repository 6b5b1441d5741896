"""Commands that are killed at random moments: nothing is lost, nothing is half, no process stays.

Each command is run once to its end on one store, and begun, killed and run again on another: then
both have to hold the same. With ``STEMMA_KILLS=1`` in the environment there are 35 kills (15 with
rules alone, 20 with the trained model); five without.
"""

import os
import random
import signal
import subprocess
import sys
import time
from collections.abc import Iterator
from contextlib import suppress
from pathlib import Path
from typing import Any

import pytest

from command import answer, run_program
from patience import PATIENCE
from stemma.graph import Selection, WorkType, open_store

EXAMPLES = Path(__file__).parents[2] / "examples"
SIGNALS = (signal.SIGKILL, signal.SIGKILL, signal.SIGTERM, signal.SIGHUP)
MANY = bool(os.environ.get("STEMMA_KILLS"))
ROUNDS = {"rules": 3, "model": 4} if MANY else {"rules": 1}


def state(url: str) -> dict[str, Any]:
    """What a store contains: its papers with all that they say, its entities, and decisions."""
    with open_store(url) as store, store.snapshot() as reader:
        every = Selection(first=100_000)
        papers, entities = (reader.page(type_, every).items for type_ in WorkType)
        said = reader.statements([each.id for each in papers])
        decided = store.decisions.read()
        return {"papers": papers, "said": said, "entities": entities, "decided": decided}


def commands(number: int, before: dict[str, Any]) -> Iterator[tuple[str, ...]]:
    """The commands of a round, each of which another one undoes."""
    # Another year is another way of reading: what was removed is read again.
    yield ("build", str(EXAMPLES / "serving.txt"), "--year", str(2024 - number))
    yield ("decide", "rename", "ZeRO-Offload", f"ZeRO in memory {number}")
    yield ("remove", *sorted(each.id for each in before["papers"])[:5])
    yield ("load", "papers.jsonl")
    yield ("decide", "undo", "1")


def check(url: str, before: dict[str, Any], after: dict[str, Any]) -> None:
    """Expect what a command that was killed leaves to be as before or after it."""
    with open_store(url) as store:
        with store.writer() as writer:  # As every command that writes: what was half done ends.
            writer.commit()
        assert [each for each in store.check() if each.fault] == []
    assert state(url) in (before, after)


class Bench:
    """Runs commands on a store in a folder, and kills them at random moments."""

    def __init__(self, folder: Path, name: str, *options: str) -> None:
        self.url = str(folder / name)
        self.killed_in_time = 0
        self._folder, self._options, self._random = folder, options, random.Random(5)
        self._log = folder / f"{name}-wal"

    def _whole(self, command: tuple[str, ...]) -> tuple[str, ...]:
        options = self._options if command[0] == "build" else ()
        return (*command, *options, "--store", self.url)

    def run(self, *command: str) -> float:
        """Run a command to its end in this process, and return how long it took."""
        begun = time.monotonic()
        answer(*self._whole(command), cwd=self._folder)
        return time.monotonic() - begun

    def kill(self, command: tuple[str, ...], longest: float, in_writing: bool) -> None:
        """Begin a command, kill it at some moment, and expect that nothing of it runs on."""
        processes = ("-j", "2") if command[0] == "build" else ()
        process = subprocess.Popen(
            [sys.executable, "-m", "stemma.server", *self._whole(command), *processes],
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
            cwd=self._folder,
            start_new_session=True,
        )
        try:
            while in_writing and process.poll() is None and not self._is_writing():
                time.sleep(0.002)
            time.sleep(self._random.uniform(0, longest / 8 if in_writing else longest))
            self.killed_in_time += process.poll() is None
            process.send_signal(self._random.choice(SIGNALS))
            # Whoever is left holds the pipe, which does not end then.
            output, _ = process.communicate(timeout=PATIENCE * 5)
            assert b"Traceback" not in output, output.decode()
        finally:
            with suppress(ProcessLookupError):
                os.killpg(process.pid, signal.SIGKILL)

    def _is_writing(self) -> bool:
        """Whether anything is in the write-ahead log, which was empty before."""
        with suppress(FileNotFoundError):
            return self._log.stat().st_size > 0
        return False


@pytest.mark.soak
@pytest.mark.long  # That a build which is killed loses nothing is tested of each generation.
@pytest.mark.parametrize("kind", ROUNDS)
def test_a_command_that_is_killed_loses_nothing(kind, tmp_path):
    options = () if kind == "model" else ("--fast",)
    reference, bench = (Bench(tmp_path, name, *options) for name in ("whole.db", "killed.db"))
    papers = str(EXAMPLES / "training.txt")
    for each in (reference, bench):
        each.run("build", papers)
    answer("extract", papers, *options, "-o", "papers.jsonl", cwd=tmp_path)
    begun = time.monotonic()
    run_program(sys.executable, "-m", "stemma.server", "show", "--help")
    starting, kills = time.monotonic() - begun, 0
    for number in range(ROUNDS[kind]):
        for command in commands(number, state(reference.url)):
            before = state(reference.url)
            longest = starting + reference.run(*command)
            after = state(reference.url)
            bench.kill(command, longest, in_writing=bool(kills % 2))
            kills += 1
            check(bench.url, before, after)
            if state(bench.url) != after:
                bench.run(*command)
            assert state(bench.url) == after, command
    assert bench.killed_in_time, "all ended before they could be killed"
