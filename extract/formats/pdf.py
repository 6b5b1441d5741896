"""PDF: title and abstract from the first pages, and sections, by PDFium."""

import re
import unicodedata
from collections.abc import Iterator, Sequence
from itertools import dropwhile
from typing import Any

from stemma.extract.formats.body import Body
from stemma.extract.formats.document import Document
from stemma.extract.formats.draft import Draft, one_line
from stemma.extract.formats.paper_text import (
    LONGEST_TITLE,
    NO_TITLE,
    abstract,
    arxiv_id,
    body,
    joined,
    stated_doi,
)
from stemma.extract.formats.pdf_layout import (
    blocks,
    entries,
    headings,
    running_text,
    text_style,
    unmarked_abstract,
    with_citations,
    without_raised,
)
from stemma.extract.formats.pdf_rows import PageRows, Row
from stemma.extract.formats.reader import Options, Reader
from stemma.extract.formats.whole import whole_bytes
from stemma.schema.paper import Paper
from stemma.schema.problem import Problem

_PAGES = 3
"""How many pages may have the abstract."""
_MOST_PAGES = 60
_SAME_SIZE = 0.6
_POOR_TITLE = re.compile(
    r"microsoft word|untitled|\.(?:docx?|tex|dvi|pdf|indd)\b|^(?:arxiv|paper|main|title)\b", re.I
)


class PdfReader(Reader):
    """Reads documents of a paper each."""

    name = "pdf"
    description = "PDF"
    fields = "title, abstract, DOI and arXiv id, sections and references"
    endings = ("pdf",)
    begins = "%"

    def recognises(self, start: str) -> bool:
        """Recognise by the first characters."""
        return "%PDF-" in start[:1024]

    def read(self, document: Document, options: Options) -> Iterator[Paper | Problem]:
        """Read the paper from its first pages."""
        import pypdfium2  # noqa: PLC0415 - other formats do not wait for it

        data = whole_bytes(document, options.max_record_size)
        if isinstance(data, Problem):
            yield data
            return
        if wrong := _no_pdf(data):
            yield Problem(document.name, None, wrong, skipped=True)
            return
        try:
            opened = pypdfium2.PdfDocument(data)
            try:
                draft = _draft(opened, document.name, options.full_text)
            finally:
                opened.close()
        except (pypdfium2.PdfiumError, ValueError, OSError) as error:
            reason = f"not a PDF that can be read: {one_line(str(error))}"
            if "password" in reason:
                reason = "the PDF is protected by a password: save a copy without one"
            yield Problem(document.name, None, reason, skipped=True)
            return
        if draft.title and not draft.abstract:
            yield Problem(document.name, 1, "no abstract was found: only the title was read")
        yield from draft.read(document, options.year)


def _no_pdf(data: bytes) -> str | None:
    if not data:
        return "the file is empty"
    if b"%PDF-" in data[:1024]:
        return None
    is_page = data[:1024].lstrip().startswith(b"<")
    return "not a PDF: it is HTML, perhaps an error page" if is_page else "not a PDF"


def _draft(opened: Any, name: str, full_text: bool) -> Draft:
    pages = []
    for number in range(min(len(opened), _MOST_PAGES if full_text else _PAGES)):
        page = opened[number]
        text = page.get_textpage()
        try:
            pages.append(PageRows(text).rows())
        finally:
            text.close()
            page.close()
    pages = list(dropwhile(lambda rows: not rows, pages)) or [[]]  # a cover may be a picture
    first = "\n".join(row.text for row in pages[0])
    titles = headings(pages)
    read = running_text(pages)
    texts = joined("\f".join("\n".join(row.text for row in rows) for rows in read)).split("\f")
    texts = with_citations(texts)
    sections = body("\n".join(texts), titles, entries(read, titles)) if full_text else Body()
    return Draft(
        1,
        title=_best_title(one_line(opened.get_metadata_value("Title")), pages[0], first),
        abstract=abstract("\n".join(texts[:_PAGES]), titles)
        or unmarked_abstract(read[:_PAGES], titles),
        doi=stated_doi(first),
        arxiv_id=arxiv_id(name, first),
        untitled="no title was found"
        if any(pages)
        else "the PDF has no text: it is a scanned image, so recognise its text (OCR) first",
        references=list(sections.references.values()),
        body=sections,
    )


def _best_title(stated: str, rows: Sequence[Row], page: str) -> str:
    """Return the title of the metadata if it is on the page, else what looks like a title.

    Metadata often has the name of a file, of a template, or of the proceedings.
    """
    good = (
        len(stated.split()) > 2 and len(stated) < LONGEST_TITLE and not _POOR_TITLE.search(stated)
    )
    if good and _letters(stated) in _letters(page):
        return stated
    return _title(rows) or (stated if good else "")


def _letters(text: str) -> str:
    """Return letters and digits without accents, which TeX may write as separate characters."""
    return "".join(filter(str.isalnum, unicodedata.normalize("NFKD", text).casefold()))


def _title(rows: Sequence[Row]) -> str:
    """Return the first lines that follow each other in the largest letters.

    If no letters are larger than those of the text, the first lines in another font.
    """
    size, font = text_style([rows])
    rows = [
        each
        for each in rows[:60]
        if each.upright and sum(map(str.isalpha, each.text)) > 2 and not NO_TITLE.match(each.text)
    ]
    for large in sorted({each.size for each in rows if each.size > size}, reverse=True):
        if title := _first_lines(rows, [abs(each.size - large) < _SAME_SIZE for each in rows]):
            return title
    others = [each.font != font and each.size >= size - _SAME_SIZE for each in rows]
    return _first_lines(rows, others) or next(filter(None, map(_as_title, blocks(rows))), "")


def _first_lines(rows: Sequence[Row], wanted: Sequence[bool]) -> str:
    """Return the first wanted lines that follow each other, if they may be a title."""
    if True not in wanted:
        return ""
    first = wanted.index(True)
    end = wanted.index(False, first) if False in wanted[first:] else len(wanted)
    return _as_title(rows[first:end])


def _as_title(rows: Sequence[Row]) -> str:
    lines = "\n".join(row.text for row in rows)
    title = " ".join(without_raised(joined(lines)).split()).rstrip(" *∗†‡⋆,")
    return title if 8 < len(title) <= LONGEST_TITLE else ""
