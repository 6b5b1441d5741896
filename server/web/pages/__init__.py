"""Pages for people: templates, with their style and scripts, which need nothing from elsewhere."""

import json
import re
from base64 import b64encode
from collections.abc import Iterable
from enum import Enum
from functools import cache, lru_cache
from hashlib import sha256
from pathlib import Path
from typing import Any
from urllib.parse import quote

from jinja2 import Environment, FileSystemLoader, StrictUndefined
from markupsafe import Markup, escape

from stemma.graph import Work, kind_of
from stemma.schema import Entity, EntityKind
from stemma.schema.quantity import quantity
from stemma.server.views.build import counted
from stemma.server.views.wording import finder, readable, relation_phrase

FOLDER = Path(__file__).parent
ASSETS = FOLDER / "assets"
_SAFE = "/:@!$&'()*+,;=~"
"""What a path may contain unescaped (RFC 3986, 3.3)."""
_LONGEST_EXACT = 3
"""Letters of a name that is found only as it is written: IT is no "it"."""


def render(template: str, *, served: bool = True, **values: Any) -> str:
    """Return a page; what `values` hold is text, whatever it looks like.

    Pages that are not `served` are single files: templates leave out what needs a server.
    """
    return _environment(served).get_template(template).render(values)


def macro(template: str, name: str, *arguments: Any) -> Markup:
    """Return the HTML of a macro of a template, which escapes texts, but not HTML of macros."""
    markup: Markup = getattr(_environment(True).get_template(template).module, name)(*arguments)
    return markup


@cache
def _environment(served: bool) -> Environment:
    environment = Environment(
        loader=FileSystemLoader(FOLDER),
        autoescape=True,
        undefined=StrictUndefined,
        auto_reload=False,
        trim_blocks=True,
        lstrip_blocks=True,
    )
    environment.globals |= {"served": served, "kind_of": kind_of, "embedded": embedded}
    environment.globals["kinds"] = [*EntityKind]
    environment.filters |= {
        "path": path,
        "said": lambda edge: relation_phrase(edge.confidences),
        "finder": finder,
        "readable": readable,
        "naming": naming,
        "counted": counted,
        "g": "{:g}".format,
        "literal": literal,
        "sha256": lambda text: b64encode(sha256(text.encode()).digest()).decode(),
        "quantity": quantity,
    }
    return environment


def path(local: str) -> str:
    """Return the end of an IRI as it is in addresses: behind /id/, /page/ or /data/."""
    return quote(local, safe=_SAFE)


def literal(value: object) -> Markup:
    """Return a value as GraphQL has it."""
    if isinstance(value, tuple):
        return Markup(f"[{', '.join(map(literal, value))}]")
    if isinstance(value, Enum):
        return Markup(value.name)
    plain = value if isinstance(value, str | int | float) else str(value)
    return Markup(json.dumps(plain, ensure_ascii=False))


@cache
def embedded(asset: str) -> Markup:
    """Return an asset as it can be part of HTML, where `</script` would end it."""
    text = (ASSETS / asset).read_text("utf-8")
    return Markup(text.replace("</script", r"<\/script"))


def naming(text: str, works: Iterable[Work | None]) -> Markup:
    """Return a sentence as HTML, with the names of entities among the works marked."""
    names = {
        name for work in works if isinstance(work, Entity) for name in (work.name, *work.aliases)
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
    forms = (_form(name) for name in sorted(names, key=lambda each: (-len(each), each)))
    return re.compile(rf"(?<!\w)((?:{'|'.join(forms)})s?)(?!\w)")


def _form(name: str) -> str:
    words = r"[\s-]+".join(re.escape(each) for each in re.split(r"[\s-]+", name))
    return words if len(name) <= _LONGEST_EXACT else f"(?i:{words})"
