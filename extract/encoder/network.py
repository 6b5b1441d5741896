"""The network: two ONNX graphs, one that reads words and one that reads what was recognised."""

import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache
from pathlib import Path
from typing import Any, NamedTuple, Self

import numpy as np

from stemma.extract.encoder.paper_words import PieceWindow, Vocabulary
from stemma.extract.encoder.trained_model import SHIPPED, session
from stemma.schema import RelationType

RELATIONS = tuple(
    RelationType(each)
    for each in (
        "INTRODUCES", "BUILDS_ON", "IMPROVES_ON", "COMPARES_WITH", "USES", "RUNS_ON",
        "EVALUATED_ON", "MENTIONS",
    )
)  # fmt: skip
WIDEST = 12
"""Words of the longest name that is looked for."""


class EncodedWords(NamedTuple):
    """Words as the encoder reads them.

    `pieces`: (pieces, size), the memory that relations are read from; `first` and `last`: (words,
    size), the first and the last piece of each word; `spans`: (words, WIDEST, 1 + kinds), for the
    span of 1 to WIDEST words that begins at each word the probability that it names nothing, and
    that it names an entity of each of `KINDS`.
    """

    pieces: np.ndarray
    first: np.ndarray
    last: np.ndarray
    spans: np.ndarray


class MentionSpans(NamedTuple):
    """Spans, by group: `begin` and `end` are their first and last word, each (mentions,)."""

    begin: np.ndarray
    end: np.ndarray
    group: np.ndarray


class RelationScores(NamedTuple):
    """The probabilities that the network gives to each group of mentions.

    `entity`: (groups,), the probability that it is an entity; `kind`: (groups, kinds), of which
    kind; `relations`: (groups, relations), that the paper has each of `RELATIONS` to it;
    `evidence`: (groups, relations, sentences), that a sentence is the one that states it.
    """

    entity: np.ndarray
    kind: np.ndarray
    relations: np.ndarray
    evidence: np.ndarray


NOTHING = RelationScores(*(np.zeros((0, *rest)) for rest in ((), (0,), (len(RELATIONS),), (0, 0))))
"""The output for no groups."""


@dataclass(frozen=True, slots=True)
class Calibration:
    """From probabilities of the network to statements with confidences.

    `entity_threshold`: the minimum probability of an entity; `relation_thresholds`: that of each
    relation; `curves`: for each relation points of a curve, probabilities and the shares that are
    right.
    """

    entity_threshold: float
    relation_thresholds: Mapping[RelationType, float]
    curves: Mapping[RelationType, Sequence[Sequence[float]]]

    @classmethod
    def of(cls, record: Mapping[str, Any]) -> "Calibration":
        """Read a calibration from the mapping that `asdict` makes of it."""
        return cls(
            record["entity_threshold"],
            {RelationType(name): least for name, least in record["relation_thresholds"].items()},
            {RelationType(name): points for name, points in record["curves"].items()},
        )

    def confidence(self, relation: RelationType, probability: float) -> float:
        """Return the confidence of a relation: the share that is right at this probability."""
        probabilities, right = self.curves[relation]
        return float(np.interp(probability, probabilities, right))


class Network:
    """The shipped network, or another in `folder`. `threads`: how many processors it may use."""

    def __init__(self, folder: Path = SHIPPED, threads: int = 1) -> None:
        self.vocabulary = Vocabulary(folder / "vocabulary.json")
        self.calibration = Calibration.of(json.loads((folder / "calibration.json").read_bytes()))
        self._embeddings = dict(np.load(folder / "embeddings.npz"))
        self._reader = session(folder / "reader.onnx", threads)
        self._relater = session(folder / "relater.onnx", threads)

    @classmethod
    @lru_cache(maxsize=1)
    def shipped(cls, threads: int = 1) -> Self:
        """Return the shipped network, loaded once for all pipelines."""
        return cls(threads=threads)

    def read(self, windows: Sequence[PieceWindow]) -> EncodedWords:
        """Read the words of a paper."""
        parts = [self._read(window) for window in windows]
        return EncodedWords(*map(np.concatenate, zip(*parts, strict=True)))

    def _read(self, window: PieceWindow) -> EncodedWords:
        tables = self._embeddings
        pieces = window.pieces
        embedded = tables["piece"][pieces].astype(np.float32) * tables["scale"][pieces, None]
        embedded += tables["place"][: len(pieces)]
        embedded += tables["shape"][window.shapes] + tables["tag"][window.tags]
        names = ("embedded", "first", "last")
        inputs = (embedded, np.array(window.first), np.array(window.last))
        return EncodedWords(*self._reader.run(None, dict(zip(names, inputs, strict=True))))

    def relate(
        self, read: EncodedWords, sentences: Sequence[int], titles: int, mentions: MentionSpans
    ) -> RelationScores:
        """Read what the paper says of its groups of mentions.

        `sentences`: the sentence of each word; the first `titles` sentences are the title.
        """
        numbers = np.array(sentences)
        inputs = {
            "pieces": read.pieces,
            "first": read.first,
            "last": read.last,
            "spans": read.spans,
            "sentences": np.eye(int(numbers.max()) + 1, dtype=np.float32)[numbers],
            **mentions._asdict(),
            "features": features(mentions, numbers, titles),
        }
        return RelationScores(*self._relater.run(None, inputs))


class Features(NamedTuple):
    """What is counted of a group of mentions, each from 0 to 1. The weights that the network has
    learned are in the order of these fields."""

    mentions: float
    """How many there are, of at most `_MOST_MENTIONS`."""
    in_title: float
    """1 where one of them is in the title."""
    once: float
    """1 where there is but one."""
    first: float
    """Where the first is: the number of its sentence, as a share of all."""
    last: float
    """Where the last is."""
    groups: float
    """How many groups the paper has, of at most `_MOST_GROUPS`."""


FEATURES = len(Features._fields)
_MOST_MENTIONS, _MOST_GROUPS = 6, 40


def features(mentions: MentionSpans, sentences: np.ndarray, titles: int) -> np.ndarray:
    """Return the `Features` of each group, (groups, FEATURES).

    `sentences`: the number of each word's sentence; the first `titles` sentences are the title.
    """
    groups = int(mentions.group.max()) + 1
    total = max(1, int(sentences.max()) + 1)
    result = np.zeros((groups, FEATURES), np.float32)
    for group in range(groups):
        places = sentences[mentions.begin[mentions.group == group]]
        result[group] = Features(
            mentions=min(len(places), _MOST_MENTIONS) / _MOST_MENTIONS,
            in_title=places.min() < titles,
            once=len(places) == 1,
            first=places.min() / total,
            last=places.max() / total,
            groups=min(groups, _MOST_GROUPS) / _MOST_GROUPS,
        )
    return result
