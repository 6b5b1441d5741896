"""The full texts in tests/data, with the lineage that is right, and that of what was read."""

import tomllib
from collections.abc import Iterable
from pathlib import Path

from stemma.extract import formats
from stemma.schema import LINEAGE_RELATIONS, Extraction, Paper
from stemma.schema.name import match_key

FOLDER = Path(__file__).parents[1] / "data" / "full_texts"
GOLD = tomllib.loads((FOLDER / "lineage.toml").read_text("utf-8"))
Edge = tuple[str, str, str]
"""File, relation, key of the parent's name."""


def papers() -> list[Paper]:
    """Return the papers, in the order of the gold."""
    found = []
    for file in GOLD:
        (document,), _ = formats.find([FOLDER / file])
        (paper,) = formats.read_document(document, formats.Options())
        assert isinstance(paper, Paper), paper
        found.append(paper)
    return found


def lineage(extractions: Iterable[Extraction]) -> set[Edge]:
    """Return the lineage that papers state, each in the place of its file."""
    return {
        (file, relation.type.value, match_key(relation.entity))
        for file, extraction in zip(GOLD, extractions, strict=True)
        for relation in extraction.relations
        if relation.type in LINEAGE_RELATIONS
    }


def gold() -> set[Edge]:
    """Return the lineage of the gold."""
    return {
        (file, relation, match_key(name))
        for file, own in GOLD.items()
        for relation in ("BUILDS_ON", "IMPROVES_ON")
        for name in own.get(relation, ())
    }
