"""Tagged references other than RIS: those of EndNote, PubMed and the Web of Science."""

import re
from collections import defaultdict
from collections.abc import Iterator, Mapping
from typing import NamedTuple

from stemma.extract.formats.blocks import Block, blocks
from stemma.extract.formats.document import Document
from stemma.extract.formats.draft import Draft, author, date_of_day, in_order
from stemma.extract.formats.lines import start
from stemma.extract.formats.link import as_arxiv_id, as_doi
from stemma.extract.formats.markup import without_markup
from stemma.extract.formats.pubmed import medline_date, without_brackets
from stemma.extract.formats.reader import Options, Reader
from stemma.schema.paper import Paper
from stemma.schema.problem import Problem

_DOI_MARK = " [doi]"


class _Dialect(NamedTuple):
    """How lines begin, and the tags of each field: the first that occurs counts."""

    known: re.Pattern[str]
    begin: re.Pattern[str]
    tag: re.Pattern[str]
    authors: tuple[str, ...]
    title: str
    abstract: str
    venue: tuple[str, ...]
    date: tuple[str, str]
    """Day, perhaps with its year, and year."""
    doi: tuple[str, ...]
    links: str = ""


_ENDNOTE = _Dialect(
    re.compile(r"%0 \w[^\n]*\n%[A-Z] "),
    re.compile(r"\ufeff?%0 "),
    re.compile(r"%(\S)(?: (.*)|$)"),
    *(("A",), "T", "X", ("J", "B"), ("8", "D"), ("R",), "U"),
)
_DIALECTS = (
    _ENDNOTE,
    _ENDNOTE._replace(  # as bepress writes it
        known=re.compile(r"%T \w[^\n]*\n%[A-Z0-9] "), begin=re.compile(r"\ufeff?%T ")
    ),
    _Dialect(  # PubMed, and ERIC
        re.compile(r"(?:PMC - \w+\n)?PMID- \d|OWN - ERIC\n"),
        re.compile(r"\ufeff?(?:PMID- |OWN - ERIC)"),
        re.compile(r"([A-Z]{2,4}) *-(?: (.*)|$)"),
        *(("FAU", "AU"), "TI", "AB", ("JT", "TA"), ("DEP", "DP"), ("LID", "AID")),
    ),
    _Dialect(  # Web of Science
        re.compile(r"(?:FN [^\n]*\nVR [^\n]*\n)?PT [A-Z]\n[A-Z][A-Z0-9] "),
        re.compile(r"\ufeff?PT [A-Z]\s*$"),
        re.compile(r"([A-Z][A-Z0-9])(?: (.*)|$)"),
        *(("AF", "AU"), "TI", "AB", ("SO",), ("PD", "PY"), ("DI",)),
    ),
)


class TaggedReader(Reader):
    """Reads references."""

    name = "tagged"
    description = "EndNote (.enw), PubMed (.nbib), Web of Science"
    fields = "title, abstract, authors, date, venue, DOI"
    endings = ("enw", "nbib")

    def recognises(self, start: str) -> bool:
        """Recognise by the tags of the first reference."""
        return _dialect(start) is not None

    def read(self, document: Document, options: Options) -> Iterator[Paper | Problem]:
        """Read the papers, a reference in memory at a time."""
        dialect = _dialect(start(document))
        if not dialect:
            return
        for block in blocks(document, dialect.begin, options.max_record_size):
            if isinstance(block, Block):
                yield from _draft(block, dialect).read(document, options.year)
            else:
                yield block


def _dialect(start: str) -> _Dialect | None:
    text = start.lstrip("\ufeff \n")
    return next((each for each in _DIALECTS if each.known.match(text)), None)


def _draft(block: Block, dialect: _Dialect) -> Draft:
    found = _values(block.text, dialect)

    def first(*tags: str) -> str:
        return next((" ".join(found[tag]) for tag in tags if tag in found), "")

    dois = (each.removesuffix(_DOI_MARK) for tag in dialect.doi for each in found.get(tag, ()))
    names = next((found[tag] for tag in dialect.authors if tag in found), [])
    links = list(found.get(dialect.links, ()))
    return Draft(
        block.line,
        title=without_brackets(without_markup(first(dialect.title))),
        abstract=without_markup(first(dialect.abstract)),
        published=date_of_day(first(dialect.date[0]), medline_date(first(dialect.date[1]))),
        authors=[author(in_order(each)) for each in names],
        venue=first(*dialect.venue),
        doi=next(filter(as_doi, dois), None),
        arxiv_id=next(filter(as_arxiv_id, links), None),
        links=links,
    )


def _values(text: str, dialect: _Dialect) -> Mapping[str, list[str]]:
    """Return the values of each tag; a line without a tag is another value of the last one."""
    found: dict[str, list[str]] = defaultdict(list)
    tag = ""
    for line in text.splitlines():
        value = line
        if begin := dialect.tag.match(line.removeprefix("\ufeff")):
            tag, value = begin[1], begin[2] or ""
        if tag and value.strip():
            found[tag].append(value.strip())
    return found
