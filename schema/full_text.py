"""Full texts: the sections of a paper, as far as they are kept, and the works that they cite.

A reader gives whole sections. A store keeps only the sentences that are evidence, in sections of
their own, and with them the digest of the text that they come from.
"""

import re
from dataclasses import dataclass
from enum import StrEnum
from functools import cached_property
from hashlib import sha256
from typing import Any

_BETWEEN_SECTIONS = "\n\n"
IDENTIFIER = re.compile(r"(?:doi|arxiv|acl|corpusid|dblp|openalex|pmid):\S+")


class Field(StrEnum):
    """The texts of a paper that statements quote: title, abstract, and each kind of section."""

    TITLE = "title"
    ABSTRACT = "abstract"
    INTRODUCTION = "introduction"
    RELATED_WORK = "related-work"
    METHOD = "method"
    EXPERIMENTS = "experiments"
    CONCLUSION = "conclusion"
    TABLE = "table"
    OTHER = "other"

    @property
    def section(self) -> str | None:
        """The kind of section in words; None for title and abstract."""
        if self is Field.OTHER:
            return "other section"
        return self.value.replace("-", " ") if self in SECTIONS else None


SECTIONS = tuple(Field)[2:]
"""The kinds of sections."""
FIELD_ORDER = {field: number for number, field in enumerate(Field)}
"""The place of each text in the order in which a paper is read."""


@dataclass(frozen=True, slots=True)
class Reference:
    """A work that a paper cites: its identifier, its title, or both.

    `id` is that of a registry, with its name: ``doi:10.1000/x``, ``arxiv:2104.07857``,
    ``openalex:W123``, ``corpusid:123``.
    """

    id: str | None = None
    title: str | None = None

    def __str__(self) -> str:
        return " ".join(part for part in (self.id, self.title) if part)

    @classmethod
    def parse(cls, text: str) -> "Reference":
        """Read a reference as `str` writes it."""
        found = IDENTIFIER.match(text)
        if not found:
            return cls(None, text)
        return cls(found[0], text[found.end() :].strip() or None)


@dataclass(frozen=True, slots=True)
class Citation:
    """An in-text citation: characters `start` to `end` of a section, and the work they cite."""

    start: int
    end: int
    reference: Reference


@dataclass(frozen=True, slots=True)
class Section:
    """A section of a paper, with its paragraphs on a line each."""

    kind: Field
    heading: str
    text: str
    citations: tuple[Citation, ...] = ()


@dataclass(frozen=True)
class FullText:
    """The sections that are kept of a text of so many `characters`, with its `digest`."""

    sections: tuple[Section, ...]
    characters: int
    digest: str

    @classmethod
    def of(cls, sections: tuple[Section, ...]) -> "FullText | None":
        """Return whole sections as a full text; None where there are none."""
        if not sections:
            return None
        digest = sha256(repr(sections).encode("utf-8", "replace")).hexdigest()
        return cls(sections, sum(len(each.text) for each in sections), digest)

    def of_kind(self, kind: Field) -> str:
        """Return the text of all sections of a kind, which offsets point into."""
        return self._texts.get(kind, "")

    @cached_property
    def _texts(self) -> dict[Field, str]:
        parts: dict[Field, list[str]] = {}
        for each in self.sections:
            parts.setdefault(each.kind, []).append(each.text)
        return {kind: _BETWEEN_SECTIONS.join(own) for kind, own in parts.items()}

    @property
    def starts(self) -> tuple[int, ...]:
        """Where each section begins in the text of its kind."""
        starts, ends = list[int](), dict[Field, int]()
        for each in self.sections:
            start = ends[each.kind] + len(_BETWEEN_SECTIONS) if each.kind in ends else 0
            starts.append(start)
            ends[each.kind] = start + len(each.text)
        return tuple(starts)


def to_json(text: FullText) -> dict[str, Any]:
    """Return a full text as JSON-ready data."""
    return {
        "characters": text.characters,
        "digest": text.digest,
        "sections": [
            {
                "kind": each.kind.value,
                "heading": each.heading,
                "text": each.text,
                "citations": [
                    {"start": one.start, "end": one.end, "reference": str(one.reference)}
                    for one in each.citations
                ],
            }
            for each in text.sections
        ],
    }


def from_json(data: Any) -> FullText:
    """Read what `to_json` wrote. Raises KeyError, TypeError or ValueError where it is not that."""
    sections = tuple(map(_section, data["sections"]))
    characters, digest = data["characters"], data["digest"]
    if type(characters) is not int or not isinstance(digest, str):
        raise TypeError("a full text has its number of characters and its digest")
    return FullText(sections, characters, digest)


def _section(data: Any) -> Section:
    kind, heading, text = Field(data["kind"]), data["heading"], data["text"]
    if kind not in SECTIONS or not isinstance(heading, str) or not isinstance(text, str):
        raise TypeError("a section has a kind, a heading and a text")
    citations = []
    for each in data.get("citations") or ():
        start, end = int(each["start"]), int(each["end"])
        if not 0 <= start <= end <= len(text):
            raise ValueError(f"citation offsets {start}-{end} are outside the text of the section")
        citations.append(Citation(start, end, Reference.parse(str(each["reference"]))))
    return Section(kind, heading, text, tuple(citations))
