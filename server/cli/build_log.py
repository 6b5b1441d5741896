"""The log of a build, an extraction or a load: lines for people, or JSON lines, on stderr."""

import logging
import resource
import sys
from collections import defaultdict
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import AbstractContextManager, contextmanager, nullcontext
from typing import TYPE_CHECKING, Any

import typer

from stemma.schema.quantity import quantity
from stemma.server.cli.failure import explained
from stemma.server.cli.options import DataFormat
from stemma.server.cli.terminal import (
    SparseProgress,
    Tick,
    complain,
    how_far,
    progress,
    remarks,
    warn_of,
)

if TYPE_CHECKING:
    from stemma.server.build_report import BuildReport

_FIRST_AFTER, _LONGEST_PAUSE = 1.0, 10.0
"""Seconds until the first line of progress in JSON, and at most between two."""
_MOST_SKIPPED = 3
_IN_LATEX = {
    "tex": "beside the main file of LaTeX source (name one to read it as a paper)",
    "pdf": "figures and other PDFs beside LaTeX source (name one to read it as a paper)",
    "bib": "bibliographies of LaTeX source (name one to read it as papers)",
}
"""Why files are skipped that belong to the source of a paper, by the ending of their names."""
_MIB = 1 << (10 if sys.platform != "darwin" else 20)  # The unit of ru_maxrss differs.


class BuildLog:
    """Says how far work is, what was wrong, and what it came to: in lines for people."""

    def progress(
        self, title: str, unit: str, faults: Callable[[], int]
    ) -> AbstractContextManager[Tick]:
        """Show how far work is as long as it goes on."""
        return progress(title, unit, faults)

    def remark(self, message: str) -> None:
        """Say something about the work as a whole."""
        remarks.print(message, markup=False)

    def error(self, message: str) -> None:
        """Say why the work failed."""
        complain(message)

    def failures(self) -> AbstractContextManager[None]:
        """Say why, where an error that a user can fix ends the work."""
        return nullcontext()  # as all commands do

    def finished(self, message: str, report: "BuildReport", verbose: bool) -> None:
        """Say what went wrong; and, for programs, what the work came to, as `message` does."""
        warn_of(report, verbose)
        if report.without_abstract:
            remarks.print(report.without_abstract, markup=False)
        files = defaultdict[str, list[str]](list)
        for each in report.files_skipped:
            ending = each.casefold().rpartition(".")[2]
            files[ending if ending in _IN_LATEX else ""].append(each)
        for ending, reason in {"": "not in a supported format", **_IN_LATEX}.items():
            if files[ending]:
                remarks.print(_skipped(files[ending], reason, verbose), markup=False)
        if verbose:
            stages = (f"{name} {seconds:,.1f} s" for name, seconds in report.stages.seconds.items())
            memory = f"peak memory {peak_memory():,} MiB"
            remarks.print(", ".join((*stages, memory)), markup=False)


def _skipped(files: Sequence[str], reason: str, verbose: bool) -> str:
    """Name the files that were skipped, all of them if asked to."""
    shown = files if verbose else files[:_MOST_SKIPPED]
    more = f" and {len(files) - len(shown):,} more (--verbose lists all)"
    counted = quantity(len(files), "file")
    return (
        f"{counted} skipped, {reason}: {', '.join(shown)}{more if len(shown) < len(files) else ''}"
    )


class _JsonLog(BuildLog):
    def __init__(self) -> None:
        from stemma.server.http.log import JsonFormatter  # noqa: PLC0415 - only this needs it

        handler = logging.StreamHandler(sys.stderr)
        handler.setFormatter(JsonFormatter())
        self._log = logging.Logger("stemma.build")
        self._log.addHandler(handler)

    @contextmanager
    def progress(self, title: str, unit: str, faults: Callable[[], int]) -> Iterator[Tick]:
        def write(done: int, total: int | None, rate: float | None) -> None:
            left = (total - done) / rate if total and rate else None
            self._write(
                f"{title}: {how_far(done, total, unit, rate, faults())}",
                done=done,
                total=total,
                per_second=None if rate is None else round(rate, 1),
                seconds_left=None if left is None else round(max(0.0, left)),
                problems=faults(),
            )

        yield SparseProgress(write, first_after=_FIRST_AFTER, longest_pause=_LONGEST_PAUSE)

    def remark(self, message: str) -> None:
        self._write(message)

    def error(self, message: str) -> None:
        self._log.error(message)

    @contextmanager
    def failures(self) -> Iterator[None]:
        try:
            yield
        except Exception as error:
            told = explained(error)
            if told is None:
                raise
            reason, status = told
            self.error(reason)
            raise typer.Exit(status) from error

    def finished(self, message: str, report: "BuildReport", verbose: bool) -> None:
        for problem in report.problems:
            facts = {"file": problem.file, "line": problem.line, "record_lost": problem.skipped}
            self._log.warning(str(problem), extra={"facts": {**facts, "reason": problem.reason}})
        for (file, kind), count in report.more_problems.items():
            self._log.warning(
                f"{file}: {quantity(count, 'more problem')}: {kind}",
                extra={"facts": {"file": file, "more": count}},
            )
        if report.without_abstract:
            self._write(report.without_abstract)
        self._write(message, **metrics(report))

    def _write(self, message: str, **facts: Any) -> None:
        self._log.info(message, extra={"facts": facts})


def build_log(format: DataFormat) -> BuildLog:
    """Return the log in a format."""
    return _JsonLog() if format is DataFormat.JSON else BuildLog()


def metrics(report: "BuildReport") -> Mapping[str, Any]:
    """Return the metrics of a build: counts, seconds by stage, and the peak memory in MiB."""
    return {
        "files": report.files,
        "files_known": report.files_known,
        "files_skipped": len(report.files_skipped),
        "records_read": report.records,
        "papers_extracted": report.extracted,
        "added": len(report.added),
        "updated": len(report.updated),
        "duplicates": report.duplicates,
        "skipped": report.skipped,
        "problems": report.faults,
        "seconds": {name: round(own, 2) for name, own in report.stages.seconds.items()},
        "peak_memory_mib": peak_memory(),
    }


def peak_memory() -> int:
    """Return the most memory, in MiB, that this process or one that it started ever had."""
    usage = (resource.getrusage(each) for each in (resource.RUSAGE_SELF, resource.RUSAGE_CHILDREN))
    return round(max(each.ru_maxrss for each in usage) / _MIB)
