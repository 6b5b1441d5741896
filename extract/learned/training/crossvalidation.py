"""Cross-validation: every paper read by models that did not learn from it.

The later stages learn from what the earlier ones say of papers that these were not trained on, so
that the same run gives the figures and the examples of the model that is shipped.
"""

from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import ProcessPoolExecutor
from dataclasses import dataclass, replace
from functools import partial

import numpy as np
from spacy.tokens import Doc
from spacy.vocab import Vocab

from stemma.extract.document import found_in
from stemma.extract.learned.corpus import CorpusStatistics
from stemma.extract.learned.entity import Entity
from stemma.extract.learned.grouping import choose
from stemma.extract.learned.lexicon import KnownNames
from stemma.extract.learned.model import Model
from stemma.extract.learned.recogniser import Recogniser, assemble
from stemma.extract.learned.relater import Relater, Relation, stated
from stemma.extract.learned.ruling import RELATIONS
from stemma.extract.learned.tagger import Tagger
from stemma.extract.learned.training import fitting
from stemma.extract.learned.training.annotation import Annotated
from stemma.extract.learned.training.example import EntityExample, RelationExample
from stemma.extract.learned.training.stacking import FOLDS, EntityStack, RelationStack
from stemma.extract.learned.verdicts import verdicts
from stemma.schema import Extraction


@dataclass(slots=True)
class CrossValidated:
    """Papers with what was found in them out of fold, and what a model is fitted from.

    The first `counted` papers are those that thresholds are set and figures are taken on. `tagger`
    has learnt from all.
    """

    counted: int
    papers: Sequence[Annotated]
    tagger: Tagger
    entities: EntityStack
    relations: RelationStack
    least_entity: float
    least: dict[str, float]
    calibration: dict[str, list[list[float]]]

    def extractions(self) -> Iterator[Extraction]:
        """Yield what was found in each paper that counts."""
        for paper, example in zip(self.papers[: self.counted], self.relations.examples):  # noqa: B905
            relations = stated(
                example.probabilities,
                example.entities,
                example.features,
                example.by_sentence,
                self.least,
                self.calibration,
            )
            yield _extraction(paper, example, relations)

    def model(self) -> Model:
        """Fit a model on all papers."""
        words, kind_words = self.entities.words()
        trees, kind_trees = self.entities.trees()
        recogniser = Recogniser(
            self.tagger, words, kind_words, trees, kind_trees, self.least_entity
        )
        of_paper, of_sentence = self.relations.words()
        relater = Relater(
            of_paper, of_sentence, self.relations.trees(), self.least, self.calibration
        )
        return Model(recogniser, relater)


def cross_validate(
    counted: Sequence[Annotated],
    more: Sequence[Annotated],
    corpus: CorpusStatistics,
    names: KnownNames,
    *,
    processes: int = 2,
    tell: Callable[[str], None] = lambda text: None,
) -> CrossValidated:
    """Read all papers out of fold; `tell` hears how far it is.

    Of `more` papers is learnt as of the others, but figures and thresholds are of `counted` alone.
    """
    papers, count = [*counted, *more], len(counted)
    tagger, read = tag(papers, corpus, names, processes, tell)
    return stack(papers, count, tagger, read, processes, tell)


def tag(
    papers: Sequence[Annotated],
    corpus: CorpusStatistics,
    names: KnownNames,
    processes: int,
    tell: Callable[[str], None],
) -> tuple[Tagger, list[EntityExample]]:
    """Return a tagger that learnt from all papers, and each paper tagged by one that did not
    learn from it."""
    read: dict[int, EntityExample] = {}
    numbers = range(len(papers))
    learnt = [[i for i in numbers if i % FOLDS != fold] for fold in range(FOLDS)]
    with ProcessPoolExecutor(processes) as pool:
        whole = pool.submit(fitting.tagger, papers, corpus, names)
        jobs = [pool.submit(_read, papers, train, corpus, names) for train in learnt]
        for fold, job in enumerate(jobs):
            read |= zip(numbers[fold::FOLDS], job.result(), strict=True)
            tell(f"tagged {len(read)} of {len(papers)} papers out of fold")
        return whole.result(), [read[i] for i in numbers]


def stack(
    papers: Sequence[Annotated],
    count: int,
    tagger: Tagger,
    read: Sequence[EntityExample],
    processes: int,
    tell: Callable[[str], None],
) -> CrossValidated:
    """Cross-validate what comes after the tagger; of the first `count` papers are the figures."""
    entities = EntityStack(read)
    entities.run(processes)
    reached = sum(len({m for m in e.matches if m is not None}) for e in read[:count])
    wanted = sum(len(p.kinds) for p in papers[:count])
    least_entity = fitting.best_threshold(partial(_entity_f1, read[:count], wanted))
    tell(f"chose entities; the proposals hold {reached / wanted:.1%} of them")
    found = [
        RelationExample(p, *_recognised(p, e, least_entity), tagger.corpus, tagger.names)
        for p, e in zip(papers, read, strict=True)
    ]
    tell("looked at how papers relate to them")
    relations = RelationStack(found)
    relations.run(processes)
    tell("related all entities out of fold")
    table = np.vstack([e.probabilities for e in found[:count]])
    truth = np.vstack([e.truth for e in found[:count]])
    totals = Counter(r for p in papers[:count] for each in p.relations() for r in each)
    return CrossValidated(
        count,
        papers,
        tagger,
        entities,
        relations,
        least_entity,
        fitting.thresholds(table, truth, totals),
        {r: fitting.calibration(table[:, k], truth[:, k]) for k, r in enumerate(RELATIONS)},
    )


def _read(
    papers: Sequence[Annotated],
    train: Sequence[int],
    corpus: CorpusStatistics,
    names: KnownNames,
) -> list[EntityExample]:
    tagger = fitting.tagger([papers[i] for i in train], corpus, names)
    held = set(range(len(papers))) - set(train)
    return [EntityExample(papers[i], tagger) for i in sorted(held)]


def _entity_f1(examples: Sequence[EntityExample], wanted: int, least: float) -> float:
    stated = hits = 0
    for example in examples:
        chosen = choose(example.groups, example.probabilities, least)
        stated += len(chosen)
        hits += len({example.matches[k] for k, _ in chosen} - {None})
    return 2 * hits / (stated + wanted)


def _recognised(
    paper: Annotated, example: EntityExample, least: float
) -> tuple[list[Entity], list[int | None]]:
    """The entities that an example yields, and which annotated entity each is."""
    chosen = choose(example.groups, example.probabilities, least)
    kinds = [example.chosen_kinds[k] for k, _ in chosen]
    own = example.by_words[:, 1].tolist()
    found = assemble(paper.document, example.groups, chosen, kinds, example.probabilities, own)
    return found, [
        next((paper.names[f] for f in sorted(e.forms) if f in paper.names), None) for e in found
    ]


def _extraction(
    paper: Annotated, example: RelationExample, relations: Sequence[Relation]
) -> Extraction:
    doc = Doc(Vocab())
    doc._.findings = replace(example.found, verdicts=verdicts(paper.document, relations))
    return Extraction(paper.paper, *found_in(doc), "cross-validation")
