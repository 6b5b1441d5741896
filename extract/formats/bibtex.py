"""BibTeX and BibLaTeX: one entry parsed at a time, so that a bad one costs no other."""

import logging
import re
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import NamedTuple

from bibtexparser.entrypoint import parse_string
from bibtexparser.exceptions import ParsingException
from bibtexparser.model import Block as BibtexBlock
from bibtexparser.model import Entry, ParsingFailedBlock

from stemma.extract.formats.attachment import Attachments
from stemma.extract.formats.dates import most_precise
from stemma.extract.formats.document import Document
from stemma.extract.formats.draft import Draft, author, one_line
from stemma.extract.formats.latex import from_latex
from stemma.extract.formats.lines import blocks
from stemma.extract.formats.person_name import person_names
from stemma.extract.formats.reader import Options, Reader
from stemma.schema.paper import Paper
from stemma.schema.problem import Problem

_BEGIN = re.compile(r"\s*@\s*[A-Za-z]+\s*[{(]")
_ENTRY = re.compile(r"^[ \t]*+@\s*+[A-Za-z]++\s*+[{(]\s*+[^\s,{}()=]*+\s*+,\s*+\w++\s*+=", re.M)
"""An entry with a field; it never goes back, so that blank files are soon read."""
_PARENTHESES = re.compile(r"(\s*@\s*[A-Za-z]+\s*)\((.*)\)", re.S)
_STRING = re.compile(r"\s*@\s*string\s*[{(]\s*([^\s=]+)\s*=", re.I)
_OTHER = re.compile(r"\s*@\s*(?:comment|preamble)\b", re.I)
_NO_COMMA = re.compile(
    r"([}\"\d])\s+((?i:author|title|year|date|month|journal|booktitle|doi|url|abstract|volume|"
    r"number|pages|publisher|editor|note|eprint|keywords))\s*=\s*(?=[{\"\d])"
)
_VOLUMES = {"proceedings", "mvproceedings", "collection", "mvcollection", "periodical", "set"}
"""Types of entries for volumes, which hold papers."""
_DATA = "xdata"
_PARENTS = {*_VOLUMES, _DATA, "book", "mvbook", "reference", "mvreference", "misc"}
"""Types of entries that others inherit from."""
_DATES = {"year", "date", "month", "day"}
_INHERITED = {*_DATES, "booktitle", "maintitle", "journal", "journaltitle"}
_NOTES = (
    *("url", "howpublished", "note", "eprint", "journal", "journaltitle", "volume", "number"),
    *("ee", "link", "addendum", "annote", "pubstate", "doi", "eid", "pages"),
)
"""Fields in which a DOI or an arXiv id may stand."""
_URL = re.compile(r"https?:[^\s{}]+")
_PART = re.compile(r'"[^"]*"|\{[^{}]*\}|[^\s#"{}]+')
_CONCATENATION = re.compile(rf"(?:{_PART.pattern})(?:\s*#\s*(?:{_PART.pattern}))+")
_SORTING = re.compile(
    r"\{?\\(?:no_?op\w*|noopsort|sortnoop|sort\w*|printfirst\w*)\s*\{[^{}]*\}\}?", re.I
)
"""What is written for the order of entries, and not to be read: ``\\noopsort{3001}``."""
_COMMAND = re.compile(r"\\[A-Za-z]+\s*\{[^{}]*\}")
_MOST_STRINGS = 100_000
_MOST_WAITING = 10_000
_MOST_LEVELS = 3
logging.getLogger("bibtexparser").addHandler(logging.NullHandler())


class _Record(NamedTuple):
    """An entry: its line, its type and key, and the values of its fields."""

    line: int
    type: str
    key: str
    own: dict[str, str]


class BibtexReader(Reader):
    """Reads entries, with or without abstracts."""

    name = "bibtex"
    description = "BibTeX, BibLaTeX"
    fields = (
        "title, abstract, authors, date, venue, DOI, arXiv id, also what entries inherit by "
        "`crossref` and `xdata`; LaTeX is decoded; attached PDF files (`file`)"
    )
    endings = ("bib", "bibtex")
    begins = "@%"

    def recognises(self, start: str) -> bool:
        """Recognise by an entry with a field."""
        return bool(_ENTRY.search(start))

    def read(self, document: Document, options: Options) -> Iterator[Paper | Problem]:
        """Read the papers, an entry in memory at a time, but those that wait for their volumes."""
        attachments = Attachments(document, options)
        for each in _with_inherited(_records(document, options)):
            if isinstance(each, Problem):
                yield each
            elif each.type in _VOLUMES:
                reason = f"the entry {each.key!r} is a volume (@{each.type}) and no paper"
                yield Problem(document.name, each.line, reason, skipped=True)
            elif each.type != _DATA:
                results = _draft(each).read(document, options)
                yield from attachments.complete(results, filter(None, [each.own.get("file")]))
        yield from attachments.missing()


def entries(text: str) -> Iterator[tuple[str, Draft]]:
    """Return the entries of a bibliography with their keys, those that can be read."""
    for each in _with_inherited(_parsed(Document(Path(), ""), 1, text)):
        if isinstance(each, _Record):
            yield each.key, _draft(each)


