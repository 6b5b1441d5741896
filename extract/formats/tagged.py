"""Tagged references: those of RIS, PubMed and the Web of Science."""

import re
from collections import defaultdict
from collections.abc import Iterator, Mapping
from typing import ClassVar, NamedTuple

from stemma.extract.formats.attachment import LibraryReader
from stemma.extract.formats.dates import most_precise
from stemma.extract.formats.document import Document, blocks, start
from stemma.extract.formats.link import PMC, PUBMED
from stemma.extract.formats.person_name import listed_names
from stemma.extract.formats.reader import Draft, Options, author


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


_RIS = _Dialect(
    re.compile(r"(?i)TY  ?- ?\w[^\n]*+\n\s*+[A-Z][A-Z0-9]  ?-"),
    re.compile(r"(?i)\ufeff?\s{0,3}TY  ?-"),
    re.compile(r"\s{0,3}([A-Za-z][A-Za-z0-9])  ?-(?: ?(.*)|$)"),
    *(("AU", "A1"), ("TI", "T1", "CT", "BT", "ST"), ("AB", "N2")),
    venue=("T2", "JF", "JO", "BT", "C3", "JA", "J2", "J1", "T3"),
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
        return next((each for each in _DIALECTS if each.known.match(text)), None)


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
