"""Papers: their texts, the works that they cite, and the files they were read from.

Of a full text a reader gives whole sections. A store keeps only the sentences that are evidence, in
sections of their own, and with them the digest of the text that they come from.
"""

import re
from dataclasses import dataclass
from enum import StrEnum
from functools import cached_property, reduce
from hashlib import sha256

from stemma.schema.name import slug
from stemma.schema.partial_date import PartialDate

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
        match = IDENTIFIER.match(text)
        if not match:
            return cls(None, text)
        return cls(match[0], text[match.end() :].strip() or None)


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
        return cls(sections, sum(len(section.text) for section in sections), digest)

    @property
    def is_whole(self) -> bool:
        """Whether all of the text is here."""
        return self.characters == sum(len(section.text) for section in self.sections)

    def of_kind(self, kind: Field) -> str:
        """Return the text of all sections of a kind, which offsets point into."""
        return self._texts.get(kind, "")

    @cached_property
    def _texts(self) -> dict[Field, str]:
        parts: dict[Field, list[str]] = {}
        for section in self.sections:
            parts.setdefault(section.kind, []).append(section.text)
        return {kind: _BETWEEN_SECTIONS.join(own) for kind, own in parts.items()}

    @property
    def starts(self) -> tuple[int, ...]:
        """Where each section begins in the text of its kind."""
        starts, ends = list[int](), dict[Field, int]()
        for section in self.sections:
            start = ends[section.kind] + len(_BETWEEN_SECTIONS) if section.kind in ends else 0
            starts.append(start)
            ends[section.kind] = start + len(section.text)
        return tuple(starts)


ARXIV_DOI = "10.48550/arxiv."
"""How the DOIs begin that arXiv gives."""
_VERSION = re.compile(r"v\d{1,9}$")
_ORCID = re.compile(r"[0-9]{4}-[0-9]{4}-[0-9]{4}-[0-9]{3}[0-9X]")
AUTHOR_ID = re.compile(r"[a-z0-9]+:[^\s\x00-\x1f\x7f]+")
LONGEST_TEXT = 1_000_000
"""Characters. In RDF one may take twelve bytes, and Oxigraph reads 16 MiB at most."""


@dataclass(frozen=True, slots=True, order=True)
class Source:
    """Where a paper was read, and the date that stood there.

    `file` is a path relative to the folder that was read, never an absolute one; `sha256` is that
    of the file's bytes; `position` is the line (from 1) at which the paper begins. `published` is
    as the source states it; `assumed_year` is the year that the page itself left out.
    """

    file: str
    sha256: str
    position: int
    published: str | None = None
    assumed_year: int | None = None

    @property
    def date(self) -> PartialDate | None:
        """The date that this source gives, in the assumed year where it states none."""
        if self.published is None:
            return None
        stated = PartialDate.parse(self.published)
        if stated.year is None and self.assumed_year is not None:
            return stated.in_year(self.assumed_year)
        return stated

    @property
    def trust(self) -> tuple[int, int]:
        """How far to trust the date: a stated year above an assumed one, then by precision."""
        date = self.date
        if date is None or self.published is None:
            return (0, 0)
        precision = (date.month is not None) + (date.day is not None)
        if date.year is None:
            return (1, precision)
        return (2 if self.published.startswith("XXXX") else 3, precision)


@dataclass(frozen=True, slots=True)
class Author:
    """An author of a paper, as its source names them; `orcid` is ``0000-0002-1825-0097``.

    `id` is that of a registry, with its name: ``openalex:A123``, ``s2:123``. Raises ValueError
    if one of the two is invalid.
    """

    name: str
    orcid: str | None = None
    affiliation: str | None = None
    id: str | None = None

    def __post_init__(self) -> None:
        if self.orcid is not None and not _ORCID.fullmatch(self.orcid):
            raise ValueError(f"not an ORCID: {self.orcid!r}")
        if self.id is not None and not AUTHOR_ID.fullmatch(self.id):
            raise ValueError(f"not the id of an author: {self.id!r}")


@dataclass(frozen=True, slots=True)
class Paper:
    """A paper: its texts as stored, which all offsets point into, and what sources say of it.

    `doi` is ``10.1000/x``, `arxiv_id` is ``2104.07857v2``, with the version if that is known.
    """

    id: str
    title: str
    abstract: str = ""
    author_count: int | None = None
    organization: str | None = None
    links: tuple[str, ...] = ()
    sources: tuple[Source, ...] = ()
    authors: tuple[Author, ...] = ()
    venue: str | None = None
    doi: str | None = None
    arxiv_id: str | None = None
    references: tuple[Reference, ...] = ()
    full_text: FullText | None = None

    @property
    def name(self) -> str:
        """A paper's name is its title."""
        return self.title

    @property
    def identifiers(self) -> tuple[str, ...]:
        """Its arXiv id and DOI, as `canonical_identifier` spells them."""
        named = (("doi", self.doi), ("arxiv", self.arxiv_id))
        spelt = (canonical_identifier(f"{name}:{own}") for name, own in named if own)
        return tuple(dict.fromkeys(spelt))

    @property
    def published(self) -> PartialDate | None:
        """The date of the most trusted source; of equals, the earliest."""
        if len(self.sources) == 1:
            return self.sources[0].date
        dated = [(source.trust, date) for source in self.sources if (date := source.date)]
        if not dated:
            return None
        best = max(trust for trust, _ in dated)
        return min((date for trust, date in dated if trust == best), key=lambda date: date.sort_key)

    def text(self, field: Field) -> str:
        """Return the text of a field: the title, the abstract, or the sections of one kind."""
        if field is Field.TITLE:
            return self.title
        if field is Field.ABSTRACT:
            return self.abstract
        return self.full_text.of_kind(field) if self.full_text else ""


