"""Annotation keys: by them names and titles that are annotated are found among those extracted."""

import re
from collections.abc import Iterable

_COUNTED = re.compile(r"[0-9a-zα-ω+]+")


def annotation_key(text: str) -> str:
    """Return what all spellings of `text` share: case, spaces, punctuation, a plural s are gone.

    Looser than the names of a graph (`stemma.schema.name`), where 2.7 and 27 are two: a scorer
    should not punish a hyphen.
    """
    key = "".join(_COUNTED.findall(text.casefold()))
    plural = len(key) > 3 and key[-1] == "s" and key[-2] != "s"
    return key[:-1] if plural else key


def annotation_keys(name: str, mentions: Iterable[str]) -> frozenset[str]:
    """Return the keys of an entity's name and of all its mentions, without empty ones."""
    return frozenset(key for form in (name, *mentions) if (key := annotation_key(form)))
