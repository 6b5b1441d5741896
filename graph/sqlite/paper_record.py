"""Records of papers: what was read in them, in the interchange format, compressed.

The record of a paper has its texts once: those of mentions and of evidence compress to little. What
most records have in common is in a dictionary, which saves a quarter; zlib adds a checksum. The
dictionary belongs to the format of the file: with another one, no record can be read.
"""

import zlib
from dataclasses import replace
from hashlib import blake2b
from pathlib import Path
from typing import Any

import orjson

from stemma.schema import Extraction, Paper, Source
from stemma.schema.interchange import from_json, paper_from_json

_NOWHERE = Source("", "", 1)
_DICTIONARY = Path(__file__).with_name("record_dictionary.txt").read_bytes()


def as_text(value: object) -> str:
    """Return a value as JSON."""
    return orjson.dumps(value).decode()


def code_of(key: str) -> int:
    """Return a number for a key, which takes less room; no two keys of a store share one."""
    return int.from_bytes(blake2b(key.encode(), digest_size=8).digest(), "big", signed=True)


def compressed(record: bytes) -> bytes:
    """Return the record of a paper, given in the interchange format."""
    packer = zlib.compressobj(zdict=_DICTIONARY)
    return packer.compress(record) + packer.flush()


def plain(record: bytes) -> bytes:
    """Return the record without compression. Raises ValueError or zlib.error if it is damaged."""
    unpacker = zlib.decompressobj(zdict=_DICTIONARY)
    found = unpacker.decompress(record)
    if not unpacker.eof:
        raise ValueError("it was cut off")
    return found


def unpacked(record: bytes) -> Extraction:
    """Return the extraction in a record. Raises ValueError or zlib.error if it is damaged."""
    data = orjson.loads(plain(record))
    found = from_json(data, _NOWHERE)
    return replace(found, paper=_as_stored(found.paper, data["paper"]))


def paper_in(record: bytes) -> Paper:
    """Return the paper of a record alone, in a third of the time. Raises what `unpacked` does."""
    data = orjson.loads(plain(record))["paper"]
    return _as_stored(paper_from_json(data, _NOWHERE), data)


def _as_stored(paper: Paper, data: dict[str, Any]) -> Paper:
    """Titles are ids in the interchange format, and each paper has a source: not so in a graph."""
    return replace(paper, id=data["id"], sources=paper.sources if data["sources"] else ())


def texts(record: bytes) -> str:
    """Return the title and the abstract of the paper in a record, as one text."""
    paper = orjson.loads(plain(record))["paper"]
    return " ".join(filter(None, (paper["title"], paper["abstract"])))
