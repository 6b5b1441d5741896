"""The reader of PDF files."""

from collections.abc import Iterator

from stemma.extract.formats.document import Document, whole_bytes
from stemma.extract.formats.draft import one_line
from stemma.extract.formats.format_reader import Options, Reader
from stemma.schema import Paper, Problem


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
        import pypdfium2  # noqa: PLC0415 - other formats wait for none of this

        from stemma.extract.formats.pdf import read_paper  # noqa: PLC0415

        data = whole_bytes(document, options.max_record_size)
        if data is None:
            return
        if wrong := _no_pdf(data):
            yield Problem(document.name, None, wrong, skipped=True)
            return
        try:
            opened = pypdfium2.PdfDocument(data)
            try:
                draft = read_paper(opened, document.name, options.full_text)
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
