"""The options of how papers are read and extracted."""

from collections.abc import Mapping
from pathlib import Path
from typing import TYPE_CHECKING, Any

from stemma.schema.text_line import MAX_RECORD_SIZE
from stemma.server.cli import language_model
from stemma.server.cli.catalogue import CatalogueOption, catalogue_with
from stemma.server.cli.option_group import with_group
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
)

if TYPE_CHECKING:
    from stemma.extract import TrainedModel
    from stemma.extract.sections.trust import Trust
    from stemma.server.extraction_settings import ExtractionSettings

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
