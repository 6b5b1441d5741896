"""Libraries of references, as programs and services export them: tables (CSV), and references with
tags (RIS, PubMed, the Web of Science). They may name files, which hold the full texts of papers.
"""

import csv
import os
import re
from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import suppress
from dataclasses import replace
from hashlib import sha256
from itertools import chain, pairwise
from pathlib import Path
from typing import NamedTuple
from urllib.parse import unquote

from stemma.extract.formats.dates import first_date
from stemma.extract.formats.document import Document, blocks, lines, readable, start
from stemma.extract.formats.document_readers import PdfReader
from stemma.extract.formats.link import PMC, PUBMED
from stemma.extract.formats.person_name import listed_names
from stemma.extract.formats.reader import Draft, DraftReader, Options, author
from stemma.extract.formats.record import field_of, record_draft
from stemma.schema import Paper
from stemma.schema.text_line import too_long

_FILE = re.compile(r"(?<!\\);")
_FIELD = re.compile(r"(?<!\\):")
"""What parts description, path and type (``Kilns:files/1/kilns.pdf:application/pdf``)."""
_ESCAPED = re.compile(r"\\([:;\\_&%#{}$])")
_NAMED = re.compile(r"(?:^\s{0,20}L[124]  ?- |[{\"])([^{}\"]{1,4000})", re.I)
"""A value in a line of a library, which may name files."""
_LIBRARIES = ("bib", "bibtex", "ris", "csv")
COLUMN = "File Attachments"
"""The column in which Zotero names the files of a paper."""
_ENDNOTE = "internal-pdf://"
"""How EndNote writes files of its library into RIS."""
_MOST = 10
"""Files of a paper that are looked for."""


class LibraryReader(DraftReader):
    """Reads records that may name PDF files, as those of BibTeX and RIS do.

    A path is relative to the folder of the document. Those in archives are not looked for.
    """

    def read(self, document: Document, options: Options) -> Iterator[Paper]:
        """Read the papers, each with the full text in the first of its files that there is."""
        missing: list[str] = []
        for draft in self.drafts(document, options):
            if paper := draft.paper(document, options):
                names = dict.fromkeys(chain.from_iterable(map(attached, draft.files)))
                if names and type(document) is Document:
                    paper = _completed(paper, list(names)[:_MOST], document, options, missing)
                yield paper
        if missing:
            document.note(
                f"attached files that cannot be opened: {len(missing):,} (the first is "
                f"{readable(missing[0])!r}); a later build reads them, once it can"
            )


def _completed(
    paper: Paper, names: Sequence[str], document: Document, options: Options, missing: list[str]
) -> Paper:
    """Return a paper with what the first file has that is there, or else add one to `missing`."""
    places = chain.from_iterable(_places(name, document.path.parent) for name in names)
    path = next(filter(_is_file, places), None)
    if path is None:
        missing.append(names[-1])
        return paper
    file = Document(path, readable(path.name))
    for read in PdfReader().read(file, options):
        paper = replace(
            paper,
            abstract=paper.abstract or read.abstract,
            references=paper.references or read.references,
            full_text=read.full_text,
        )
    for problem in file.problems:
        document.add(replace(problem, skipped=False))
    return paper


def attached_files(document: Document) -> set[Path]:
    """Return the files that a document names for its papers, if it is a library."""
    files: set[Path] = set()
    with suppress(OSError):  # Reading it will say so.
        for line in lines(document) if document.format in _LIBRARIES else ():
            if document.format == "csv" and line.number == 1 and COLUMN not in line.text:
                break
            values = _NAMED.findall(line.text) if ".pdf" in line.text.casefold() else ()
            for name in chain.from_iterable(map(attached, values)):
                places = filter(_is_file, _places(name, document.path.parent))
                files.update(place.resolve() for place in places)
    return files


