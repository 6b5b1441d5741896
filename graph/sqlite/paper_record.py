"""Records of papers: what was read in them, in the interchange format, compressed.

The record of a paper has its texts once: those of mentions and of evidence compress to little.
"""

import zlib
from dataclasses import replace
from typing import Any

import orjson

from stemma.schema import Extraction, Paper, Source
from stemma.schema.interchange import dump, from_json, paper_from_json

_NOWHERE = Source("", "", 1)


def packed(extraction: Extraction) -> bytes:
    """Return the record of a paper."""
    return compressed(dump(extraction).encode())


def compressed(record: bytes) -> bytes:
    """Return the record of a paper, given in the interchange format."""
    return zlib.compress(record)


def unpacked(record: bytes) -> Extraction:
    """Return what `packed` made a record of. Raises ValueError or zlib.error if it is damaged."""
    data = orjson.loads(zlib.decompress(record))
    found = from_json(data, _NOWHERE)
    return replace(found, paper=_as_stored(found.paper, data["paper"]))


def paper_in(record: bytes) -> Paper:
    """Return the paper of a record alone, in a third of the time. Raises what `unpacked` does."""
    data = orjson.loads(zlib.decompress(record))["paper"]
    return _as_stored(paper_from_json(data, _NOWHERE), data)


def _as_stored(paper: Paper, data: dict[str, Any]) -> Paper:
    """Titles are ids in the interchange format, and each paper has a source: not so in a graph."""
    return replace(paper, id=data["id"], sources=paper.sources if data["sources"] else ())


def texts(record: bytes) -> str:
    """Return title and abstract in a record: linking asks for those of many papers."""
    paper = orjson.loads(zlib.decompress(record))["paper"]
    return " ".join(filter(None, (paper["title"], paper["abstract"])))
