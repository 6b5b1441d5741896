"""`make demo`, the first command of a stranger: what it installs, says and leaves behind."""

import os
import shutil
import signal
import subprocess
import sys
from pathlib import Path

import pytest

from command import run_program
from patience import PATIENCE

pytestmark = pytest.mark.process
ROOT = Path(__file__).parents[1]
INSTALLED = ("requirements.runtime.lock", "pyproject.toml", "hatch_build.py", ".venv/bin/python")
# Without what `make test` says to the programs that it runs.
ENVIRONMENT = {name: value for name, value in os.environ.items() if "MAKE" not in name}
STEMMA = f"""#!{sys.executable}
import sys, time
print("stemma", *sys.argv[1:], flush=True)
try:
    time.sleep(600 if sys.argv[1] == "serve" else 0)
except KeyboardInterrupt:
    sys.exit(130)
"""


@pytest.fixture
def checkout(tmp_path) -> Path:
    """A folder with the Makefile, and with what it installs from."""
    shutil.copy(ROOT / "Makefile", tmp_path)
    for name in INSTALLED[:3]:
        (tmp_path / name).touch()
    return tmp_path


def test_it_installs_what_stemma_needs_and_nothing_to_develop_it_with(checkout):
    done = run_program("make", "--dry-run", "demo", cwd=checkout, env=ENVIRONMENT)
    assert "-r requirements.runtime.lock" in done.stdout
    assert "requirements.lock" not in done.stdout


def test_it_says_how_to_go_on_and_ends_without_an_error(checkout):
    for name in (".venv/bin/python", ".venv/bin/stemma", ".venv/plain"):
        (checkout / name).parent.mkdir(parents=True, exist_ok=True)
        (checkout / name).write_text(STEMMA)
        (checkout / name).chmod(0o755)
    with subprocess.Popen(
        ["make", "demo"],
        cwd=checkout,
        env=ENVIRONMENT,
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        text=True,
        start_new_session=True,
    ) as demo:
        said = ""
        while "\nstemma serve" not in said:
            line = demo.stdout.readline()
            assert line, said
            said += line
        os.killpg(demo.pid, signal.SIGINT)  # as Ctrl-C does
        said += demo.communicate(timeout=PATIENCE)[0]
    # The store is the one that all documented commands use.
    assert "stemma build examples --store stemma.db" in said
    assert "source .venv/bin/activate" in said
    assert ".venv/bin/stemma" in said
    assert "***" not in said
