"""Options that several commands share."""

from enum import StrEnum
from pathlib import Path
from typing import Annotated

import typer

StoreOption = Annotated[
    str,
    typer.Option("--store", "-s", envvar="STEMMA_STORE", help="The store: a folder."),
]
PathsArgument = Annotated[
    list[Path],
    typer.Argument(help="Listings (.txt) and dumps (.jsonl), or folders of them; .gz too."),
]
YearOption = Annotated[
    int | None,
    typer.Option(
        help="The year in which listings were saved, for dates that leave it out.",
        min=1900,
        max=2100,
    ),
]
ProcessesOption = Annotated[
    int, typer.Option("--processes", "-j", min=1, help="How many processes extract.")
]
FastOption = Annotated[
    bool,
    typer.Option("--fast", help="Rules alone, without the trained model: faster, less accurate."),
]


class DataFormat(StrEnum):
    """For people, or for programs."""

    TEXT = "text"
    JSON = "json"


FormatOption = Annotated[
    DataFormat, typer.Option("--format", "-f", help="For people, or for programs.")
]
