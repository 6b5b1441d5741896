"""What a build, an extraction or a load says on stderr in the end."""

import resource
import sys
from collections import defaultdict
from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any

from stemma.schema.quantity import quantity
from stemma.server.cli.terminal import is_json, remark, warn_of

if TYPE_CHECKING:
    from stemma.server.build_report import BuildReport

_MOST_SKIPPED = 3
_IN_LATEX = {
    "tex": "beside the main file of LaTeX source (name one to read it as a paper)",
    "pdf": "figures and other PDFs beside LaTeX source (name one to read it as a paper)",
    "bib": "bibliographies of LaTeX source (name one to read it as papers)",
}
"""Why files are skipped that belong to the source of a paper, by the ending of their names."""
_MIB = 1 << (10 if sys.platform != "darwin" else 20)  # The unit of ru_maxrss differs.


def say_outcome(message: str, report: "BuildReport", verbose: bool) -> None:
    """Say what went wrong; and, for programs, what the work came to, as `message` does."""
    warn_of(report, verbose or is_json())
    if report.without_abstract:
        remark(report.without_abstract)
    if is_json():
        remark(message, **metrics(report))
        return
    files = defaultdict[str, list[str]](list)
    for each in report.files_skipped:
        ending = each.casefold().rpartition(".")[2]
        files[ending if ending in _IN_LATEX else ""].append(each)
    for ending, reason in {"": "not in a supported format", **_IN_LATEX}.items():
        if files[ending]:
            remark(_skipped(files[ending], reason, verbose))
    if verbose:
        stages = (f"{name} {seconds:,.1f} s" for name, seconds in report.stages.seconds.items())
        remark(", ".join((*stages, f"peak memory {peak_memory():,} MiB")))


def _skipped(files: Sequence[str], reason: str, verbose: bool) -> str:
    """Name the files that were skipped, all of them if asked to."""
    shown = files if verbose else files[:_MOST_SKIPPED]
    more = f" and {len(files) - len(shown):,} more (--verbose lists all)"
    counted = quantity(len(files), "file")
    return (
        f"{counted} skipped, {reason}: {', '.join(shown)}{more if len(shown) < len(files) else ''}"
    )


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