def state_of(document: Document) -> str:
    """Return a digest of a document with the files that it names; OSError if it cannot be read."""
    digests = sorted(Document(path, path.name).sha256 for path in attached_files(document))
    own = document.sha256
    return sha256(" ".join([own, *digests]).encode()).hexdigest() if digests else own


def attached(value: str) -> Iterator[str]:
    r"""Yield what may be paths of PDF files in a field of attachments, as libraries write it.

    ``:kilns.pdf:PDF``, ``Kilns:C\:\\kilns.pdf:application/pdf;Page:kilns.html:text/html``,
    ``/home/ann/Zotero/storage/AB12/kilns.pdf``, ``file:///home/ann/kilns.pdf``.
    """
    for item in _FILE.split(value):
        parts = [item] if "://" in item else _FIELD.split(item)
        for before, part in zip(["", *parts], parts, strict=False):
            path = _ESCAPED.sub(r"\1", part).strip(" {}")
            if path.casefold().endswith(".pdf") and not path.startswith(("http:", "https:")):
                drive = f"{before}:" if len(before) == 1 and path.startswith("\\") else ""
                yield drive + (unquote(path.removeprefix("file://")) if "://" in path else path)


def _places(name: str, folder: Path) -> Iterator[Path]:
    """Yield where a file may be; Mendeley leaves out the first slash of a path."""
    if name.startswith(_ENDNOTE):
        for data in folder.glob("*.Data/PDF"):
            yield data / name.removeprefix(_ENDNOTE)
        return
    yield folder / (Path(name).expanduser() if name.startswith("~/") else name)
    if "\\" in name:
        yield folder / name.replace("\\", "/")
    if "/" in name and not name.startswith("/"):
        yield Path("/") / name


def _is_file(path: Path) -> bool:
    try:
        return path.is_file() and os.access(path, os.R_OK)
    except (OSError, ValueError):  # a name that is too long, a folder that may not be read
        return False


class _Dialect(NamedTuple):
    """How lines begin, and the tags of each field: the first that has a value counts."""

    begin: re.Pattern[str]
    """The first line of a reference."""
    tag: re.Pattern[str]
    authors: tuple[str, ...]
    title: tuple[str, ...]
    abstract: tuple[str, ...]
    venue: tuple[str, ...]
    dates: tuple[str, ...]
    doi: tuple[str, ...]
    notes: tuple[str, ...]
    """Where a DOI or an arXiv id may stand."""
    links: tuple[str, ...] = ()
    files: tuple[str, ...] = ()
    series: tuple[str, ...] = ()
    bodies: str = ""
    """The tag of authors that are no persons."""
    addresses: Mapping[str, str] = {}
    """The beginnings of addresses, by the tags that have their ends."""
    title_has_stop: bool = True
    """Whether titles end in a full stop that is not a part of them."""


