"""The options of how papers are read and extracted, with the settings of the configuration file."""

import re
from collections.abc import Mapping
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from stemma.server.cli.configuration import configured
from stemma.server.cli.options import (
    AbstractsOnlyOption,
    ColumnsOption,
    FastOption,
    IdsOption,
    ProcessesOption,
    YearOption,
    refuse_with_fast,
    trained_model_at,
    with_options,
)
from stemma.server.cli.terminal import warn
from stemma.server.settings import ReadingSettings

if TYPE_CHECKING:
    from stemma.extract.formats import Options
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
_OPTIONS: dict[str, tuple[Any, Any]] = {
    "year": (YearOption, None),
    "processes": (ProcessesOption, None),
    "fast": (FastOption, False),
    "catalogue": (CatalogueOption, None),
    "columns": (ColumnsOption, None),
    "ids": (IdsOption, None),
    "abstracts_only": (AbstractsOnlyOption, False),
}
with_extraction = with_options(_OPTIONS)
"""Adds the options of an extraction to a command, which gives them to `extraction_settings`."""
_NOTHING = "none"
_SIZE = re.compile(r"(\d{1,12})\s*([KMG]?)(?:i?B)?", re.I)
_SHIFTS = {"": 0, "K": 10, "M": 20, "G": 30}


def extraction_settings(
    context: typer.Context,
    *,
    year: int | None,
    processes: int | None,
    fast: bool,
    catalogue: list[str] | None,
    columns: Mapping[str, str] | None,
    ids: Path | None,
    abstracts_only: bool,
) -> "ExtractionSettings":
    """Return the settings of an extraction: options, and those of the configuration file."""
    from stemma.server.extraction_settings import ExtractionSettings  # noqa: PLC0415

    given = configured(context, "build", ReadingSettings)
    trained_model = trained_model_at(given.trained_model) if given.trained_model else None
    refuse_with_fast(fast, trained_model)
    return ExtractionSettings(
        _reading(given, year, columns, abstracts_only),
        ids,
        fast,
        catalogue_with(catalogue),
        _trust(given.sections) if given.sections else None,
        processes,
        trained_model,
    )


def _reading(
    given: ReadingSettings,
    year: int | None,
    columns: Mapping[str, str] | None,
    abstracts_only: bool,
) -> "Options":
    """Return how files are read."""
    from stemma.extract.formats import Options, reader_by_name  # noqa: PLC0415

    try:
        reader = reader_by_name(given.reader).name if given.reader else None
    except ValueError as error:
        raise typer.BadParameter(str(error), param_hint="reader") from error
    return Options(year, _size(given.max_record_size), reader, columns or {}, not abstracts_only)


def max_record_size(context: typer.Context) -> int:
    """Return how many bytes a record may have."""
    return _size(configured(context, "build", ReadingSettings).max_record_size)


def _size(text: str) -> int:
    """Read a number of bytes, with a unit."""
    found = _SIZE.fullmatch(text.strip())
    if not found or not int(found[1]):
        reason = f"{text!r} is not a size, such as 500K, 8M or 1G"
        raise typer.BadParameter(reason, param_hint="max-record-size")
    return int(found[1]) << _SHIFTS[found[2].upper()]


def _trust(file: str) -> "Trust":
    """Read which relations are read from sections."""
    from stemma.extract.sections.trust import Trust  # noqa: PLC0415 - keeps --help quick

    try:
        return Trust.read(Path(file))
    except OSError as error:
        reason = f"{file}: {error.strerror or error}"
        raise typer.BadParameter(reason, param_hint="sections") from error
    except ValueError as error:
        raise typer.BadParameter(str(error), param_hint="sections") from error


def catalogue_with(files: list[str] | None) -> "Catalogue | None":
    """Return the catalogue with what was added; None where none was given.

    Warns of what is not usable. Raises CatalogueError or OSError where a whole file is not.
    """
    if not files:
        return None
    from stemma.schema import Addition, Catalogue  # noqa: PLC0415 - keeps --help quick
    from stemma.schema.catalogue import extended  # noqa: PLC0415

    if files == [_NOTHING]:
        return Catalogue.shipped()
    catalogue, problems = extended(Catalogue.shipped(), [Addition.of(each) for each in files])
    for each in problems:
        warn(each)
    return catalogue
