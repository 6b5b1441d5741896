"""The command that looks at the lineage of a store as a whole: analyse."""

from typing import Annotated

import typer

from stemma.graph import open_store
from stemma.server.cli.options import DataFormat, FormatOption, StoreOption
from stemma.server.cli.terminal import answers, print_json


def analyse(
    top: Annotated[
        int, typer.Option(min=1, max=1000, help="How many works, lines and communities.")
    ] = 10,
    catalogue: Annotated[
        bool, typer.Option(help="Whether to count what no paper here says.")
    ] = True,
    format: FormatOption = DataFormat.TEXT,
    store: StoreOption = "stemma.db",
) -> None:
    """Show the most influential works, the longest lines of descent, communities, and years.

    Influence is PageRank over lineage, each edge by its confidence; communities are found by the
    Louvain method. The same graph always gives the same answer.

    Example: `stemma analyse --top 5 --no-catalogue`
    """
    # Networks are slow to load.
    from stemma.graph.analysis import Analysis  # noqa: PLC0415
    from stemma.server.presentation import analysis as shown  # noqa: PLC0415

    with open_store(store) as graph, graph.snapshot() as reader:
        found = shown.Findings(reader, Analysis(reader, catalogue), top)
    if format is DataFormat.JSON:
        print_json(shown.findings_json(found))
    else:
        for part in shown.findings_text(found):
            answers.print(part)