_RIS = _Dialect(
    re.compile(r"(?i)\ufeff?\s{0,3}TY  ?-"),
    re.compile(r"\s{0,3}([A-Za-z][A-Za-z0-9])  ?-(?: ?(.*)|$)"),
    *(("AU", "A1"), ("TI", "T1", "CT", "BT", "ST"), ("AB", "N2")),
    venue=("T2", "JF", "JO", "BT", "JA", "J2", "J1"),
    dates=("PY", "Y1", "DA"),
    doi=("DO", "DI"),
    notes=(
        *("UR", "LK", "L1", "L2", "L3", "M1", "M2", "M3", "N1", "AN", "VL", "IS"),
        *("T2", "JF", "JO"),
    ),
    links=("UR", "LK", "L1", "L2"),
    files=("L1", "L2", "L4"),
    series=("C3", "T3"),
    title_has_stop=False,
)
# Where tags have two blanks, a line of text may begin with "AD - ".
_WIDE_RIS = _RIS._replace(
    begin=re.compile(r"(?i)\ufeff?\s{0,3}TY  -"),
    tag=re.compile(r"\s{0,3}([A-Za-z][A-Za-z0-9])  -(?: ?(.*)|$)"),
)
_PUBMED = _Dialect(  # and ERIC
    re.compile(r"\ufeff?(?:PMID- |OWN - ERIC)"),
    re.compile(r"([A-Z]{2,4}) *-(?: (.*)|$)"),
    *(("FAU", "AU"), ("TI", "BTI"), ("AB",), ("JT", "TA", "BTI"), ("DEP", "DP"), ("LID", "AID")),
    notes=("SO",),
    bodies="CN",
    addresses={"PMID": PUBMED, "PMC": PMC},
)
_WEB_OF_SCIENCE = _Dialect(
    re.compile(r"\ufeff?PT [A-Z][A-Za-z;, -]{0,60}\s*$"),
    re.compile(r"([A-Z][A-Z0-9])(?: (.*)|$)"),
    *(("AF", "AU"), ("TI",), ("AB",), ("SO",), ("PY", "PD"), ("DI", "D2")),
    notes=("AR", "SO", "VL"),
    bodies="CA",
)
_DIALECTS = (_WIDE_RIS, _RIS, _PUBMED, _WEB_OF_SCIENCE)
_TRANSLATED = re.compile(r"\[(.*?)\.?\]\.?", re.S)
"""A title that was translated, as PubMed writes it."""


class TaggedReader(LibraryReader):
    """Reads references whose lines begin with tags; there may be other text before the first."""

    name = "ris"
    description = "RIS, PubMed (.nbib), Web of Science"
    fields = "title, abstract, authors, date, venue, DOI, arXiv id, links; attached PDF files"
    endings = ("ris", "nbib")

    def recognises(self, start: str) -> bool:
        """Return whether a text begins a file of references: by the tags of the first."""
        return _dialect(start) is not None

    def drafts(self, document: Document, options: Options) -> Iterator[Draft]:
        """Read the references, one in memory at a time."""
        dialect = _dialect(start(document)) or _RIS
        for block in blocks(document, dialect.begin, options.max_record_size):
            yield _draft(block.number, _values(block.text, dialect), dialect)


def _dialect(start: str) -> _Dialect | None:
    """Return the dialect of a text in which a line begins a reference, and the next has a tag."""
    rows = [row for row in start.split("\n") if row.strip()]
    return next(
        (
            dialect
            for dialect in _DIALECTS
            for row, following in pairwise(rows)
            if dialect.begin.match(row) and dialect.tag.match(following)
        ),
        None,
    )


def _draft(line: int, values: Mapping[str, list[str]], dialect: _Dialect) -> Draft:
    """Return the draft of a reference, by the values of its tags."""

    def first(tags: Iterable[str]) -> list[str]:
        return next((values[tag] for tag in tags if any(values.get(tag, ()))), [])

    def every(tags: Iterable[str]) -> list[str]:
        return [value for tag in tags for value in values.get(tag, ())]

    title = " ".join(first(dialect.title))
    venues = (" ".join(values.get(tag, ())) for tag in dialect.venue)
    name = title
    if dialect.title_has_stop:
        translated = _TRANSLATED.fullmatch(title)
        name = translated[1] if translated else title.removesuffix(".")
    bodies = [body.strip() for value in every([dialect.bodies]) for body in value.split(";")]
    return Draft(
        line,
        title=name,
        abstract="\n".join(first(dialect.abstract)),
        published=first_date(" ".join(values.get(tag, ())) for tag in dialect.dates),
        authors=[author(name) for name in (*listed_names(first(dialect.authors)), *bodies) if name],
        venue=next((venue for venue in venues if venue and venue != title), ""),
        series=" ".join(first(dialect.series)),
        doi=" ".join(every(dialect.doi)),
        links=[
            *(link for link in every(dialect.links) if "://" in link),
            *(begin + end for tag, begin in dialect.addresses.items() for end in every([tag])),
        ],
        notes=every(dialect.notes),
        files=every(dialect.files),
    )


