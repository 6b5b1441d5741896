"""Verdicts: the relations that the votes of all sentences come to."""

from collections import defaultdict

from spacy.language import Language
from spacy.tokens import Doc

from stemma.extract.document import Verdict, Vote, findings
from stemma.schema import EntityKind, RelationType

_WEAK = frozenset({RelationType.USES, RelationType.MENTIONS})
_ONLY_FOR = {
    RelationType.RUNS_ON: {EntityKind.HARDWARE},
    RelationType.EVALUATED_ON: {EntityKind.DATASET, EntityKind.MODEL},
}
_MOST_SENTENCES = 3
_BESIDES = 0.4
"""The confidence from which a relation stands beside a stronger one."""


@Language.factory("stemma_verdicts")
def judge(nlp: Language, name: str) -> "Judge":
    """Return the component."""
    return Judge()


class Judge:
    """Gives each entity the strongest relations that the text supports, at least one."""

    def __call__(self, doc: Doc) -> Doc:
        """Add the verdicts, in the order of the entities."""
        found = findings(doc)
        by_entity: dict[int, list[Vote]] = defaultdict(list)
        for vote in found.votes:
            by_entity[vote.entity].append(vote)
        for number, entity in enumerate(found.entities):
            found.verdicts += _verdicts(number, entity.kind, by_entity[number])
        return doc


def _verdicts(number: int, kind: EntityKind, votes: list[Vote]) -> list[Verdict]:
    by_relation: dict[RelationType, list[Vote]] = defaultdict(list)
    for vote in votes:
        if kind in _ONLY_FOR.get(vote.relation, EntityKind):
            by_relation[vote.relation].append(vote)
    ranked = sorted(
        (_summed(number, relation, each) for relation, each in by_relation.items()),
        key=lambda verdict: (-verdict.confidence, verdict.relation),
    )
    introduces = [v for v in ranked if v.relation is RelationType.INTRODUCES]
    if introduces:
        return introduces
    if any(v.confidence >= _BESIDES and v.relation not in _WEAK for v in ranked):
        ranked = [v for v in ranked if v.relation not in _WEAK]
    return [
        verdict
        for rank, verdict in enumerate(ranked)
        if rank == 0 or (verdict.confidence >= _BESIDES and verdict.relation not in _WEAK)
    ]


def _summed(number: int, relation: RelationType, votes: list[Vote]) -> Verdict:
    """One verdict of all votes for a relation: the strongest, with the sentences that agree."""
    ranked = sorted(votes, key=lambda vote: (-vote.confidence, vote.sentence))
    sentences = tuple(dict.fromkeys(vote.sentence for vote in ranked))[:_MOST_SENTENCES]
    return Verdict(number, relation, ranked[0].confidence, sentences, ranked[0].origin)
