"""Readers, one for each format of files that papers are read from; and the drafts that they make.

A draft is what a record says, in the words of its format, before it is a paper: markup is taken out
of texts, and placeholders, such as "No abstract available", are left out.
"""

import html
import re
from abc import ABC, abstractmethod
from collections.abc import Iterable, Iterator, Mapping, Set
from dataclasses import dataclass, field
from typing import ClassVar

from stemma.extract.formats.body import MOST_CHARACTERS, Body
from stemma.extract.formats.dates import month_of_arxiv_id, plausible_date
from stemma.extract.formats.document import REPLACED, Document, storable
from stemma.extract.formats.latex import with_accents
from stemma.extract.formats.link import (
    as_arxiv_id,
    as_doi,
    doi_links,
    links_in,
    stated_arxiv_id,
    stated_doi,
)
from stemma.extract.formats.person_name import is_nobody
from stemma.schema import Author, Paper, Problem, Reference
from stemma.schema.name import paper_id, word_key
from stemma.schema.paper import ARXIV_DOI, AUTHOR_ID
from stemma.schema.text_line import MAX_RECORD_SIZE


@dataclass(frozen=True, slots=True)
class Options:
    """How files are read.

    `year` is the year that dates without one belong to; without it, a listing's own dates decide.
    Records over `max_record_size` (bytes or characters) are skipped, without being held whole.
    `reader` is the name of the reader for all files; without it, their content decides. `columns`
    names the columns of a table that hold a field, where their names do not say so. Without
    `full_text`, sections are left out. Of `wanted` papers (by identifiers, as
    `canonical_identifier` spells them) others may be left out, where that saves time.
    """

    year: int | None = None
    max_record_size: int = MAX_RECORD_SIZE
    reader: str | None = None
    columns: Mapping[str, str] = field(default_factory=dict)
    full_text: bool = True
    wanted: Set[str] | None = None

    def __post_init__(self) -> None:
        if self.year is not None and not 1 <= self.year <= 9999:
            raise ValueError(f"not a year: {self.year}")


class Reader(ABC):
    """Reads the papers of one format.

    Others are added by the entry points ``stemma.readers``, each the class of a reader.
    """

    name: ClassVar[str]
    """What the setting `reader` calls it."""
    description: ClassVar[str]
    """The format, for people."""
    fields: ClassVar[str]
    """What is read, for people."""
    endings: ClassVar[tuple[str, ...]] = ()
    """Endings of file names that stand for this format, whatever the file holds."""

    @abstractmethod
    def recognises(self, start: str) -> bool:
        """Return whether a file is in this format, by its start of about 64 KiB."""

    @abstractmethod
    def read(self, document: Document, options: Options) -> Iterator[Paper | Problem]:
        """Read the papers of a document, one in memory at a time.

        Never raises for what it holds: what could not be read is yielded as a Problem. If nothing
        is yielded, the document is reported as one without papers.
        """


