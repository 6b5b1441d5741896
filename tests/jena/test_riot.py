"""Apache Jena, a parser that has nothing in common with ours, takes what is exported."""

from pathlib import Path

import pytest

from corpus import extracted
from stemma import Stemma
from stemma.graph import LineageDirection
from stemma.graph.export import (
    Portion,
    export_portion,
    format_of,
    works_of_lineage,
)
from stemma.server.build import load

EXAMPLES = Path(__file__).parents[2] / "examples"
NAMES = [f"graph.{ending}" for ending in ("nq", "trig", "nt", "ttl.gz", "jsonld")]


def exported(papers: Path, folder: Path, of: str) -> list[Path]:
    """Export the graph of some papers, and a lineage of it, in every format of RDF."""
    files = []
    with Stemma(str(folder / "stemma.db")) as stemma:
        load(stemma.store, [extracted(papers, papers.name, fast=True)])
        with stemma.store.snapshot() as reader:
            part = works_of_lineage(reader, of, LineageDirection.DESCENDANTS, 3)
            for works, place in ((None, folder / "whole"), (part, folder / "part")):
                place.mkdir()
                for name in NAMES:
                    target = place / name
                    files += export_portion(Portion(reader, works), format_of(target), target)
    return files


def test_riot_parses_the_examples(riot_complains, tmp_path):
    assert not riot_complains(*exported(EXAMPLES, tmp_path, "ZeRO-Infinity"))


@pytest.mark.long
def test_riot_parses_the_seeds(riot_complains, shared, tmp_path):
    assert not riot_complains(*exported(shared / "seeds", tmp_path, "FlashAttention"))
