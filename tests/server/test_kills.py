"""Commands that are killed at random moments: nothing is lost, nothing is half, no process stays.

With ``STEMMA_KILLS=1`` in the environment each is killed ten times; twice without.
"""

import os
import random
import shutil
import signal
import subprocess
import sys
import time
from contextlib import suppress
from pathlib import Path

import pytest

from command import answer
from patience import PATIENCE

EXAMPLES = Path(__file__).parents[2] / "examples"
SIGNALS = (signal.SIGKILL, signal.SIGTERM, signal.SIGHUP)
KILLS = 10 if os.environ.get("STEMMA_KILLS") else 2
COMMANDS = {
    "build": ("build", str(EXAMPLES / "serving.txt"), "-j", "2"),
    "load": ("load", "papers.jsonl"),
    "decide": ("decide", "rename", "ZeRO-Offload", "ZeRO in memory"),
    "remove": ("remove", "LoRA: Low-Rank Adaptation of Large Language Models"),
}


def content(store: Path) -> tuple[str, str]:
    """Return all that a store holds, once what was half done has ended, and the decisions."""
    assert "No fault" in answer("check", "--store", str(store))
    file = Path(f"{store}.decisions.toml")
    graph = answer("export", "--full", "--format", "nquads", "--store", str(store))
    return graph, file.read_text() if file.exists() else ""


@pytest.mark.soak
@pytest.mark.long  # That a build which is killed loses nothing is tested of each store.
@pytest.mark.parametrize("name", COMMANDS)
def test_a_command_that_is_killed_loses_nothing(name, tmp_path):
    command, whole, chance = COMMANDS[name], tmp_path / "whole.db", random.Random(name)
    answer("build", str(EXAMPLES / "finetuning.txt"), "--store", str(whole))
    papers = ("extract", str(EXAMPLES / "training.txt"), "-o", "papers.jsonl")
    answer(*papers, cwd=tmp_path)
    before = content(whole)
    stores = [shutil.copyfile(whole, tmp_path / f"killed-{number}.db") for number in range(KILLS)]
    program = [sys.executable, "-m", "stemma.server", *command, "--store"]
    begun = time.monotonic()
    subprocess.run([*program, str(whole)], cwd=tmp_path, check=True, capture_output=True)
    longest, after = time.monotonic() - begun, content(whole)
    for store in stores:
        with subprocess.Popen(
            [*program, str(store)],
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
            cwd=tmp_path,
            start_new_session=True,
        ) as process:
            try:
                time.sleep(chance.uniform(longest / 3, longest))
                process.send_signal(chance.choice(SIGNALS))
                # Whoever is left holds the pipe, which does not end then.
                output, _ = process.communicate(timeout=PATIENCE * 5)
            finally:
                with suppress(ProcessLookupError):
                    os.killpg(process.pid, signal.SIGKILL)
        assert b"Traceback" not in output, output.decode()
        assert content(store) in (before, after)
        if content(store) == before:
            answer(*command, "--store", str(store), cwd=tmp_path)
        assert content(store) == after
