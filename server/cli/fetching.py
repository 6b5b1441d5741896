"""The command that fetches papers over the network: fetch."""

from importlib.util import find_spec
from pathlib import Path
from typing import Annotated

import typer

from stemma.distribution import install
from stemma.schema.quantity import quantity
from stemma.server.cli.terminal import answers, complain, progress, remark, warn


def fetch(
    papers: Annotated[
        list[str] | None,
        typer.Argument(metavar="[ID]...", help="arXiv ids, DOIs, or addresses of either."),
    ] = None,
    output: Annotated[
        Path, typer.Option("--output", "-o", dir_okay=False, help="The file to write or append to.")
    ] = Path("fetched.jsonl"),
    ids: Annotated[
        Path | None,
        typer.Option(
            help="A file with arXiv ids and DOIs: a list, a note with links, BibTeX, CSV …",
            exists=True,
            dir_okay=False,
        ),
    ] = None,
    search: Annotated[
        str | None, typer.Option(help="A query of arXiv's API, such as 'cat:cs.LG AND ti:kiln'.")
    ] = None,
    most: Annotated[
        int, typer.Option("--max", min=1, max=30_000, help="Maximum number of papers of a search.")
    ] = 100,
    mailto: Annotated[
        str | None,
        typer.Option(
            envvar="STEMMA_MAILTO",
            show_envvar=True,
            help="Your e-mail address, as a contact for the services.",
        ),
    ] = None,
) -> None:
    """Fetch papers from arXiv and OpenAlex, over the network.

    Papers that the output has are not fetched again: after Ctrl-C, the same command resumes.

    Example: `stemma fetch arxiv:2104.07857 -o fetched.jsonl`, then `stemma build fetched.jsonl`
    """
    from stemma.extract.formats import Document  # noqa: PLC0415 - each command loads what it needs
    from stemma.extract.formats.link import as_identifier  # noqa: PLC0415
    from stemma.server.requested_papers import identifiers_in  # noqa: PLC0415

    if not find_spec("httpx"):
        complain(f"fetching needs httpx: {install('fetch')}")
        raise typer.Exit(2)
    from stemma.extract import web_services  # noqa: PLC0415 - needs httpx

    wanted = []
    for paper in papers or []:
        if not (identifier := as_identifier(paper)):
            raise typer.BadParameter(f"neither an arXiv id nor a DOI: {paper}", param_hint="ID")
        wanted.append(identifier)
    report = web_services.FetchReport()
    if ids:
        document = Document(ids, ids.name)
        wanted += (listed := dict.fromkeys(identifiers_in(document)))
        report.problems += document.problems
        remark(f"{quantity(len(listed), 'arXiv id or DOI', 'arXiv ids and DOIs')} in {ids}")
    if not wanted and not search:
        raise typer.BadParameter("nothing to fetch: specify an ID, --ids or --search")
    stopped = False
    try:
        with progress("Fetching") as tick:
            web_services.fetch(
                wanted, output, report, tick, search=search, most=most, mailto=mailto
            )
    except ValueError as error:
        complain(str(error))
        raise typer.Exit(2) from error
    except KeyboardInterrupt:
        stopped = True
    for problem in report.problems:
        warn(problem)
    words = {"known": "already there", "missing": "not found", "left": "remaining"}
    counts = (f"{n:,} {word}" for name, word in words.items() if (n := getattr(report, name)))
    answers.print(f"{', '.join((f'{report.fetched:,} fetched', *counts))}: {output}")
    if stopped or report.left:
        complain("not all papers were fetched; run the same command again to resume")
        raise typer.Exit(1)
