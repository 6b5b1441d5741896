"""From the relations of the model to verdicts."""

from collections.abc import Iterable

from stemma.extract.document import Verdict
from stemma.extract.learned.document import Document
from stemma.extract.learned.relater import Relation
from stemma.schema import RelationType

ORIGIN = "learned:relations/1"


def verdicts(document: Document, relations: Iterable[Relation]) -> list[Verdict]:
    """Return `relations` as verdicts, in their order."""
    return [
        Verdict(
            each.entity,
            RelationType(each.type),
            round(each.confidence, 3),
            tuple(document.sentences[s].number for s in each.evidence),
            ORIGIN,
        )
        for each in relations
    ]
