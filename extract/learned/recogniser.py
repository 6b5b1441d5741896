"""The recogniser: groups of proposals in, entities out."""

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from stemma.extract.learned.document import Document, Span
from stemma.extract.learned.entity import Entity, complete
from stemma.extract.learned.entity_features import EntityFeatures
from stemma.extract.learned.grouping import Group, choose, group
from stemma.extract.learned.lexicon import KINDS
from stemma.extract.learned.linear import Linear
from stemma.extract.learned.proposal import propose
from stemma.extract.learned.tagger import Tagger
from stemma.extract.learned.trees import Trees


@dataclass(slots=True)
class Recogniser:
    """`words` and `trees` tell whether a group is an entity, the others of which kind.

    `least` is the probability that an entity needs.
    """

    tagger: Tagger
    words: Linear
    kind_words: Linear
    trees: Trees
    kind_trees: Trees
    least: float

    def entities(self, document: Document) -> list[Entity]:
        """Return the entities of a paper, in order of their first place."""
        tagger = self.tagger
        marginals = tagger.marginals(document)
        groups = group(
            document, propose(document, marginals, tagger.names, tagger.corpus), tagger.names
        )
        if not groups:
            return []
        reader = EntityFeatures(
            document, groups, marginals, tagger.corpus, tagger.names, tagger.lexicon
        )
        named = [reader.words(g) for g in groups]
        rows = entity_rows([reader.numbers(g) for g in groups], self.words.probabilities(named))
        probabilities = self.trees.probabilities(rows)[:, 0].tolist()
        chosen = choose(groups, probabilities, self.least)
        if not chosen:
            return []
        held = [k for k, _ in chosen]
        by_words = self.kind_words.probabilities([named[k] for k in held])
        kinds = self.kind_trees.probabilities(kind_rows(rows[held], by_words)).argmax(axis=1)
        return assemble(document, groups, chosen, [KINDS[k] for k in kinds], probabilities)


def entity_rows(numbers: Sequence[Sequence[float]], by_words: np.ndarray) -> np.ndarray:
    """Return what the entity trees see: numbers, and what the words say (groups, 1)."""
    return np.hstack([np.array(numbers, np.float32), by_words.astype(np.float32)])


def kind_rows(rows: np.ndarray, by_words: np.ndarray) -> np.ndarray:
    """Return what the kind trees see: more than that, what the words say of the kind."""
    return np.hstack([rows, by_words.astype(np.float32)])


def assemble(
    document: Document,
    groups: Sequence[Group],
    chosen: Sequence[tuple[int, list[Span]]],
    kinds: Sequence[str],
    probabilities: Sequence[float],
) -> list[Entity]:
    """Return entities of chosen groups, with all their places; the name is the fullest form."""
    entities = []
    for (k, free), kind in zip(chosen, kinds, strict=True):
        entities.append(Entity("", kind, groups[k].forms, list(free), probabilities[k]))
    complete(document, entities)
    entities.sort(key=lambda e: e.spans[0])
    for entity in entities:
        entity.name = max(entity.surfaces, key=lambda s: (len(s), s))
    return entities
