"""Metrics: what a comparison measures, by the names that the data model has for them."""

import re
import tomllib
from pathlib import Path

_WORDS: dict[str, str] = tomllib.loads(
    Path(__file__).with_name("metrics.toml").read_text(encoding="utf-8")
)
_NAME_OF = {word.strip(): name for name, words in _WORDS.items() for word in words.split(",")}
METRIC = "|".join(
    re.escape(word).replace(r"\ ", r"[\s-]").replace(r"\-", r"[\s-]?")
    for word in sorted(_NAME_OF, key=len, reverse=True)
)
"""A pattern of everything that names a metric, in lower case, longest first."""
_METRIC = re.compile(rf"(?<![\w-])(?:{METRIC})(?![\w])")
_KEY_NOISE = re.compile(r"[\s-]+")
_BY_KEY = {_KEY_NOISE.sub("", word): name for word, name in _NAME_OF.items()}


def metrics_in(text: str) -> list[str]:
    """Return the names of the metrics that a masked `text` names, each once, in order."""
    found = (_BY_KEY[_KEY_NOISE.sub("", each)] for each in _METRIC.findall(text))
    return list(dict.fromkeys(found))


def metric_in(text: str, last: bool = True) -> str | None:
    """Return the name of the last (or first) metric that a masked `text` names."""
    found = _METRIC.findall(text)
    if not found:
        return None
    return _BY_KEY[_KEY_NOISE.sub("", found[-1 if last else 0])]
