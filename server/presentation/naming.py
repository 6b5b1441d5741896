"""Sentences of papers with the names of works marked in them."""

import re
from collections.abc import Iterable
from functools import lru_cache

from markupsafe import Markup, escape

from stemma.graph import Work
from stemma.schema import Entity
from stemma.server.presentation.wording import readable

_LONGEST_EXACT = 3
"""Letters of a name that is found only as it is written: IT is no "it"."""


def naming(text: str, works: Iterable[Work | None]) -> Markup:
    """Return a sentence as HTML, with the names of entities among the works marked."""
    names = {
        name for each in works if isinstance(each, Entity) for name in (each.name, *each.aliases)
    }
    if not names:
        return escape(readable(text))
    parts = _pattern(frozenset(names)).split(readable(text))
    return Markup("").join(
        Markup('<span class="named">{}</span>').format(part) if place % 2 else escape(part)
        for place, part in enumerate(parts)
    )


@lru_cache(maxsize=256)
def _pattern(names: frozenset[str]) -> re.Pattern[str]:
    """Match names as whole words, the longest first: with hyphens for spaces, or in the plural."""
    forms = (_form(each) for each in sorted(names, key=lambda each: (-len(each), each)))
    return re.compile(rf"(?<!\w)((?:{'|'.join(forms)})s?)(?!\w)")


def _form(name: str) -> str:
    words = r"[\s-]+".join(re.escape(each) for each in re.split(r"[\s-]+", name))
    return words if len(name) <= _LONGEST_EXACT else f"(?i:{words})"
