"""How papers are read and extracted, on one machine or on many."""

from dataclasses import dataclass, field
from hashlib import sha256
from pathlib import Path

from stemma.extract import Extractor, TrainedModel
from stemma.extract.formats import Options
from stemma.extract.sections.trust import Trust
from stemma.schema import Catalogue


@dataclass(frozen=True, slots=True, eq=False)
class ExtractionSettings:
    """How papers are read and extracted.

    `reading` says how files are read. Of the papers in them only those are taken that the file
    `ids` lists, by arXiv ids and DOIs.
    `catalogue` is that of the extractor; if none is given, a build takes the one that the store
    keeps, and an extraction the shipped one. `trust` says which relations are read from sections.
    `processes` extract at once: None for as many as pay. `model` is another trained model than the
    shipped one.
    """

    reading: Options = field(default_factory=Options)
    ids: Path | None = None
    catalogue: Catalogue | None = None
    trust: Trust | None = None
    processes: int | None = 1
    model: TrainedModel | None = None

    def extractor(self) -> Extractor:
        """Return a new extractor."""
        return Extractor(self.catalogue, trust=self.trust, model=self.model)

    def fingerprint(self, ids: str | None) -> str:
        """Return a hash of all settings that change the extractions of a file.

        `ids` is what the file of that name lists.
        """
        reading = self.reading
        decisive = (
            self.extractor().fingerprint,
            reading.year,
            reading.max_record_size,
            reading.reader,
            sorted(reading.columns.items()),
            reading.full_text,
            ids,
        )
        return sha256(repr(decisive).encode()).hexdigest()
