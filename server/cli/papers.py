"""The command that lists papers."""

import typer

from stemma.graph import Selection, open_store
from stemma.graph.searching import papers_page
from stemma.graph.selection import PAPERS
from stemma.server.cli import text as texts
from stemma.server.cli.options import EVERY, AllOption, DataFormat, FormatOption, StoreOption
from stemma.server.cli.selection import with_selection
from stemma.server.cli.terminal import answers, complain, print_json, remark_of_more, remarks
from stemma.server.views.page import PageView

_FILTERS = [name for name in PAPERS if name not in ("entity", "relations")]


@with_selection(
    (*_FILTERS, "first", "after"),
    {"first": "Maximum number of papers.", "text": "Text that the title contains."},
    first=20,
)
def papers(
    selection: Selection,
    store: StoreOption = "stemma.db",
    every: AllOption = False,
    format: FormatOption = DataFormat.TEXT,
) -> None:
    """List papers, oldest first: of an author, an organization or a venue, or by citations.

    Example: `stemma papers --author "Tri Dao" --since 2023`
    """
    author = selection.author
    with open_store(store) as graph, graph.snapshot() as reader:
        namesakes = reader.people_called(author) if author else []
        if author is not None and not namesakes:
            complain(f"no author in this graph is called {author!r}: give the full name, or an id")
            raise typer.Exit(1)
        page = papers_page(reader, selection.changed(first=EVERY) if every else selection)
        found = PageView.of_works(reader, page)
    if format is DataFormat.JSON:
        print_json(found.to_json())
        return
    if len(namesakes) > 1:
        listed = ", ".join(each.id for each in namesakes)
        remarks.print(
            f"{author!r} matches {len(namesakes)} authors; showing papers by all of them: {listed}",
            markup=False,
        )
    if found.nodes:
        answers.print(texts.papers_table(found.nodes), crop=False)
    else:
        remarks.print(f"No matching papers in {graph.url}.", markup=False)
    remark_of_more(found)
