"""What teachers say of a paper: probabilities that a smaller network learns from."""

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from stemma.extract.encoder.grouping import Group
from stemma.extract.encoder.paper_words import KINDS, Span
from training import stored
from training.papers import DATA

FILE = DATA / "taught.npz"
"""What they say of the papers whose texts are at hand."""


@dataclass(slots=True)
class Taught:
    """Probabilities of the spans of a paper, and of the groups that they form.

    `spans`: span -> (kinds,), that it names an entity of that kind; `groups`: span -> number of
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
        """Return the teachers' groups that groups of spans are."""
        known = self.groups
        return [next((known[span] for span in each if span in known), None) for each in groups]

    def arrays(self) -> stored.Arrays:
        """Return the arrays to keep in a file."""
        spans = [(*span, self.groups[span]) for span in self.spans]
        return {
            "spans": np.array(spans, int).reshape(-1, 3),
            "span_kind": np.array(list(self.spans.values()), float).reshape(-1, len(KINDS)),
            "entity": self.entity,
            "kind": self.kind,
            "relations": self.relations,
            "evidence": self.evidence.astype(int),
        }

    @classmethod
    def of(cls, arrays: stored.Arrays) -> "Taught":
        """Return the probabilities that `arrays` holds."""
        groups = {(begin, end): group for begin, end, group in arrays["spans"].tolist()}
        spans = dict(zip(groups, arrays["span_kind"], strict=True))
        parts = (arrays[name] for name in ("entity", "kind", "relations", "evidence"))
        return cls(spans, groups, *parts)
