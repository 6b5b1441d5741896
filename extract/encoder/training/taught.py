"""What teachers say of papers: probabilities that a smaller network learns from.

`taught.npz` holds them by paper, for those whose texts are at hand.
"""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from hashlib import blake2b
from pathlib import Path

import numpy as np

from stemma.extract.encoder.document import Span
from stemma.extract.encoder.grouping import Group

FILE = Path(__file__).with_name("taught.npz")
STEPS = 255
"""Probabilities are kept in this many steps."""


@dataclass(slots=True)
class Taught:
    """Probabilities of the spans of a paper, and of the groups that they form.

    `spans`: span -> (kinds,), that it names an entity of each kind; `groups`: span -> number of
    the group; `entity`: (groups,); `kind`: (groups, kinds); `relations`: (groups, relations);
    `evidence`: (groups, relations), the sentence that is the likeliest evidence.
    """

    spans: dict[Span, np.ndarray]
    groups: dict[Span, int]
    entity: np.ndarray
    kind: np.ndarray
    relations: np.ndarray
    evidence: np.ndarray

    def matches(self, groups: Sequence[Group]) -> list[int | None]:
        """Return which of the teachers' groups each group is."""
        known = self.groups
        return [
            next((known[span] for span in each.spans if span in known), None) for each in groups
        ]


def write_taught(papers: Iterable[tuple[str, int, Taught]], file: Path = FILE) -> None:
    """Write papers, each with the key of its title, its number of words, and what was taught."""
    some = [(hashed_title(key), words, taught) for key, words, taught in papers]
    some.sort(key=lambda each: each[0])
    every = [taught for _, _, taught in some]
    spans = [
        (begin, end - begin, each.groups[begin, end]) for each in every for begin, end in each.spans
    ]
    np.savez_compressed(
        file,
        papers=np.array([number for number, _, _ in some], np.uint64),
        words=np.array([words for _, words, _ in some], np.uint16),
        spans_of=np.array([len(each.spans) for each in every], np.uint16),
        groups_of=np.array([len(each.entity) for each in every], np.uint16),
        spans=np.array(spans, np.uint16),
        span_kind=rounded([likely for each in every for likely in each.spans.values()]),
        entity=rounded(np.concatenate([each.entity for each in every])),
        kind=rounded(np.concatenate([each.kind for each in every])),
        relations=rounded(np.concatenate([each.relations for each in every])),
        evidence=np.concatenate([each.evidence for each in every]).astype(np.uint8),
    )


class TaughtPapers:
    """The papers in a file, by the key of their title."""

    def __init__(self, file: Path = FILE) -> None:
        """Raises OSError where there is no such file."""
        with np.load(file) as held:
            self._held: Mapping[str, np.ndarray] = dict(held)
        self._rows = {number: row for row, number in enumerate(self._held["papers"].tolist())}
        self._spans = np.cumsum([0, *self._held["spans_of"]])
        self._groups = np.cumsum([0, *self._held["groups_of"]])

    def __len__(self) -> int:
        """How many papers there are."""
        return len(self._rows)

    def get(self, key: str, words: int) -> Taught | None:
        """Return what was taught of a paper, None if it is not among them, or if it has been split
        into another number of words since."""
        row = self._rows.get(hashed_title(key))
        if row is None or self._held["words"][row] != words:
            return None
        spans = slice(self._spans[row], self._spans[row + 1])
        groups = slice(self._groups[row], self._groups[row + 1])
        likely = self._likely("span_kind", spans)
        places = self._held["spans"][spans].tolist()
        return Taught(
            {(begin, begin + width): likely[k] for k, (begin, width, _) in enumerate(places)},
            {(begin, begin + width): group for begin, width, group in places},
            self._likely("entity", groups),
            self._likely("kind", groups),
            self._likely("relations", groups),
            self._held["evidence"][groups].astype(np.int64),
        )

    def _likely(self, name: str, rows: slice) -> np.ndarray:
        return self._held[name][rows].astype(np.float32) / STEPS


def rounded(likely: Sequence[np.ndarray] | np.ndarray) -> np.ndarray:
    """Return probabilities in `STEPS` steps."""
    return np.round(np.asarray(likely, np.float32) * STEPS).astype(np.uint8)


def hashed_title(key: str) -> int:
    """Return what stands for a title, of which `key` is the surface key."""
    return int.from_bytes(blake2b(key.encode(), digest_size=8).digest(), "little")
