"""Records of papers: what was read in them, in the interchange format, compressed.

The record of a paper has its texts once: those of mentions and of evidence compress to little.
"""

import json
import zlib
from dataclasses import replace

from stemma.schema import Extraction, Source
from stemma.schema.interchange import dump, from_json

_NOWHERE = Source("", "", 1)


def packed(extraction: Extraction) -> bytes:
    """Return the record of a paper."""
    return compressed(dump(extraction).encode())


def compressed(record: bytes) -> bytes:
    """Return the record of a paper, given in the interchange format."""
    return zlib.compress(record)


def unpacked(record: bytes) -> Extraction:
    """Return what `packed` made a record of. Raises ValueError or zlib.error if it is damaged."""
    data = json.loads(zlib.decompress(record))
    found = from_json(data, _NOWHERE)
    # Titles are ids in the interchange format, and each paper has a source: not so in a graph.
    paper = replace(found.paper, id=data["paper"]["id"])
    if not data["paper"]["sources"]:
        paper = replace(paper, sources=())
    return replace(found, paper=paper)


def texts(record: bytes) -> str:
    """Return title and abstract in a record: linking asks for those of many papers."""
    paper = json.loads(zlib.decompress(record))["paper"]
    return " ".join(filter(None, (paper["title"], paper["abstract"])))
