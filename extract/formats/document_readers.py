"""The readers of documents that people read: PDF, LaTeX, HTML and Markdown.

What a document is read with is imported as soon as there is one: it takes longer to import than
records and listings to read.
"""

import re
from collections.abc import Iterator
from contextlib import closing

from stemma.extract.formats.document import Document, whole_bytes, whole_text
from stemma.extract.formats.reader import Draft, DraftReader, Options, Reader, one_line
from stemma.extract.formats.record import field_of
from stemma.schema import Paper


class PdfReader(DraftReader):
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

    def drafts(self, document: Document, options: Options) -> Iterator[Draft]:
        """Read the paper from its first pages."""
        import pypdfium2  # noqa: PLC0415

        from stemma.extract.formats.pdf import read_paper  # noqa: PLC0415

        data = whole_bytes(document, options.max_record_size)
        if data is None:
            return
        if wrong := _no_pdf(data):
            document.note(wrong, skipped=True)
            return
        try:
            with closing(pypdfium2.PdfDocument(data)) as opened:
                draft = read_paper(opened, document.name, options.full_text)
        except (pypdfium2.PdfiumError, ValueError, OSError) as error:
            reason = f"not a PDF that can be read: {one_line(str(error))}"
            if "password" in reason:
                reason = "the PDF is protected by a password: save a copy without one"
            document.note(reason, skipped=True)
            return
        if isinstance(draft, str):
            document.note(draft, skipped=True)
            return
        if not draft.abstract:
            document.note("no abstract was found: the title and sections were read", 1)
        yield draft


def _no_pdf(data: bytes) -> str | None:
    if not data:
        return "the file is empty"
    if b"%PDF-" in data[:1024]:
        return None
    is_page = data[:1024].lstrip().startswith(b"<")
    return "not a PDF: it is HTML, perhaps an error page" if is_page else "not a PDF"


_PAPER_CLASS = re.compile(
    r"^[ \t]*+\\document(?:class|style)\b(?!\s*(?:\[[^\]]{0,500}\]\s*)?"
    r"\{\s*(?:standalone|beamer|\w*letter|\w*poster)\s*\})",
    re.M,
)
_HAS_TITLE = re.compile(
    r"\\[A-Za-z]{0,12}title\s*[\[{]|\\begin\s*\{abstract\}|\\abstract\s*\{|\\(?:input|include)\b"
)


class LatexReader(DraftReader):
    """Reads main files, each with the files that it inputs."""

    name = "latex"
    description = "LaTeX source"
    fields = (
        "a folder or an archive as one paper: title, abstract, authors, arXiv id from its name, "
        "sections, tables, cited works"
    )

    def recognises(self, start: str) -> bool:
        """Recognise the main file of a paper, not an input, a letter or a figure.

        It has a class, and a title or an abstract.
        """
        return bool(_PAPER_CLASS.search(start) and _HAS_TITLE.search(start))

    def drafts(self, document: Document, options: Options) -> Iterator[Draft]:
        """Read the paper, with the files of its folder that it inputs."""
        from stemma.extract.formats.latex_source import LatexSource, read_source  # noqa: PLC0415

        source = LatexSource(document, options.max_record_size)
        if source.main:
            yield read_source(document, source)


_IS_HTML = re.compile(r"[^\x00]{0,2000}?<(?:!doctype\s+html|html)\b", re.I)
_OF_PAPERS = re.compile(
    r"Daily Papers|dailyPapers|citation_title|paper-central|ltx_document|LaTeXML|PaperPage|"
    r"[\"']dc(?:terms)?[.:]title|[\"']ScholarlyArticle[\"']|TeX4ht|<d-article|<dt-article",
    re.I,
)
_HEADING, _PARAGRAPH = (
    re.compile(r"<h[1-6]\b", re.I),
    re.compile(
        r"<p\b[^<>]{0,300}>(?:[^<]|</?(?:b|code|em|i|span|strong)\b[^<>]{0,99}>){100}", re.I
    ),
)
_LEAST_HEADINGS, _LEAST_PARAGRAPHS = 3, 5
"""What an article has, and a page of links has not."""


class HtmlReader(Reader):
    """Reads the papers that a page holds as data, in its tags, or else in its text."""

    name = "html"
    description = "listings, pages of papers and articles as HTML"
    fields = (
        "a listing; or a paper: meta tags, JSON-LD, abstract, and of articles (arXiv's HTML, "
        "publishers, blogs, R Markdown, Quarto, Jupyter) sections, tables and references"
    )

    def recognises(self, start: str) -> bool:
        """Recognise by what such pages have in their head, or by headings and paragraphs."""
        return bool(
            _IS_HTML.match(start)
            and (
                _OF_PAPERS.search(start)
                or (
                    len(_HEADING.findall(start)) >= _LEAST_HEADINGS
                    and len(_PARAGRAPH.findall(start)) >= _LEAST_PARAGRAPHS
                )
            )
        )

    def read(self, document: Document, options: Options) -> Iterator[Paper]:
        """Read the papers of a page, which is held in memory."""
        if text := whole_text(document, options.max_record_size):
            from stemma.extract.formats.html_page import papers  # noqa: PLC0415

            yield from papers(text, document, options)


_FENCE = re.compile(r"(---|\+\+\+)[ \t]*\n")
HAS_ABSTRACT = re.compile(
    r"^[ \t#*_]{0,12}(?:<[^<>\n]{0,80}>)?[*_]{0,3}"
    r"(?:(?:1|I)?\.?[ \t]*introduction|abstract|summary)",
    re.I | re.M,
)
_LONGEST_FRONT_MATTER = 65_536


class MarkdownReader(DraftReader):
    """Reads files of a paper each, with front matter in YAML or TOML, or without."""

    name = "markdown"
    description = "Markdown"
    fields = (
        "one paper, with front matter (fields as in JSON) or as converters write it from PDF, with "
        "sections, tables and references (also from the files that `bibliography` names); a README "
        "or a list of links is no paper: `stemma fetch --ids FILE` fetches what it links to"
    )

    def recognises(self, start: str) -> bool:
        """Recognise by a title and something else of a paper, in front matter or in the text."""
        names, text = list[str](), start
        if found := front_matter(start):
            names = re.findall(r"^[\"']?([A-Za-z][\w -]*?)[\"']?[ \t]*[:=]", found[1], re.M)
            text = found[2]
        known = {field_of(name) for name in names}
        if "title" in known and known & {"abstract", "authors", "doi", "arxiv_id"}:
            return True
        if not HAS_ABSTRACT.search(text):
            return False
        from stemma.extract.formats.markdown import converted  # noqa: PLC0415

        return bool(converted(text, "", is_start=True, has_title="title" in known))

    def drafts(self, document: Document, options: Options) -> Iterator[Draft]:
        """Read the paper."""
        if text := whole_text(document, options.max_record_size):
            from stemma.extract.formats.markdown import read_paper  # noqa: PLC0415

            draft = read_paper(text, document, options)
            if isinstance(draft, Draft):
                yield draft
            else:
                document.note(draft, 1, skipped=True)


def front_matter(text: str) -> tuple[str, str, str] | None:
    """Return the fence, what stands between two of them, and what follows."""
    opening = _FENCE.match(text := text.removeprefix("\ufeff"))
    if not opening:
        return None
    end = text.find(f"\n{opening[1]}", opening.end() - 1, _LONGEST_FRONT_MATTER)
    if end < 0:
        return None
    return opening[1], text[opening.end() : end], text[end + 4 :].partition("\n")[2]
