"""BibTeX and BibLaTeX: one entry read at a time, so that a bad one costs no other."""

import re
from collections.abc import Callable, Iterable, Iterator, Mapping
from typing import NamedTuple

from stemma.extract.formats.dates import date_of_parts
from stemma.extract.formats.document import Document, blocks
from stemma.extract.formats.latex import from_latex
from stemma.extract.formats.library import LibraryReader
from stemma.extract.formats.person_name import person_names
from stemma.extract.formats.reader import Draft, Options, author, one_line
from stemma.schema.text_line import Line

_BEGIN = re.compile(r"\s*@\s*[A-Za-z]+\s*[{(]")
_BEGINS = re.compile(r"^(?=[ \t]*+@[ \t]*+[A-Za-z]++\s*+[{(])", re.M)
_ENTRY = re.compile(r"^[ \t]*+@\s*+[A-Za-z]++\s*+[{(]\s*+[^\s,{}()=]*+\s*+,\s*+\w++\s*+=", re.M)
"""An entry with a field; it never goes back, so that blank files are soon read."""
_TYPE = re.compile(r"\s*@\s*([A-Za-z]+)\s*[{(]\s*(?:([^\s,={}]*)\s*,)?")
_FIELD = re.compile(r"[\s,]*([^\s,={}#\"%]+)\s*=\s*")
_WORD = re.compile(r"[^\s,#{}\"()]+")
_AND = re.compile(r"\s*#\s*")
_END = re.compile(r"[\s,]*(?:[})]|\Z)")
_SIGN = re.compile(r'\\.|[{}"]', re.S)
_VOLUMES = {"proceedings", "mvproceedings", "collection", "mvcollection", "periodical", "set"}
"""Types of entries for volumes, which hold papers."""
_DATA = "xdata"
_PARENTS = {*_VOLUMES, _DATA, "book", "mvbook", "reference", "mvreference", "misc"}
"""Types of entries that others inherit from."""
_DATES = {"year", "date", "month", "day"}
_INHERITED = {*_DATES, "booktitle", "maintitle", "series", "journal", "journaltitle"}
_NOTES = (
    *("url", "howpublished", "note", "eprint", "journal", "journaltitle", "volume", "number"),
    *("ee", "link", "addendum", "annote", "pubstate", "doi", "eid", "pages"),
)
"""Fields in which a DOI or an arXiv id may stand."""
_URL = re.compile(r"https?:[^\s{}]+")
_SORTING = re.compile(
    r"\{?\\(?:no_?op\w*|noopsort|sortnoop|sort\w*|printfirst\w*)\s*\{[^{}]*\}\}?", re.I
)
"""What is written for the order of entries, and not to be read: ``\\noopsort{3001}``."""
_COMMAND = re.compile(r"\\[A-Za-z]+\s*\{[^{}]*\}")
_MOST_STRINGS = 100_000
_MOST_WAITING = 10_000
_MOST_LEVELS = 3
_SHOWN = 30


class _Record(NamedTuple):
    """An entry: its line, its type and key, and the values of its fields."""

    line: int
    type: str
    key: str
    fields: dict[str, str]


class BibtexReader(LibraryReader):
    """Reads entries, with or without abstracts."""

    name = "bibtex"
    description = "BibTeX, BibLaTeX"
    fields = "title, abstract, authors, date, venue, DOI, arXiv id; attached PDF files (`file`)"
    endings = ("bib", "bibtex")

    def recognises(self, start: str) -> bool:
        """Return whether a text begins a BibTeX file: by an entry with a field."""
        return bool(_ENTRY.search(start))

    def drafts(self, document: Document, options: Options) -> Iterator[Draft]:
        """Read the entries, one in memory at a time, but those that wait for their volumes."""
        texts = blocks(document, _BEGIN, options.max_record_size)
        for record in _with_inherited(_records(texts, document.note)):
            if record.type in _VOLUMES:
                reason = f"the entry {record.key!r} is a volume (@{record.type}) and no paper"
                document.note(reason, record.line, skipped=True)
            elif record.type != _DATA:
                yield _draft(record)


def entries(text: str) -> Iterator[tuple[str, Draft]]:
    """Return the entries of a bibliography with their keys, those that can be read."""
    parts = (Line(1, part) for part in _BEGINS.split(text))
    for record in _with_inherited(_records(parts, lambda *_, **__: None)):
        yield record.key, _draft(record)


def _records(blocks: Iterable[Line[str]], note: Callable[..., object]) -> Iterator[_Record]:
    """Yield the entries of blocks, with the texts of their abbreviations (``@string``).

    Blocks that are none are noted, as by `Document.note`.
    """
    strings: dict[str, str] = {}
    for block in blocks:
        begin = _TYPE.match(block.text)
        type_ = begin[1].casefold() if begin else "comment"
        if not begin or type_ in ("comment", "preamble"):
            continue
        try:
            fields = _fields(block.text, begin.end(), strings)
            if begin[2] is None and type_ != "string":
                raise ValueError("no comma after the key")
        except ValueError as error:
            note(f"not BibTeX: {error}", block.number, skipped=True)
            continue
        if type_ != "string":
            yield _Record(block.number, type_, begin[2], fields)
        elif len(strings) < _MOST_STRINGS:
            strings.update(fields)


