"""RIS: references whose lines begin with tags."""

import re
from collections import defaultdict
from collections.abc import Iterator, Mapping
from itertools import chain

from stemma.extract.formats.attachment import Attachments
from stemma.extract.formats.dates import most_precise
from stemma.extract.formats.document import Document
from stemma.extract.formats.draft import Draft, author
from stemma.extract.formats.lines import blocks, start
from stemma.extract.formats.person_name import listed_names
from stemma.extract.formats.reader import Options, Reader
from stemma.schema.paper import Paper
from stemma.schema.problem import Problem

_BEGIN = re.compile(r"(?i)\ufeff?\s{0,3}TY  ?-")
_FIRST = re.compile(r"(?im)^\ufeff?[ \t]{0,3}(?=(TY  ?-) ?\w[^\n]*+\n\s*+[A-Z][A-Z0-9]  ?-)")
"""The beginning of a reference with a further tag; there may be other text before it."""
_TAG = r"\s{{0,3}}([A-Za-z][A-Za-z0-9])  {}-(?: ?(.*)|$)"
_WIDE, _NARROW = re.compile(_TAG.format("")), re.compile(_TAG.format("?"))
"""Where tags have two blanks, a line of text may begin with "AD - "."""
_TITLES = ("TI", "T1", "CT", "BT", "ST")
_ABSTRACTS = ("AB", "N2")
_VENUES = ("T2", "JF", "JO", "BT", "C3", "JA", "J2", "J1", "T3")
_LINKS = ("UR", "LK", "L1", "L2")
_FILES = ("L1", "L2", "L4")
_NOTES = (*_LINKS, "L3", "M1", "M2", "M3", "N1", "AN", "VL", "IS", "T2", "JF", "JO")
"""Where a DOI or an arXiv id may stand."""


class RisReader(Reader):
    """Reads references; there may be other text before the first."""

    name = "ris"
    description = "RIS"
    fields = "title, abstract, authors, date, venue, DOI, arXiv id, links; attached PDF files"
    endings = ("ris",)

    def recognises(self, start: str) -> bool:
        """Recognise by the tags of the first reference."""
        return bool(_FIRST.search(start))

    def read(self, document: Document, options: Options) -> Iterator[Paper | Problem]:
        """Read the papers, a reference in memory at a time."""
        first = _FIRST.search(start(document))
        tag = _WIDE if first and first[1].startswith("TY  ") else _NARROW
        attachments = Attachments(document, options)
        for block in blocks(document, _BEGIN, options.max_record_size):
            if isinstance(block, Problem):
                yield block
                continue
            values = _values(block.text, tag)
            files = chain.from_iterable(values.get(each, ()) for each in _FILES)
            results = _draft(block.number, values).read(document, options)
            yield from attachments.complete(results, files)
        yield from attachments.missing()


def _draft(line: int, values: Mapping[str, list[str]]) -> Draft:
    def all_of(*tags: str) -> list[str]:
        return [value for tag in tags for value in values.get(tag, ())]

    def first_of(*tags: str) -> list[str]:
        return next((values[tag] for tag in tags if any(values.get(tag, ()))), [])

    title = next((tag for tag in _TITLES if any(values.get(tag, ()))), "")
    return Draft(
        line,
        title=" ".join(all_of(title)),
        abstract="\n".join(first_of(*_ABSTRACTS)),
        published=most_precise(
            (" ".join(all_of(tag)) for tag in ("DA", "PY", "Y1")),
            " ".join(first_of("PY", "Y1", "DA")),
        ),
        authors=[author(name) for name in listed_names(first_of("AU", "A1"))],
        venue=" ".join(first_of(*(tag for tag in _VENUES if tag != title))),
        doi=" ".join(all_of("DO", "DI")),
        links=[value for value in all_of(*_LINKS) if "://" in value],
        notes=all_of(*_NOTES),
    )


def _values(text: str, tag: re.Pattern[str]) -> Mapping[str, list[str]]:
    """Return the values of each tag; a line without a tag is another value of the last one."""
    values: dict[str, list[str]] = defaultdict(list)
    last = ""
    for line in text.splitlines():
        value = line
        if begin := tag.match(line.removeprefix("\ufeff")):
            last, value = begin[1].upper(), begin[2] or ""
        if last == "ER":
            break
        if last in _ABSTRACTS or value.strip():  # blank lines part paragraphs
            values[last].append(value.strip())
    return values
