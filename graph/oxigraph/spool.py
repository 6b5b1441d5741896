"""The spool: extractions that wait for a commit, on disk rather than in memory."""

import pickle
from tempfile import TemporaryFile

from stemma.schema import Extraction


class Spool:
    """Takes extractions, and gives them back by the place that it said."""

    def __init__(self) -> None:
        self._file = TemporaryFile()  # noqa: SIM115 - closed with the spool

    def put(self, extraction: Extraction) -> int:
        """Keep an extraction and return its place."""
        place = self._file.seek(0, 2)
        pickle.dump(extraction, self._file, pickle.HIGHEST_PROTOCOL)
        return place

    def get(self, place: int) -> Extraction:
        """Return the extraction at a place."""
        self._file.seek(place)
        extraction: Extraction = pickle.load(self._file)
        return extraction

    def close(self) -> None:
        """Let go of all."""
        self._file.close()
