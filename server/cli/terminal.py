"""What the command line says, and where: answers on stdout, everything else on stderr."""

import json
import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import replace
from enum import StrEnum
from itertools import chain, islice
from time import monotonic
from typing import TYPE_CHECKING, Protocol

from rich.console import Console
from rich.progress import (
    BarColumn,
    Progress,
    ProgressColumn,
    SpinnerColumn,
    Task,
    TextColumn,
    TimeElapsedColumn,
)
from rich.text import Text

from stemma.schema import Paper, Problem
from stemma.schema.quantity import quantity
from stemma.server.cli.options import AnswerFormat
from stemma.server.views.wording import meaning_of

if TYPE_CHECKING:
    from stemma.graph import Reader
    from stemma.server.build_report import BuildReport
    from stemma.server.views.page import PageView
    from stemma.server.views.view import View
    from stemma.server.views.work import WorkView

WIDTH_OF_FILES = 120
_MOST_OF_A_KIND = 3
"""Problems of one kind in one file that are listed one by one."""

answers = Console(
    highlight=False, emoji=False, width=None if sys.stdout.isatty() else WIDTH_OF_FILES
)
remarks = Console(stderr=True, highlight=False, emoji=False, soft_wrap=True)


def complain(message: str) -> None:
    """Say what went wrong."""
    remarks.print("[bold red]error:[/] ", end="")
    remarks.print(message, markup=False)


def work_named(reader: "Reader", name: str) -> str:
    """Return the work (id) that a name means, and say which others have it."""
    id_, remark = meaning_of(reader, name)
    if remark:
        remarks.print(remark, markup=False)
    return id_


def warn(problem: Problem) -> None:
    """Report what was skipped."""
    remarks.print("[yellow]warning:[/] ", end="")
    remarks.print(str(problem), markup=False)


def warn_of(report: "BuildReport", verbose: bool) -> None:
    """Report what was skipped; a problem that is repeated in a file, or in many, in one line."""
    kinds: dict[str, dict[str, list[Problem]]] = {}
    for problem in report.problems:
        kinds.setdefault(problem.kind, {}).setdefault(problem.file, []).append(problem)
    for kind, files in kinds.items():
        uncounted = {file: n for (file, own), n in report.more_problems.items() if own == kind}
        if verbose:
            for problem in chain.from_iterable(files.values()):
                warn(problem)
            for file, count in uncounted.items():
                warn(Problem(file, None, f"and {count:,} more like this"))
            continue
        shown = dict(islice(files.items(), _MOST_OF_A_KIND))
        for file, problems in shown.items():
            _warn_of_file(problems, uncounted.pop(file, 0))
        if others := [file for file in files if file not in shown]:
            first = files[others[0]][0]
            left = sum(len(files[each]) for each in others) + sum(uncounted.values()) - 1
            more = f"also {quantity(left, 'more time')} in other files; --verbose lists all"
            warn(replace(first, reason=f"{first.reason} ({more})") if left else first)


def _warn_of_file(problems: list[Problem], uncounted: int) -> None:
    """Report the problems of one kind in one file, of which some may only have been counted."""
    if len(problems) <= _MOST_OF_A_KIND and not uncounted:
        for problem in problems:
            warn(problem)
        return
    first, *others = problems
    places = ", ".join(str(each.line) for each in others[: _MOST_OF_A_KIND - 1] if each.line)
    left = len(others) + uncounted - (_MOST_OF_A_KIND - 1 if places else 0)
    more = quantity(left, "more time")
    also = f"in lines {places}, and {more}" if places else more
    warn(replace(first, reason=f"{first.reason} (also {also}; --verbose lists all)"))


def of_more(shown: int, every: object, cursor: object) -> str:
    """Say how many are shown of all, and how to see more."""
    return f"{shown} of {every}; there are more (--after {cursor}, or --all)"


def remark_of_more(page: "PageView[WorkView]") -> None:
    """Say how many works a page has of all, and how to see more, if there are any."""
    if page.end_cursor:
        remarks.print(f"{of_more(len(page), page.total_count, page.end_cursor)}.", markup=False)


def print_json(data: object) -> None:
    """Print data for programs."""
    sys.stdout.write(json.dumps(data, ensure_ascii=False, indent=2) + "\n")


