"""Commands that change a store: build, extract, load, remove."""

import sys
from collections.abc import Iterable, Iterator, Mapping
from itertools import chain
from pathlib import Path
from typing import Annotated, Any

import typer

from stemma.graph import open_store, searching
from stemma.schema import Extraction, Paper, interchange
from stemma.schema.name import PAPER
from stemma.schema.quantity import quantity
from stemma.server.build_report import BuildReport
from stemma.server.cli.extraction_settings import (
    CatalogueOption,
    MaxRecordSizeOption,
    PathsArgument,
    catalogue_with,
    extraction_settings,
    with_extraction,
)
from stemma.server.cli.options import (
    BaseOption,
    DataFormat,
    ReportOption,
    StoreOption,
    VerboseOption,
)
from stemma.server.cli.terminal import (
    answers,
    complain,
    is_json,
    print_json,
    progress,
    remark,
    warn_of,
    write_json,
)
from stemma.worker_pool import stoppable

_MOST_SKIPPED = 3


@with_extraction
def build(
    paths: PathsArgument,
    store: StoreOption = "stemma.db",
    again: Annotated[
        bool,
        typer.Option(
            "--again",
            help="Also read files that were read before, for example to add papers again that were "
            "removed.",
        ),
    ] = False,
    base: BaseOption = None,
    push: Annotated[
        str | None, typer.Option(metavar="URL", help="Then push the graph to this Neo4j database.")
    ] = None,
    verbose: VerboseOption = False,
    format: ReportOption = DataFormat.TEXT,
    **extraction: Any,
) -> None:
    """Read papers, extract their statements, and store them.

    Files that were read before are skipped, also if papers of them were removed. What cannot be
    read is reported, and the rest is read.

    Example: `stemma build papers/ --store stemma.db`
    """
    from stemma.server import build as building  # noqa: PLC0415 - each command loads what it needs

    settings, report = extraction_settings(**extraction), BuildReport()
    write_json(format is DataFormat.JSON)
    try:
        with (
            open_store(store, base, settings.catalogue) as graph,
            progress("Building", "records", lambda: report.faults) as tick,
            stoppable(lambda: remark("Stopping: what was read is being stored.")),
        ):
            building.build(graph, paths, settings, again=again, report=report, on_progress=tick)
    except KeyboardInterrupt:
        stored = quantity(len(report.added | report.updated), "paper")
        remark(f"Stopped, with {stored} stored in {store}. The same command continues.")
        raise
    _print_report(report, graph.url, format, verbose)
    if push:
        from stemma.server.cli.exporting import account, push_to  # noqa: PLC0415

        remark(account(push_to(push, store)))


@with_extraction
def extract(
    paths: PathsArgument,
    output: Annotated[
        str,
        typer.Option(
            "--output", "-o", help="A file of JSON lines, optionally .gz; - for standard output."
        ),
    ] = "-",
    verbose: VerboseOption = False,
    format: ReportOption = DataFormat.TEXT,
    **extraction: Any,
) -> None:
    """Read papers and write their extractions as JSON lines, without a store.

    Example: `stemma extract papers/ -o out.jsonl`, then `stemma load out.jsonl` on another machine.
    """
    from stemma.server import build as building  # noqa: PLC0415 - each command loads what it needs

    settings = extraction_settings(**extraction)
    write_json(format is DataFormat.JSON)
    report = BuildReport()
    _check(output, paths)
    extracting = progress("Extracting", "papers", lambda: report.faults)
    with stoppable(lambda: remark("Stopping.")), extracting as tick:
        extractions = building.extract(paths, settings, report=report, on_progress=tick)
        _write(extractions, output)
    account = report.account_of_extraction()
    _say_outcome(account, report, verbose)
    if format is DataFormat.TEXT:
        remark(account)
    if not report.extracted:
        complain("no papers could be read")
        raise typer.Exit(1)


def load(
    files: Annotated[
        list[Path],
        typer.Argument(
            help="Files of `stemma extract` (optionally .gz), folders of them, or - for standard "
            "input."
        ),
    ],
    store: StoreOption = "stemma.db",
    base: BaseOption = None,
    catalogue: CatalogueOption = None,
    verbose: VerboseOption = False,
    max_record_size: MaxRecordSizeOption = "8M",  # type: ignore[assignment]  # it is parsed
    format: ReportOption = DataFormat.TEXT,
) -> None:
    """Store extractions from `stemma extract`, linked with the papers in the store.

    Example: `stemma load out.jsonl --store stemma.db`
    """
    from stemma.server import build as building  # noqa: PLC0415

    write_json(format is DataFormat.JSON)
    report = BuildReport()
    loading = progress("Loading", "records", lambda: report.faults)
    with open_store(store, base, catalogue_with(catalogue)) as graph, loading as tick:
        building.load(
            graph, files, max_record_size=max_record_size, report=report, on_progress=tick
        )
    _print_report(report, graph.url, format, verbose)


