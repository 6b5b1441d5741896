"""The full texts in tests/data, and how well their lineage is read: ``python -m`` prints it."""

import tomllib
from collections.abc import Iterable
from dataclasses import dataclass
from pathlib import Path

from stemma.extract import Extractor, formats
from stemma.schema import LINEAGE_RELATIONS, Extraction, Paper
from stemma.schema.name import match_key

FOLDER = Path(__file__).parents[1] / "data" / "full_texts"
GOLD = tomllib.loads((FOLDER / "lineage.toml").read_text("utf-8"))
Edge = tuple[str, str, str]
"""File, relation, key of the parent's name."""


@dataclass(frozen=True)
class Score:
    """Edges that are right, spurious and missed."""

    right: set[Edge]
    spurious: set[Edge]
    missed: set[Edge]

    def __str__(self) -> str:
        precision = len(self.right) / max(1, len(self.right) + len(self.spurious))
        recall = len(self.right) / max(1, len(self.right) + len(self.missed))
        f1 = 2 * precision * recall / max(1e-9, precision + recall)
        return f"precision {precision:.2f}, recall {recall:.2f}, F1 {f1:.2f}"


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


def score(found: set[Edge]) -> Score:
    """Compare with the gold."""
    expected = gold()
    return Score(found & expected, found - expected, expected - found)


def undirected(edges: set[Edge]) -> set[tuple[str, str]]:
    """Return which works are related by lineage, whatever the relation."""
    return {(file, name) for file, _, name in edges}


if __name__ == "__main__":
    import sys
    from dataclasses import replace

    extractor = Extractor(fast="--fast" in sys.argv)
    whole = papers()
    for title, of in (
        ("abstracts", [replace(each, full_text=None) for each in whole]),
        ("full texts", whole),
    ):
        extractions = [each for each in extractor.extract(of) if isinstance(each, Extraction)]
        found = lineage(extractions)
        result = score(found)
        print(title, result)
        a, b = undirected(found), undirected(gold())
        print(
            "  either relation:", f"{len(a & b)} right, {len(a - b)} spurious, {len(b - a)} missed"
        )
        for name in ("spurious", "missed", "right"):
            for each in sorted(getattr(result, name)):
                print(" ", name, *each)
