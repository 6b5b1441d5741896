"""PDF: title and abstract from the first pages, and sections, by PDFium."""

import re
import unicodedata
from collections.abc import Iterator
from typing import Any, NamedTuple

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
    without_running_heads,
)
from stemma.extract.formats.reader import Options, Reader
from stemma.extract.formats.whole import whole_bytes
from stemma.schema.paper import Paper
from stemma.schema.problem import Problem

_PAGES = 3
"""That may have the abstract."""
_MOST_PAGES = 60
_MOST_CHARACTERS = 30_000
"""Of a page, that are looked at."""
_POOR_TITLE = re.compile(
    r"microsoft word|untitled|\.(?:docx?|tex|dvi|pdf|indd)\b|^(?:arxiv|paper|main|title)\b", re.I
)


class _Row(NamedTuple):
    text: str
    size: float


class PdfReader(Reader):
    """Reads documents of a paper each."""

    name = "pdf"
    description = "PDF"
    fields = (
        "title, abstract, DOI and arXiv id, numbered sections and references, with "
        '`pip install "stemma[pdf]"`'
    )
    endings = ("pdf",)
    begins = "%"

    def recognises(self, start: str) -> bool:
        """Recognise by the first characters."""
        return "%PDF-" in start[:1024]

    def read(self, document: Document, options: Options) -> Iterator[Paper | Problem]:
        """Read the paper from its first pages."""
        try:
            import pypdfium2  # noqa: PLC0415 - an extra
        except ImportError:
            reason = "PDF files need an extra: pip install 'stemma[pdf]'"
            yield Problem(document.name, None, reason, skipped=True)
            return
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
    rows: list[_Row] = []
    for number in range(min(len(opened), _MOST_PAGES if full_text else _PAGES)):
        page = opened[number]
        text = page.get_textpage()
        try:
            pages.append(text.get_text_range(0, min(text.count_chars(), _MOST_CHARACTERS)))
            if not number:
                rows = list(_rows(text))
        finally:
            text.close()
            page.close()
    pages = without_running_heads("\n".join(filter(str.strip, each.splitlines())) for each in pages)
    pages = joined("\f".join(pages)).split("\f")
    first = pages[0]
    sections = body("\n".join(pages)) if full_text else Body()
    return Draft(
        1,
        title=_best_title(one_line(opened.get_metadata_value("Title")), rows, first),
        abstract=abstract("\n".join(pages[:_PAGES])),
        doi=stated_doi(first),
        arxiv_id=arxiv_id(name, first),
        untitled="no title was found"
        if any(map(str.strip, pages))
        else "the PDF has no text: it is a scanned image, so recognise its text (OCR) first",
        references=list(sections.references.values()),
        body=sections,
    )


def _best_title(stated: str, rows: list[_Row], page: str) -> str:
    """Return the title that the metadata states if it stands on the page, else what looks like it.

    Metadata often has the name of a file, of a template, or of the proceedings.
    """
    good = (
        len(stated.split()) > 2 and len(stated) < LONGEST_TITLE and not _POOR_TITLE.search(stated)
    )
    if good and _letters(stated) in _letters(page):
        return stated
    return _title(rows) or (stated if good else "")


def _letters(text: str) -> str:
    """Return letters and digits without accents, which TeX may print as characters of their own."""
    return "".join(filter(str.isalnum, unicodedata.normalize("NFKD", text).casefold()))


def _rows(page: Any) -> Iterator[_Row]:
    """Return the upright lines of a page, each with the size of its letters."""
    import pypdfium2.raw as pdfium  # noqa: PLC0415 - an extra

    count = min(page.count_chars(), _MOST_CHARACTERS)
    text = page.get_text_range(0, count)
    sizes, start = list[float](), 0
    for i, character in enumerate(text):
        if character in "\r\n":
            if sizes:
                yield _Row(text[start:i].strip(), sorted(sizes)[len(sizes) // 2])
            start, sizes = i + 1, []
        elif not character.isspace() and abs(pdfium.FPDFText_GetCharAngle(page.raw, i)) < 0.1:
            sizes.append(round(pdfium.FPDFText_GetFontSize(page.raw, i), 1))
    if sizes:
        yield _Row(text[start:].strip(), sorted(sizes)[len(sizes) // 2])


def _title(rows: list[_Row]) -> str:
    """Return the lines in the largest letters, the first that stand together."""
    rows = [
        each
        for each in rows[:60]
        if sum(map(str.isalpha, each.text)) > 2 and not NO_TITLE.match(each.text)
    ]
    for size in sorted({each.size for each in rows}, reverse=True):
        found: list[str] = []
        for each in rows:
            if abs(each.size - size) < 0.6:
                found.append(each.text)
            elif found:
                break
        title = " ".join(joined("\n".join(found)).split())
        if 8 < len(title) <= LONGEST_TITLE:
            return title
    return ""
