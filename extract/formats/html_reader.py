"""The reader of pages in HTML."""

import re
from collections.abc import Iterator

from stemma.extract.formats.document import Document, whole_text
from stemma.extract.formats.format_reader import Options, Reader
from stemma.schema import Paper, Problem

_IS_HTML = re.compile(r"[^\x00]{0,2000}?<(?:!doctype\s+html|html)\b", re.I)
_MARKS = re.compile(
    r"Daily Papers|dailyPapers|citation_title|paper-central|ltx_document|LaTeXML|PaperPage|"
    r"[\"']dc(?:terms)?[.:]title|[\"']ScholarlyArticle[\"']|TeX4ht|<d-article|<dt-article",
    re.I,
)
_HEADING, _PARAGRAPH = (
    re.compile(r"<h[1-6]\b", re.I),
    re.compile(r"<p\b[^<>]{0,300}>[^<]{100}", re.I),
)
_LEAST_HEADINGS, _LEAST_PARAGRAPHS = 3, 5
"""What an article has, and a page of links has not."""


class HtmlReader(Reader):
    """Reads the papers that a page holds as data, in its tags, or else in its text."""

    name = "html"
    description = "listings, pages of papers and articles as HTML"
    fields = (
        "a listing; or a paper: meta tags, JSON-LD, abstract, and of articles (arXiv's HTML, "
        "publishers, blogs) sections, tables and references"
    )

    def recognises(self, start: str) -> bool:
        """Recognise by what such pages have in their head, or by headings and paragraphs."""
        return bool(
            _IS_HTML.match(start)
            and (
                _MARKS.search(start)
                or (
                    len(_HEADING.findall(start)) >= _LEAST_HEADINGS
                    and len(_PARAGRAPH.findall(start)) >= _LEAST_PARAGRAPHS
                )
            )
        )

    def read(self, document: Document, options: Options) -> Iterator[Paper | Problem]:
        """Read the papers of a page, which is held in memory."""
        if text := whole_text(document, options.max_record_size):
            from stemma.extract.formats.html_page import papers  # noqa: PLC0415 - needs lxml

            yield from papers(text, document, options)
