"""What the command line says, and where: answers on stdout, everything else on stderr."""

import json
import sys
from collections.abc import Iterator
from contextlib import contextmanager

from rich.console import Console
from rich.progress import (
    BarColumn,
    Progress,
    SpinnerColumn,
    TextColumn,
    TimeElapsedColumn,
)

from stemma.schema import Problem

_WIDTH_OF_FILES = 120

answers = Console(highlight=False, width=None if sys.stdout.isatty() else _WIDTH_OF_FILES)
remarks = Console(stderr=True, highlight=False, soft_wrap=True)


def complain(message: str) -> None:
    """Say what went wrong."""
    remarks.print("[bold red]error:[/] ", end="")
    remarks.print(message, markup=False)


def warn(problem: Problem) -> None:
    """Say what was passed over."""
    remarks.print("[yellow]warning:[/] ", end="")
    remarks.print(str(problem), markup=False)


def print_json(data: object) -> None:
    """Print data for programs."""
    sys.stdout.write(json.dumps(data, ensure_ascii=False, indent=2) + "\n")


class Ticker:
    """A line of progress: how many so far."""

    def __init__(self, progress: Progress, title: str) -> None:
        self._progress = progress
        self._task = progress.add_task(title, total=None)

    def __call__(self, count: int) -> None:
        """Show `count` papers as done."""
        self._progress.update(self._task, completed=count)


@contextmanager
def progress(title: str, unit: str = "papers") -> Iterator[Ticker]:
    """Show that long work goes on, while it does; nothing where stderr is no terminal."""
    columns = (
        SpinnerColumn(),
        TextColumn("{task.description}"),
        BarColumn(bar_width=12),
        TextColumn(f"{{task.completed:.0f}} {unit}"),
        TimeElapsedColumn(),
    )
    silent = not remarks.is_terminal
    with Progress(*columns, console=remarks, transient=True, disable=silent) as shown:
        yield Ticker(shown, title)
