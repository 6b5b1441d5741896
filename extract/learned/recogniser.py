"""The recogniser: groups of proposals in, entities out."""

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import accumulate, islice, pairwise

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

    `words` tells also whether it is the paper's own.

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
        return self.entities_of([document])[0]

    def entities_of(self, documents: Sequence[Document]) -> list[list[Entity]]:
        """Return the same for each of several papers, which takes less time than one by one."""
        tagger = self.tagger
        grouped: list[list[Group]] = []
        named: list[list[str]] = []
        numbers: list[list[float]] = []
        for document, marginals in zip(documents, tagger.marginals_of(documents), strict=True):
            proposals = propose(document, marginals, tagger.names, tagger.corpus)
            groups = group(document, proposals, tagger.names)
            reader = EntityFeatures(
                document, groups, marginals, tagger.corpus, tagger.names, tagger.lexicon
            )
            grouped.append(groups)
            named += [reader.spelt(g) for g in groups]
            numbers += [reader.numbers(g) for g in groups]
        if not named:
            return [[] for _ in documents]
        by_words = self.words.probabilities(named)
        rows = entity_rows(numbers, by_words)
        own = by_words[:, 1].tolist()
        likely = self.trees.probabilities(rows)[:, 0].tolist()
        starts = [0, *accumulate(map(len, grouped))]
        bounds = list(pairwise(starts))
        chosen = [
            choose(groups, likely[start:end], self.least)
            for groups, (start, end) in zip(grouped, bounds, strict=True)
        ]
        held = [start + k for start, each in zip(starts, chosen, strict=False) for k, _ in each]
        kinds = iter(self._kinds(rows[held], [named[k] for k in held]))
        return [
            assemble(
                document,
                groups,
                each,
                list(islice(kinds, len(each))),
                likely[start:end],
                own[start:end],
            )
            for document, groups, each, (start, end) in zip(
                documents, grouped, chosen, bounds, strict=True
            )
        ]

    def _kinds(self, rows: np.ndarray, named: Sequence[Sequence[str]]) -> list[str]:
        if not named:
            return []
        seen = kind_rows(rows, self.kind_words.probabilities(named))
        return [KINDS[k] for k in self.kind_trees.probabilities(seen).argmax(axis=1)]


def entity_rows(numbers: Sequence[Sequence[float]], by_words: np.ndarray) -> np.ndarray:
    """Return what the entity trees see: numbers, and what the words say (groups, 2)."""
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
    own: Sequence[float],
) -> list[Entity]:
    """Return entities of chosen groups, with all their places; the name is the fullest form."""
    entities = []
    for (k, free), kind in zip(chosen, kinds, strict=True):
        entities.append(Entity("", kind, groups[k].forms, list(free), probabilities[k], own[k]))
    complete(document, entities)
    entities.sort(key=lambda e: e.spans[0])
    for entity in entities:
        entity.name = max(entity.surfaces, key=lambda s: (len(s), s))
    return entities
