"""Decisions in words: with the names of works in place of their ids."""

import re
from collections.abc import Sequence

from stemma.graph import Reader
from stemma.schema import Decision, RelationType

_ID = re.compile(r"(?:entity|paper)/([a-z0-9-]+)")
_RELATION = re.compile(rf" ({'|'.join(RelationType)}) ")


def in_words(reader: Reader, decisions: Sequence[Decision]) -> list[str]:
    """Return what decisions say: "reject “Quill on silver” builds on “Ink”".

    Works that are not there any more, such as those that were merged, are called as in their ids.
    """
    texts = [str(each) for each in decisions]
    works = reader.works({found[0] for each in texts for found in _ID.finditer(each)})

    def named(found: re.Match[str]) -> str:
        work = works.get(found[0])
        return f"“{work.name if work else found[1].replace('-', ' ')}”"

    def said(found: re.Match[str]) -> str:
        return f" {RelationType(found[1]).words} "

    return [_ID.sub(named, _RELATION.sub(said, each)) for each in texts]
