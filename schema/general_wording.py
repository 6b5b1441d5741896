"""Whether a name is written as that of a class of things, or of one thing.

"convolutional neural networks" and "tensor parallelism" are general terms; "ResNet-50", "vLLM" and
"ImageNet dataset" name works. "RSA" may be either.
"""

import re
import tomllib
from collections.abc import Iterable
from functools import lru_cache
from pathlib import Path

from stemma.schema.model import EntityKind

_WORDING: dict[str, str] = tomllib.loads(
    Path(__file__).with_name("general_wording.toml").read_text("utf-8")
)
_HEADS = frozenset(_WORDING["heads"].split())
_SUFFIXES = tuple(_WORDING["suffixes"].split())
_AFTER_NAMES = frozenset(_WORDING["after_names"].split())
_ACRONYMS = frozenset(_WORDING["acronyms"].split())
_CLASS_ACRONYM = re.compile(rf"[A-Z]{{0,2}}(?:{'|'.join(_WORDING['acronym_endings'].split())})")
_MADE = (EntityKind.FRAMEWORK, EntityKind.DATASET)
"""Kinds of which an "X library" is X itself; an "X model" or "X method" may be one of many."""
# A number of a common noun: "8-bit", "2.5D", "3-way"; those of names: "word2vec", "text8".
_QUANTITY = re.compile(r"(?<![\w-])\d+(?:\.\d+)?-?(?:[dD]|bits?|way|shot|step)?(?!\w)")
# Digits, dots, capitals within a word, a capital word after an acronym: "I-NGP", "MLM-Filter".
_COINED = re.compile(r"[\d@]|(?<=\w)[._](?=\w)|[a-z][A-Z]|[A-Z]{2,}[a-z]{2,}|[A-Z]{2,}-[A-Z]")
_PLURAL_ACRONYM = re.compile(r"[A-Z]{2,}s")
_WORD = re.compile(r"[^\W\d_]+")


@lru_cache(maxsize=65536)
def written_as_general(name: str, kind: EntityKind) -> bool | None:
    """Return whether `name` is written as a general term; None where it may be either."""
    name = _QUANTITY.sub("", name).strip(" -")
    words = name.split()
    if name.islower():
        return _is_common_noun(name, kind)
    if not words or kind in _MADE:
        return False
    first, last = words[0], words[-1]
    if len(words) > 1 and _is_plain(last):  # "Kalman filter"; but "Frontier supercomputer".
        is_name = len(words) == 2 and last in _AFTER_NAMES and not _is_plain(first)
        return not is_name and kind is not EntityKind.HARDWARE
    if _PLURAL_ACRONYM.fullmatch(last) or (
        len(words) > 1 and (_is_plain(first) or _ends_with_class(words))
    ):
        return True
    return False if _COINED.search(name) else None


@lru_cache(maxsize=65536)
def ends_as_general(name: str, kind: EntityKind) -> bool:
    """Return whether `name` ends with what names of classes end with."""
    words = _WORD.findall(name)
    if not words or kind in _MADE:
        return False
    last = _singular(words[-1].lower())
    return (
        last in _HEADS
        or last.endswith(_SUFFIXES)
        or _CLASS_ACRONYM.fullmatch(_singular(words[-1])) is not None
    )


def names_a_class(name: str, aliases: Iterable[str], kind: EntityKind) -> bool:
    """Return whether a concept of a catalogue is general, if that does not say so itself.

    A catalogue spells names as they are written: a general term has a name in lower case.
    """
    lower_case = (alias for alias in aliases if alias.islower())
    return any(written_as_general(spelt, kind) for spelt in (name, *lower_case))


def _is_common_noun(name: str, kind: EntityKind) -> bool:
    """Distinguish "dropout" and "vector database" from "gem5" and "scikit-learn"."""
    if _COINED.search(name):
        return False
    return kind not in _MADE or " " in name or _singular(name) in _HEADS


def _ends_with_class(words: list[str]) -> bool:
    """Distinguish "NVIDIA GPU" from "DeepSeek LLM"."""
    return _singular(words[-1]) in _ACRONYMS and not _COINED.search(" ".join(words[:-1]))


def _is_plain(word: str) -> bool:
    return word.islower() and word.replace("-", "").isalpha()


def _singular(word: str) -> str:
    return word.removesuffix("s")
