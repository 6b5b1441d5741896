"""PDF: title and abstract from the first pages, and sections, by PDFium."""

import re
from collections.abc import Iterator
from typing import Any, NamedTuple

from stemma.extract.formats.bibliography import numbered_references, with_marks
from stemma.extract.formats.body import Body, without_marks
from stemma.extract.formats.document import Document
from stemma.extract.formats.draft import Draft, one_line
from stemma.extract.formats.reader import Options, Reader
from stemma.extract.formats.whole import whole_bytes
from stemma.schema.paper import Paper
from stemma.schema.problem import Problem

_PAGES = 3
"""That may have the abstract."""
_MOST_PAGES = 60
_MOST_CHARACTERS = 30_000
"""Of a page, that are looked at."""
_MARKED = re.compile(
    r"^[ \t]*(?:abstract|summary)[ \t]*[.:—–-]*[ \t]*$|^[ \t]*abstract\s*[.:—–-]+[ \t]*",
    re.I | re.M,
)
_END = re.compile(
    r"^[ \t]*(?:(?:1|I)\.?[ \t]+)?introduction[ \t]*$|^[ \t]*(?:key[ -]?words|index terms|"
    r"ccs concepts|acm reference format|categories and subject descriptors|contents)\b",
    re.I | re.M,
)
_NUMBERED = re.compile(
    r"^[ \t]*(\d{1,2}(?:\.\d{1,2}){0,2})\.?[ \t]+([A-Z][^\n]{2,80}(?<![.,;:]))[ \t]*$", re.M
)
_LISTED = re.compile(r"^[ \t]*(?:references|bibliography)[ \t]*$", re.I | re.M)
_HYPHEN = re.compile(r"([A-Za-z0-9])(?:[\ufffe\x02\u00ad]\n?|-\n)(?=\w)")
"""A hyphen at the end of a line, for which PDFium writes U+FFFE."""
_ARXIV = re.compile(r"arXiv:\s?(\d{4}\.\d{4,5}(?:v\d+)?|[a-z-]+(?:\.[A-Z]{2})?/\d{7}(?:v\d+)?)")
_DOI = re.compile(r"\b(?:doi\.org/|doi:\s*)(10\.\d{4,9}/[^\s,;\])]+)", re.I)
_LONGEST_ABSTRACT = 6000
_LONGEST_TITLE = 300
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
        try:
            opened = pypdfium2.PdfDocument(data)
            try:
                draft = _draft(opened, options.full_text)
            finally:
                opened.close()
        except (pypdfium2.PdfiumError, ValueError, OSError) as error:
            reason = f"not a PDF that can be read: {one_line(str(error))}"
            yield Problem(document.name, None, reason, skipped=True)
            return
        if not draft.abstract:
            yield Problem(document.name, 1, "no abstract was found: only the title was read")
        yield from draft.read(document, options.year)


def _draft(opened: Any, full_text: bool) -> Draft:
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
    whole = "\n".join(pages[:_PAGES]).replace("\r\n", "\n")
    first = pages[0] if pages else ""
    arxiv, doi = _ARXIV.search(first), _DOI.search(first)
    title = one_line(opened.get_metadata_value("Title"))
    good = len(title.split()) > 2 and len(title) < _LONGEST_TITLE and not _POOR_TITLE.search(title)
    body = _body("\n".join(pages).replace("\r\n", "\n")) if full_text else Body()
    return Draft(
        1,
        title=title if good else _title(rows),
        abstract=_abstract(whole),
        doi=doi[1].rstrip(".") if doi else None,
        arxiv_id=arxiv[1] if arxiv else None,
        untitled="no title was found: is the PDF a scanned image?",
        references=list(body.references.values()),
        body=body,
    )


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
    rows = [each for each in rows[:60] if sum(map(str.isalpha, each.text)) > 2]
    for size in sorted({each.size for each in rows}, reverse=True):
        found: list[str] = []
        for each in rows:
            if abs(each.size - size) < 0.6:
                found.append(each.text)
            elif found:
                break
        title = " ".join(_joined("\n".join(found)).split())
        if 8 < len(title) <= _LONGEST_TITLE and not title.startswith("arXiv:"):
            return title
    return ""


def _abstract(text: str) -> str:
    """Return what stands between the heading of the abstract and what follows it."""
    begin = _MARKED.search(text)
    if not begin:
        return ""
    end = _END.search(text, begin.end())
    found = text[begin.end() : end.start() if end else begin.end() + _LONGEST_ABSTRACT]
    return _joined(found.strip()[:_LONGEST_ABSTRACT]).strip()


def _body(text: str) -> Body:
    """Return the sections whose headings are numbered in order, from the introduction on.

    Paragraphs of a page cannot be distinguished: lines are joined.
    """
    text = without_marks(text)
    listed = _LISTED.search(text)
    references = numbered_references(_joined(text[listed.end() :])) if listed else {}
    headings = list(_in_order(text[: listed.start()] if listed else text))
    sections = []
    outer = ""
    for i, (number, title, _, start) in enumerate(headings):
        end = headings[i + 1][2] if i + 1 < len(headings) else listed.start() if listed else None
        outer = outer if "." in number else title
        section = _joined(text[start:end]).replace("\n", " ")
        sections.append(([outer, title], with_marks(section, references)))
    return Body(sections, references)


def _in_order(text: str) -> Iterator[tuple[str, str, int, int]]:
    """Yield headings, each with its number, and the offsets at which it begins and ends.

    What does not continue the numbers is a row of a table, or an item of a list.
    """
    last: list[int] = []
    for found in _NUMBERED.finditer(text):
        number = [int(each) for each in found[1].split(".")]
        if not last and not (number == [1] and re.match(r"introduction\b", found[2], re.I)):
            continue
        level = len(number)
        next_ = [*last[: level - 1], (last[level - 1] if level <= len(last) else 0) + 1]
        if number == next_:
            last = number
            yield found[1], found[2], found.start(), found.end()


def _joined(text: str) -> str:
    """Put words together that a line's end divides; after capitals and digits the hyphen stays."""
    return _HYPHEN.sub(lambda end: end[1] if end[1].islower() else f"{end[1]}-", text)