def _fields(text: str, at: int, strings: Mapping[str, str]) -> dict[str, str]:
    """Return the fields of an entry, from a place in its text on: of one that is twice, the first.

    A comma may be missing between two fields. Raises ValueError where the text is no field.
    """
    fields: dict[str, str] = {}
    while not _END.match(text, at):
        match = _FIELD.match(text, at)
        if not match:
            near = one_line(text[at : at + _SHOWN])
            raise ValueError(f"expected a field and `=`, not {near!r}")
        value, at = _value(text, match.end(), strings)
        fields.setdefault(match[1].casefold(), _SORTING.sub("", value) if "\\" in value else value)
    return fields


def _value(text: str, at: int, strings: Mapping[str, str]) -> tuple[str, int]:
    """Return the value that begins at a place, and where it ends: ``jk # " and Wheels"``."""
    parts: list[str] = []
    while True:
        if text.startswith(("{", '"'), at):
            parts.append(_enclosed(text, at))
            at += len(parts[-1]) + 2
        elif word := _WORD.match(text, at):
            parts.append(strings.get(word[0].casefold(), word[0]))
            at = word.end()
        joined = _AND.match(text, at)
        if not joined:
            return "".join(parts).strip(), at
        at = joined.end()


def _enclosed(text: str, at: int) -> str:
    """Return the text between the brace or quotation mark at a place and the one that closes it."""
    depth, closing = 0, "}" if text[at] == "{" else '"'
    for sign in _SIGN.finditer(text, at + 1):
        if depth <= 0 and sign[0] == closing:
            return text[at + 1 : sign.start()]
        depth += {"{": 1, "}": -1}.get(sign[0], 0)
    raise ValueError("a brace or a quotation mark is not closed")


def _with_inherited(records: Iterator[_Record]) -> Iterator[_Record]:
    """Yield records with what they inherit; those whose parents come later wait for the end."""
    parents: dict[str, _Record] = {}
    waiting: list[_Record] = []
    for record in records:
        if record.type in _PARENTS and len(parents) < _MOST_STRINGS:
            parents.setdefault(record.key.casefold(), record)
        named = _parents(record)
        if named and any(name not in parents for name in named) and len(waiting) < _MOST_WAITING:
            waiting.append(record)
        else:
            yield _heir(record, parents)
    for record in waiting:
        yield _heir(record, parents)


def _parents(record: _Record) -> list[str]:
    names = f"{record.fields.get('xdata', '')},{record.fields.get('crossref', '')}".split(",")
    return [name.strip().casefold() for name in names if name.strip()]


def _heir(record: _Record, parents: Mapping[str, _Record], levels: int = _MOST_LEVELS) -> _Record:
    """Return a record with the fields that it has from its parents, and these from theirs."""
    fields = dict(record.fields)
    for name in _parents(record) if levels else ():
        if name not in parents:
            continue
        parent = _heir(parents[name], parents, levels - 1)
        if parent.type == _DATA:
            fields = {**parent.fields, **fields}
            continue
        names = _INHERITED - _DATES if {"year", "date"} & fields.keys() else _INHERITED
        inherited = {name: value for name, value in parent.fields.items() if name in names}
        if title := parent.fields.get("title"):
            is_journal = parent.type == "periodical"
            inherited.setdefault("journaltitle" if is_journal else "booktitle", title)
        fields = {**inherited, **fields}
    return record._replace(fields=fields)


def _draft(record: _Record) -> Draft:
    fields = record.fields

    def plain(*names: str) -> str:
        return next((from_latex(fields[name]) for name in names if fields.get(name)), "")

    title, subtitle = plain("title"), plain("subtitle")
    archive = (fields.get("archiveprefix") or fields.get("eprinttype") or "").casefold()
    address = "\n".join(_URL.findall(fields.get("url", "").replace("\\", "")))
    return Draft(
        record.line,
        title=one_line(f"{title}: {subtitle}" if subtitle else title),
        abstract=plain("abstract"),
        published=_date(fields),
        authors=[
            author(name) for name in person_names(fields.get("author", ""), family_first=True)
        ],
        venue=plain("journal", "journaltitle", "booktitle", "maintitle"),
        series=plain("series"),
        doi=fields.get("doi", "").replace("\\", ""),
        arxiv_id=fields.get("eprint", "") if archive in ("arxiv", "") else "",
        links=[address],
        notes=[fields[name].replace("\\", "") for name in _NOTES if name in fields],
        files=[fields.get("file", "")],
    )


def _date(fields: Mapping[str, str]) -> str | None:
    """Return the date of BibLaTeX, or else that of year, month and day."""
    if fields.get("date"):
        return fields["date"]
    year = re.search(r"\d{4}", _COMMAND.sub("", fields.get("year", "")))
    month = fields.get("month", "").replace("~", " ").strip(" {}.")
    return date_of_parts(year[0], month, fields.get("day", "")) if year else None
