"""Candidates: spans that a recogniser takes for the name of an entity."""

from typing import NamedTuple

from stemma.schema import EntityKind


class Candidate(NamedTuple):
    """Characters `start` to `end` of a document, taken for a name by the component `source`.

    `score` in [0, 1] is how often the source is right, `kind` what it takes the entity for (None
    where it cannot tell), `concept` the id of the catalogue concept where the name has one sense.
    `introduced` means that the text presents the entity as its own, `generic` that the name is one
    of a class (LLM, GPU) rather than of one thing.
    """

    start: int
    end: int
    kind: EntityKind | None
    source: str
    score: float
    concept: str | None = None
    introduced: bool = False
    generic: bool = False
