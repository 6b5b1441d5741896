"""Names of the catalogue: which spellings in a text are one of them."""

import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from functools import cached_property, lru_cache
from typing import Self

import ahocorasick_rs
from spacy.language import Language
from spacy.tokens import Doc

from stemma.extract.recognition import Candidate, recognition
from stemma.schema import Catalogue, Entity, EntityKind

_JOINERS = frozenset(" \u00a0-\u2010\u2011\u2012\u2013\u2014_\n~")
# Where a name may be written apart: "ResNet" as "Res-Net", "GPT3" as "GPT 3", "UNet" as "U Net".
_SEAM = re.compile(r"(?<=[a-z])(?=[A-Z0-9])|(?<=[A-Z])(?=[A-Z][a-z])|(?<=[A-Za-z])(?=[0-9])")
_APART = re.compile(f"[{re.escape(''.join(sorted(_JOINERS)))}]|{_SEAM.pattern}")
_WITHOUT_JOINERS = dict.fromkeys(map(ord, _JOINERS))
# What follows a name that it is only the beginning of: "LLaMA-7B", "FlashAttention-2", "ZeRO++".
_VERSION = re.compile(
    r"""(?:[-\u2010\u2011 ]?\d+(?:\.\d+)*(?:x\d+)*[BMKTbmkt]?
          (?![\w%×]|\.\d|[-\u2010 ]?(?:bit|way|shot|[xX]\b))
       |[-\u2010 ]?[vV]\d+(?:\.\d+)*(?!\w)
       |-(?:[A-Z][A-Za-z]{0,12}|base|large|small|tiny|mini|medium|nano|huge|[a-z])
          (?![\w]|-?based))""".replace(" ?", "[ ]?"),
    re.VERBOSE,
)
_MOST_PARTS = 6
"""Versions and sizes behind a name: "Llama-3.1-8B-Instruct" has three."""
_NAME_ENDING = re.compile(r"(?:nets?|torch|bert|gpt|former|flow|bench|qa|cuda|lora|llm|gan|vae)$")
_SCORE = 0.85
_ALL_CAPITALS_SHARE = 0.7


@dataclass(frozen=True)
class Spelling:
    """One name of the catalogue, with all concepts that have it.

    `compact` is the name without blanks and hyphens, in its own case; `seams` are the offsets into
    it at which a text may write it apart; `in_words` means that the name itself has blanks.
    """

    compact: str
    seams: frozenset[int]
    concepts: tuple[Entity, ...]
    in_words: bool = False

    @cached_property
    def kind(self) -> EntityKind | None:
        """The kind of the concepts, if they agree on it."""
        kinds = {concept.kind for concept in self.concepts}
        return kinds.pop() if len(kinds) == 1 else None

    @cached_property
    def generic(self) -> bool:
        """Return whether it names a class of things: one that is also written in lower case."""
        return any(
            name.islower() for concept in self.concepts for name in (concept.name, *concept.aliases)
        )

    @property
    def concept(self) -> str | None:
        """The concept, if there is only one."""
        return self.concepts[0].id if len(self.concepts) == 1 else None

    def is_written(self, surface: str) -> bool:
        """Return whether `surface` (without blanks and hyphens) has the case that the name needs.

        Lower-case names, and techniques of several words, match in any case. A name that mixes
        cases within a word, or has digits, is no common word: "Pytorch" is PyTorch. "Adam", "Ray"
        and "SPEC" need their capitals.
        """
        name = self.compact
        if surface == name or name.islower():
            return True
        if self.in_words and self.kind is EntityKind.TECHNIQUE:
            return True
        letters = name[:-1] if name.endswith("s") else name
        if letters.isupper() and any(c.isdigit() for c in name):
            return len(name) > 3 or surface.isupper()
        if letters.isupper():
            return False
        if any(c.isupper() for c in name[1:]):
            return surface[0].isupper() == name[0].isupper() and self.is_no_common_word
        return surface.isupper() and len(name) > 3

    @cached_property
    def is_no_common_word(self) -> bool:
        """Return whether the name cannot be taken for a word even when its inner case is lost.

        "Pytorch" and "Imagenet" are names; "Complex" and "React" are words, ComplEx or not.
        """
        name = self.compact.lower()
        return len(name) > 7 or any(c.isdigit() for c in name) or bool(_NAME_ENDING.search(name))


_Writing = tuple[str, Entity]
"""A name, and a concept that bears it."""


