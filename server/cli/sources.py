"""The command that tells where the papers of a store come from."""

from collections import defaultdict
from collections.abc import Iterator
from typing import Annotated, NamedTuple

import typer
from rich.table import Table

from stemma.graph import Reader, open_store
from stemma.graph.store import PageOrder, WorkType
from stemma.schema import Paper, Source
from stemma.server.cli.options import DataFormat, FormatOption, StoreOption
from stemma.server.cli.terminal import answers, complain, print_json

_PAGE = 1000


class _Record(NamedTuple):
    source: Source
    paper: Paper


def sources(
    file: Annotated[
        str | None, typer.Argument(help="A file, as the list names it; without it, all files.")
    ] = None,
    store: StoreOption = "stemma.db",
    format: FormatOption = DataFormat.TEXT,
) -> None:
    """List the files that papers come from, or the papers that come from one file.

    Example: `stemma sources`
    """
    with open_store(store) as graph, graph.snapshot() as reader:
        records = defaultdict[str, list[_Record]](list)
        for each in _records(reader):
            records[each.source.file].append(each)
    if file is None:
        _list_files(records, format)
    elif file in records:
        _list_papers(records[file], format)
    else:
        complain(f"no paper comes from {file!r}: `stemma sources` lists the files")
        raise typer.Exit(1)


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


def _list_files(records: dict[str, list[_Record]], format: DataFormat) -> None:
    files = [
        {
            "file": file,
            "records": len(found),
            "papers": len({each.paper.id for each in found}),
            "only_here": len(
                {e.paper.id for e in found if all(s.file == file for s in e.paper.sources)}
            ),
            "sha256": sorted({each.source.sha256 for each in found}),
        }
        for file, found in sorted(records.items())
    ]
    if format is DataFormat.JSON:
        print_json(files)
        return
    table = Table(box=None, pad_edge=False)
    table.add_column("file", overflow="fold")
    for name in ("records", "papers", "in no other file"):
        table.add_column(name, justify="right")
    for each in files:
        counts = (f"{each[name]:,}" for name in ("records", "papers", "only_here"))
        table.add_row(str(each["file"]), *counts)
    answers.print(table)


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
    table = Table(box=None, pad_edge=False)
    table.add_column("line", justify="right")
    table.add_column("paper", overflow="fold")
    table.add_column("date")
    table.add_column("also in", overflow="fold")
    for each in found:
        others = sorted({source.file for source in each.paper.sources} - {each.source.file})
        date = each.source.date
        table.add_row(
            str(each.source.position), each.paper.title, str(date or ""), ", ".join(others)
        )
    answers.print(table)
