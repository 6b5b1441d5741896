"""What many unlabelled abstracts say about words and phrases: how frequent they are, how they are
written, what they resemble."""

import math
from collections.abc import Mapping
from dataclasses import dataclass
from functools import cached_property
from zlib import crc32

import numpy as np

from stemma.extract.learned.form_index import FormIndex
from stemma.extract.learned.packing import joined, split

CLUSTERS = (50, 200, 800)
Arrays = dict[str, np.ndarray]


@dataclass
class CorpusStatistics:
    """Counts over `documents` abstracts. Phrases are kept as hashes: their words are not needed
    again."""

    documents: int
    frequency: dict[str, int]  # lower-case word -> abstracts
    lower: dict[str, int]  # word as written, inside sentences -> times in lower case
    upper: dict[str, int]  # the same, otherwise
    clusters: dict[str, tuple[int, int, int]]
    phrases: dict[int, int]  # crc32 of 2 to 5 lower-case tokens -> abstracts
    long_forms: dict[str, int]  # normal form of a long form -> definitions
    short_forms: dict[str, int]  # acronym -> definitions

    @cached_property
    def index(self) -> FormIndex:
        """The long forms, to look for."""
        return FormIndex(self.long_forms)

    def phrase_frequency(self, phrase: str) -> int:
        """Abstracts that hold `phrase` (lower-case tokens, one blank between)."""
        return (
            self.phrases.get(crc32(phrase.encode()), 0)
            if " " in phrase
            else self.frequency.get(phrase, 0)
        )

    def long_form_frequency(self, form: str) -> int:
        """How often a normal form was given an acronym."""
        return self.long_forms.get(form, 0)

    def short_form_frequency(self, word: str) -> int:
        """How often an acronym was defined."""
        return self.short_forms.get(word[:-1] if len(word) > 3 and word.endswith("s") else word, 0)

    def association(self, left: str, right: str, together: int) -> int:
        """Return the pointwise mutual information of two lower-case words, cut to [-2, 5].

        `together`: abstracts in which one follows the other, at least 1.
        """
        by_chance = (self.frequency.get(left) or 1) * (self.frequency.get(right) or 1)
        share = together * self.documents / by_chance
        return int(max(-2.0, min(5.0, math.log(share))))

    def arrays(self) -> Arrays:
        """Everything as numpy arrays, for one compressed file."""
        words = sorted(set(self.frequency) | set(self.clusters))
        written = sorted(set(self.lower) | set(self.upper))
        return {
            "documents": np.array(self.documents),
            "words": joined(words),
            "frequency": np.array([min(65535, self.frequency.get(w, 0)) for w in words], np.uint16),
            "clusters": np.array([self.clusters.get(w, (-1, -1, -1)) for w in words], np.int16),
            "written": joined(written),
            "lower": np.array([min(255, self.lower.get(w, 0)) for w in written], np.uint8),
            "upper": np.array([min(255, self.upper.get(w, 0)) for w in written], np.uint8),
            **_hashed("phrase", self.phrases),
            "long": joined(sorted(self.long_forms)),
            "long_count": np.array(
                [self.long_forms[w] for w in sorted(self.long_forms)], np.uint16
            ),
            "short": joined(sorted(self.short_forms)),
            "short_count": np.array(
                [self.short_forms[w] for w in sorted(self.short_forms)], np.uint16
            ),
        }

    @classmethod
    def from_arrays(cls, a: Mapping[str, np.ndarray]) -> "CorpusStatistics":
        """The inverse of `arrays`."""
        words, written = split(a["words"]), split(a["written"])
        clusters = {
            w: (c[0], c[1], c[2])
            for w, c in zip(words, a["clusters"].tolist(), strict=True)
            if c[0] >= 0
        }
        return cls(
            int(a["documents"]),
            {w: f for w, f in zip(words, a["frequency"].tolist(), strict=True) if f},
            dict(zip(written, a["lower"].tolist(), strict=True)),
            dict(zip(written, a["upper"].tolist(), strict=True)),
            clusters,
            dict(zip(a["phrase_hash"].tolist(), a["phrase_count"].tolist(), strict=True)),
            dict(zip(split(a["long"]), a["long_count"].tolist(), strict=True)),
            dict(zip(split(a["short"]), a["short_count"].tolist(), strict=True)),
        )


def _hashed(name: str, counts: Mapping[int, int]) -> Arrays:
    keys = sorted(counts)
    return {
        f"{name}_hash": np.array(keys, np.uint32),
        f"{name}_count": np.array([min(65535, counts[k]) for k in keys], np.uint16),
    }