LONGEST_TITLE = 300
_ABSENT = (
    r"n[/.]?a|nan|none|null|nil|undefined|unknown|not (?:available|provided|applicable)|tba|tbd"
)
_NOTHING = re.compile(rf"\W*+(?:{_ABSENT})?\W*+", re.I)
_NO_ABSTRACT = re.compile(
    rf"\W*+(?:{_ABSENT}|(?:abstract|summary)|(?:inter)?national audience|"
    r"item does not contain full ?text|"
    r"(?:there is |this (?:article|paper|item|document|record|work|publication) has )?"
    r"(?:no|missing) (?:abstract|summary)(?: text)?(?: (?:is |was |has been )?"
    r"(?:available|provided|found|given|supplied)(?: (?:for|in) th(?:is|e) [a-z]{3,12})?)?|"
    r"(?:an |the )?(?:abstract|summary)(?: text)?(?: (?:is|was))? (?:missing|unavailable|none|"
    r"not (?:yet )?(?:available|provided|found|given|included)"
    r"(?: (?:for|in) th(?:is|e) [a-z]{3,12})?)|"
    r"this (?:article|paper|item|document|record|work|publication) does not have an abstract"
    r")\W*+",
    re.I,
)
_NO_TITLE = re.compile(  # of no paper, as "Front Matter", "Deleted Work" and "nan" are
    rf"\W*+(?:{_ABSENT}|untitled|(?:no|missing) title(?: available)?|title (?:is )?not available|"
    r"deleted work|(?:front|back) ?matter(?:\s?[,:;.(\[][^\n]*+)?|"
    r"(?:front |back |inside )?cover(?: page)?|"
    r"(?:table of )?contents|title pages?|copyright(?: (?:page|notice|information))?|"
    r"(?:(?:author|subject|keyword|volume|reviewer) )?index|editorial board|masthead|blank page|"
    r"list of (?:reviewers|contributors|authors|participants))\W*+",
    re.I,
)
_HEADING = re.compile(
    r"\A\W{0,4}(?:abstract|summary)\s*(?:\n\s*|[.:]\s*\n?|[—–]\s*|-\s+)"
    r"|\Aabstract\s?(?=(?-i:(?:We|This|The|In|Our|Here|Background|Objectives?|Purpose|Introduction"
    r"|Motivation|Recent(?:ly)?)\b))",
    re.I,
)
"""The heading of an abstract, before its text."""
_TAG = re.compile(
    r"</?(?:jats:|mml:)?(?:i|b|em|strong|sub|sup|sc|u|p|br|span|scp|inf|title|sec|italic|bold|"
    r"math|mi|mo|mn|mrow|msub|msup|msubsup|mtext|inline-formula|tex-math|list|list-item|a|div|"
    r"h[1-6]|ul|ol|li)"
    r"(?:\s[^<>=]*=[^<>]*)?\s*/?>",
    re.I,
)
_BLOCK = re.compile(r"</?(?:jats:)?(?:p|br|sec|title|div|list-item|h[1-6]|li)\b", re.I)
_BLANK_LINES = re.compile(r"\n{2,}")
_ORCID = re.compile(r"(?:^|/)(\d{4}-?\d{4}-?\d{4}-?\d{3}[\dXx])/?$")


def without_markup(text: str) -> str:
    """Return a text without tags, and with the characters that its entities stand for."""
    text = _without_tags(text)
    if "&" not in text:
        return text
    escaped = "&lt;" in text or "&amp;" in text
    text = html.unescape(html.unescape(text) if "&amp;" in text else text)
    return _without_tags(text) if escaped else text


def _without_tags(text: str) -> str:
    if "<" not in text:
        return text
    return _TAG.sub(lambda tag: "\n\n" if _BLOCK.match(tag[0]) else "", text)


@dataclass(slots=True)
class Draft:
    """A paper as a source describes it: texts may have markup, and identifiers be addresses."""

    line: int
    title: str = ""
    abstract: str = ""
    published: str | None = None
    authors: list[Author] = field(default_factory=list)
    author_count: int | None = None
    organization: str | None = None
    venue: str | None = None
    series: str = ""
    doi: str | None = None
    arxiv_id: str | None = None
    links: list[str] = field(default_factory=list)
    notes: list[str] = field(default_factory=list)
    """Texts and addresses in which a DOI or an arXiv id may stand, if the record names none."""
    references: list[Reference] = field(default_factory=list)
    files: Iterable[str] = ()
    """Fields that name attached files."""
    body: Body | None = None
    """Its sections, if the source has them; their references are the paper's as well."""

    def paper(self, document: Document, options: Options) -> Paper | None:
        """Return the paper, without sections if `options` say so; None if it has no title.

        What is wrong with it is noted.
        """
        title = one_line(without_markup(self.title))
        stated = paragraphs(without_markup(self.abstract))
        abstract = _HEADING.sub("", stated, count=1)
        if any(map(_NO_ABSTRACT.fullmatch, (stated, abstract))) or _NOTHING.fullmatch(stated):
            abstract = ""
        if not title or _NO_TITLE.fullmatch(title):
            which = f"{title!r:.80} is that of no paper" if title else "a paper needs one"
            document.note(f"no title: {which}", self.line, skipped=True)
            return None
        if storable(self.title) != self.title or storable(self.abstract) != self.abstract:
            document.note(REPLACED, self.line)
        published = None
        if self.published and self.published.strip():
            try:
                published = plausible_date(self.published)
            except ValueError as error:
                document.note(f"{error}; the paper was read without a date", self.line)
        doi = next(filter(None, map(as_doi, (self.doi or "").split())), None)
        doi = doi or next(filter(None, map(stated_doi, (self.doi or "", *self.notes))), None)
        arxiv_id = as_arxiv_id(self.arxiv_id or "")
        arxiv_id = arxiv_id or next(filter(None, map(stated_arxiv_id, self.notes)), None)
        if doi and doi.startswith(ARXIV_DOI) and not arxiv_id:
            arxiv_id = as_arxiv_id(doi.removeprefix(ARXIV_DOI))
        if arxiv_id and not (self.published or "").strip():
            published = month_of_arxiv_id(arxiv_id)
        full_text, cited = None, self.references
        if self.body:
            full_text = self.body.read() if options.full_text else None
            cited = [*cited, *self.body.references.values()]
            if self.body.cut:
                reason = f"of the full text, the first {MOST_CHARACTERS:,} characters were read"
                document.note(reason, self.line)
        links = {*links_in(abstract), *(link for text in self.links for link in links_in(text))}
        if doi:
            others = (e for e in links if "pdf" in e or doi not in (as_doi(e), stated_doi(e)))
            links = {*others, *doi_links(doi)}
        if arxiv_id:
            links = {
                address for address in links if "pdf" in address or as_arxiv_id(address) != arxiv_id
            }
            links.add(f"https://arxiv.org/abs/{arxiv_id}")
        venue, series = (one_line(without_markup(name or "")) for name in (self.venue, self.series))
        adds = len(series.split()) in (1, 2) and word_key(series) not in word_key(venue)
        # An acronym, perhaps with a year.
        venue = f"{venue} ({series})" if venue and adds else venue or series
        authors = tuple(person for person in self.authors if not is_nobody(person.name))
        return Paper(
            id=paper_id(title),
            title=title,
            abstract=abstract,
            author_count=self.author_count or len(authors) or None,
            organization=one_line(without_markup(self.organization or "")) or None,
            links=tuple(sorted(links)),
            sources=(document.source(self.line, published, options.year),),
            authors=authors,
            venue=None if _NOTHING.fullmatch(venue) else venue,
            doi=doi,
            arxiv_id=arxiv_id,
            references=references(cited),
            full_text=full_text,
        )


