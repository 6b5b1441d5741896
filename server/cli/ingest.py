"""Commands that change a store: build, extract, load, remove."""

import gzip
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, TextIO

import typer

from stemma.server.cli.catalogue import CatalogueOption, catalogue_with
from stemma.server.cli.options import (
    DataFormat,
    FastOption,
    FormatOption,
    PathsArgument,
    ProcessesOption,
    StoreOption,
    YearOption,
)
from stemma.server.cli.terminal import answers, complain, print_json, progress, remarks, warn

if TYPE_CHECKING:
    from stemma.server.build import BuildReport

_MOST_RELINKED_SHOWN = 10


def build(
    paths: PathsArgument,
    store: StoreOption = "stemma.db",
    year: YearOption = None,
    processes: ProcessesOption = 1,
    fast: FastOption = False,
    catalogue: CatalogueOption = None,
    format: FormatOption = DataFormat.TEXT,
) -> None:
    """Read papers, extract what they say, and store it.

    What was read before is passed over; what cannot be read is reported, and the rest goes on.

    Example: `stemma build papers/ --store stemma.db`
    """
    from stemma.graph import open_store  # noqa: PLC0415 - each command loads what it needs
    from stemma.server import build as building  # noqa: PLC0415

    known = catalogue_with(catalogue)
    with open_store(store, catalogue=known) as graph, progress("Reading papers") as tick:
        report = building.build(
            graph,
            paths,
            year=year,
            processes=processes,
            fast=fast,
            catalogue=known,
            on_paper=tick,
        )
    _tell(report, graph.url, format)


def extract(
    paths: PathsArgument,
    output: Annotated[
        str, typer.Option("--output", "-o", help="A file of JSON lines (.gz too), or - .")
    ] = "-",
    year: YearOption = None,
    processes: ProcessesOption = 1,
    fast: FastOption = False,
    catalogue: CatalogueOption = None,
) -> None:
    """Read papers and write what they say as JSON lines, without a store.

    Example: `stemma extract papers/ -o out.jsonl`, then `stemma load out.jsonl` elsewhere.
    """
    from stemma.schema import interchange  # noqa: PLC0415
    from stemma.server import build as building  # noqa: PLC0415

    count, known = 0, catalogue_with(catalogue)
    with _writing(output) as lines, progress("Extracting") as tick:
        for found in building.extract(
            paths,
            year=year,
            processes=processes,
            fast=fast,
            catalogue=known,
            on_problem=warn,
        ):
            lines.write(interchange.dump(found) + "\n")
            count += 1
            tick(count)
    remarks.print(f"{count} papers extracted")
    if not count:
        complain("no paper could be read")
        raise typer.Exit(1)


def load(
    files: Annotated[
        list[Path],
        typer.Argument(
            help="What `stemma extract` or `stemma export` wrote, or other RDF; .gz too."
        ),
    ],
    store: StoreOption = "stemma.db",
    catalogue: CatalogueOption = None,
    format: FormatOption = DataFormat.TEXT,
) -> None:
    """Store what `stemma extract` wrote, here or on other machines, or a graph in RDF.

    A graph that `stemma export` wrote as N-Quads or TriG becomes, in an empty store, what it was.
    Into a store that holds papers already, and from other formats, papers are taken and linked
    anew. RDF that was not exported by Stemma is validated first.

    Example: `stemma load out.jsonl --store stemma.db`, or `stemma load graph.nq.gz -s new.db`
    """
    from stemma.graph import open_store  # noqa: PLC0415
    from stemma.server import build as building  # noqa: PLC0415

    known = catalogue_with(catalogue)
    with open_store(store, catalogue=known) as graph, progress("Loading") as tick:
        report = building.load(graph, files, catalogue=known, on_paper=tick)
    _tell(report, graph.url, format)


def remove(
    papers: Annotated[list[str], typer.Argument(help="Titles or ids of papers.")],
    store: StoreOption = "stemma.db",
) -> None:
    """Take papers out of a store, with all that only they said.

    Example: `stemma remove "LoRA: Low-Rank Adaptation of Large Language Models"`
    """
    from stemma.graph import open_store  # noqa: PLC0415
    from stemma.schema.identifier import PAPER  # noqa: PLC0415

    with open_store(store) as graph:
        ids = [graph.resolve(paper) for paper in papers]
        for given, found in zip(papers, ids, strict=True):
            if not found.startswith(PAPER):
                complain(f"{given!r} is an entity, {found}; only papers can be removed")
                raise typer.Exit(1)
        with graph.writer() as writer:
            writer.drop(ids)
            changes = writer.commit()
    for each in changes.removed:
        answers.print(f"removed {each}", markup=False)


def _tell(report: "BuildReport", store: str, format: DataFormat) -> None:
    for problem in report.problems:
        warn(problem)
    changes = report.changes
    if format is DataFormat.JSON:
        print_json(
            {
                "files": report.files,
                "files_known": report.files_known,
                "papers_read": report.papers,
                "papers_extracted": report.extracted,
                "added": sorted(changes.added),
                "updated": sorted(changes.updated),
                "relinked": [
                    {"paper": each.paper, "name": each.name, "from": each.before, "to": each.after}
                    for each in changes.relinked
                ],
                "decided": sorted(changes.decided),
                "problems": [str(problem) for problem in report.problems],
            }
        )
    elif not report.files and report.files_known:
        answers.print(f"Nothing new: all {report.files_known} files are in {store} already.")
        _tell_relinked(report)
    else:
        known = f" ({report.files_known} known already)" if report.files_known else ""
        answers.print(
            f"{report.papers} papers read from {report.files} files{known}: "
            f"[bold]{len(changes.added)} added[/], {len(changes.updated)} updated in {store}."
        )
        _tell_relinked(report)
    if not report.papers and not report.files_known:
        complain("no paper could be read")
        raise typer.Exit(1)


def _tell_relinked(report: "BuildReport") -> None:
    relinked = report.changes.relinked
    for each in relinked[:_MOST_RELINKED_SHOWN]:
        answers.print(
            f"  {each.name}: now {each.after}, was {each.before}, in {each.paper}", markup=False
        )
    if len(relinked) > _MOST_RELINKED_SHOWN:
        answers.print(f"  and {len(relinked) - _MOST_RELINKED_SHOWN} names more mean another now.")
    if decided := report.changes.decided:
        answers.print(f"  Papers whose statements people judged otherwise: {len(decided)}.")


@contextmanager
def _writing(output: str) -> Iterator[TextIO]:
    if output == "-":
        yield sys.stdout
    elif output.endswith(".gz"):
        with gzip.open(output, "wt", encoding="utf-8") as file:
            yield file
    else:
        with Path(output).open("w", encoding="utf-8") as file:
            yield file
