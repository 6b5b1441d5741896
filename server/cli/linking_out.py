"""The command that links a graph to Wikidata, OpenAlex or Papers with Code: link-out."""

import sys
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from stemma.graph import open_store
from stemma.schema import Problem
from stemma.schema.namespace import DATA
from stemma.schema.quantity import quantity
from stemma.server.cli.options import StoreOption
from stemma.server.cli.terminal import complain, progress, remarks, warn
from stemma.server.linking_out import MappingFormat

if TYPE_CHECKING:
    from stemma.server.linking_out.matching import Matcher

_MOST_WARNINGS = 10


def link_out(
    dump: Annotated[
        Path,
        typer.Argument(
            help="A dump, as it is published: JSON lines or an array, compressed or not."
        ),
    ],
    output: Annotated[
        str, typer.Option("--output", "-o", help="A file; - for standard output.")
    ] = "-",
    format: Annotated[
        MappingFormat | None,
        typer.Option(
            "--format",
            "-f",
            help="sssom (a table) or turtle; by default, implied by the file extension.",
        ),
    ] = None,
    min_confidence: Annotated[
        float, typer.Option("--min-confidence", min=0, max=1, help="Leave out less certain links.")
    ] = 0.5,
    store: StoreOption = "stemma.db",
) -> None:
    """Link papers and entities to records of Wikidata, OpenAlex or Papers with Code.

    DUMP is a file that one of them publishes. Papers are linked by arXiv id, DOI or title; entities
    by their names, if the record is of the same kind or names the paper that introduced the entity.
    Each link is a skos:exactMatch with a confidence and a reason, in a mapping set in SSSOM.

    Example: `stemma link-out methods.json.gz -o links.sssom.tsv`

    Example: `stemma link-out latest-all.json.bz2 -o links.ttl --min-confidence 0.8`
    """
    from stemma.server.linking_out.mapping_set import write  # noqa: PLC0415 - keeps --help quick
    from stemma.server.linking_out.matching import Matcher  # noqa: PLC0415

    chosen = format or (MappingFormat.TURTLE if output.endswith(".ttl") else MappingFormat.SSSOM)
    if not dump.is_file():
        complain(f"there is no file {dump}")
        raise typer.Exit(1)
    with open_store(store) as graph, graph.snapshot() as reader:
        matcher = Matcher(reader)
        read = _read(dump, matcher)
        if not read:
            complain("no records could be read")
            raise typer.Exit(1)
        base = reader.dataset.base if reader.dataset else DATA
        matches = list(matcher.matches(min_confidence))
    text = write(matches, base, dump.name, chosen)
    if output == "-":
        sys.stdout.write(text)
    else:
        Path(output).write_text(text, "utf-8")
    papers = sum(each.record.is_paper for each in matches)
    remarks.print(
        f"{quantity(read, 'record')}; {quantity(papers, 'paper')} and "
        f"{quantity(len(matches) - papers, 'entity', 'entities')} linked.",
        markup=False,
    )


def _read(dump: Path, matcher: "Matcher") -> int:
    """Match the records of a dump, and return how many there are."""
    from stemma.extract.formats.document import Document, readable  # noqa: PLC0415
    from stemma.server.linking_out.records import records  # noqa: PLC0415

    count, problems = 0, 0
    with progress("Matching", unit="records", faults=lambda: problems) as tick:
        for each in records(Document(dump, readable(dump.name))):
            if isinstance(each, Problem):
                problems += 1
                if problems <= _MOST_WARNINGS:
                    warn(each)
                continue
            count += 1
            matcher.match(each)
            tick(count)
    if problems > _MOST_WARNINGS:
        more = quantity(problems - _MOST_WARNINGS, "more problem")
        warn(Problem(dump.name, None, more))
    return count
