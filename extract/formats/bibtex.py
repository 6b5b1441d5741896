"""BibTeX and BibLaTeX: one entry parsed at a time, so that a bad one costs no other."""

import logging
import re
from collections.abc import Iterator, Mapping

from bibtexparser.entrypoint import parse_string
from bibtexparser.exceptions import ParsingException
from bibtexparser.middlewares.names import (
    parse_single_name_into_parts,
    split_multiple_persons_names,
)
from bibtexparser.model import Block as BibtexBlock
from bibtexparser.model import Entry, ParsingFailedBlock

from stemma.extract.formats.blocks import blocks
from stemma.extract.formats.document import Document
from stemma.extract.formats.draft import MONTHS, Draft, author, one_line
from stemma.extract.formats.latex import from_latex
from stemma.extract.formats.markup import without_markup
from stemma.extract.formats.reader import Options, Reader
from stemma.schema.paper import Author, Paper
from stemma.schema.problem import Problem

_BEGIN = re.compile(r"\s*@\s*[A-Za-z]+\s*[{(]")
_ENTRY = re.compile(r"^[ \t]*+@\s*+[A-Za-z]++\s*+[{(]\s*+[^\s,{}()=]*+\s*+,\s*+\w++\s*+=", re.M)
"""An entry with a field; it never goes back, so that blank files are soon read."""
_STRING = re.compile(r"\s*@\s*string\s*[{(]\s*([^\s=]+)\s*=", re.I)
_OTHER = re.compile(r"\s*@\s*(?:comment|preamble)\b", re.I)
_NO_PAPERS = {"proceedings", "mvproceedings", "collection", "mvcollection", "periodical", "set"}
"""Types of entries for volumes, which hold papers."""
_ARXIV = re.compile(r"arxiv[:\s]\s*([0-9]{4}\.[0-9]{4,5}(?:v[0-9]+)?|[a-z-]+/[0-9]{7})", re.I)
_PART = re.compile(r'"[^"]*"|\{[^{}]*\}|[^\s#"{}]+')
_CONCATENATION = re.compile(rf"(?:{_PART.pattern})(?:\s*#\s*(?:{_PART.pattern}))+")
_MOST_STRINGS = 100_000
logging.getLogger("bibtexparser").addHandler(logging.NullHandler())


class BibtexReader(Reader):
    """Reads entries, with or without abstracts."""

    name = "bibtex"
    description = "BibTeX, BibLaTeX"
    fields = "title, abstract, authors, date, venue, DOI, arXiv id; LaTeX is decoded"
    endings = ("bib", "bibtex")
    begins = "@%"

    def recognises(self, start: str) -> bool:
        """Recognise by an entry with a field."""
        return bool(_ENTRY.search(start))

    def read(self, document: Document, options: Options) -> Iterator[Paper | Problem]:
        """Read the papers, an entry in memory at a time."""
        strings: dict[str, str] = {}
        for block in blocks(document, _BEGIN, options.max_record_size):
            if isinstance(block, Problem):
                yield block
            elif found := _STRING.match(block.text):
                if len(strings) < _MOST_STRINGS:
                    strings[found[1].casefold()] = block.text
            elif not _OTHER.match(block.text):
                yield from _entry(block.line, block.text, strings, document, options)


def entries(text: str) -> Iterator[tuple[str, Draft]]:
    """Return the entries of a bibliography with their keys, those that can be read."""
    try:
        library = parse_string(text)
    except (ParsingException, ValueError, IndexError, KeyError, RecursionError):
        return
    known = {key.casefold(): str(each.value) for key, each in library.strings_dict.items()}
    for entry in filter(None, map(_as_entry, library.blocks)):
        yield entry.key, _draft(1, entry, known)


def _entry(
    line: int, text: str, strings: dict[str, str], document: Document, options: Options
) -> Iterator[Paper | Problem]:
    if strings:
        names = {each.casefold() for each in re.findall(r"[=#]\s*([A-Za-z][^\s,#{}\"]*)", text)}
        text = "".join(strings[name] for name in sorted(names & strings.keys())) + text
    try:
        library = parse_string(text)
        found = next(filter(None, map(_as_entry, reversed(library.blocks))), None)
        failed = library.failed_blocks
    except (ParsingException, ValueError, IndexError, KeyError, RecursionError) as error:
        yield Problem(document.name, line, f"not BibTeX: {one_line(str(error))}", skipped=True)
        return
    if found is None:
        reason = _why(failed[0].error) if failed else "no entry"
        yield Problem(document.name, line, f"not BibTeX: {reason:.200}", skipped=True)
        return
    if found.entry_type.casefold() not in _NO_PAPERS:
        known = {key.casefold(): str(each.value) for key, each in library.strings_dict.items()}
        yield from _draft(line, found, known).read(document, options.year)


