"""Drafts: what a reader takes from a record, in the words of its format, before it is a paper."""

import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field, replace
from email.utils import parsedate

from stemma.extract.formats.body import MOST_CHARACTERS, Body
from stemma.extract.formats.document import Document
from stemma.extract.formats.latex import with_accents
from stemma.extract.formats.lines import storable
from stemma.extract.formats.link import arxiv_links, as_arxiv_id, as_doi, doi_links, links_in
from stemma.schema.identifier import paper_id
from stemma.schema.paper import ARXIV_DOI, Author, Paper, Reference
from stemma.schema.partial_date import PartialDate
from stemma.schema.problem import Problem

_HEADED = re.compile(r"\Aabstract[.:]?\s*\n\s*", re.I)
"""The heading of an abstract, on a line of its own."""
_NO_ABSTRACT = re.compile(r"\W{0,3}no abstract(?: (?:is )?available)?\W{0,3}", re.I)
"""What Scopus, PubMed and others write in its place."""
_BLANK_LINES = re.compile(r"\n{2,}")
_DATE = re.compile(r"(\d{4})(?:[-/.](\d{1,2})(?:[-/.](\d{1,2}))?)?(?:$|T|\s|/{1,2}$)")
_MAIL_DATE = re.compile(r"(?:[A-Z][a-z]{2}, )?(\d{1,2}) ([A-Z][a-z]{2}) (\d{4}) ")
MONTHS = ("jan", "feb", "mar", "apr", "may", "jun", "jul", "aug", "sep", "oct", "nov", "dec")
_COMPACT_DATE = re.compile(r"((?:19|20)\d\d)(0[1-9]|1[0-2])([0-2]\d|3[01])")
_ENGLISH_DATE = re.compile(
    r"(?:(?P<before>\d{1,2})(?:st|nd|rd|th)?[ -])?(?P<month>[A-Za-z]{3})[a-z]*\.?,?[ -]+"
    r"(?:(?P<after>\d{1,2})(?:st|nd|rd|th)?,? )?(?P<year>\d{4})"
)
_ORCID = re.compile(r"(?:^|/)(\d{4}-?\d{4}-?\d{4}-?\d{3}[\dXx])/?$")
_SUFFIX = re.compile(r"(?:[JS]r|I{1,3}|IV|2nd|3rd)\.?", re.I)
_ARXIV_MONTH = re.compile(r"(?:[a-z-]+(?:\.[A-Z]{2})?/)?(\d\d)(0[1-9]|1[0-2])\.?\d{3}")
_ARXIV_BEGAN = 90
_FIRST_YEAR, _LAST_YEAR = 1500, 2100
_UNTITLED = "no title: a paper needs one"
_BETWEEN = re.compile(r",\s*(?:and\b|&)?|\band\b|(?<=\s)&(?=\s)")
_IN_BRACKETS = re.compile(r"\s*\([^()]*\)")


