"""The options of how papers are read and extracted."""

import re
from collections.abc import Mapping
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from stemma.server.cli.options import (
    AbstractsOnlyOption,
    ColumnsOption,
    FastOption,
    IdsOption,
    ProcessesOption,
    TrainedModelOption,
    YearOption,
    refuse_with_fast,
    with_options,
)
from stemma.server.cli.terminal import warn

if TYPE_CHECKING:
    from stemma.extract import TrainedModel
    from stemma.extract.sections.trust import Trust
    from stemma.schema import Catalogue
    from stemma.server.extraction_settings import ExtractionSettings

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
    found = re.fullmatch(r"(\d{1,12})\s*([KMG]?)(?:i?B)?", text.strip(), re.I)
    if not found or not int(found[1]):
        raise typer.BadParameter(f"{text!r} is not a size, such as 500K, 8M or 1G")
    return int(found[1]) << {"": 0, "K": 10, "M": 20, "G": 30}[found[2].upper()]


def _reader(text: str) -> str:
    """Read the name of a reader."""
    from stemma.extract.formats import reader_by_name  # noqa: PLC0415 - keeps --help quick

    try:
        return reader_by_name(text).name
    except ValueError as error:
        raise typer.BadParameter(str(error)) from error


def _trust(file: str) -> "Trust":
    """Read which relations are read from sections."""
    from stemma.extract.sections.trust import Trust  # noqa: PLC0415

    try:
        return Trust.read(Path(file))
    except OSError as error:
        raise typer.BadParameter(f"{file}: {error.strerror or error}") from error
    except ValueError as error:
        raise typer.BadParameter(str(error)) from error


# For stemma.toml: few people need them, and then always.
MaxRecordSizeOption = Annotated[
    int, typer.Option(parser=_size, hidden=True, help="Skip larger records: bytes, or 500K, 64M.")
]
_ReaderOption = Annotated[
    str | None,
    typer.Option(
        parser=_reader,
        hidden=True,
        help="Read all files with this reader, instead of the one that recognises their content.",
    ),
]
_SectionsOption = Annotated[
    Any,
    typer.Option(
        parser=_trust,
        hidden=True,
        help="A TOML file with the relations to read from each kind of section.",
    ),
]
_OPTIONS: dict[str, tuple[Any, Any]] = {
    "year": (YearOption, None),
    "processes": (ProcessesOption, None),
    "fast": (FastOption, False),
    "catalogue": (CatalogueOption, None),
    "columns": (ColumnsOption, None),
    "ids": (IdsOption, None),
    "abstracts_only": (AbstractsOnlyOption, False),
    "max_record_size": (MaxRecordSizeOption, "8M"),
    "reader": (_ReaderOption, None),
    "sections": (_SectionsOption, None),
    "trained_model": (TrainedModelOption, None),
}
with_extraction = with_options(_OPTIONS)
"""Adds the options of an extraction to a command, which gives them to `extraction_settings`."""


def extraction_settings(
    *,
    year: int | None,
    processes: int | None,
    fast: bool,
    catalogue: list[str] | None,
    columns: Mapping[str, str] | None,
    ids: Path | None,
    abstracts_only: bool,
    max_record_size: int,
    reader: str | None,
    sections: "Trust | None",
    trained_model: "TrainedModel | None",
) -> "ExtractionSettings":
    """Return the settings of an extraction that its options give."""
    from stemma.extract.formats import Options  # noqa: PLC0415
    from stemma.server.extraction_settings import ExtractionSettings  # noqa: PLC0415

    refuse_with_fast(fast, trained_model)
    reading = Options(year, max_record_size, reader, columns or {}, not abstracts_only)
    return ExtractionSettings(
        reading, ids, fast, catalogue_with(catalogue), sections, processes, trained_model
    )


def catalogue_with(files: list[str] | None) -> "Catalogue | None":
    """Return the catalogue with what was added; None where none was given.

    Warns of what is not usable. Raises CatalogueError or OSError where a whole file is not.
    """
    if not files:
        return None
    from stemma.schema import Addition, Catalogue  # noqa: PLC0415 - keeps --help quick
    from stemma.schema.catalogue import extended  # noqa: PLC0415

    if files == ["none"]:
        return Catalogue.shipped()
    catalogue, problems = extended(Catalogue.shipped(), [Addition.of(each) for each in files])
    for each in problems:
        warn(each)
    return catalogue
