"""Papers in PDF: title, authors, date and abstract from the first pages, sections, tables and
references.
"""

import re
from collections import Counter
from collections.abc import Collection, Sequence
from functools import partial
from itertools import pairwise
from typing import Any

from stemma.extract.formats.body import APPENDIX, PaperTable, without_marks
from stemma.extract.formats.paper_text import (
    abstract,
    arxiv_id,
    begins_references,
    body,
    is_numbered,
    joined,
    named_references,
    numbered_references,
    printed_doi,
    with_marks,
    with_whole_addresses,
)
from stemma.extract.formats.pdf_layout import (
    authors,
    columns,
    date,
    headings,
    is_heading,
    running_text,
    text_style,
    title,
    title_page,
    title_rows,
    unmarked_abstract,
    with_citations,
    without_labels,
    without_raised,
)
from stemma.extract.formats.pdf_rows import SAME_SIZE, SUPERSCRIPT, SUPERSCRIPT_END, PageRows, Row
from stemma.extract.formats.pdf_table import without_tables
from stemma.extract.formats.reader import Draft, author, one_line
from stemma.schema import Reference

_YEAR = re.compile(r"\b(?:19|20)\d\d")
_BEHIND = re.compile(r"(?:[A-Z\d]\.?\s+)?(?:appendi(?:x|ces)|supplement)|affiliations?:\s*$", re.I)
"""Lines behind the list of references: an appendix, or where the authors work."""
_ITEM = re.compile(r"\[?\d[\].][ \t]+\S")
_RAISED_ITEM = re.compile(rf"^{SUPERSCRIPT}(\d{{1,3}}){SUPERSCRIPT_END}[ \t]*(?=[^\W\d])")
_ADDRESS = re.compile(r"[/_@=]")
_LINES_TO_YEAR = 15
"""So many lines after its heading, a list has had a year."""
_LINES_TO_THIRD = 40
"""The first three items of a list have fewer lines."""
_YEARS_OF_LIST = 5
"""One line in so many has a year in a list, at the least."""
_SAME_PLACE, _LEAST_INDENT = 1.6, 3
"""In points."""
_HANGING = 15
"""One line in so many begins an entry in a list with hanging indents, at the least."""
_APART = 1.15
"""A distance of lines this many times the usual one is a gap between entries."""


def divided(
    pages: Sequence[Sequence[Row]], titles: Collection[str]
) -> tuple[list[list[Row]], list[list[Row]], list[Row]]:
    """Return the lines of pages before the list of references, those of its entries, and those of
    appendices behind it.

    The list ends at a heading, which is one of `titles`, or in larger letters. Without a list,
    there are no entries. What has as many years behind it as a list is no appendix.
    """
    rows = [row for page in pages for row in page]
    begin = _begin_of_references(rows)
    before, left = list[list[Row]](), begin
    for page in pages:
        before.append(list(page[: max(left, 0)]))
        left -= len(page)
    listed = [row for row in rows[begin:] if not begins_references(row.text)]
    if not listed:
        return before, [], []
    size = listed[0].size
    end = next((i for i, row in enumerate(listed) if _ends(row, titles, size)), len(listed))
    behind = listed[end:]
    is_listed = _YEARS_OF_LIST * sum(map(_has_year, behind)) > len(behind)
    return before, _entries(columns(listed[:end])), [] if is_listed else behind


def read_entries(entries: Sequence[str]) -> dict[str, Reference]:
    """Read the references of a list by the keys of citations: numbers, or names with years."""
    entries = [_RAISED_ITEM.sub(r"[\1] ", with_whole_addresses(entry)) for entry in entries]
    entries = [without_raised(entry) for entry in entries]
    text = "\n".join(entries)
    return numbered_references(text) if is_numbered(text) else named_references(entries)


def _begin_of_references(rows: Sequence[Row]) -> int:
    """Return the number of the line that begins the list of references, or of the one behind all.

    It is the heading, or else, for a list without one, the item before those with 2 and 3.
    """
    for i, row in enumerate(rows):
        if begins_references(row.text) and any(map(_has_year, rows[i + 1 : i + _LINES_TO_YEAR])):
            return i
    items = [i for i, row in enumerate(rows) if _ITEM.match(row.text)]
    for first, second, third in reversed([*zip(items, items[1:], items[2:], strict=False)]):
        numbers = [rows[i].text.strip("[")[:1] for i in (first, second, third)]
        near = third - first < _LINES_TO_THIRD
        if near and numbers == ["1", "2", "3"] and any(map(_has_year, rows[first:second])):
            return first
    return len(rows)


def _has_year(row: Row) -> bool:
    return bool(_YEAR.search(row.text))


def _ends(row: Row, titles: Collection[str], size: float) -> bool:
    larger = row.size > size + SAME_SIZE and is_heading(row.text) and not _ADDRESS.search(row.text)
    return row.text in titles or larger or bool(_BEHIND.match(row.text))


