"""Examples: papers as the later stages see them, with what people annotated."""

from collections.abc import Mapping, Sequence

import numpy as np

from stemma.extract.learned import recogniser
from stemma.extract.learned.corpus import CorpusStatistics
from stemma.extract.learned.document import Document
from stemma.extract.learned.entity import Entity
from stemma.extract.learned.entity_features import EntityFeatures, matched
from stemma.extract.learned.grouping import Group, group
from stemma.extract.learned.lexicon import KINDS, KnownNames
from stemma.extract.learned.proposal import propose
from stemma.extract.learned.relation_features import Features, RelationFeatures
from stemma.extract.learned.relation_rows import numbers
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
        own = {k for k, stated in enumerate(paper.relations()) if "INTRODUCES" in stated}
        truth = [[m is not None, m in own] for m in self.matches]
        self.truth = np.array(truth, bool).reshape(-1, 2)
        self.by_words = np.zeros((len(self.groups), 2))
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

    `matches`: which annotated entity each one is; `stating`: for each entity and sentence that
    names it, which relations the sentence states.
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
        annotated = paper.relations()
        stated = [annotated[m] if m is not None else {} for m in matches]
        rows = [[r in each for r in RELATIONS] for each in stated]
        self.truth = np.array(rows, bool).reshape(-1, len(RELATIONS))
        self.stating = [
            _stating(paper.document, list(f[1]), each)
            for f, each in zip(self.features, stated, strict=True)
        ]
        self.by_words = np.zeros((len(entities), len(RELATIONS)))
        self.by_sentence = [np.zeros(each.shape) for each in self.stating]
        self.probabilities = self.by_words

    def rows(self) -> np.ndarray:
        """Return what the relation trees see."""
        return numbers(
            self.document,
            self.entities,
            self.features,
            self.rulings,
            self.by_words,
            self.by_sentence,
        )


def _stating(
    document: Document, sentences: Sequence[int], stated: Mapping[str, Sequence[str]]
) -> np.ndarray:
    """Return which of the sentences that name an entity states what, (sentences, relations).

    If a sentence that does not name it does, the last one before that speaks of it.
    """
    result = np.zeros((len(sentences), len(RELATIONS)), bool)
    for relation, evidence in stated.items():
        places = [
            s
            for s in range(len(document.sentences))
            if any(e in document.sentence(s) or document.sentence(s) in e for e in evidence)
        ]
        column = RELATIONS.index(relation)
        here = [i for i, s in enumerate(sentences) if s in places]
        before = [i for i, s in enumerate(sentences) if places and s < places[0]]
        result[here or before[-1:] or [0], column] = True
    return result
