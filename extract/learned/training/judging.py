"""What the rules say of given entities."""

from collections.abc import Sequence
from dataclasses import replace
from functools import lru_cache

from spacy.tokens import Doc
from spacy.vocab import Vocab

from stemma.extract.cue import CueBook, CueFinder
from stemma.extract.document import Findings
from stemma.extract.learned.entity import Entity
from stemma.extract.learned.naming import named
from stemma.extract.learned.ruling import Ruling, rulings
from stemma.extract.learned.training.annotation import Annotated
from stemma.extract.verdict import Judge


def judged(paper: Annotated, entities: Sequence[Entity]) -> tuple[Findings, list[Ruling]]:
    """Return the findings with `entities` in place of the rules' own, and the rulings on them."""
    found = replace(
        paper.found, entities=named(paper.document, entities, paper.found), votes=[], verdicts=[]
    )
    doc = Doc(Vocab())
    doc._.findings = found
    Judge()(_cues()(doc))
    return found, rulings(paper.document, found)


@lru_cache(maxsize=1)
def _cues() -> CueFinder:
    return CueFinder(CueBook.read())