def _entries(listed: Sequence[Sequence[Row]]) -> list[list[Row]]:
    """Return the lines of entries: the first begins further left than others, or after a gap."""
    steps = Counter(
        round(after.left - row.left) for rows in listed for row, after in pairwise(rows)
    )
    indents = {step: steps[step - 1] + steps[step] + steps[step + 1] for step in list(steps)}
    indent = max(
        (indent for indent in indents if indent >= _LEAST_INDENT),
        key=lambda each: (indents[each], steps[each], -each),
        default=0,
    )
    hanging = indents[indent] * _HANGING > sum(map(len, listed)) if indent else False
    edges = [_edge(rows, indent) for rows in listed]
    known = [edge for edge in edges if edge is not None]
    found: list[list[Row]] = []
    for rows, edge in zip(listed, edges, strict=True):
        place = _likely_edge(rows, known, indent) if edge is None else edge
        begins = [row.left < place + indent / 2 for row in rows] if hanging else _after_gaps(rows)
        for row, first in zip(rows, begins, strict=True):
            if first or not found:
                found.append([])
            found[-1].append(row)
    return found


def _edge(rows: Sequence[Row], indent: int) -> float | None:
    """Return where most lines of a column begin after which the next is indented."""
    lefts = Counter(
        row.left for row, after in pairwise(rows) if _near(after.left, row.left + indent)
    )
    return max(lefts, key=lambda left: (lefts[left], -left), default=None)


def _likely_edge(rows: Sequence[Row], known: Sequence[float], indent: int) -> float:
    """Return the edge of a column whose lines all begin at one place, by the other columns."""
    left = min(row.left for row in rows)
    is_first = any(_near(left, edge) for edge in known)
    continues = not is_first and any(_near(left, edge + indent) for edge in known)
    return left - indent if continues else left


def _near(place: float, other: float) -> bool:
    return abs(place - other) < _SAME_PLACE


def _after_gaps(rows: Sequence[Row]) -> list[bool]:
    """Return of each line whether it is after a gap, or, if there are no gaps, an entry itself."""
    distances = [before.base - row.base for before, row in pairwise(rows)]
    usual = sorted(distances)[len(distances) // 10] if distances else 0
    begins = [True, *(distance > _APART * usual for distance in distances)]
    short = not any(begins[1:]) and 2 * sum(map(_has_year, rows)) > len(rows)
    return [True] * len(rows) if short else begins


_PAGES = 3
"""How many pages may have the abstract."""
_FRONT_PAGES = 2
"""The title is on one of these pages."""
_MOST_PAGES = 60
_ENTRY = "\x1d"
"""A sign between the entries of the list of references."""
_NO_TEXT = "the PDF has no text: it is a scanned image, so recognise its text (OCR) first"
_NO_PAPER = "no paper: neither an abstract nor sections were found"


def read_paper(opened: Any, name: str, full_text: bool) -> Draft | str:
    """Return the paper in a PDF, or why it is none."""
    spaced, pages = list[list[Row]](), list[list[Row]]()
    for number in range(min(len(opened), _MOST_PAGES if full_text else _PAGES)):
        page = opened[number]
        text = page.get_textpage()
        try:
            spaced.append(PageRows(text).rows(is_front=number < _FRONT_PAGES))
        finally:
            text.close()
            page.close()
        pages.append([row._replace(text=row.text.replace("\t", " ")) for row in spaced[-1]])
    if not any(pages):
        return _NO_TEXT
    begin = title_page(pages)
    fronts, pages = pages[: begin + 1], pages[begin:]
    first = with_whole_addresses("\n".join(row.text for rows in fronts for row in rows))
    titles = headings(pages)
    main, entries, last = divided(running_text(pages), titles)
    tables = list[PaperTable]()
    size, _ = text_style(main)
    for number, rows in enumerate(main := [*main, last]):
        kept, found = without_tables(rows)
        main[number] = without_labels(kept, size)
        tables += found
    texts = ["\f".join("\n".join(row.text for row in rows) for rows in main)]
    texts += ["\n".join(row.text for row in rows) for rows in entries]
    read, *listed = without_marks(joined(_ENTRY.join(texts))).split(_ENTRY)
    references = read_entries(listed)
    *texts, appendix = with_citations(read.split("\f"), "1" in references)
    sections = body("\n".join(texts), titles, references)
    if appendix.strip():
        divided_by = body(appendix, titles, references).sections
        whole: list[tuple[Sequence[str], str]] = [([], with_marks(appendix, references))]
        behind = [([APPENDIX, *of], text) for of, text in divided_by or whole]
        sections.sections = [*sections.sections, *behind]
    sections.tables = [table.mapped(partial(with_marks, references=references)) for table in tables]
    summary = abstract("\n".join(texts[:_PAGES]), titles)
    summary = summary or unmarked_abstract(main[:_PAGES], titles)
    if not (summary or sections.sections):
        return _NO_PAPER
    stated, titled = opened.get_metadata_dict(), title_rows(pages[0])
    return Draft(
        1,
        title=title(one_line(stated["Title"]), pages[0], titled),
        abstract=summary,
        authors=[
            author(each) for each in authors(stated["Author"], spaced[begin], titled.stop, summary)
        ],
        published=date(fronts, summary, stated),
        doi=printed_doi(first),
        arxiv_id=arxiv_id(name, first),
        body=sections,
    )
