"""Head nouns: what the last word of a phrase says of the kind of thing that it names."""

import re
import tomllib
from functools import lru_cache
from pathlib import Path
from typing import Any

from stemma.schema import EntityKind
from stemma.schema.vendor import VENDORS

WORDING: dict[str, Any] = tomllib.loads(
    Path(__file__).with_name("wording.toml").read_text(encoding="utf-8")
)
_KINDS = {
    word: EntityKind(kind) for kind, words in WORDING["heads"].items() for word in words.split()
}
_NO_ENTITY_ENDINGS = frozenset(WORDING["no_entity"]["endings"].split())
NO_ENTITY_WORDS = frozenset((*WORDING["no_entity"]["words"].split(), *VENDORS))
MODIFIERS = frozenset(WORDING["no_entity"]["modifiers"].split())
# "LLM-powered", "GPU-centric": a description, not a name.
DESCRIBES = re.compile(
    r"-(?:\w+ed|\w+ing|aware|level|like|style|driven|specific|free|efficient|centric|friendly|wise"
    r"|agnostic|bound|scale|time|only|side|compatible|oriented|native|ready|first|end|guided)$",
    re.IGNORECASE,
)
_LAST_WORD = re.compile(r"[\w]+$")


@lru_cache(maxsize=65536)
def kind_of_head(phrase: str) -> EntityKind | None:
    """Return the kind that the last word of `phrase` speaks for, if any."""
    last = _LAST_WORD.search(phrase)
    if last is None:
        return None
    return _KINDS.get(last.group()) or _KINDS.get(last.group().lower())


@lru_cache(maxsize=65536)
def is_no_entity(phrase: str) -> bool:
    """Return whether `phrase` is a task, metric, quantity, organisation or other non-entity."""
    if phrase in NO_ENTITY_WORDS:
        return True
    last = _LAST_WORD.search(phrase)
    return last is None or last.group().lower() in _NO_ENTITY_ENDINGS