class DraftReader(Reader):
    """Reads papers by way of drafts; what is wrong is noted in the document."""

    @abstractmethod
    def drafts(self, document: Document, options: Options) -> Iterator[Draft]:
        """Read the drafts of the papers of a document, one in memory at a time."""

    def read(self, document: Document, options: Options) -> Iterator[Paper]:
        """Read the papers of a document, one in memory at a time."""
        papers = (draft.paper(document, options) for draft in self.drafts(document, options))
        return filter(None, papers)


def one_line(text: str) -> str:
    """Return a text that can be stored, with single spaces."""
    if not text.isascii() or not text.isprintable() or "\\" in text:
        text = with_accents(storable(text))
    return " ".join(text.split())


def paragraphs(text: str) -> str:
    """Return a text that can be stored, its paragraphs on a line each, not wrapped."""
    text = with_accents(storable(text)).strip()
    if "\n" not in text:
        return text
    lines = [line.strip() for line in text.split("\n")]
    wrapped = _BLANK_LINES.split("\n".join(lines))
    return "\n".join(paragraph.replace("\n", " ") for paragraph in wrapped)


def author(
    name: str, orcid: str | None = None, affiliation: str | None = None, id: str | None = None
) -> Author:
    """Return an author; an ORCID may be an address. An invalid one, or `id`, is left out."""
    plain = None
    if orcid and (match := _ORCID.search(orcid.strip())):
        digits = match[1].replace("-", "").upper()
        plain = "-".join(digits[i : i + 4] for i in range(0, 16, 4))
    place = one_line(affiliation) or None if affiliation else None
    return Author(one_line(name), plain, place, id if id and AUTHOR_ID.fullmatch(id) else None)


def reference(title: str | None, doi: str | None = None, arxiv_id: str | None = None) -> Reference:
    """Return a reference by its DOI, else by its arXiv id, and by its title."""
    if doi := as_doi(doi or ""):
        return Reference(f"doi:{doi}", title)
    return Reference(f"arxiv:{arxiv_id}" if arxiv_id else None, title)


def references(cited: Iterable[Reference]) -> tuple[Reference, ...]:
    """Return references without those that say nothing, each once, in a stable order."""
    plain = {
        Reference(work.id, one_line(work.title or "") or None)
        for work in cited
        if work.id or (work.title or "").strip()
    }
    return tuple(sorted(plain, key=str))
