"""Normal forms: what counts as the same name while a paper is read.

Unlike `stemma.schema.name.match_key`, the form of a phrase is joined from those of its words, so
that all phrases of a text have theirs at little cost.
"""

import re
import unicodedata
from functools import lru_cache

_DROP = re.compile(r"[^0-9a-z+]")
_ACRONYMS = re.compile(r"\b([A-Z]{2,})s\b")
_WORD = re.compile(r"[^\W_]+[+*∗#]*")
_INFLECTION = re.compile(
    r"(?<=\w{4})(?:i[sz]ations?|i[sz](?:e[ds]?|ing)|at(?:ions?|e[ds]?|ing)|ion(?:s|al)?|ings?|ies"
    r"|e[ds]|al|[esy])$"
)
# Greek letters by their names, as LaTeX writes them; A* and RRT# are not A and RRT.
_SPELT = {
    place: unicodedata.name(chr(place)).split()[-1].lower().replace("lamda", "lambda")
    for place in range(ord("α"), ord("ω") + 1)
} | {ord("*"): "star", ord("∗"): "star", ord("#"): "sharp"}


@lru_cache(maxsize=200_000)
def bare_form(text: str) -> str:
    """Return `text` without case, accents, spaces, punctuation and the plural s of acronyms:
    "PIXART-δ" is "pixartdelta", "LMs" is "lm", and "RRT*" is "rrtstar"."""
    text = _ACRONYMS.sub(r"\1", text).casefold()
    return _DROP.sub("", unicodedata.normalize("NFD", text).translate(_SPELT))


def singular(form: str) -> str:
    """Return a bare form without a plural s."""
    return form[:-1] if len(form) > 3 and form[-1] == "s" and form[-2] != "s" else form


def normal_form(name: str) -> str:
    """Return `name` bare and singular: "KV caches" and "kv-cache" are one."""
    return singular(bare_form(name))


def stem_form(name: str) -> str:
    """Return what the inflections of a name share: "approximated searches" and "approximate search"
    are one, and "policies" and "policy"."""
    return " ".join(_INFLECTION.sub("", bare_form(word)) for word in _WORD.findall(name))
