"""The command that lists papers by who wrote them, where they appeared, and what they cite."""

from typing import Annotated

import typer

from stemma.graph import open_store
from stemma.graph.criteria import Years
from stemma.graph.provenance import provenance_named
from stemma.graph.searching import papers_page
from stemma.server.cli.options import (
    EVERY,
    AfterOption,
    AllOption,
    DataFormat,
    FormatOption,
    StoreOption,
)
from stemma.server.cli.terminal import answers, complain, print_json, remark_of_more, remarks
from stemma.server.presentation import data
from stemma.server.presentation import text as texts


def papers(
    author: Annotated[
        str | None,
        typer.Option(help="Only papers by this author: a name, an id or an ORCID."),
    ] = None,
    organization: Annotated[
        str | None,
        typer.Option(help="Only papers from an organization whose name has these words."),
    ] = None,
    venue: Annotated[
        str | None,
        typer.Option(
            help="Only papers in a journal, conference or book whose name has these words."
        ),
    ] = None,
    cites: Annotated[
        str | None,
        typer.Option(
            help="Only papers that cite this paper, or a paper that introduces this entity."
        ),
    ] = None,
    cited_by: Annotated[
        str | None,
        typer.Option(
            help="Only papers cited by this paper, or by a paper that introduces this entity."
        ),
    ] = None,
    text: Annotated[
        str | None, typer.Option(help="Only papers whose title contains this text.")
    ] = None,
    since: Annotated[int | None, typer.Option(help="First year.")] = None,
    until: Annotated[int | None, typer.Option(help="Last year.")] = None,
    store: StoreOption = "stemma.db",
    first: Annotated[int, typer.Option(min=1, help="Maximum number of papers.")] = 20,
    after: AfterOption = None,
    every: AllOption = False,
    format: FormatOption = DataFormat.TEXT,
) -> None:
    """List papers, oldest first: of an author, an organization or a venue, or by citations.

    Example: `stemma papers --author "Tri Dao" --since 2023`
    """
    with open_store(store) as graph, graph.snapshot() as reader:
        namesakes = reader.people_called(author) if author else []
        if author is not None and not namesakes:
            complain(f"no author in this graph is called {author!r}: give the full name, or an id")
            raise typer.Exit(1)
        provenance = provenance_named(reader, author, organization, venue, cites, cited_by)
        found = papers_page(
            reader, provenance, text, Years(since, until), EVERY if every else first, after
        )
    if format is DataFormat.JSON:
        print_json(data.found_json(found))
        return
    if len(namesakes) > 1:
        listed = ", ".join(each.id for each in namesakes)
        remarks.print(
            f"{author!r} matches {len(namesakes)} authors; showing papers by all of them: {listed}",
            markup=False,
        )
    if found.works:
        answers.print(texts.papers_table(found.works), crop=False)
    else:
        remarks.print(f"No matching papers in {graph.url}.", markup=False)
    remark_of_more(found)
