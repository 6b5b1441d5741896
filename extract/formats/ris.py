"""RIS, which reference managers and publishers' sites export."""

import re
from collections.abc import Iterator
from typing import Any

import rispy

from stemma.extract.formats.blocks import blocks
from stemma.extract.formats.document import Document
from stemma.extract.formats.draft import Draft, author, date_of_day, in_order
from stemma.extract.formats.markup import without_markup
from stemma.extract.formats.reader import Options, Reader
from stemma.schema.paper import Paper
from stemma.schema.problem import Problem

_BEGIN = re.compile(r"\ufeff?TY  ?- ")
_EMPTY = re.compile(r"^(?!ER)[A-Z][A-Z0-9]  ?-[ \t]*\n", re.M)
_NARROW = re.compile(r"^([A-Z][A-Z0-9]) -(?= )", re.M)
_SLASHED = re.compile(r"\d{4}(?:[/-]\d{1,2}){0,2}")
_END = re.compile(r"^ER  ?-.*", re.M | re.S)


class RisReader(Reader):
    """Reads references."""

    name = "ris"
    description = "RIS"
    fields = "title, abstract, authors, date, venue, DOI, links"
    endings = ("ris",)
    begins = "T"

    def recognises(self, start: str) -> bool:
        """Recognise by the type of the first reference and another tag."""
        return bool(re.search(r"^\ufeff?TY  ?- \w+\s*\n\s*[A-Z][A-Z0-9]  ?-", start, re.M))

    def read(self, document: Document, options: Options) -> Iterator[Paper | Problem]:
        """Read the papers, a reference in memory at a time."""
        for block in blocks(document, _BEGIN, options.max_record_size):
            if isinstance(block, Problem):
                yield block
                continue
            # An empty tag would end up in the text of the field before it.
            text = _NARROW.sub(r"\1  -", _EMPTY.sub("", block.text))
            text = _END.sub("", text) + "ER  - \n"
            try:
                (record,) = rispy.loads(text.removeprefix("\ufeff"))
            except (ValueError, OSError, KeyError, IndexError, rispy.parser.ParseError) as error:
                yield Problem(document.name, block.line, f"not RIS: {error}", skipped=True)
                continue
            yield from _draft(block.line, record).read(document, options.year)


def _draft(line: int, record: dict[str, Any]) -> Draft:
    def first(*names: str) -> str:
        return next((_joined(record[name]) for name in names if record.get(name)), "")

    names = record.get("authors") or record.get("first_authors") or []
    urls = [each for each in record.get("urls", []) if isinstance(each, str)]
    return Draft(
        line,
        title=without_markup(first("title", "primary_title")),
        abstract=without_markup(first("abstract", "notes_abstract")),
        published=_date(first("date"), first("year", "publication_year")),
        authors=[author(in_order(each)) for each in names],
        venue=first("secondary_title", "journal_name", "alternate_title3", "alternate_title2"),
        doi=first("doi"),
        arxiv_id=next((each for each in urls if "arxiv.org" in each), None),
        links=urls,
    )


def _joined(value: object) -> str:
    return "\n".join(map(str, value)) if isinstance(value, list) else str(value)


def _date(day: str, year: str) -> str | None:
    """Return ``2021/04/15`` of ``2021/04/15/spring``; a year alone has slashes as well."""
    in_full, of_year = (_SLASHED.match(each.strip()) for each in (day, year))
    if in_full:
        return in_full[0]
    return date_of_day(day.strip(), of_year[0] if of_year else year.strip())
