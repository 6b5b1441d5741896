"""The option that adds SKOS to the catalogue: ``--catalogue``."""

from typing import TYPE_CHECKING, Annotated

import typer

from stemma.server.cli.terminal import warn

if TYPE_CHECKING:
    from stemma.schema import Catalogue

CatalogueOption = Annotated[
    list[str] | None,
    typer.Option(
        "--catalogue",
        metavar="FILE",
        help="SKOS file to add to the catalogue (.ttl …); KIND=FILE if it has no kinds. "
        "The store remembers it; `none` removes it.",
    ),
]
NOTHING = "none"


def catalogue_with(files: list[str] | None) -> "Catalogue | None":
    """Return the catalogue with what was added; None where none was given.

    Warns of what is not usable. Raises CatalogueError or OSError where a whole file is not.
    """
    if not files:
        return None
    from stemma.schema import Addition, Catalogue  # noqa: PLC0415 - keeps --help quick
    from stemma.schema.catalogue import extended  # noqa: PLC0415

    if files == [NOTHING]:
        return Catalogue.shipped()
    catalogue, problems = extended(Catalogue.shipped(), [Addition.of(each) for each in files])
    for each in problems:
        warn(each)
    return catalogue
