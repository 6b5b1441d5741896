"""Generality: whether all papers together use a name as a general term, or as that of one work."""

from collections.abc import Iterable

from stemma.graph.linking.naming import NameUse, spelling
from stemma.schema import EntityKind
from stemma.schema.general_wording import ends_as_general, written_as_general

_INTRODUCTION = 3
"""Mentions that a paper counts for which introduces the name: it says that it made the thing."""


def is_general(name: str, kind: EntityKind, uses: Iterable[NameUse]) -> bool:
    """Return whether what is called `name`, and is in no catalogue, is a class or a common method.

    Each paper has a vote by how it writes the name, in full or as an acronym. Where they leave it
    open, the end of the name decides.
    """
    votes = sum(use.papers * _vote(use, kind) for use in uses)
    return votes > 0 if votes else ends_as_general(name, kind)


def _vote(use: NameUse, kind: EntityKind) -> int:
    """Return how much one paper speaks for a general term; for a named work it is below 0."""
    own = written_as_general(spelling(use.name.name), kind)
    if use.name.introduced and not own:
        return -_INTRODUCTION
    written = {own, *(written_as_general(form, kind) for form in use.name.forms)}
    return 1 if True in written else -(False in written)