def canonical_identifier(identifier: str) -> str:
    """Return an id without version and case, which do not count; arXiv's own DOIs as its ids."""
    registry, _, rest = identifier.casefold().partition(":")
    if registry == "doi" and rest.startswith(ARXIV_DOI):
        registry, rest = "arxiv", rest.removeprefix(ARXIV_DOI)
    return f"{registry}:{_VERSION.sub('', rest) if registry == 'arxiv' else rest}"


def expect_storable(paper: Paper) -> None:
    """Raise ValueError where a text is longer than stores can hold."""
    authors = (
        text for author in paper.authors for text in (author.name, author.affiliation, author.id)
    )
    places = (text for source in paper.sources for text in (source.file, source.sha256))
    identifiers = (paper.doi, paper.arxiv_id, *map(str, paper.references))
    others = (paper.organization, paper.venue, *authors, *identifiers, *places)
    sections = paper.full_text.sections if paper.full_text else ()
    texts = (text for section in sections for text in (section.heading, section.text))
    for text in (paper.title, paper.abstract, *paper.links, *others, *texts):
        expect_short(text or "")


def expect_short(text: str) -> None:
    """Raise ValueError where a text is longer than stores can hold."""
    if len(text) > LONGEST_TEXT:
        raise ValueError(
            f"a text of {len(text):,} characters was skipped with its paper: the maximum is "
            f"{LONGEST_TEXT:,}"
        )


def merge(records: list[Paper]) -> Paper:
    """Make one paper of several records of it, the same one in whatever order they come.

    The longest abstract wins, as listings cut texts off, and the longest list of authors; other
    facts come from all records, also on authors where their lists are the same.
    """
    return reduce(_merge_two, records)


def _merge_two(a: Paper, b: Paper) -> Paper:
    fuller = max(a, b, key=lambda paper: (len(paper.abstract), paper.abstract, paper.title))
    counts = [paper.author_count for paper in (a, b) if paper.author_count is not None]
    organizations = [paper.organization for paper in (a, b) if paper.organization]
    return Paper(
        id=a.id,
        title=fuller.title,
        abstract=fuller.abstract,
        author_count=max(counts, default=None),
        organization=min(organizations, default=None),
        links=tuple(sorted({*a.links, *b.links})),
        sources=tuple(sorted({*a.sources, *b.sources}, key=source_order)),
        authors=_merge_authors(a.authors, b.authors),
        venue=max(a.venue, b.venue, key=lambda venue: (len(venue or ""), venue or "")),
        doi=max(a.doi, b.doi, key=_doi_order),
        arxiv_id=max(a.arxiv_id, b.arxiv_id, key=_arxiv_order),
        references=tuple(sorted({*a.references, *b.references}, key=str)),
        full_text=max(a.full_text, b.full_text, key=_full_text_order),
    )


def _merge_authors(a: tuple[Author, ...], b: tuple[Author, ...]) -> tuple[Author, ...]:
    """Join what two lists say of each author; of lists that differ, keep the longer one."""
    keys, others = _author_keys(a), _author_keys(b)
    if keys != others:
        rank, other = ((len(names), sum(map(len, names)), names) for names in (keys, others))
        return a if rank > other else b
    return tuple(
        Author(
            max(one.name, same.name, key=lambda name: (len(name), name)),
            min((author.orcid for author in (one, same) if author.orcid), default=None),
            max(one.affiliation or "", same.affiliation or "", key=lambda own: (len(own), own))
            or None,
            min((author.id for author in (one, same) if author.id), default=None),
        )
        for one, same in zip(a, b, strict=True)
    )


def _author_keys(authors: tuple[Author, ...]) -> tuple[str, ...]:
    """Return what authors are recognised by on one paper: last name and initial."""
    names = (slug(author.name) for author in authors)
    return tuple(f"{name.rpartition('-')[2]}-{name[:1]}" for name in names)


def _full_text_order(text: FullText | None) -> tuple[int, str, int, str]:
    """The longest text; of one text that of which more is kept."""
    if text is None:
        return (-1, "", 0, "")
    kept = sum(len(section.text) for section in text.sections)
    return (text.characters, text.digest, kept, repr(text.sections))


def _doi_order(doi: str | None) -> tuple[bool, bool, str]:
    """A publisher's DOI says more than that which arXiv gives to every preprint."""
    return (doi is not None, not (doi or "").startswith(ARXIV_DOI), doi or "")


def _arxiv_order(arxiv_id: str | None) -> tuple[bool, int, str]:
    """The latest version; an identifier without one comes before all."""
    version = re.search(r"v(\d{1,9})$", arxiv_id or "")
    return (arxiv_id is not None, int(version[1]) if version else 0, arxiv_id or "")


def source_order(source: Source) -> tuple[str, str, int, str, int]:
    """Order sources, also where one gives a date and another none."""
    return (
        source.file,
        source.sha256,
        source.position,
        source.published or "",
        source.assumed_year or 0,
    )
