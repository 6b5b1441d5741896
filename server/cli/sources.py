"""The command that lists where the papers of a store come from, and what was wrong there."""

from collections import defaultdict
from collections.abc import Iterable, Iterator
from typing import Annotated, NamedTuple

import typer
from rich.table import Table
from rich.text import Text

from stemma.graph import Reader, open_store
from stemma.graph.selection import PageOrder
from stemma.graph.store import WorkType
from stemma.schema import Paper, Source
from stemma.schema.problem import Faults
from stemma.schema.quantity import quantity
from stemma.server.cli.options import DataFormat, FormatOption, StoreOption
from stemma.server.cli.terminal import answers, complain, print_json

_PAGE = 1000


class _Record(NamedTuple):
    source: Source
    paper: Paper


def sources(
    file: Annotated[
        str | None, typer.Argument(help="A file, by its name or path; by default, all files.")
    ] = None,
    store: StoreOption = "stemma.db",
    format: FormatOption = DataFormat.TEXT,
) -> None:
    """List the files that were read, or the papers and the problems of one file.

    Problems are records that could not be read, or only in part, when the file was last read.

    Example: `stemma sources`
    """
    with open_store(store) as graph, graph.snapshot() as reader:
        faults = reader.faults()
        records = defaultdict[str, list[_Record]](list)
        for each in _records(reader):
            records[each.source.file].append(each)
    for faulty in faults:
        records[faulty]  # also where no paper was read from it
    if file is None:
        _list_files(records, faults, format)
    elif listed := _listed(file, records):
        _list_papers(records[listed], format)
        if format is DataFormat.TEXT and listed in faults:
            _list_faults(faults[listed])
    else:
        complain(f"no papers were read from {file!r}: run `stemma sources` to list the files")
        raise typer.Exit(1)


def _listed(path: str, files: Iterable[str]) -> str | None:
    """Return the file that is meant: it is listed by its path in the folder that was read."""
    whole = f"/{path.removeprefix('./')}"
    found = [each for each in files if whole.endswith(f"/{each}")]
    if found:
        return max(found, key=len)
    longer = [each for each in files if f"/{each}".endswith(whole)]
    return longer[0] if len(longer) == 1 else None


def _records(reader: Reader) -> Iterator[_Record]:
    after: str | None = None
    while True:
        page = reader.page(WorkType.PAPER, order=PageOrder.NAME, after=after, first=_PAGE)
        for work in page.works:
            if isinstance(work, Paper):
                yield from (_Record(source, work) for source in work.sources)
        if not page.has_next:
            return
        after = page.works[-1].id


def _list_files(
    records: dict[str, list[_Record]], faults: dict[str, Faults], format: DataFormat
) -> None:
    files: list[dict[str, object]] = [
        {
            "file": file,
            "records": len(found),
            "papers": len({each.paper.id for each in found}),
            "only_here": len(
                {e.paper.id for e in found if all(s.file == file for s in e.paper.sources)}
            ),
            "sha256": sorted({each.source.sha256 for each in found}),
            **_fault_fields(faults.get(file, Faults())),
        }
        for file, found in sorted(records.items())
    ]
    if format is DataFormat.JSON:
        print_json(files)
        return
    table = Table(box=None, pad_edge=False)
    table.add_column("file", overflow="fold")
    for name in ("records", "papers", "only in this file", "problems"):
        table.add_column(name, justify="right")
    for each in files:
        counts = (f"{each[name]:,}" for name in ("records", "papers", "only_here", "fault_count"))
        name = str(each["file"])
        versions = len({one.source.sha256 for one in records[name]})
        table.add_row(Text(f"{name} ({versions} versions)" if versions > 1 else name), *counts)
    answers.print(table)


def _fault_fields(faults: Faults) -> dict[str, object]:
    return {
        "fault_count": faults.count,
        "records_lost": faults.skipped,
        "faults": [
            {"line": each.line, "reason": each.reason, "record_lost": each.skipped}
            for each in faults.problems
        ],
    }


def _list_faults(faults: Faults) -> None:
    lost = f", {quantity(faults.skipped, 'record')} lost" if faults.skipped else ""
    answers.print(f"\nProblems: {faults.count:,}{lost}")
    for each in faults.problems:
        answers.print(f"  {each}", markup=False)
    if faults.count > len(faults.problems):
        answers.print(f"  and {faults.count - len(faults.problems):,} more")


def _list_papers(found: list[_Record], format: DataFormat) -> None:
    found.sort(key=lambda each: (each.source.position, each.paper.id))
    if format is DataFormat.JSON:
        print_json(
            [
                {
                    "position": each.source.position,
                    "paper": each.paper.id,
                    "title": each.paper.title,
                    "published": each.source.published,
                    "others": sorted({s.file for s in each.paper.sources} - {each.source.file}),
                }
                for each in found
            ]
        )
        return
    if not found:
        answers.print("No papers were read from this file.")
        return
    table = Table(box=None, pad_edge=False)
    table.add_column("line", justify="right")
    table.add_column("paper", overflow="fold")
    table.add_column("date")
    table.add_column("also in", overflow="fold")
    rows = dict[tuple[str, ...], None]()  # versions of a file may say the same
    for each in found:
        others = sorted({source.file for source in each.paper.sources} - {each.source.file})
        date = str(each.source.date or "")
        rows[str(each.source.position), each.paper.title, date, ", ".join(others)] = None
    for cells in rows:
        table.add_row(*map(Text, cells))
    answers.print(table)
