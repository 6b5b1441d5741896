"""Libraries of references, as programs and services export them: tables (CSV), and references with
tags (RIS, PubMed, the Web of Science). They may name files, which hold the full texts of papers.
"""

import csv
import os
import re
from collections import defaultdict
from collections.abc import Iterator, Mapping, Sequence
from contextlib import suppress
from dataclasses import replace
from hashlib import sha256
from itertools import chain
from pathlib import Path
from typing import ClassVar, NamedTuple
from urllib.parse import unquote

from stemma.extract.formats.dates import most_precise
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
    """How lines begin, and the tags of each field: the first that occurs counts."""

    known: re.Pattern[str]
    begin: re.Pattern[str]
    tag: re.Pattern[str]
    authors: tuple[str, ...]
    title: tuple[str, ...]
    abstract: tuple[str, ...]
    venue: tuple[str, ...]
    days: tuple[str, ...]
    """Days, perhaps without their year."""
    years: tuple[str, ...]
    doi: tuple[str, ...]
    links: tuple[str, ...] = ()
    notes: tuple[str, ...] = ()
    """Where a DOI or an arXiv id may stand."""
    title_has_stop: bool = True
    """Whether titles end in a full stop that is not a part of them."""
    bodies: str = ""
    """The tag of authors that are no persons."""
    addresses: Mapping[str, str] = {}
    """The beginnings of addresses, by the tags that have their ends."""
    files: tuple[str, ...] = ()
    series: tuple[str, ...] = ()


_RIS = _Dialect(
    re.compile(r"(?i)TY  ?- ?\w[^\n]*+\n\s*+[A-Z][A-Z0-9]  ?-"),
    re.compile(r"(?i)\ufeff?\s{0,3}TY  ?-"),
    re.compile(r"\s{0,3}([A-Za-z][A-Za-z0-9])  ?-(?: ?(.*)|$)"),
    *(("AU", "A1"), ("TI", "T1", "CT", "BT", "ST"), ("AB", "N2")),
    venue=("T2", "JF", "JO", "BT", "JA", "J2", "J1"),
    series=("C3", "T3"),
    days=("DA", "PY", "Y1"),
    years=("PY", "Y1", "DA"),
    doi=("DO", "DI"),
    links=("UR", "LK", "L1", "L2"),
    notes=(
        *("UR", "LK", "L1", "L2", "L3", "M1", "M2", "M3", "N1", "AN", "VL", "IS"),
        *("T2", "JF", "JO"),
    ),
    files=("L1", "L2", "L4"),
    title_has_stop=False,
)
_TRANSLATED = re.compile(r"\[(.*?)\.?\]\.?", re.S)
_NARROW = re.compile(r"(?i)\ufeff?\s{0,3}TY -")
_DIALECTS = (
    _Dialect(  # PubMed, and ERIC
        re.compile(r"(?:PMC - \w+\n)?PMID- \d|OWN - ERIC\n"),
        re.compile(r"\ufeff?(?:PMID- |OWN - ERIC)"),
        re.compile(r"([A-Z]{2,4}) *-(?: (.*)|$)"),
        *(("FAU", "AU"), ("TI", "BTI"), ("AB",), ("JT", "TA", "BTI"), ("DEP", "DP"), ("DP",)),
        doi=("LID", "AID"),
        notes=("SO",),
        bodies="CN",
        addresses={"PMID": PUBMED, "PMC": PMC},
    ),
    _Dialect(  # Web of Science
        re.compile(r"(?:FN [^\n]*\nVR [^\n]*\n\s{0,9}PT [A-Z][^\n]*|PT [A-Z])\n[A-Z][A-Z0-9] "),
        re.compile(r"\ufeff?PT [A-Z][A-Za-z;, -]{0,60}\s*$"),
        re.compile(r"([A-Z][A-Z0-9])(?: (.*)|$)"),
        *(("AF", "AU"), ("TI",), ("AB",), ("SO",), ("PD",), ("PY",), ("DI", "D2")),
        notes=("AR", "SO", "VL"),
        bodies="CA",
    ),
)


class TaggedReader(LibraryReader):
    """Reads references."""

    name = "tagged"
    description = "PubMed (.nbib), Web of Science"
    fields = "title, abstract, authors, date, venue, DOI, arXiv id"
    endings: ClassVar[tuple[str, ...]] = ("nbib",)
    _default: ClassVar[_Dialect | None] = None

    def recognises(self, start: str) -> bool:
        """Return whether a text begins a file of references: by the tags of the first."""
        return self._dialect(start) is not None

    def drafts(self, document: Document, options: Options) -> Iterator[Draft]:
        """Read the references, one in memory at a time."""
        dialect = self._dialect(start(document)) or self._default
        if dialect:
            for block in blocks(document, dialect.begin, options.max_record_size):
                yield _draft(block.number, _values(block.text, dialect), dialect)

    def _dialect(self, start: str) -> _Dialect | None:
        text = start.lstrip("\ufeff \n")
        return next((dialect for dialect in _DIALECTS if dialect.known.match(text)), None)


