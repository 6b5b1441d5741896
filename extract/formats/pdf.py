"""PDF: title, authors, date and abstract from the first pages, and sections, by PDFium."""

from collections.abc import Iterator, Sequence
from typing import Any

from stemma.extract.formats.bibliography import with_marks
from stemma.extract.formats.body import without_marks
from stemma.extract.formats.document import Document
from stemma.extract.formats.draft import Draft, author, one_line
from stemma.extract.formats.lines import whole_bytes
from stemma.extract.formats.paper_text import (
    abstract,
    arxiv_id,
    body,
    joined,
    printed_doi,
    with_whole_addresses,
)
from stemma.extract.formats.pdf_front import authors, date, title, title_page, title_rows
from stemma.extract.formats.pdf_layout import (
    headings,
    running_text,
    unmarked_abstract,
    with_citations,
)
from stemma.extract.formats.pdf_references import divided, read_entries
from stemma.extract.formats.pdf_rows import PageRows, Row
from stemma.extract.formats.pdf_tables import without_tables
from stemma.extract.formats.reader import Options, Reader
from stemma.extract.formats.table_text import PaperTable
from stemma.schema.paper import Paper
from stemma.schema.problem import Problem

_PAGES = 3
"""How many pages may have the abstract."""
_FRONT_PAGES = 2
"""The title is on one of these pages."""
_MOST_PAGES = 60
_ENTRY = "\x1d"
"""A sign between the entries of the list of references."""
_NO_TEXT = "the PDF has no text: it is a scanned image, so recognise its text (OCR) first"
_NO_PAPER = "no paper: neither an abstract nor sections were found"


class PdfReader(Reader):
    """Reads documents of a paper each."""

    name = "pdf"
    description = "PDF"
    fields = (
        "title, authors, date, abstract, DOI and arXiv id, sections, tables and references; save "
        "documents of word processors as PDF"
    )
    endings = ("pdf",)

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
        if isinstance(draft, str):
            yield Problem(document.name, None, draft, skipped=True)
            return
        if not draft.abstract:
            yield Problem(
                document.name, 1, "no abstract was found: the title and sections were read"
            )
        yield from draft.read(document, options)


def _no_pdf(data: bytes) -> str | None:
    if not data:
        return "the file is empty"
    if b"%PDF-" in data[:1024]:
        return None
    is_page = data[:1024].lstrip().startswith(b"<")
    return "not a PDF: it is HTML, perhaps an error page" if is_page else "not a PDF"


def _draft(opened: Any, name: str, full_text: bool) -> Draft | str:
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
    for number, rows in enumerate(main := [*main, last]):
        main[number], found = without_tables(rows)
        tables += found
    texts = ["\f".join("\n".join(row.text for row in rows) for rows in main)]
    texts += ["\n".join(row.text for row in rows) for rows in entries]
    read, *listed = without_marks(joined(_ENTRY.join(texts))).split(_ENTRY)
    references = read_entries(listed) if listed else None
    *texts, appendix = with_citations(read.split("\f"), "1" in (references or {}))
    sections = body("\n".join(texts), titles, references)
    if appendix.strip():
        divided_by = body(appendix, titles, sections.references).sections
        whole: list[tuple[Sequence[str], str]] = [([], with_marks(appendix, sections.references))]
        behind = [(["Appendix", *of], text) for of, text in divided_by or whole]
        sections.sections = [*sections.sections, *behind]
    sections.tables = [
        each.mapped(lambda text: with_marks(text, sections.references)) for each in tables
    ]
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
        untitled="no title was found",
        body=sections,
    )