@dataclass(slots=True)
class Draft:
    """A paper as a source describes it; texts may be wrapped, identifiers be addresses."""

    line: int
    title: str = ""
    abstract: str = ""
    published: str | None = None
    authors: list[Author] = field(default_factory=list)
    author_count: int | None = None
    organization: str | None = None
    venue: str | None = None
    doi: str | None = None
    arxiv_id: str | None = None
    links: list[str] = field(default_factory=list)
    references: list[Reference] = field(default_factory=list)
    untitled: str = _UNTITLED
    """What to say where there is no title."""
    body: Body | None = None

    def read(self, document: Document, year: int | None = None) -> Iterator[Paper | Problem]:
        """Yield the paper, and what is wrong with it; `year` is that of a date without one."""
        title, abstract = one_line(self.title), _HEADED.sub("", paragraphs(self.abstract), count=1)
        if _NO_ABSTRACT.fullmatch(abstract):
            abstract = ""
        if not title:
            yield Problem(document.name, self.line, self.untitled, skipped=True)
            return
        if any(storable(each) != each for each in (self.title, self.abstract)):
            reason = "invalid characters are replaced by U+FFFD"
            yield Problem(document.name, self.line, reason)
        published = None
        if self.published and self.published.strip():
            try:
                published = _plausible(as_date(self.published))
            except ValueError as error:
                reason = f"{error}; the paper was read without a date"
                yield Problem(document.name, self.line, reason)
        doi = next(filter(None, map(as_doi, (self.doi or "").split())), None)
        arxiv_id = as_arxiv_id(self.arxiv_id or "")
        if doi and doi.startswith(ARXIV_DOI) and not arxiv_id:
            arxiv_id = as_arxiv_id(doi.removeprefix(ARXIV_DOI))
        if arxiv_id and not (self.published or "").strip():
            published = _month_of(arxiv_id)
        full_text = self.body.read() if self.body else None
        if self.body and self.body.cut:
            reason = f"of the full text, the first {MOST_CHARACTERS:,} characters were read"
            yield Problem(document.name, self.line, reason)
        links = {*links_in(abstract), *(link for each in self.links for link in links_in(each))}
        if doi:
            links = {each for each in links if as_doi(each) != doi}.union(doi_links(doi))
        if arxiv_id:
            links.update(arxiv_links(arxiv_id))
        authors = tuple(_plain_author(each) for each in self.authors if each.name.strip())
        yield Paper(
            id=paper_id(title),
            title=title,
            abstract=abstract,
            author_count=self.author_count or len(authors) or None,
            organization=one_line(self.organization or "") or None,
            links=tuple(sorted(links)),
            sources=(document.source(self.line, published, year),),
            authors=authors,
            venue=one_line(self.venue or "") or None,
            doi=doi,
            arxiv_id=arxiv_id,
            references=references(self.references),
            full_text=full_text,
        )


def one_line(text: str) -> str:
    """Return a text that can be stored, with single spaces."""
    return " ".join(with_accents(storable(text)).split())


def paragraphs(text: str) -> str:
    """Return a text that can be stored, its paragraphs on a line each, not wrapped."""
    text = with_accents(storable(text)).strip()
    if "\n" not in text:
        return text
    lines = [line.strip() for line in text.split("\n")]
    wrapped = _BLANK_LINES.split("\n".join(lines))
    return "\n".join(each.replace("\n", " ") for each in wrapped)


def as_date(text: str) -> PartialDate:
    """Read a date in EDTF, ISO 8601, in English or as in e-mails. ValueError if it is invalid.

    Of one in another form, the year alone is certain: ``02/01/2024`` may be in two months.
    """
    text = text.strip()
    if found := _DATE.match(text) or _COMPACT_DATE.fullmatch(text):
        # A month or a day that is 0 is not known; 2024.0 is a year in a column of numbers.
        year, *rest = (int(part or 0) or None for part in found.groups())
        return PartialDate(year, *rest)
    if (found := _MAIL_DATE.match(text)) and (month := found[2].casefold()) in MONTHS:
        return PartialDate(int(found[3]), MONTHS.index(month) + 1, int(found[1]))
    if (found := _ENGLISH_DATE.fullmatch(text)) and (month := found["month"].casefold()) in MONTHS:
        date = found["before"] or found["after"]
        return PartialDate(int(found["year"]), MONTHS.index(month) + 1, int(date) if date else None)
    if day := parsedate(text):
        return PartialDate(*day[:3])
    years = re.findall(r"(?<!\d)\d{4}(?!\d)", text)
    if len(years) == 1 and not re.match(r"\d{4}|XXXX", text):
        return PartialDate(int(years[0]))
    return PartialDate.parse(text)


def date_of_parts(year: str, month: str, day: str) -> str:
    """Return a date with its known parts; a month may be a name, and a season is not a month."""
    if (short := month[:3].casefold()) in MONTHS:
        month = str(MONTHS.index(short) + 1)
    known: list[str] = []
    for part, width in ((year, 4), (month, 2), (day, 2)):
        if not part.isdecimal():
            break
        known.append(part.zfill(width))
    return "-".join(known)