def print_as_data(format: AnswerFormat, view: "View") -> bool:
    """Print an answer as JSON, or the papers behind it; return False for text."""
    if format is AnswerFormat.JSON:
        print_json(view.to_json())
    elif format is not AnswerFormat.TEXT:
        sys.stdout.write(citations(view, format))
    return format is not AnswerFormat.TEXT


def citations(view: "View", format: StrEnum) -> str:
    """Return the papers behind an answer as BibTeX or CSL-JSON; say so if there are none."""
    if not any(isinstance(each, Paper) for each in view.named.values()):
        remarks.print("There are no papers in this answer to cite.")
    return view.to_bibtex() if format.value == "bibtex" else view.to_csl()


class SparseProgress:
    """Reports how far things are, in lines: after some seconds, then at growing intervals.

    `report` gets how many are done, of how many, and how many a second, where these are known.
    """

    def __init__(
        self,
        report: Callable[[int, int | None, float | None], None],
        clock: Callable[[], float] = monotonic,
        first_after: float = 10.0,
        longest_pause: float = 300.0,
    ) -> None:
        self._report, self._clock = report, clock
        self._begun = clock()
        self._pause, self._longest_pause = first_after, longest_pause
        self._next = self._begun + self._pause
        self._first: tuple[float, int] | None = None

    def __call__(self, done: int, total: int | None = None, /) -> None:
        """Take note of how many are done, and of how many where that is known."""
        now = self._clock()
        if done and self._first is None:  # What was loaded before does not count for the rate.
            self._first = (now, done)
        if now < self._next:
            return
        self._pause = min(2 * self._pause, self._longest_pause)
        self._next = now + self._pause
        self._report(done, total, self._rate(now, done))

    def _rate(self, now: float, done: int) -> float | None:
        if self._first is None or now <= self._first[0]:
            return None
        started, first = self._first
        return (done - first) / (now - started)


def how_far(done: int, total: int | None, unit: str, rate: float | None, faults: int = 0) -> str:
    """Say how many are done of how many, how many a second, the time that is left, and faults."""
    parts = [f"{done:,} of {total:,} {unit}" if total else f"{done:,} {unit}"]
    if rate:
        parts.append(f"{rate:,.0f}/s" if rate >= 10 else f"{rate:.1f}/s")
        if total:
            parts.append(f"{_clock_time(max(0, total - done) / rate)} left")
    if faults:
        parts.append(quantity(faults, "problem"))
    return ", ".join(parts)


def _clock_time(seconds: float) -> str:
    minutes, seconds = divmod(round(seconds), 60)
    hours, minutes = divmod(minutes, 60)
    return f"{hours}:{minutes:02}:{seconds:02}" if hours else f"{minutes}:{seconds:02}"


class Tick(Protocol):
    """Says how many are done, and of how many where that is known."""

    def __call__(self, done: int, total: int | None = None, /) -> None:
        """Take note of it."""


class _CountColumn(ProgressColumn):
    def __init__(self, unit: str, faults: Callable[[], int]) -> None:
        super().__init__()
        self._unit, self._faults = unit, faults

    def render(self, task: Task) -> Text:
        total = None if task.total is None else int(task.total)
        faults = self._faults()
        return Text(how_far(int(task.completed), total, self._unit, task.speed, faults))


@contextmanager
def progress(
    title: str, unit: str = "papers", faults: Callable[[], int] = lambda: 0
) -> Iterator[Tick]:
    """Show how far long work is, and how many `faults` there were, while it goes on.

    A terminal has a line that changes; elsewhere a line is written now and then.
    """
    if not remarks.is_terminal:

        def write(done: int, total: int | None, rate: float | None) -> None:
            far = how_far(done, total, unit, rate, faults())
            remarks.print(f"{title}: {far}", markup=False)

        yield SparseProgress(write)
        return
    with Progress(
        SpinnerColumn(),
        TextColumn("{task.description}"),
        BarColumn(bar_width=12),
        _CountColumn(unit, faults),
        TimeElapsedColumn(),
        console=remarks,
        transient=True,
    ) as shown:
        task = shown.add_task(title, total=None)
        yield lambda done, total=None: shown.update(task, completed=done, total=total)
