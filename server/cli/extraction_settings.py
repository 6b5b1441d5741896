"""The options of how papers are read and extracted, with the settings of the configuration file."""

import re
import sqlite3
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from stemma.distribution import install
from stemma.server.cli.configuration import configured
from stemma.server.cli.options import (
    AbstractsOnlyOption,
    ColumnsOption,
    FastOption,
    IdsOption,
    LanguageModelOption,
    ProcessesOption,
    YearOption,
    refuse_with_fast,
    trained_model_at,
    with_options,
)
from stemma.server.cli.terminal import complain, warn
from stemma.server.settings import LanguageModelSettings, ReadingSettings

if TYPE_CHECKING:
    from stemma.extract.formats import Options
    from stemma.extract.language_model import LanguageModel
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
    "llm": (LanguageModelOption, False),
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
    llm: bool,
) -> "ExtractionSettings":
    """Return the settings of an extraction: options, and those of the configuration file."""
    from stemma.extract.sections.trust import Trust  # noqa: PLC0415 - keeps --help quick
    from stemma.server.extraction_settings import ExtractionSettings  # noqa: PLC0415

    given = configured(context, "build", ReadingSettings)
    trained_model = trained_model_at(given.trained_model) if given.trained_model else None
    refuse_with_fast(fast, trained_model)
    return ExtractionSettings(
        _reading(given, year, columns, abstracts_only),
        ids,
        fast,
        catalogue_with(catalogue),
        _from_file(Trust.read, given.sections, "sections") if given.sections else None,
        language_model(context) if llm else None,
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


def _from_file(read: Callable[[Path], Any], file: str, name: str) -> Any:
    """Read the file that a setting names."""
    try:
        return read(Path(file))
    except OSError as error:
        reason = f"{file}: {error.strerror or error}"
        raise typer.BadParameter(reason, param_hint=name) from error
    except ValueError as error:
        raise typer.BadParameter(str(error), param_hint=name) from error


def language_model(context: typer.Context) -> "LanguageModel":
    """Return the language model of the table ``[llm]``."""
    from stemma.extract import fetching  # noqa: PLC0415 - keeps --help quick
    from stemma.extract.language_model import (  # noqa: PLC0415
        Answers,
        Confidences,
        LanguageModel,
        default_cache,
    )

    given = configured(context, "llm", LanguageModelSettings)
    if not given.url.startswith(("http://", "https://")) or not given.model:
        raise typer.BadParameter(
            "needs `url` (beginning with http:// or https://) and `model` in the table [llm] of "
            "stemma.toml",
            param_hint="--llm",
        )
    if not fetching.is_installed():
        complain(f"a language model needs httpx: {install('llm')}")
        raise typer.Exit(2)
    cache = Path(given.cache) if given.cache else default_cache()
    try:
        Answers(cache).close()
    except (sqlite3.Error, OSError) as error:
        raise typer.BadParameter(f"{cache}: {error}", param_hint="cache") from error
    sure = Confidences()
    if given.confidence:
        sure = _from_file(Confidences.read, given.confidence, "confidence")
    return LanguageModel(given.url, given.model, given.requests, given.timeout, cache, sure)


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
