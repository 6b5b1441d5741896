"""The options of how papers are read and extracted."""

from collections.abc import Mapping
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from stemma.schema.text_line import MAX_RECORD_SIZE
from stemma.server.cli import language_model
from stemma.server.cli.options import (
    AbstractsOnlyOption,
    ColumnsOption,
    FastOption,
    IdsOption,
    MaxRecordSizeOption,
    ProcessesOption,
    ReaderOption,
    SectionsOption,
    TrainedModelOption,
    YearOption,
    refuse_with_fast,
    with_group,
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
_OPTIONS = {
    "year": YearOption,
    "processes": ProcessesOption,
    "fast": FastOption,
    "catalogue": CatalogueOption,
    "max_record_size": MaxRecordSizeOption,
    "reader": ReaderOption,
    "columns": ColumnsOption,
    "ids": IdsOption,
    "abstracts_only": AbstractsOnlyOption,
    "sections": SectionsOption,
    "trained_model": TrainedModelOption,
}
_DEFAULTS = {"fast": False, "max_record_size": MAX_RECORD_SIZE, "abstracts_only": False}
_NOTHING = "none"


def _settings(
    year: int | None,
    processes: int | None,
    fast: bool,
    catalogue: list[str] | None,
    max_record_size: int,
    reader: str | None,
    columns: Mapping[str, str] | None,
    ids: Path | None,
    abstracts_only: bool,
    sections: "Trust | None",
    trained_model: "TrainedModel | None",
    **of_language_model: Any,
) -> "ExtractionSettings":
    from stemma.extract.formats import Options  # noqa: PLC0415 - keeps --help quick
    from stemma.server.extraction_settings import ExtractionSettings  # noqa: PLC0415

    refuse_with_fast(fast, trained_model)
    return ExtractionSettings(
        Options(year, max_record_size, reader, columns or {}, not abstracts_only),
        ids,
        fast,
        catalogue_with(catalogue),
        sections,
        language_model.chosen_language_model(**of_language_model),
        processes,
        trained_model,
    )


with_extraction_settings = with_group(
    "settings",
    _OPTIONS | language_model.OPTIONS,
    _DEFAULTS | language_model.DEFAULTS,
    _settings,
)
"""Adds the options of an extraction to a command, which gets them as `settings`."""


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
