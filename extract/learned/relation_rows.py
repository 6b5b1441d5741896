"""What the relation trees see."""

from collections.abc import Iterable, Sequence
from itertools import accumulate

import numpy as np

from stemma.extract.learned.document import Document
from stemma.extract.learned.entity import Entity
from stemma.extract.learned.lexicon import KINDS
from stemma.extract.learned.relation_features import Features
from stemma.extract.learned.ruling import Ruling

# What the trees see of the features besides the probabilities of the linear models.
PAPER_SIGNS = (
    "inT",
    "onlyT",
    "hasintro",
    "ininame",
    "inihead",
    "inisub",
    "cat",
    "acr",
    "thead",
    "prop",
    "unk1",
)
SENTENCE_SIGNS = (
    "rp=T", "rp=pre", "rp=at", "rp=post", "Lneg", "Rneg", "Lcmp", "Rcmp", "LI", "RI", "Lwe",
    "Rwe", "inl1", "hyR", "paren",
    "num", "fac", "nxhow", "nxpro", "last1", "Lbld", "Rbld", "start", "startT", "afterhow",
    "nxnegpre",
)  # fmt: skip


_SENTENCE_SIGNS = frozenset(SENTENCE_SIGNS)


def together(by_sentence: Sequence[np.ndarray]) -> np.ndarray:
    """Return the probability that any sentence of an entity states it, (entities, relations)."""
    unstated = _reduced(np.multiply, [1.0 - each for each in by_sentence])
    return (1.0 - unstated).astype(np.float32)


def numbers(
    document: Document,
    entities: Sequence[Entity],
    features: Sequence[Features],
    rulings: Sequence[Ruling],
    by_words: np.ndarray,
    by_sentence: Sequence[np.ndarray],
) -> np.ndarray:
    """Return (entities, numbers).

    The probabilities of the linear models, (entities, relations) `by_words` and (sentences,
    relations) `by_sentence`: of the entity itself, of those of the same kind in the same sentences,
    of all others in these, and of the rest of the paper; and the strongest signs.
    """
    either = together(by_sentence)
    likely = (by_words + either) / 2
    ranks = (likely > likely[:, None]).sum(axis=1)[:, :-1]
    signs = [
        [
            *(entity.kind == kind for kind in KINDS),
            len(sentences), len(entity.spans), min(sentences, default=-1), max(sentences,
            default=-1),
            len(document.sentences), len(entities),
            *(sign in paper for sign in PAPER_SIGNS),
            *_shares(sentences.values()),
            entity.probability, entity.own, *ruling.numbers(),
        ]
        for entity, (paper, sentences), ruling in zip(entities, features, rulings, strict=True)
    ]  # fmt: skip
    strongest = _reduced(np.maximum, by_sentence)
    parts = [by_words, either, strongest, *_of_others(likely, entities), ranks, np.array(signs)]
    return np.hstack(parts, dtype=np.float32, casting="same_kind")


def _reduced(by: np.ufunc, tables: Sequence[np.ndarray]) -> np.ndarray:
    """Reduce each of the tables, (sentences, relations) and none of them empty, to one row."""
    starts = [0, *accumulate(map(len, tables))][:-1]
    reduced: np.ndarray = by.reduceat(np.concatenate(tables), starts, axis=0)
    return reduced


def _of_others(likely: np.ndarray, entities: Sequence[Entity]) -> np.ndarray:
    """Return the probabilities of those of the same kind in the same sentences, of all in these,
    and of all others, (3, entities, relations)."""
    result = np.full((3, *likely.shape), -1.0)
    where = [{s for s, _, _ in e.spans} for e in entities]
    for k, entity in enumerate(entities):
        others = [i for i in range(len(entities)) if i != k]
        near = [i for i in others if not where[i].isdisjoint(where[k])]
        mates = [i for i in near if entities[i].kind == entity.kind]
        if mates:
            result[0, k] = likely[mates].mean(axis=0)
        if near:
            result[1, k] = likely[near].max(axis=0)
        result[2, k] = likely[others].max(axis=0) if others else 0.0
    return result


def _shares(sentences: Iterable[set[str]]) -> list[float]:
    """Return for each sign of sentences how many of them have it, and whether any has."""
    times = dict.fromkeys(SENTENCE_SIGNS, 0)
    count = 0
    for found in sentences:
        count += 1
        for sign in _SENTENCE_SIGNS & found:
            times[sign] += 1
    return [*(t / max(1, count) for t in times.values()), *(t > 0 for t in times.values())]
