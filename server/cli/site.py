"""The command that writes a static site: site."""

from pathlib import Path
from typing import Annotated

import typer

from stemma.graph import open_store
from stemma.schema.quantity import quantity
from stemma.server.cli.options import StoreOption
from stemma.server.cli.terminal import progress, remarks


def site(
    output: Annotated[Path, typer.Option("--output", "-o", help="A new or empty folder.")],
    force: Annotated[
        bool, typer.Option("--force", help="Replace a site that was written there before.")
    ] = False,
    store: StoreOption = "stemma.db",
) -> None:
    """Write the explorer as a static site, for any web host: pages, family trees, search.

    Example: `stemma site -o public`, then `python -m http.server -d public`
    """
    # What draws and renders is slow to load.
    from stemma.server.web.static_site.site import write_site  # noqa: PLC0415

    with (
        open_store(store) as graph,
        graph.snapshot() as reader,
        progress("Writing", unit="works") as tick,
    ):
        report = write_site(reader, output, tick, replace=force)
    remarks.print(
        f"{quantity(report.pages, 'page')} (including {quantity(report.trees, 'family tree')}) "
        f"written to {output} in {report.seconds:,.0f} s: {quantity(report.files, 'file')}, "
        f"{report.bytes / 1e6:,.1f} MB, the largest {report.largest / 1e3:,.0f} kB.",
        markup=False,
    )
    remarks.print(f"Open {output / 'index.html'} in a browser.", markup=False)
