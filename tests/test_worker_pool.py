"""Workers end with the process that they work for, however that ends."""

import json
import os
import signal
import subprocess
import sys
from collections.abc import Iterator
from contextlib import suppress
from pathlib import Path

import pytest

from patience import PATIENCE, eventually
from processes import descendants

pytestmark = pytest.mark.process
BUILD = ["-m", "stemma.server", "build", "papers.jsonl", "-j", "2"]
WITH_WORKERS = 3
"""Two workers and the tracker of what they share."""


@pytest.fixture
def papers(tmp_path) -> Iterator[Path]:
    """A folder with more papers than are read in a moment."""
    with (tmp_path / "papers.jsonl").open("w") as file:
        for number in range(500):
            abstract = f"We present Nibbler-{number}, a framework built on PyTorch. " * 5
            file.write(json.dumps({"title": f"Nibbler {number}", "abstract": abstract}) + "\n")
    return tmp_path


PATTERN_WITHOUT_END = """
import re, sys
from stemma.worker_pool import worker_pool

def match(text):
    print("it begins", flush=True)
    re.match("(a|a)+$", text)

if __name__ == "__main__":
    pool = worker_pool(2, str)
    list(pool.map(match, ["a" * 60 + "b"] * 2))
"""


@pytest.mark.skipif(sys.platform != "linux", reason="processes are looked up in /proc")
@pytest.mark.parametrize(
    ("command", "sign", "signals"),
    [
        (BUILD, None, [signal.SIGKILL]),
        (BUILD, None, [signal.SIGINT] * 2),
        (["program.py"], b"it begins", [signal.SIGKILL]),
    ],
    ids=["that are starting", "at a second Ctrl-C", "that let no thread run"],
)
def test_workers_end_with_their_process(papers, command, sign, signals):
    """It is killed: of all ends, that leaves it least to do."""
    (papers / "program.py").write_text(PATTERN_WITHOUT_END)
    run = subprocess.Popen(
        [sys.executable, *command],
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        cwd=papers,
        start_new_session=True,  # A group of its own, of which nothing stays.
    )
    if sign is None:
        eventually(lambda: len(descendants(run.pid)) >= WITH_WORKERS)
    while sign and sign not in run.stdout.readline():
        assert run.poll() is None, "it ended too early"
    for each in signals:
        (os.killpg if each is signal.SIGINT else os.kill)(run.pid, each)
    try:
        # The pipe ends: whoever is left holds it, be it a worker or a tracker.
        said, _ = run.communicate(timeout=PATIENCE)
        assert b"Traceback" not in said and b"leaked" not in said
    finally:
        with suppress(ProcessLookupError):
            os.killpg(run.pid, signal.SIGKILL)