def _why(error: Exception) -> str:
    """Return what is wrong with an entry: the parser's own errors have no text."""
    reason = one_line(str(getattr(error, "abort_reason", None) or error)).rstrip(".")
    if "end of file" in reason:  # That is the end of the entry, or where the next one begins.
        return "a brace or a quotation mark is not closed"
    return reason[:1].lower() + reason[1:]


def _as_entry(block: BibtexBlock) -> Entry | None:
    """Return an entry, also one that has a field twice."""
    if isinstance(block, ParsingFailedBlock):
        entry = block.ignore_error_block
        if not isinstance(entry, Entry):
            return None
        for each in entry.fields:  # which still have their braces or quotes
            value = str(each.value).strip()
            each.value = value[1:-1] if value[:1] + value[-1:] in ("{}", '""') else value
        return entry
    return block if isinstance(block, Entry) else None


def _joined(value: str, strings: Mapping[str, str]) -> str:
    """Put texts and abbreviations together: ``jk # " and Wheels"``."""
    if not _CONCATENATION.fullmatch(value):
        return value
    parts = (each[0] for each in _PART.finditer(value))
    return "".join(
        each[1:-1] if each[0] in '"{' else strings.get(each.casefold(), each) for each in parts
    )


def _draft(line: int, entry: Entry, strings: Mapping[str, str]) -> Draft:
    own: dict[str, str] = {}
    for each in entry.fields:
        own.setdefault(each.key.casefold(), _joined(str(each.value).strip(), strings))

    def plain(*names: str) -> str:
        return next((without_markup(from_latex(own[name])) for name in names if own.get(name)), "")

    title, subtitle = plain("title"), plain("subtitle")
    archive = (own.get("archiveprefix") or own.get("eprinttype") or "").casefold()
    venue = plain("journal", "journaltitle", "booktitle", "maintitle")
    eprint = own.get("eprint", "") if archive in ("arxiv", "") else ""
    preprint = _ARXIV.search(venue) or _ARXIV.search(plain("note", "howpublished"))
    address = own.get("url", "").removeprefix("\\url{").removesuffix("}").replace("\\", "")
    return Draft(
        line,
        title=one_line(f"{title}: {subtitle}" if subtitle else title),
        abstract=plain("abstract"),
        published=_date(own),
        authors=_authors(own.get("author", "")),
        venue=venue,
        doi=own.get("doi", "").replace("\\", ""),
        arxiv_id=eprint or (preprint[1] if preprint else address),
        links=[address],
        untitled=f"no title: the entry {entry.key!r} has none",
    )


def _authors(names: str) -> list[Author]:
    """Return the authors, of whom the last may be "others"."""
    found = []
    try:
        names_ = split_multiple_persons_names(one_line(names)) if names else []
    except (ValueError, IndexError):
        names_ = names.split(" and ")
    for each in names_:
        if each.casefold() == "others":
            continue
        try:
            parts = parse_single_name_into_parts(each, strict=False)
            name = " ".join((*parts.first, *parts.von, *parts.last, *parts.jr))
        except (ParsingException, ValueError, IndexError):
            name = each  # it stays as it is written
        plain = one_line(from_latex(name))
        if plain:
            found.append(author(plain))
    return found


def _date(own: dict[str, str]) -> str | None:
    """Return the date of BibLaTeX, the first of a range, or else year, month and day."""
    if own.get("date"):
        return own["date"].partition("/")[0]
    year = re.search(r"\d{4}", own.get("year", ""))
    if not year:
        return None
    month_text = own.get("month", "").casefold()
    month = next((number for number, each in enumerate(MONTHS, 1) if each in month_text), 0)
    if not month and re.fullmatch(r"0?[1-9]|1[0-2]", month_text):
        month = int(month_text)
    return f"{year[0]}-{month:02}" if month else year[0]
