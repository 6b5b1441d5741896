"""Word documents (.docx): the text of one is an XML file in an archive."""

import html
import re
from collections.abc import Iterator
from xml.etree.ElementTree import Element

from stemma.extract.formats.article import article_of
from stemma.extract.formats.draft import Draft
from stemma.extract.formats.html_text import PageText, parse
from stemma.extract.formats.xml_reader import XmlReader

_STYLE = re.compile(r"(title)$|(?:heading|berschrift|titre|ttulo)\s?([1-5])$", re.I)
_NO_PAPER = "no paper: a Word document needs a title and a section called Abstract"


class WordReader(XmlReader):
    """Reads the text of a document, put in HTML first."""

    name = "word"
    description = "Word (.docx)"
    fields = (
        "one paper: title, abstract, sections under headings, tables, numbered references; save "
        "other word processors' files (.doc, .odt, .rtf) as .docx"
    )
    root = re.compile(r"w:document\s")
    begins = ""
    tags = ("body",)

    def drafts(self, line: int, element: Element) -> Iterator[Draft]:
        """Make a draft of the text."""
        page = PageText(parse(f"<html><body>{''.join(_blocks(element))}</body></html>"))
        yield article_of(page, "") or Draft(line, untitled=_NO_PAPER)


def _blocks(element: Element) -> Iterator[str]:
    """Yield paragraphs and tables, in HTML."""
    for each in element:
        if each.tag == "p":
            yield _paragraph(each)
        elif each.tag == "tbl":
            yield f"<table>{''.join(map(_row, each.iterfind('tr')))}</table>"
        elif each.tag in ("sdt", "sdtContent"):
            yield from _blocks(each)


def _paragraph(paragraph: Element) -> str:
    text = html.escape(_text(paragraph), quote=False)
    style = paragraph.find("pPr/pStyle")
    if found := _STYLE.match(style.get("w:val", "") if style is not None else ""):
        level = 1 + int(found[2] or 0)
        return f"<h{level}>{text}</h{level}>"
    runs = [each for each in paragraph.iterfind("r") if _text(each).strip()]
    # A bold paragraph is a heading to whoever does not use styles.
    return f"<h6>{text}</h6>" if runs and all(map(_is_bold, runs)) else f"<p>{text}</p>"


def _is_bold(run: Element) -> bool:
    bold = run.find("rPr/b")
    return bold is not None and bold.get("w:val", "1") not in ("0", "false")


def _text(element: Element) -> str:
    """Return a text on one line; what has been deleted or is the code of a field has other tags."""
    parts = (
        (each.text or "") if each.tag == "t" else " "
        for each in element.iter()
        if each.tag in ("t", "tab", "br", "cr")
    )
    return " ".join("".join(parts).split())


def _row(row: Element) -> str:
    cells = []
    for each in row.iterfind("tc"):
        span = each.find("tcPr/gridSpan")
        columns = f' colspan="{span.get("w:val")}"' if span is not None else ""
        rows = " rowspan" if each.find("tcPr/vMerge") is not None else ""
        cells.append(f"<td{columns}{rows}>{html.escape(_text(each), quote=False)}")
    return f"<tr>{''.join(cells)}"