def _records(document: Document, options: Options) -> Iterator[_Record | Problem]:
    strings: dict[str, str] = {}
    for block in blocks(document, _BEGIN, options.max_record_size):
        if isinstance(block, Problem):
            yield block
        elif found := _STRING.match(block.text):
            if len(strings) < _MOST_STRINGS:
                strings[found[1].casefold()] = _in_braces(block.text)
        elif not _OTHER.match(block.text):
            text = _NO_COMMA.sub(r"\1, \2 = ", _in_braces(block.text))
            if strings:
                names = re.findall(r"[=#]\s*([A-Za-z][^\s,#{}\"]*)", text)
                used = sorted({each.casefold() for each in names} & strings.keys())
                text = "".join(map(strings.__getitem__, used)) + text
            yield from _parsed(document, block.line, text)


def _with_inherited(records: Iterator[_Record | Problem]) -> Iterator[_Record | Problem]:
    """Yield records with what they inherit; those whose parents come later wait for the end."""
    parents: dict[str, _Record] = {}
    waiting: list[_Record] = []
    for each in records:
        if isinstance(each, Problem):
            yield each
            continue
        if each.type in _PARENTS and len(parents) < _MOST_STRINGS:
            parents.setdefault(each.key.casefold(), each)
        named = _parents(each)
        if named and any(name not in parents for name in named) and len(waiting) < _MOST_WAITING:
            waiting.append(each)
        else:
            yield _heir(each, parents)
    for each in waiting:
        yield _heir(each, parents)


def _parents(record: _Record) -> list[str]:
    names = f"{record.own.get('xdata', '')},{record.own.get('crossref', '')}".split(",")
    return [name.strip().casefold() for name in names if name.strip()]


def _heir(record: _Record, parents: Mapping[str, _Record], levels: int = _MOST_LEVELS) -> _Record:
    """Return a record with the fields that it has from its parents, and these from theirs."""
    own = dict(record.own)
    for name in _parents(record) if levels else ():
        if name not in parents:
            continue
        parent = _heir(parents[name], parents, levels - 1)
        if parent.type == _DATA:
            own = {**parent.own, **own}
            continue
        inherited = {key: value for key, value in parent.own.items() if key in _INHERITED}
        if {"year", "date"} & own.keys():
            inherited = {key: each for key, each in inherited.items() if key not in _DATES}
        name_of = "journaltitle" if parent.type == "periodical" else "booktitle"
        if title := parent.own.get("title"):
            inherited.setdefault(name_of, title)
        own = {**inherited, **own}
    return record._replace(own=own)


def _in_braces(text: str) -> str:
    """Return an entry in parentheses as one in braces, which the parser reads better."""
    found = _PARENTHESES.match(text)
    return f"{found[1]}{{{found[2]}}}\n" if found else text


def _parsed(document: Document, line: int, text: str) -> Iterator[_Record | Problem]:
    try:
        library = parse_string(text)
        found = list(filter(None, map(_as_entry, library.blocks)))
        failed = library.failed_blocks
    except (ParsingException, ValueError, IndexError, KeyError, RecursionError) as error:
        yield Problem(document.name, line, f"not BibTeX: {one_line(str(error))}", skipped=True)
        return
    if not found:
        reason = _why(failed[0].error) if failed else "no entry"
        yield Problem(document.name, line, f"not BibTeX: {reason:.200}", skipped=True)
    strings = {key.casefold(): str(each.value) for key, each in library.strings_dict.items()}
    for entry in found:
        own: dict[str, str] = {}
        for each in entry.fields:
            value = _joined(str(each.value).strip(), strings)
            own.setdefault(each.key.casefold(), _SORTING.sub("", value) if "\\" in value else value)
        yield _Record(line, entry.entry_type.casefold(), entry.key, own)


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
    if "#" not in value or not _CONCATENATION.fullmatch(value):
        return value
    parts = (each[0] for each in _PART.finditer(value))
    return "".join(
        each[1:-1] if each[0] in '"{' else strings.get(each.casefold(), each) for each in parts
    )


def _draft(record: _Record) -> Draft:
    own = record.own

    def plain(*names: str) -> str:
        return next((from_latex(own[name]) for name in names if own.get(name)), "")

    title, subtitle = plain("title"), plain("subtitle")
    archive = (own.get("archiveprefix") or own.get("eprinttype") or "").casefold()
    address = "\n".join(_URL.findall(own.get("url", "").replace("\\", "")))
    return Draft(
        record.line,
        title=one_line(f"{title}: {subtitle}" if subtitle else title),
        abstract=plain("abstract"),
        published=_date(own),
        authors=[author(name) for name in person_names(own.get("author", ""), family_first=True)],
        venue=plain("journal", "journaltitle", "booktitle", "maintitle"),
        doi=own.get("doi", "").replace("\\", ""),
        arxiv_id=own.get("eprint", "") if archive in ("arxiv", "") else "",
        links=[address],
        notes=[own[name].replace("\\", "") for name in _NOTES if name in own],
        untitled=f"no title: the entry {record.key!r} has none",
    )


def _date(own: Mapping[str, str]) -> str | None:
    """Return the date of BibLaTeX, or else that of year, month and day."""
    if own.get("date"):
        return own["date"]
    year = re.search(r"\d{4}", _COMMAND.sub("", own.get("year", "")))
    if not year:
        return None
    month = own.get("month", "").replace("~", " ").strip(" {}.")
    if re.fullmatch(r"0?[1-9]|1[0-2]", month):
        day = own.get("day", "")
        return f"{year[0]}-{month}" + (f"-{day}" if re.fullmatch(r"\d{1,2}", day) else "")
    return most_precise([f"{own.get('day', '')} {month} {year[0]}"], year[0])
