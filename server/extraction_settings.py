"""How papers are read and extracted, on one machine or on many."""

from collections.abc import Set
from dataclasses import dataclass, field, replace
from hashlib import sha256
from pathlib import Path

from stemma.extract import Extractor, TrainedModel, extractor_fingerprint
from stemma.extract.formats import Options
from stemma.extract.sections.trust import Trust
from stemma.schema import Catalogue
from stemma.schema.text_line import MAX_RECORD_SIZE


@dataclass(frozen=True, slots=True, eq=False)
class ExtractionSettings:
    """How papers are read and extracted.

    `reading` says how files are read. Of the papers in them only those are taken that the file
    `ids` lists, by arXiv ids and DOIs. With `fast`, rules extract alone, without the trained model.
    `catalogue` is that of the extractor; if none is given, a build takes the one that the store
    keeps, and an extraction the shipped one. `trust` says which relations are read from sections.
    `processes` extract at once: None for as many as pay. `model` is another trained model than the
    shipped one.
    """

    reading: Options = field(default_factory=Options)
    ids: Path | None = None
    fast: bool = False
    catalogue: Catalogue | None = None
    trust: Trust | None = None
    processes: int | None = 1
    model: TrainedModel | None = None

    def options(self, wanted: Set[str] | None) -> Options:
        """Return how files are read where only these papers (by their identifiers) are wanted."""
        return replace(self.reading, wanted=wanted)

    def extractor(self) -> Extractor:
        """Return a new extractor."""
        return Extractor(self.catalogue, fast=self.fast, trust=self.trust, model=self.model)

    def fingerprint(self, ids: str | None) -> str:
        """Return what differs where the same file would give other extractions.

        `ids` is what the file of that name lists.
        """
        reading, catalogue = self.reading, self.catalogue
        own = catalogue.fingerprint if catalogue else None
        model = self.model.fingerprint if self.model else None
        extractor = extractor_fingerprint(own, fast=self.fast, model=model)
        result = f"{extractor}/{reading.year or ''}"
        if reading.max_record_size != MAX_RECORD_SIZE:
            result += f"/{reading.max_record_size}"
        if reading.reader:
            result += f"/{reading.reader}"
        if reading.columns:
            result += f"/{sorted(reading.columns.items())}"
        if not reading.full_text:
            result += "/abstracts"
        if self.trust:
            result += f"/{self.trust.fingerprint}"
        if ids is not None:
            result += f"/{sha256(ids.encode()).hexdigest()}"
        return result
