"""Votes by rules: what single sentences say of an entity, and the relations that follow from them.

The encoder scores sentences itself, and chooses the evidence by that: `encoder/component.py`.
"""

from collections import defaultdict
from collections.abc import Iterable, Iterator
from typing import NamedTuple

from spacy.tokens import Doc

from stemma.extract.document import recognition, tokens_of
from stemma.extract.named_entity import NamedEntity
from stemma.extract.relation import Relation
from stemma.schema import EntityKind, RelationType

ONLY_FOR = {
    RelationType.RUNS_ON: {EntityKind.HARDWARE},
    RelationType.EVALUATED_ON: {EntityKind.DATASET, EntityKind.MODEL},
}
"""The kinds of entities that some relations lead to; the others lead to any."""
_WEAK = frozenset({RelationType.USES, RelationType.MENTIONS})
_MOST_SENTENCES = 3
_BESIDES = 0.4
"""The confidence from which a relation stands beside a stronger one."""


class Vote(NamedTuple):
    """That a sentence (by its number) states `relation` of an entity (by its number)."""

    entity: int
    relation: RelationType
    sentence: int
    confidence: float
    origin: str


def relations_of_votes(
    doc: Doc, entities: Iterable[NamedEntity], votes: Iterable[Vote]
) -> Iterator[Relation]:
    """Yield the strongest relations of each entity that the text supports, at least one."""
    by_entity: dict[int, list[Vote]] = defaultdict(list)
    for vote in votes:
        by_entity[vote.entity].append(vote)
    for number, entity in enumerate(entities):
        yield from _elected(doc, entity, by_entity[number])


def _elected(doc: Doc, entity: NamedEntity, votes: list[Vote]) -> list[Relation]:
    by_relation: dict[RelationType, list[Vote]] = defaultdict(list)
    for vote in votes:
        if entity.kind in ONLY_FOR.get(vote.relation, EntityKind):
            by_relation[vote.relation].append(vote)
    # Tuples, not relations: most do not stand, and their sentences need not be looked up.
    ranked = sorted(
        (-max(vote.confidence for vote in each), relation) for relation, each in by_relation.items()
    )
    types = [relation for _, relation in ranked]
    if RelationType.INTRODUCES in types:
        types = [RelationType.INTRODUCES]
    else:
        strong = [each for less, each in ranked if -less >= _BESIDES and each not in _WEAK]
        types = strong or types[:1]
    return [_summed(doc, entity, each, by_relation[each]) for each in types]


def _summed(doc: Doc, entity: NamedEntity, type_: RelationType, votes: list[Vote]) -> Relation:
    """One relation of all votes for it: the strongest, with the sentences that agree."""
    ranked = sorted(votes, key=lambda vote: (-vote.confidence, vote.sentence))
    sentences = list(dict.fromkeys(vote.sentence for vote in ranked))[:_MOST_SENTENCES]
    known = recognition(doc).sentences
    evidence = tuple(tokens_of(doc, known[each]) for each in sentences)
    return Relation(type_, entity.name, ranked[0].confidence, evidence, ranked[0].origin)