class RisReader(TaggedReader):
    """Reads references of RIS; there may be other text before the first."""

    name = "ris"
    description = "RIS"
    fields = "title, abstract, authors, date, venue, DOI, arXiv id, links; attached PDF files"
    endings = ("ris",)
    _default = _RIS

    def _dialect(self, start: str) -> _Dialect | None:
        begin = re.search(r"(?im)^\ufeff?[ \t]{0,3}(?=TY  ?-)", start)
        if not begin or not _RIS.known.match(start, begin.end()):
            return None
        # Where tags have two blanks, a line of text may begin with "AD - ".
        is_narrow = _NARROW.match(start, begin.start())
        wide = re.compile(_RIS.tag.pattern.replace("  ?-", "  -"))
        return _RIS if is_narrow else _RIS._replace(tag=wide)


def _draft(line: int, found: Mapping[str, list[str]], dialect: _Dialect) -> Draft:
    def of(tags: tuple[str, ...]) -> list[str]:
        return next((found[tag] for tag in tags if any(found.get(tag, ()))), [])

    title = next((tag for tag in dialect.title if any(found.get(tag, ()))), "")
    text = " ".join(found.get(title, ()))
    if dialect.title_has_stop:  # and a translation stands in brackets
        translated = _TRANSLATED.fullmatch(text)
        text = translated[1] if translated else text.removesuffix(".")
    bodies = [name.strip() for each in found.get(dialect.bodies, ()) for name in each.split(";")]
    links = [each for tag in dialect.links for each in found.get(tag, ()) if "://" in each]
    links += [
        f"{address}{each}"
        for tag, address in dialect.addresses.items()
        for each in found.get(tag, ())
    ]
    return Draft(
        line,
        title=text,
        abstract="\n".join(of(dialect.abstract)),
        published=most_precise(
            (" ".join(of((tag,))) for tag in dialect.days), " ".join(of(dialect.years))
        ),
        authors=[author(name) for name in (*listed_names(of(dialect.authors)), *bodies) if name],
        venue=" ".join(of(tuple(tag for tag in dialect.venue if tag != title))),
        series=" ".join(of(dialect.series)),
        doi=" ".join(each for tag in dialect.doi for each in found.get(tag, ())),
        links=links,
        notes=[each for tag in dialect.notes for each in found.get(tag, ())],
        files=[each for tag in dialect.files for each in found.get(tag, ())],
    )


def _values(text: str, dialect: _Dialect) -> Mapping[str, list[str]]:
    """Return the values of each tag; a line without a tag is another value of the last one."""
    found: dict[str, list[str]] = defaultdict(list)
    tag = ""
    for line in text.splitlines():
        value = line
        if begin := dialect.tag.match(line.removeprefix("\ufeff")):
            tag, value = begin[1].upper(), begin[2] or ""
        if tag == "ER":
            break
        if tag in dialect.abstract or value.strip():  # blank lines part paragraphs
            found[tag].append(value.strip())
    return found


_DELIMITERS = ",\t;|"
_UNCLOSED = "a quotation mark is never closed: nothing was read from this row on"
_EXCEL = re.compile(r"\"?sep=.\"?\r?(?:\n|$)", re.I)
"""A first line that names the delimiter for Excel."""
_WEB_OF_SCIENCE = re.compile(r"\ufeff?PT\tAU\t")


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
        if _EXCEL.fullmatch(header):
            header = next(texts, "")
        delimiter = _delimiter(header) or max(_DELIMITERS, key=header.count)
        next_line = number or 1
        # The Web of Science puts no quotation marks around fields that begin with one.
        marks = None if _WEB_OF_SCIENCE.match(header) else '"'
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
                names = [each.strip() for each in row]
                if wrong := _unknown(names, options):
                    document.note(wrong, line)
                    return
            elif any(each.strip() for each in row):
                record = dict(zip(names, row, strict=False))
                draft = record_draft(record, line, options.columns)
                yield replace(draft, files=[record.get(COLUMN) or ""])


def _delimiter(start: str) -> str | None:
    """Return the delimiter of the names of columns, if one of them is that of titles."""
    header = _EXCEL.sub("", start.lstrip("\ufeff"), count=1).partition("\n")[0]
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
