"""Examples: papers as the later stages see them, with what people annotated."""

from collections.abc import Sequence

import numpy as np

from stemma.extract.learned import recogniser
from stemma.extract.learned.corpus import CorpusStatistics
from stemma.extract.learned.entity import Entity
from stemma.extract.learned.entity_features import EntityFeatures, matched
from stemma.extract.learned.grouping import Group, group
from stemma.extract.learned.lexicon import KINDS, KnownNames
from stemma.extract.learned.proposal import propose
from stemma.extract.learned.relater import union
from stemma.extract.learned.relation_features import Features, RelationFeatures, numbers
from stemma.extract.learned.ruling import RELATIONS
from stemma.extract.learned.tagger import Tagger
from stemma.extract.learned.training.annotation import Annotated
from stemma.extract.learned.training.judging import judged


class EntityExample:
    """A paper with its groups of proposals, as seen by a tagger that was not trained on it."""

    def __init__(self, paper: Annotated, tagger: Tagger) -> None:
        document = paper.document
        marginals = tagger.marginals(document)
        self.groups: list[Group] = group(
            document, propose(document, marginals, tagger.names, tagger.corpus), tagger.names
        )
        reader = EntityFeatures(
            document, self.groups, marginals, tagger.corpus, tagger.names, tagger.lexicon
        )
        self.words = [reader.words(g) for g in self.groups]
        self.numbers = [reader.numbers(g) for g in self.groups]
        self.matches = [matched(g, paper.names) for g in self.groups]
        self.kinds = [KINDS.index(paper.kinds[m]) if m is not None else -1 for m in self.matches]
        self.by_words = np.zeros((len(self.groups), 1))
        self.kind_by_words = np.zeros((len(self.groups), len(KINDS)))
        self.probabilities: list[float] = []
        self.chosen_kinds: list[str] = []

    def rows(self) -> np.ndarray:
        """Return what the entity trees see."""
        return recogniser.entity_rows(self.numbers, self.by_words)

    def kind_rows(self) -> np.ndarray:
        """Return what the kind trees see."""
        return recogniser.kind_rows(self.rows(), self.kind_by_words)


class RelationExample:
    """Entities of a paper with the features and the truth of their relations.

    `matches`: which annotated entity each one is.
    """

    def __init__(
        self,
        paper: Annotated,
        entities: Sequence[Entity],
        matches: Sequence[int | None],
        corpus: CorpusStatistics,
        names: KnownNames,
    ) -> None:
        self.document, self.entities = paper.document, entities
        self.found, self.rulings = judged(paper, entities)
        reader = RelationFeatures(paper.document, entities, self.rulings, corpus, names)
        self.features: list[Features] = [reader.of(k) for k in range(len(entities))]
        self.words = [sorted(union(f)) for f in self.features]
        truth = paper.relations()
        self.stated = [truth[m] if m is not None else {} for m in matches]
        rows = [[r in stated for r in RELATIONS] for stated in self.stated]
        self.truth = np.array(rows, bool).reshape(-1, len(RELATIONS))
        self.by_words = np.zeros((len(entities), len(RELATIONS)))
        self.probabilities = self.by_words

    def rows(self) -> np.ndarray:
        """Return what the relation trees see."""
        return numbers(self.document, self.entities, self.features, self.rulings, self.by_words)
