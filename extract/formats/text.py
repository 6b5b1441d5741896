"""Plain text of a paper, as `pdftotext` and other converters write it."""

import re
from collections.abc import Iterator

from stemma.extract.formats.document import Document
from stemma.extract.formats.draft import Draft
from stemma.extract.formats.lines import whole_text
from stemma.extract.formats.paper_text import (
    abstract,
    arxiv_id,
    before_abstract,
    body,
    has_abstract,
    joined,
    printed_doi,
    title_above,
    without_running_heads,
)
from stemma.extract.formats.reader import Options, Reader
from stemma.schema.paper import Paper
from stemma.schema.problem import Problem

_MARKUP = ("<", "{", "[", "@", "\\", "#", "%")
_CUT_SENTENCE = re.compile(r"(?<=[\w,-])[ \t]*\n\s*\n\s*(?=[a-z])")
"""A blank line where a column or a page ends."""

_COLUMNS = (
    "two columns stand side by side, so that sentences are mixed: convert the PDF without the "
    "option for layout, or read the PDF itself"
)
_GAP = re.compile(r"\S {3,}\S.{15}")
_LEAST_LINES = 20


class TextReader(Reader):
    """Reads files of a paper each."""

    name = "text"
    description = "text of a paper"
    fields = (
        "one paper as `pdftotext` writes it: title, abstract, DOI and arXiv id, sections, "
        "numbered references"
    )

    def recognises(self, start: str) -> bool:
        """Recognise by the headings of an abstract and an introduction, under a title."""
        return (
            not start.lstrip("\ufeff \t\r\n\f").startswith(_MARKUP)
            and has_abstract(start)
            and bool(title_above(before_abstract(start)))
        )

    def read(self, document: Document, options: Options) -> Iterator[Paper | Problem]:
        """Read the paper."""
        text, problems = whole_text(document, options.max_record_size)
        yield from problems
        if not text:
            return
        pages = [each.strip() for each in without_running_heads(text.split("\f"))]
        text = _CUT_SENTENCE.sub("\n", joined("\n".join(pages)))
        if _has_columns(text):
            yield Problem(document.name, 1, _COLUMNS, skipped=True)
            return
        above = before_abstract(text)
        summary = abstract(text)
        if not summary:
            yield Problem(document.name, 1, "no abstract was found: only the title was read")
        yield from Draft(
            1,
            title=title_above(above),
            abstract=summary,
            doi=printed_doi(above),
            arxiv_id=arxiv_id(document.name, above),
            body=body(text),
        ).read(document, options)


def _has_columns(text: str) -> bool:
    """Return whether most long lines have a gap within, as two columns have."""
    lines = [each.strip() for each in text.splitlines() if len(each.strip()) > 60]
    return len(lines) > _LEAST_LINES and sum(map(bool, map(_GAP.search, lines))) * 2 > len(lines)
