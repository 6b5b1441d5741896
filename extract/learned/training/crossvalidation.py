"""Cross-validation: every paper read by models that did not learn from it.

The later stages learn from what the earlier ones say of papers that these were not trained on, so
that the same run gives the figures and the examples of the model that is shipped.
"""

from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import ProcessPoolExecutor
from dataclasses import dataclass, replace

import numpy as np
from spacy.tokens import Doc
from spacy.vocab import Vocab

from stemma.extract.document import found_in
from stemma.extract.learned.corpus import CorpusStatistics
from stemma.extract.learned.entity import Entity
from stemma.extract.learned.grouping import choose
from stemma.extract.learned.lexicon import KINDS, KnownNames
from stemma.extract.learned.model import Model
from stemma.extract.learned.recogniser import Recogniser, assemble
from stemma.extract.learned.relater import BLEND, Relater, Relation, stated
from stemma.extract.learned.ruling import RELATIONS
from stemma.extract.learned.training import fitting
from stemma.extract.learned.training.annotation import Annotated
from stemma.extract.learned.training.example import EntityExample, RelationExample
from stemma.extract.learned.verdicts import verdicts
from stemma.schema import Extraction

FOLDS = 5
_ENTITY_SLACK = 0.001
"""Entities that are not quite worth it for their own sake still carry relations."""
_Job = tuple[list[Annotated], list[Annotated], CorpusStatistics, KnownNames]


@dataclass(slots=True)
class CrossValidated:
    """Papers with what was found in them out of fold, and what a model is fitted from."""

    papers: Sequence[Annotated]
    corpus: CorpusStatistics
    names: KnownNames
    entities: list[EntityExample]
    found: list[RelationExample]
    annotated: list[RelationExample]
    least_entity: float
    least: dict[str, float]
    calibration: dict[str, list[list[float]]]

    def extractions(self) -> Iterator[Extraction]:
        """Yield what was found in each paper."""
        for train, test in folds(len(self.papers)):
            evidence = fitting.evidence_words([self.annotated[i] for i in train])
            for i in test:
                example = self.found[i]
                relations = stated(
                    example.probabilities,
                    example.entities,
                    example.features,
                    example.rulings,
                    evidence,
                    self.least,
                    self.calibration,
                )
                yield _extraction(self.papers[i], example, relations)

    def model(self) -> Model:
        """Fit a model on all papers."""
        recogniser = Recogniser(
            fitting.tagger(self.papers, self.corpus, self.names),
            fitting.entity_words(self.entities),
            fitting.kind_words(self.entities),
            fitting.entity_trees(self.entities),
            fitting.kind_trees(self.entities),
            self.least_entity,
        )
        relater = Relater(
            fitting.relation_words([*self.found, *self.annotated]),
            fitting.relation_trees(self.found),
            fitting.evidence_words(self.annotated),
            self.least,
            self.calibration,
        )
        return Model(recogniser, relater)


def cross_validate(
    papers: Sequence[Annotated],
    corpus: CorpusStatistics,
    names: KnownNames,
    *,
    processes: int = 2,
    tell: Callable[[str], None] = lambda text: None,
) -> CrossValidated:
    """Read all papers out of fold; `tell` hears how far it is."""
    jobs: list[_Job] = [
        ([papers[i] for i in train], [papers[i] for i in test], corpus, names)
        for train, test in folds(len(papers))
    ]
    read: dict[int, EntityExample] = {}
    with ProcessPoolExecutor(processes) as pool:
        for (_, test), fresh in zip(folds(len(papers)), pool.map(_read_fold, jobs), strict=True):
            read |= zip(test, fresh, strict=True)
            tell(f"tagged {len(read)} of {len(papers)} papers out of fold")
    entities = [read[i] for i in range(len(papers))]
    _stack_entities(entities)
    reached = sum(len({m for m in e.matches if m is not None}) for e in entities)
    wanted = sum(len(p.kinds) for p in papers)
    least_entity = fitting.threshold(
        np.array([x for e in entities for x in e.probabilities]),
        np.array([m is not None for e in entities for m in e.matches]),
        wanted - reached,
        _ENTITY_SLACK,
    )
    tell(f"the proposals hold {reached / wanted:.1%} of the entities")
    found = [
        RelationExample(p, *_recognised(p, e, least_entity), corpus, names)
        for p, e in zip(papers, entities, strict=True)
    ]
    annotated = [RelationExample(p, *p.entities(), corpus, names) for p in papers]
    _stack_relations(found, annotated)
    tell("related all entities out of fold")
    table = np.vstack([e.probabilities for e in found])
    truth = np.vstack([e.truth for e in found])
    totals = np.vstack([e.truth for e in annotated]).sum(axis=0)
    return CrossValidated(
        papers,
        corpus,
        names,
        entities,
        found,
        annotated,
        least_entity,
        fitting.thresholds(table, truth, totals),
        {r: fitting.calibration(table[:, k], truth[:, k]) for k, r in enumerate(RELATIONS)},
    )