def _values(text: str, dialect: _Dialect) -> Mapping[str, list[str]]:
    """Return the values of each tag; a line without a tag is another value of the last one."""
    values: dict[str, list[str]] = defaultdict(list)
    tag = ""
    for line in text.splitlines():
        value = line
        if begin := dialect.tag.match(line.removeprefix("\ufeff")):
            tag, value = begin[1].upper(), begin[2] or ""
        if tag == "ER":
            break
        if tag in dialect.abstract or value.strip():  # blank lines part paragraphs
            values[tag].append(value.strip())
    return values


_DELIMITERS = ",\t;|"
_UNCLOSED = "a quotation mark is never closed: nothing was read from this row on"
_UNQUOTED = "PT\tAU\t"
"""How a table of the Web of Science begins, in which a field may begin with a quotation mark."""


class CsvReader(LibraryReader):
    """Reads rows, under a row of names."""

    name = "csv"
    description = "CSV, TSV"
    fields = (
        "columns with usual names (`Title`, `Publication Year` …), or "
        "`--columns title=…,abstract=…`"
    )
    endings = ("csv", "tsv")

    def recognises(self, start: str) -> bool:
        """Return whether a text begins a table of papers: by the names of columns."""
        return _delimiter(start) is not None

    def drafts(self, document: Document, options: Options) -> Iterator[Draft]:
        """Read the rows, one in memory at a time."""
        longest = options.max_record_size
        csv.field_size_limit(longest)
        number, ended = 0, False  # of the last line; whether more was asked for than there is

        def read_on() -> Iterator[str]:
            nonlocal number, ended
            for line in lines(document, longest):
                number = line.number
                yield line.text + "\n" * line.is_last
            ended = True

        texts = read_on()
        header = next(texts, "")
        delimiter = _delimiter(header) or max(_DELIMITERS, key=header.count)
        next_line = number or 1
        marks = None if header.startswith(_UNQUOTED) else '"'
        reader = csv.reader(chain([header], texts), delimiter=delimiter, quotechar=marks)
        names: list[str] = []
        while True:
            wrong = None
            try:
                row = next(reader, None)
            except csv.Error as error:
                wrong = too_long(longest) if "field limit" in str(error) else f"not CSV: {error}"
                reader = csv.reader(texts, reader.dialect)
            line, next_line = next_line, number + 1
            if wrong:
                document.note(wrong, line, skipped=True)
                continue
            if row is None:
                break
            if ended:  # within a row
                document.note(_UNCLOSED, line, skipped=bool(names))
                break
            if not names:
                names = [name.strip() for name in row]
                if wrong := _unknown(names, options):
                    document.note(wrong, line)
                    return
            elif any(name.strip() for name in row):
                yield record_draft(dict(zip(names, row, strict=False)), line, options.columns)


def _delimiter(start: str) -> str | None:
    """Return the delimiter of the names of columns, if one of them is that of titles."""
    header = start.lstrip("\ufeff").partition("\n")[0]
    if len(header) > 10_000 or header.lstrip().startswith(("{", "[", "<", "@")):
        return None
    for delimiter in _DELIMITERS:
        try:
            names = next(csv.reader([header], delimiter=delimiter), [])
        except csv.Error:
            continue
        known = [field for name in names if (field := field_of(name))]
        if len(known) > 1 and "title" in known:
            return delimiter
    return None


def _unknown(names: list[str], options: Options) -> str | None:
    """Return what is missing among the names of columns, if anything."""
    absent = [column for column in options.columns.values() if column not in names]
    if absent:
        return f"no column {absent[0]!r}: there are {', '.join(names)[:500]}"
    if "title" not in options.columns and all(field_of(name) != "title" for name in names):
        shown = ", ".join(names)[:500]
        return f"no column has titles: use --columns title=NAME,abstract=NAME; names are {shown}"
    return None
