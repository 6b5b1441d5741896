"""What the command line says, and where: answers on stdout, everything else on stderr."""

import json
import logging
import sys
from collections.abc import Callable, Iterable, Iterator, Mapping
from contextlib import contextmanager, nullcontext
from time import monotonic
from typing import TYPE_CHECKING, Any, Protocol

from rich.console import Console, RenderableType
from rich.text import Text

from stemma.schema import Paper, Problem
from stemma.schema.quantity import quantity
from stemma.server.cli.options import AnswerFormat, DataFormat
from stemma.server.views.wording import meaning_of

if TYPE_CHECKING:
    from stemma.graph import Reader
    from stemma.server.build_report import BuildReport
    from stemma.server.views.view import View

WIDTH_OF_FILES = 120
_MOST_OF_A_KIND = 3
"""Problems of one kind that are listed one by one."""
_PAUSES, _PAUSES_IN_JSON = (10.0, 300.0), (1.0, 10.0)
"""Seconds until the first line of progress, and at most between two."""
_log = logging.Logger("stemma.build")
"""What is said goes there, as JSON lines, while it has a handler."""

_PLAIN: dict[str, Any] = {"highlight": False, "emoji": False, "markup": False}
answers = Console(**_PLAIN, width=None if sys.stdout.isatty() else WIDTH_OF_FILES)
remarks = Console(**_PLAIN, stderr=True, soft_wrap=True)


def write_json(wanted: bool) -> None:
    """Write what is said on stderr as JSON lines from now on, or again as text."""
    _log.handlers = []
    if wanted:
        from stemma.server.http.log import JsonFormatter  # noqa: PLC0415 - rarely needed

        handler = logging.StreamHandler()
        handler.setFormatter(JsonFormatter())
        _log.addHandler(handler)


def is_json() -> bool:
    """Return whether what is said on stderr are JSON lines."""
    return bool(_log.handlers)


def remark(message: str, **facts: Any) -> None:
    """Say something on the work as a whole; for programs, with facts."""
    _say(logging.INFO, message, facts)


def complain(message: str) -> None:
    """Print an error on stderr."""
    _say(logging.ERROR, message, {}, Text("error:", "bold red"))


def work_named(reader: "Reader", name: str) -> str:
    """Return the work (id) that a name means, and say which others have it."""
    id_, remark = meaning_of(reader, name)
    if remark:
        remarks.print(remark)
    return id_


def warn(problem: Problem | str) -> None:
    """Report what was skipped, or is not as it should be."""
    facts: dict[str, Any] = {}
    if isinstance(problem, Problem):
        facts = {"file": problem.file, "line": problem.line, "reason": problem.reason}
        facts["record_lost"] = problem.skipped
    _say(logging.WARNING, str(problem), facts, Text("warning:", "yellow"))


def _say(level: int, message: str, facts: Mapping[str, Any], *sign: Text) -> None:
    if is_json():
        _log.log(level, message, extra={"facts": facts})
    else:
        remarks.print(*sign, message)


def warn_of(report: "BuildReport", every: bool) -> None:
    """Report what was skipped: the first problems of each kind, or `every` one."""
    kinds: dict[str, list[Problem]] = {}
    for problem in report.problems:
        kinds.setdefault(problem.kind, []).append(problem)
    for kind, problems in kinds.items():
        shown = problems if every else problems[:_MOST_OF_A_KIND]
        for problem in shown:
            warn(problem)
        uncounted = sum(n for (_, own), n in report.more_problems.items() if own == kind)
        if left := len(problems) - len(shown) + uncounted:
            warn(f"and {left:,} more like this{'' if every else ' (--verbose lists all)'}")


def of_more(shown: int, every: object, cursor: object) -> str:
    """Say how many are shown of all, and how to see more."""
    return f"{shown} of {every}; there are more (--after {cursor}, or --all)"


def as_json(data: object) -> str:
    """Return data as JSON, in lines."""
    return json.dumps(data, ensure_ascii=False, indent=2) + "\n"


def print_json(data: object) -> None:
    """Print data as JSON, for programs."""
    sys.stdout.write(as_json(data))


def print_answer(
    view: "View", format: AnswerFormat | DataFormat, text: Iterable[RenderableType]
) -> None:
    """Print an answer as JSON, as the papers behind it, or as text, part by part."""
    if format.value == "json":
        print_json(view.to_json())
    elif format.value == "text":
        for part in text:
            answers.print(part, crop=False)
    else:
        sys.stdout.write(citations(view))


def citations(view: "View") -> str:
    """Return the papers behind an answer as BibTeX; say so if there are none."""
    if not any(isinstance(each, Paper) for each in view.named.values()):
        remarks.print("There are no papers in this answer to cite.")
    return view.to_bibtex()


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


@contextmanager
def progress(
    title: str, unit: str = "papers", faults: Callable[[], int] = lambda: 0
) -> Iterator[Tick]:
    """Show how far long work is, and how many `faults` there were, while it goes on.

    A terminal has a line that changes; elsewhere a line is written after a pause, and then at
    growing intervals.
    """
    begun = monotonic()
    pause, longest = _PAUSES_IN_JSON if is_json() else _PAUSES
    due = begun + pause

    def write(done: int, total: int | None = None, /) -> None:
        nonlocal pause, due
        now = monotonic()
        if status is None and now < due:
            return
        rate = done / (now - begun) if now > begun else None
        line = f"{title}: {how_far(done, total, unit, rate, faults())}"
        if status:
            status.update(line)
            return
        pause = min(2 * pause, longest)
        due = now + pause
        remark(
            line,
            done=done,
            total=total,
            per_second=None if rate is None else round(rate, 1),
            seconds_left=max(0, round((total - done) / rate)) if total and rate else None,
            problems=faults(),
        )

    is_shown = remarks.is_terminal and not is_json()
    with remarks.status(title) if is_shown else nullcontext() as status:
        yield write