def folds(n: int) -> Iterator[tuple[list[int], list[int]]]:
    """Yield the indices of each fold: to train on, and to read."""
    for k in range(FOLDS):
        yield [i for i in range(n) if i % FOLDS != k], [i for i in range(n) if i % FOLDS == k]


def _read_fold(job: _Job) -> list[EntityExample]:
    train, test, corpus, names = job
    tagger = fitting.tagger(train, corpus, names)
    return [EntityExample(p, tagger) for p in test]


def _stack_entities(examples: Sequence[EntityExample]) -> None:
    """Give each example its out-of-fold probabilities: of the linear models, then of the trees."""
    for train, test in folds(len(examples)):
        learnt = [examples[i] for i in train]
        is_entity, of_kind = fitting.entity_words(learnt), fitting.kind_words(learnt)
        for example in (examples[i] for i in test if examples[i].groups):
            example.by_words = is_entity.probabilities(example.words)
            example.kind_by_words = of_kind.probabilities(example.words)
    for train, test in folds(len(examples)):
        learnt = [examples[i] for i in train]
        forest, kinds = fitting.entity_trees(learnt), fitting.kind_trees(learnt)
        for example in (examples[i] for i in test if examples[i].groups):
            example.probabilities = forest.probabilities(example.rows())[:, 0].tolist()
            best = kinds.probabilities(example.kind_rows()).argmax(axis=1)
            example.chosen_kinds = [KINDS[k] for k in best]


def _stack_relations(
    found: Sequence[RelationExample], annotated: Sequence[RelationExample]
) -> None:
    """The same for relations; the linear models learn from the annotated entities as well."""
    for train, test in folds(len(found)):
        words = fitting.relation_words([*(found[i] for i in train), *(annotated[i] for i in train)])
        for example in (found[i] for i in test if found[i].entities):
            example.by_words = words.probabilities(example.words)
    for train, test in folds(len(found)):
        forest = fitting.relation_trees([found[i] for i in train])
        for example in (found[i] for i in test if found[i].entities):
            by_trees = forest.probabilities(example.rows())
            example.probabilities = BLEND * by_trees + (1 - BLEND) * example.by_words


def _recognised(
    paper: Annotated, example: EntityExample, least: float
) -> tuple[list[Entity], list[int | None]]:
    """The entities that an example yields, and which annotated entity each is."""
    chosen = choose(example.groups, example.probabilities, least)
    kinds = [example.chosen_kinds[k] for k, _ in chosen]
    found = assemble(paper.document, example.groups, chosen, kinds, example.probabilities)
    return found, [
        next((paper.names[f] for f in sorted(e.forms) if f in paper.names), None) for e in found
    ]


def _extraction(
    paper: Annotated, example: RelationExample, relations: Sequence[Relation]
) -> Extraction:
    doc = Doc(Vocab())
    doc._.findings = replace(example.found, verdicts=verdicts(paper.document, relations))
    return Extraction(paper.paper, *found_in(doc), "cross-validation")