def date_of_day(day: str, year: str) -> str | None:
    """Return the date of a day, which may lack its year (``Feb 24``); else the year."""
    for text in (day, f"{day} {year}") if day else ():
        try:
            if (date := as_date(text)).year and date.month:
                return str(date)
        except ValueError:
            continue
    return year or day or None


def earliest(dates: Iterable[str]) -> str | None:
    """Return the earliest date; one with a day is before that of its month or year alone."""
    return min(filter(None, dates), key=lambda date: f"{date}~", default=None)


def is_date(text: str) -> bool:
    """Return whether a text is a date with a plausible year."""
    try:
        _plausible(as_date(text))
    except ValueError:
        return False
    return True


def _month_of(arxiv_id: str) -> PartialDate | None:
    """Return the month in which arXiv gave out an identifier: ``2104.07857``, ``cs/9901001``."""
    found = _ARXIV_MONTH.match(arxiv_id)
    if not found:
        return None
    year = int(found[1])
    return PartialDate(year + (1900 if year > _ARXIV_BEGAN else 2000), int(found[2]))


def _plausible(date: PartialDate) -> PartialDate:
    """Return a date. Raises ValueError for an impossible year, which would distort the charts."""
    if date.year is not None and not _FIRST_YEAR <= date.year <= _LAST_YEAR:
        raise ValueError(f"the year {date.year:04} is not from {_FIRST_YEAR} to {_LAST_YEAR}")
    return date


def author(
    name: str, orcid: str | None = None, affiliation: str | None = None, id: str | None = None
) -> Author:
    """Return an author; an ORCID may be an address, and an invalid one is left out."""
    plain = None
    if orcid and (found := _ORCID.search(orcid.strip())):
        digits = found[1].replace("-", "").upper()
        plain = "-".join(digits[i : i + 4] for i in range(0, 16, 4))
    return Author(one_line(name), plain, one_line(affiliation or "") or None, id)


def reference(title: str | None, doi: str | None = None, arxiv_id: str | None = None) -> Reference:
    """Return a reference by its DOI, else by its arXiv id, and by its title."""
    doi = (doi or "").strip().casefold()
    if re.fullmatch(r"\S+", doi):
        return Reference(f"doi:{doi}", title)
    return Reference(f"arxiv:{arxiv_id}" if arxiv_id else None, title)


def in_order(name: str) -> str:
    """Return a name with the first name first: ``Sand, Ann``, ``Sand, Jr., Ann`` (BibTeX)."""
    parts = [part.strip() for part in name.split(",")]
    if len(parts) == 2:
        return " ".join(part for part in (parts[1], parts[0]) if part)
    if len(parts) == 3:
        if _SUFFIX.fullmatch(parts[2]):  # RIS and EndNote: Sand, Ann, Jr.
            parts = [parts[0], parts[2], parts[1]]
        return " ".join(part for part in (parts[2], parts[0], parts[1]) if part)
    return name


def references(found: Iterable[Reference]) -> tuple[Reference, ...]:
    """Return references without those that say nothing, each once, in a stable order."""
    plain = {
        Reference(each.id, one_line(each.title or "") or None)
        for each in found
        if each.id or (each.title or "").strip()
    }
    return tuple(sorted(plain, key=str))


def _plain_author(author: Author) -> Author:
    name = one_line(author.name)
    return author if name == author.name else replace(author, name=name)


def split_names(names: str) -> list[str]:
    """Return the names in a text, which commas, semicolons or "and" separate.

    With semicolons a comma is within a name: ``Potter, A.; Smith, B.``
    """
    if ";" in names:
        return [each.strip() for each in names.split(";") if each.strip()]
    plain = " ".join(names.split())
    for _ in range(3):  # affiliations, which may have brackets of their own
        plain = _IN_BRACKETS.sub("", plain)
    return [each.strip() for each in _BETWEEN.split(plain) if each.strip()]
