"""Normal forms: what counts as the same name while a paper is read.

Unlike `stemma.schema.name.match_key`, the form of a phrase is joined from those of its words, so
that all phrases of a text have theirs at little cost.
"""

import re
import unicodedata
from functools import lru_cache

_DROP = re.compile(r"[^0-9a-z+]")
_ACRONYMS = re.compile(r"\b([A-Z]{2,})s\b")
# Greek letters by their names, as LaTeX writes them.
_GREEK = {
    place: unicodedata.name(chr(place)).split()[-1].lower().replace("lamda", "lambda")
    for place in range(ord("α"), ord("ω") + 1)
}


@lru_cache(maxsize=200_000)
def bare_form(text: str) -> str:
    """Return `text` without case, spaces, punctuation and the plural s of acronyms: "PIXART-δ" is
    "pixartdelta", "LMs" is "lm"."""
    return _DROP.sub("", _ACRONYMS.sub(r"\1", text).casefold().translate(_GREEK))


def singular(form: str) -> str:
    """Return a bare form without a plural s."""
    return form[:-1] if len(form) > 3 and form[-1] == "s" and form[-2] != "s" else form


def normal_form(name: str) -> str:
    """Return `name` bare and singular: "KV caches" and "kv-cache" are one."""
    return singular(bare_form(name))
