"""Commands of ``stemma`` run in this process: quick, and with the pipeline that is loaded.

What signals, limits or a crash do to a command is tested with a process of its own.
"""

import os
import signal
import subprocess
import sys
from collections.abc import Iterator
from contextlib import chdir, contextmanager
from pathlib import Path
from subprocess import CompletedProcess
from typing import Any

from typer.testing import CliRunner

from stemma.server.cli import main
from stemma.server.cli.terminal import write_json


def stemma(*arguments: str, cwd: Path | None = None, given: str = "") -> CompletedProcess[str]:
    """Run a command with `given` on its standard input; it may end with any status."""
    command = ["stemma", *arguments]
    with _restored(), chdir(cwd or Path.cwd()), CliRunner().isolation(given) as (stdout, stderr, _):
        sys.argv = command
        status = _status()
        sys.stdout.flush()
        sys.stderr.flush()
        said, told = (each.getvalue().decode() for each in (stdout, stderr))
        return CompletedProcess(command, status, said, told)


def run_program(*command: str | Path, **options: Any) -> CompletedProcess[str]:
    """Run a program in a process of its own, with options of `subprocess.run`."""
    return subprocess.run(command, capture_output=True, text=True, check=False, **options)


def answer(*arguments: str, cwd: Path | None = None) -> str:
    """Return what a command prints that ends well."""
    done = stemma(*arguments, cwd=cwd)
    assert done.returncode == 0, done.stderr
    return done.stdout


def refused(*arguments: str, status: int = 1, cwd: Path | None = None) -> str:
    """Return what a command says, in one line, that ends with a status."""
    done = stemma(*arguments, cwd=cwd)
    assert done.returncode == status, done.stdout
    return " ".join(done.stderr.replace("│", " ").split())


def _status() -> int:
    try:
        main()
    except SystemExit as ended:
        return ended.code if isinstance(ended.code, int) else int(ended.code is not None)
    return 0


@contextmanager
def _restored() -> Iterator[None]:
    """Undo what a command does to its process."""
    arguments, environment = sys.argv, dict(os.environ)
    interrupt = signal.getsignal(signal.SIGINT)
    try:
        yield
    finally:
        sys.argv = arguments
        os.environ.clear()
        os.environ.update(environment)
        signal.signal(signal.SIGINT, interrupt)
        write_json(False)
