"""Rulings: what the rules say of how a paper relates to an entity."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field

from stemma.extract.document import Findings, Vote
from stemma.extract.learned.document import Document
from stemma.schema import RelationType

RELATIONS = (
    "INTRODUCES", "BUILDS_ON", "IMPROVES_ON", "COMPARES_WITH", "USES", "RUNS_ON", "EVALUATED_ON",
    "MENTIONS",
)  # fmt: skip
assert set(RELATIONS) == set(RelationType)


@dataclass(slots=True)
class Ruling:
    """Of one entity: votes by sentence of the document, confidence of each verdict by relation."""

    introduced: bool
    generic: bool
    votes: dict[int, list[Vote]] = field(default_factory=dict)
    verdicts: dict[str, float] = field(default_factory=dict)

    def numbers(self) -> list[float]:
        """Return the best vote and the verdict on each relation, and what the entity is."""
        best = dict.fromkeys(RELATIONS, 0.0)
        for votes in self.votes.values():
            for vote in votes:
                best[vote.relation] = max(best[vote.relation], vote.confidence)
        verdicts = (self.verdicts.get(relation, 0.0) for relation in RELATIONS)
        return [*best.values(), *verdicts, self.introduced, self.generic]


def rulings(document: Document, found: Findings) -> list[Ruling]:
    """Return the rulings on the entities in `found`, in their order."""
    lines: Mapping[int, int] = {line.number: s for s, line in enumerate(document.sentences)}
    result: Sequence[Ruling] = [Ruling(each.introduced, each.generic) for each in found.entities]
    for vote in found.votes:
        if (s := lines.get(vote.sentence)) is not None:
            result[vote.entity].votes.setdefault(s, []).append(vote)
    for verdict in found.verdicts:
        result[verdict.entity].verdicts[verdict.relation] = verdict.confidence
    return list(result)