class CatalogueNames:
    """Finds the spellings of names in texts, in one pass whatever their number."""

    @classmethod
    @lru_cache(maxsize=1)
    def of(cls, catalogue: Catalogue) -> Self:
        """Return the names of a catalogue, made once for all pipelines that read with it."""
        return cls(catalogue)

    def __init__(self, catalogue: Catalogue) -> None:
        by_pattern: dict[str, dict[str, list[_Writing]]] = {}
        for concept in catalogue.concepts.values():
            for name in _writings(concept):
                compact = name.translate(_WITHOUT_JOINERS)
                writings = by_pattern.setdefault(compact.lower(), {})
                writings.setdefault(compact, []).append((name, concept))
        self._writings = list(by_pattern.values())
        self._spellings: dict[int, list[Spelling]] = {}
        self.automaton = ahocorasick_rs.AhoCorasick(list(by_pattern)) if by_pattern else None

    def spellings(self, pattern: int) -> list[Spelling]:
        """Return those of a pattern; they are made when a text first has one: most never do."""
        if pattern not in self._spellings:
            writings = sorted(self._writings[pattern].items())
            self._spellings[pattern] = [_spelling(compact, each) for compact, each in writings]
        return self._spellings[pattern]

    def find(self, text: str) -> Iterator[tuple[int, int, list[Spelling]]]:
        """Yield (start, end, spellings) of names in `text`; they may overlap."""
        if self.automaton is None:
            return
        # Without blanks and hyphens; and where each of its characters is in `text`.
        offsets = [at for at, character in enumerate(text) if character not in _JOINERS]
        compact = "".join([text[at] for at in offsets])
        lowered = _lower(compact)
        for pattern, first, last in self.automaton.find_matches_as_indexes(
            lowered, overlapping=True
        ):
            start = offsets[first]
            if start and (text[start - 1].isalnum() or text[start - 1] in "_\\@"):
                continue
            end = offsets[last - 1] + 1
            end += text[end : end + 1] == "s" and not text[end + 1 : end + 2].isalnum()
            if end < len(text) and (text[end].isalnum() or text[end] in "_+"):
                continue
            surface = compact[first:last]
            apart = offsets[last - 1] - start > last - 1 - first
            fitting = [
                spelling
                for spelling in self.spellings(pattern)
                if spelling.is_written(surface)
                and (not apart or _apart_at_seams(spelling, text, offsets, first))
            ]
            if fitting:
                yield start, end, fitting


@Language.factory("stemma_catalogue")
def catalogue_matcher(nlp: Language, name: str) -> "CatalogueMatcher":
    """Return the component, with the shipped catalogue."""
    return CatalogueMatcher()


class CatalogueMatcher:
    """Finds names of the catalogue, and versions and sizes of what it knows."""

    catalogue: Catalogue | None = None

    @cached_property
    def names(self) -> CatalogueNames:
        """The names that are looked for: those of the shipped catalogue, if no other is given."""
        return CatalogueNames.of(self.catalogue or Catalogue.shipped())

    def __call__(self, doc: Doc) -> Doc:
        """Add a candidate for each name."""
        found = recognition(doc)
        text = found.text
        cases = [c.isupper() for c in text[: found.title_end] if c.isalpha()]
        in_capitals = bool(cases) and sum(cases) / len(cases) > _ALL_CAPITALS_SHARE
        for start, end, spellings in self.names.find(text):
            if not found.in_one_field(start, end):
                continue
            surface = text[start:end]
            in_title = end <= found.title_end
            if in_title and surface.isupper() and in_capitals:
                spelt = [spelling for spelling in spellings if spelling.compact.islower()]
            else:
                spelt = [
                    spelling for spelling in spellings if spelling.compact == surface
                ] or spellings
            if not spelt:
                continue
            kinds = {spelling.kind for spelling in spelt}
            kind = kinds.pop() if len(kinds) == 1 else None
            concepts = {spelling.concept for spelling in spelt}
            concept = concepts.pop() if len(concepts) == 1 else None
            longer = _versioned(text, end, kind)
            candidate = Candidate(start, longer, kind, "catalogue", _SCORE)
            if longer == end:
                generic = all(spelling.generic for spelling in spelt)
                candidate = candidate._replace(concept=concept, generic=generic)
            found.candidates.append(candidate)
        return doc


def _spelling(compact: str, writings: list[_Writing]) -> Spelling:
    concepts = {concept.id: concept for _, concept in writings}
    return Spelling(
        compact,
        frozenset().union(*(_seams(name) for name, _ in writings)),
        tuple(concepts.values()),
        in_words=any(" " in name for name, _ in writings),
    )


def _writings(concept: Entity) -> Iterable[str]:
    """The names of a concept; those of several lower-case words in the singular as well."""
    for name in (concept.name, *concept.aliases):
        yield name
        if len(name) > 6 and name.endswith("s") and not name.endswith("ss") and name.islower():
            yield name[:-1]


def _seams(name: str) -> Iterator[int]:
    """Yield the offsets, without blanks and hyphens, at which a name may be written apart."""
    joiners = 0
    for place in _APART.finditer(name):
        yield place.start() - joiners
        joiners += len(place[0])


def _lower(text: str) -> str:
    """Lower case of the same length, so that offsets hold."""
    lowered = text.lower()
    if len(lowered) == len(text):
        return lowered
    return "".join(c.lower() if len(c.lower()) == 1 else c for c in text)


def _apart_at_seams(spelling: Spelling, text: str, offsets: list[int], first: int) -> bool:
    """Return whether the text writes the name apart only where that is usual, and with one mark."""
    for index in range(1, len(spelling.compact)):
        before, after = offsets[first + index - 1], offsets[first + index]
        if after - before == 1:
            continue
        if after - before > 2 or (index not in spelling.seams and text[before + 1] != "-"):
            return False
    return True


def _versioned(text: str, end: int, kind: EntityKind | None) -> int:
    """Where the name with its version or size ends: "LLaMA-7B" is more than "LLaMA"."""
    if kind not in (EntityKind.MODEL, EntityKind.FRAMEWORK, EntityKind.DATASET, None):
        if (
            kind is EntityKind.TECHNIQUE
            and (match := _VERSION.match(text, end))
            and text[end] in "-/"
        ):
            return match.end()
        return end
    for _ in range(_MOST_PARTS):
        if not (match := _VERSION.match(text, end)):
            break
        end = match.end()
    return end
