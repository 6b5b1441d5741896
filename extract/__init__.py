"""Papers in, statements out: the reading of listings and the extraction of entities and relations.

Importing this room is cheap; spaCy is loaded by the first extraction.
"""

from stemma.extract.extractor import Extractor
from stemma.extract.fingerprint import extractor_fingerprint

__all__ = ["Extractor", "extractor_fingerprint"]
