"""What sort of things a question asks for: "which optimizers", "LLM serving systems", "GPUs"."""

import re
from collections.abc import Mapping
from dataclasses import dataclass, field
from itertools import chain
from typing import Self

from stemma.graph import Reader, Selection, Work
from stemma.graph.searching import called_after, narrower_entities, passes
from stemma.schema import Catalogue, EntityKind
from stemma.schema.name import match_key
from stemma.server.asking.asked import Asked
from stemma.server.asking.question import is_noun, kinds_of
from stemma.server.asking.thesaurus import terms_in

_METHODS = (EntityKind.TECHNIQUE, EntityKind.MODEL, EntityKind.FRAMEWORK)
_HARDWARE = (EntityKind.HARDWARE,)
_SORT = re.compile(r"(?i)(?:model|type|kind|version|card|setup|name|generation)s?")
_BASELINES = re.compile(r"(?i)\bbaselines\b")
_FEW_OF_CLASS = 3
"""Entities of a class that the catalogue has, for a noun to mean these and not all of a kind."""


@dataclass(frozen=True, slots=True)
class Kind:
    """Things of some `kinds`, of all if there are none, or the `members` (by id) of a class.

    `noun` says so in the `words` of the question; `topic` are those that are no noun: "LLM serving"
    of "LLM serving systems".
    """

    noun: str = ""
    kinds: tuple[EntityKind, ...] = ()
    topic: str = ""
    members: Mapping[str, Work] = field(default_factory=dict)
    words: str = ""

    @classmethod
    def of(cls, asked: Asked, *, alone: bool = True) -> Self:
        """Return what a question asks for; `alone`: nothing else says what it is about."""
        said = [span.text for span in asked.spans("kind")]
        if not said and "entities" in asked.question.parsed.forms:
            said = _BASELINES.findall(asked.question.text)
        text = said[0] if said else ""
        text = re.sub(r"(?i)\bdata (?=sets?\b)", "data", text)
        before, _, noun = text.rpartition(" ")
        if _SORT.fullmatch(noun) and is_noun(before.rpartition(" ")[2]):  # "Which GPU model".
            text = before
            before, _, noun = text.rpartition(" ")
        kinds = kinds_of(noun)
        for noun in said[1:]:  # "Which technique or model".
            if kinds and not before and (more := kinds_of(noun)):
                text, kinds = f"{text} or {noun}", (*kinds, *more)
        if not text or (kinds and not before and kinds != _HARDWARE):
            return cls(text, kinds, words=text)
        # "Hardware" is all there is of it, but "GPUs" are a class.
        is_class = bool(before) or not is_noun(text)
        is_class |= bool(kinds) and noun.casefold()[:3] not in ("har", "dev", "mac")
        members = _members(asked.reader, text, kinds) if is_class else {}
        if before and kinds and alone and not members:
            # "Quantization methods" are those that the catalogue has below quantization.
            members = _members(asked.reader, before, kinds)
        is_known = len(members.keys() & Catalogue.shipped().concepts) >= _FEW_OF_CLASS
        if members and (is_known or not kinds):
            return cls(text, kinds, "", members, text)
        # Of "mobile robots" that are no class, papers may say the words.
        if kinds:
            return cls(noun, kinds, before, words=text)
        return cls("what is named", (), text, words=text)


def _members(reader: Reader, name: str, kinds: tuple[EntityKind, ...] = ()) -> dict[str, Work]:
    """Return the entities (by id) of a class with this name, those of most papers first: those with
    a name that ends with it, as "humanoid robot" does, or that the thesaurus has for it, and those
    below it and them; of kinds like these, if any are given."""
    concepts = Catalogue.shipped().by_key.get(match_key(name), ())
    classes = {*reader.called(name), *(concept.id for concept in concepts)}
    named = reader.all_called([*chain(*terms_in(name))])
    found = called_after(reader, [name]) | classes | {*chain(*named.values())}
    members = found.union(*(narrower_entities(reader, each) for each in found)) - classes
    # What is a technique to one is a model or a system to another.
    chosen = Selection(kinds=_METHODS if kinds == (EntityKind.TECHNIQUE,) else kinds)
    works = {id_: work for id_, work in reader.works(members).items() if passes(work, chosen)}
    naming = reader.papers_naming(works)
    return {id_: works[id_] for id_ in sorted(works, key=lambda each: (-len(naming[each]), each))}