def remove(
    papers: Annotated[list[str], typer.Argument(help="Titles or ids of papers.")],
    store: StoreOption = "stemma.db",
) -> None:
    """Remove papers, and facts that only they support.

    `stemma build --again` adds them again, as their files have them then.

    Example: `stemma remove "LoRA: Low-Rank Adaptation of Large Language Models"`
    """
    with open_store(store) as graph:
        with graph.snapshot() as reader:
            ids = [reader.resolve(paper) for paper in papers]
            named = {id_: searching.papers_named(reader, id_) for id_ in ids}
        for given, id_ in zip(papers, ids, strict=True):
            if not id_.startswith(PAPER):
                those = " and ".join(paper for paper in named[id_] if paper != id_)
                hint = f": it is introduced by {those}" if those else ""
                complain(f"{given!r} is an entity, {id_}; only papers can be removed{hint}")
                raise typer.Exit(1)
        with graph.writer() as writer:
            writer.drop(ids)
            changes = writer.commit()
    for paper in changes.removed:
        answers.print(f"removed {paper}")


def _print_report(report: BuildReport, store: str, format: DataFormat, verbose: bool) -> None:
    account = report.account(store)
    _say_outcome(account, report, verbose)
    if format is DataFormat.JSON:
        print_json(_json(report))
    else:
        answers.print(account)
        for use in report.changes.relinked if verbose else ():
            answers.print(f"  {use.name}: now {use.after}, was {use.before}, in {use.paper}")
        for paper in report.changes.decided if verbose else ():
            answers.print(f"  {paper}: decisions on its statements changed")
    if not report.papers and not report.files_known:
        complain("no papers could be read")
        raise typer.Exit(1)


def _json(report: BuildReport) -> dict[str, object]:
    changes = report.changes
    return {
        **_metrics(report),
        "papers_read": report.papers,
        "added": sorted(report.added),
        "updated": sorted(report.updated),
        "unchanged": report.unchanged,
        "relinked": [
            {"paper": use.paper, "name": use.name, "from": use.before, "to": use.after}
            for use in changes.relinked
        ],
        "decided": sorted(changes.decided),
        "problems": [str(problem) for problem in report.problems],
        "more_problems": [
            {"file": file, "count": count, "like": kind}
            for (file, kind), count in report.more_problems.items()
        ],
    }


def _say_outcome(message: str, report: BuildReport, verbose: bool) -> None:
    """Say what went wrong; and, for programs, what the work came to, as `message` does."""
    warn_of(report, verbose or is_json())
    if titles := report.without_abstract:
        papers = quantity(report.papers - report.duplicates, "paper")
        remark(
            f"No abstract in {titles:,} of {papers}: only titles were read. `stemma fetch --ids "
            "FILE` fetches abstracts by the DOIs and arXiv ids in a file, such as a library."
        )
    if is_json():
        remark(message, **_metrics(report))
        return
    if skipped := report.files_skipped:
        shown = skipped if verbose else skipped[:_MOST_SKIPPED]
        more = f" and {len(skipped) - len(shown):,} more (--verbose lists all)"
        remark(
            f"{quantity(len(skipped), 'file')} skipped, no paper by its content, or part of LaTeX "
            f"source: {', '.join(shown)}{more * (len(shown) < len(skipped))}"
        )


def _metrics(report: BuildReport) -> Mapping[str, Any]:
    """Return what a build counted."""
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
    }


def _check(output: str, paths: Iterable[Path]) -> None:
    """Refuse a file that cannot be written, or that holds papers which are to be read."""
    from stemma.extract import formats  # noqa: PLC0415 - each command loads what it needs

    if output == "-":
        return
    path = Path(output)
    whole, reason = path.resolve(), ""
    is_input = whole.is_file() and any(whole.is_relative_to(path.resolve()) for path in paths)
    if path.is_dir():
        reason = f"{output} is a folder: name a file in it"
    elif not path.parent.is_dir():
        reason = f"there is no folder {path.parent}: create it first"
    elif is_input and any(isinstance(reading, Paper) for reading in formats.read(whole, path.name)):
        reason = f"{output} is one of the files to read: choose another name"
    if reason:
        raise typer.BadParameter(reason, param_hint="--output")


def _write(extractions: Iterator[Extraction], output: str) -> None:
    """Write extractions as JSON lines; a file appears when it is complete.

    If there are none, a file of that name stays as it is.
    """
    from stemma.graph.export.destination import write_files  # noqa: PLC0415 - rarely needed

    first = next(extractions, None)
    if first is None:
        return
    every, path = chain([first], extractions), Path(output)
    lines = (f"{interchange.dump(extraction)}\n".encode() for extraction in every)
    if output == "-":
        sys.stdout.buffer.writelines(lines)
    elif path.exists() and not path.is_file():  # such as a pipe
        with path.open("wb") as file:
            file.writelines(lines)
    else:
        write_files([(path, lines)], replace=True)
