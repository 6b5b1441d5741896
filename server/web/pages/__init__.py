"""Pages for people: templates, with their style and scripts, which need nothing from elsewhere."""

import re
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from contextvars import ContextVar
from dataclasses import dataclass
from enum import StrEnum
from functools import cache, lru_cache
from pathlib import Path
from typing import Any
from urllib.parse import quote

from jinja2 import Environment, FileSystemLoader, StrictUndefined
from markupsafe import Markup, escape

from stemma.graph import Work
from stemma.schema import Entity
from stemma.schema.quantity import quantity
from stemma.server.views.build import counted
from stemma.server.views.wording import finder, readable, relation_phrase

FOLDER = Path(__file__).parent
ASSETS = FOLDER / "assets"
_SAFE = "/:@!$&'()*+,;=~"
"""What a path may contain unescaped (RFC 3986, 3.3)."""
_LONGEST_EXACT = 3
"""Letters of a name that is found only as it is written: IT is no "it"."""


class Medium(StrEnum):
    """Where a page is read: from a server, in a static site, or as a single file."""

    SERVER = "server"
    SITE = "site"
    FILE = "file"


@dataclass(frozen=True, slots=True)
class Visit:
    """The address of a page that is served, and the generation of the graph that it shows.

    `linked` is the generation that a permanent link to it names, if it was opened by one.
    """

    path: str
    query: str
    generation: str
    linked: str | None = None

    @property
    def permanent(self) -> str:
        """The address with the generation."""
        return f"{self.path}?{self.query}{'&' * bool(self.query)}generation={self.generation}"

    @property
    def differs(self) -> bool:
        """Whether the graph has changed since the permanent link was made."""
        return self.linked is not None and int(self.linked) != int(self.generation)


_visit: ContextVar[Visit | None] = ContextVar("visit", default=None)
_medium: ContextVar[Medium] = ContextVar("medium", default=Medium.SERVER)


@contextmanager
def rendered_for(medium: Medium) -> Iterator[None]:
    """Make pages for `medium`: templates leave out what cannot work there."""
    token = _medium.set(medium)
    try:
        yield
    finally:
        _medium.reset(token)


@contextmanager
def rendered_at(visit: Visit) -> Iterator[None]:
    """Make pages for a visit: they have a permanent link, and say what came since it was made."""
    token = _visit.set(visit)
    try:
        yield
    finally:
        _visit.reset(token)


def is_served() -> bool:
    """Whether pages are made for a server, which can be asked for more."""
    return _medium.get() is Medium.SERVER


def render(template: str, **values: Any) -> str:
    """Return a page; what `values` hold is text, whatever it looks like."""
    return _environment().get_template(template).render(values)


def macro(template: str, name: str, *arguments: Any, **keywords: Any) -> Markup:
    """Return what a macro of a template makes; it escapes texts, but not what a macro returned."""
    found: Markup = getattr(_environment().get_template(template).module, name)(
        *arguments, **keywords
    )
    return found


@cache
def _environment() -> Environment:
    environment = Environment(
        loader=FileSystemLoader(FOLDER),
        autoescape=True,
        undefined=StrictUndefined,
        trim_blocks=True,
        lstrip_blocks=True,
    )
    environment.globals["medium"] = _medium.get
    environment.globals["visit"] = _visit.get
    environment.filters["path"] = path
    environment.filters["said"] = lambda edge: relation_phrase(edge.confidences)
    environment.filters["finder"] = finder
    environment.filters["readable"] = readable
    environment.filters["naming"] = naming
    environment.filters["counted"] = counted
    environment.filters["quantity"] = quantity
    return environment


def path(local: str) -> str:
    """Return the end of an IRI as it is in addresses: behind /id/, /page/ or /data/."""
    return quote(local, safe=_SAFE)


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
