"""The options of how papers are read and extracted."""

import re
from inspect import signature
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from stemma.schema import Addition, Catalogue
from stemma.schema.catalogue import extended
from stemma.server.cli.options import parser, with_options
from stemma.server.cli.terminal import warn

if TYPE_CHECKING:
    from stemma.extract import TrainedModel
    from stemma.extract.sections.trust import Trust
    from stemma.server.extraction_settings import ExtractionSettings

PathsArgument = Annotated[
    list[Path],
    typer.Argument(
        help="Files in any supported format, also compressed or in archives; folders; - for "
        "standard input."
    ),
]
YearOption = Annotated[
    int | None,
    typer.Option(
        help="The year in which the listings were saved, for dates without a year.",
        min=1900,
        max=2100,
    ),
]


def _columns(text: str) -> dict[str, str]:
    """Read which column holds which field."""
    from stemma.extract.formats.record import COLUMNS  # noqa: PLC0415

    pairs = [part.partition("=") for part in text.split(",")]
    for field, equals, column in pairs:
        if not equals or not column.strip() or field.strip() not in COLUMNS:
            raise ValueError(
                f"{field}{equals}{column} is not FIELD=COLUMN; fields: {', '.join(COLUMNS)}"
            )
    return {field.strip(): column.strip() for field, _, column in pairs}


ProcessesOption = Annotated[
    int | None,
    typer.Option(
        "--processes",
        "-j",
        min=1,
        envvar="STEMMA_PROCESSES",
        help="Number of extraction processes. By default, one per processor (at most 8), or one "
        "for small inputs.",
        show_default=False,
    ),
]


def _trained_model(folder: str) -> "TrainedModel":
    from stemma.extract import TrainedModel  # noqa: PLC0415 - keeps --help quick

    return TrainedModel.read(folder)


TrainedModelOption = Annotated[
    Any,
    typer.Option(
        "--trained-model",
        parser=parser(_trained_model),
        metavar="FOLDER",
        help="Read with a model that you trained, instead of the shipped one.",
    ),
]


CatalogueOption = Annotated[
    list[str] | None,
    typer.Option(
        "--catalogue",
        metavar="FILE",
        help="SKOS file to add to the catalogue (.ttl …); KIND=FILE if it has no kinds. "
        "The store remembers it; `none` removes it.",
    ),
]


def _size(text: str) -> int:
    """Read a number of bytes, with a unit."""
    match = re.fullmatch(r"(\d{1,12})\s*([KMG]?)(?:i?B)?", text.strip(), re.I)
    if not match or not int(match[1]):
        raise ValueError(f"{text!r} is not a size, such as 500K, 8M or 1G")
    return int(match[1]) << {"": 0, "K": 10, "M": 20, "G": 30}[match[2].upper()]


def _reader(text: str) -> str:
    from stemma.extract.formats import reader_by_name  # noqa: PLC0415 - keeps --help quick

    return reader_by_name(text).name


def _trust(file: str) -> "Trust":
    from stemma.extract.sections.trust import Trust  # noqa: PLC0415 - keeps --help quick

    return Trust.read(Path(file))


MaxRecordSizeOption = Annotated[
    int,
    typer.Option(
        parser=parser(_size), hidden=True, help="Skip larger records: bytes, or 500K, 64M."
    ),
]


def extraction_settings(
    year: YearOption = None,
    processes: ProcessesOption = None,
    catalogue: CatalogueOption = None,
    columns: Annotated[
        Any,
        typer.Option(
            parser=parser(_columns),
            metavar="FIELD=COLUMN,…",
            help="Columns of tables or fields of JSON with unusual names, such as "
            "title=Name,abstract=Text.",
        ),
    ] = None,
    ids: Annotated[
        Path | None,
        typer.Option(
            help="Take only the papers whose arXiv id or DOI this file lists, one per line.",
            exists=True,
            dir_okay=False,
        ),
    ] = None,
    abstracts_only: Annotated[
        bool, typer.Option("--abstracts-only", help="Leave out the sections of full texts.")
    ] = False,
    max_record_size: MaxRecordSizeOption = "8M",  # type: ignore[assignment]  # it is parsed
    reader: Annotated[
        str | None,
        typer.Option(
            parser=parser(_reader),
            hidden=True,
            help="Read all files with this reader, instead of the one that recognises each.",
        ),
    ] = None,
    sections: Annotated[
        Any,
        typer.Option(
            parser=parser(_trust),
            hidden=True,
            help="A TOML file with the relations to read from each kind of section.",
        ),
    ] = None,
    trained_model: TrainedModelOption = None,
) -> "ExtractionSettings":
    """Return the settings of an extraction from its options: see `with_extraction`.

    Those that are hidden are for ``stemma.toml``: few people need them, and then always.
    """
    from stemma.extract.formats import Options  # noqa: PLC0415
    from stemma.server.extraction_settings import ExtractionSettings  # noqa: PLC0415

    reading = Options(year, max_record_size, reader, columns or {}, not abstracts_only)
    return ExtractionSettings(
        reading, ids, catalogue_with(catalogue), sections, processes, trained_model
    )


with_extraction = with_options(signature(extraction_settings).parameters.values())
"""Adds the options of an extraction to a command, which gives them to `extraction_settings`."""


def catalogue_with(files: list[str] | None) -> Catalogue | None:
    """Return the catalogue with what was added; None where none was given.

    Warns of what is not usable. Raises CatalogueError or OSError where a whole file is not.
    """
    if not files:
        return None
    if files == ["none"]:
        return Catalogue.shipped()
    catalogue, problems = extended(Catalogue.shipped(), [Addition.of(file) for file in files])
    for problem in problems:
        warn(problem)
    return catalogue
