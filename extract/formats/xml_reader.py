"""Readers of formats in XML: the elements that are records, one in memory at a time.

A record is cut out of the text by its tags and parsed by itself, without what the file declares
before it: no entity is ever fetched or expanded, and a record that is not well-formed costs no
other. Elements have names without prefixes.
"""

import re
from collections.abc import Callable, Container, Iterable, Iterator
from html.entities import html5
from typing import Any, ClassVar
from xml.etree.ElementTree import Element, TreeBuilder
from xml.parsers import expat
from xml.sax.saxutils import escape

from stemma.extract.formats.body import mark, without_marks
from stemma.extract.formats.document import Document
from stemma.extract.formats.draft import Draft
from stemma.extract.formats.lines import REPLACED, portions, storable
from stemma.extract.formats.reader import Options, Reader
from stemma.schema.paper import Paper
from stemma.schema.problem import Problem
from stemma.schema.text_line import Line, too_long

_ROOT = re.compile(r"(?:<\?.*?\?>|<!--.*?-->|<!DOCTYPE[^\[>]*+(?:\[.*?\]\s*+)?>|\s++)*+<", re.S)
_ENTITY = re.compile(r"&(?!(?:lt|gt|amp|quot|apos);)([A-Za-z]\w{0,40};)")
_LONGEST_TAG = 4096
"""Characters of a tag that is recognised where a portion of the text ends within it."""
_DEEPEST = 200
"""Levels of a record that are distinguished; below, there is only text."""
_BAD = "not well-formed XML: {}"


class XmlReader(Reader):
    """Reads the elements with some tags, each as a draft."""

    root: ClassVar[re.Pattern[str]]
    """What the file's first element begins with, after ``<``."""
    tags: ClassVar[tuple[str, ...]]
    """The elements to take, without prefixes; one within another is a part of it."""

    def recognises(self, start: str) -> bool:
        """Recognise by the first element."""
        found = _ROOT.match(start.lstrip("\ufeff"))
        return bool(found and self.root.match(start.lstrip("\ufeff"), found.end()))

    def read(self, document: Document, options: Options) -> Iterator[Paper | Problem]:
        """Read the papers, an element in memory at a time."""
        texts, longest = portions(document), options.max_record_size
        for text in records(texts, self.tags, longest, document.name):
            if isinstance(text, Problem):
                yield text
            else:
                yield from self.read_text(text, document, options)

    def read_text(
        self, record: Line[str], document: Document, options: Options
    ) -> Iterator[Paper | Problem]:
        """Read the papers in the text of an element, which begins at a line of the document."""
        line, text = record.number, storable(record.text)
        if text != record.text:
            yield Problem(document.name, line, REPLACED)
        try:
            element, unknown = parsed(text)
        except expat.ExpatError as error:
            reason = _BAD.format(expat.ErrorString(error.code))
            yield Problem(document.name, line + error.lineno - 1, reason, skipped=True)
            return
        if unknown:
            reason = f"entities that are not known, such as {unknown!r}, are left out"
            yield Problem(document.name, line, reason)
        for draft in self.drafts(line, element):
            yield from draft.read(document, options)

    def drafts(self, line: int, element: Element) -> Iterator[Draft]:
        """Make drafts of an element: none, where it is no paper."""
        raise NotImplementedError


def records(
    texts: Iterable[Line[str] | Problem], tags: Iterable[str], longest: int, name: str
) -> Iterator[Line[str] | Problem]:
    """Yield the texts of the elements with some tags, with the lines where they begin.

    `texts` are the portions of a document of this `name`, with their lines. An element of more than
    `longest` characters is a problem, as is one that does not end before the next of its name.
    """
    tag = re.compile(rf"<(/?)((?:[\w.-]+:)?(?:{'|'.join(tags)}))(?:\s[^<>]*)?>")
    text, line, at, opened = "", 1, 0, ""
    for portion in texts:
        if isinstance(portion, Problem):
            yield portion
            continue
        text, begin = text + portion.text, 0
        for found in tag.finditer(text, at):
            at = found.end()
            if found[0].endswith("/>") or (opened or found[2]) != found[2]:
                continue
            if opened and found[1]:
                yield Line(line, text[begin:at])
            elif opened:
                yield Problem(name, line, _BAD.format("an element without its end"), skipped=True)
            opened = "" if found[1] else found[2]
            line += text.count("\n", begin, found.start())
            begin = found.start()
        if len(text) - begin > longest and opened:
            yield Problem(name, line, too_long(longest), skipped=True)
            opened = ""
        kept = begin if opened else max(at, len(text) - _LONGEST_TAG)
        line += text.count("\n", begin, kept)
        at = max(at, len(text) - _LONGEST_TAG) - kept
        text = text[kept:]
    if opened:
        yield Problem(name, line, _BAD.format("the file ends within an element"), skipped=True)


def parsed(text: str) -> tuple[Element, str]:
    """Return the element that is a text, and an entity in it that is not known, if there is one.

    The entities of HTML are known, besides those of XML. Raises ExpatError.
    """
    unknown = ""

    def character(entity: re.Match[str]) -> str:
        nonlocal unknown
        if (own := html5.get(entity[1])) is None:
            unknown = entity[0]
        return escape(own or "")

    builder, depth = TreeBuilder(), 0

    def begin(name: str, attributes: dict[str, Any]) -> None:
        nonlocal depth
        depth += 1
        if depth <= _DEEPEST:
            builder.start(name.rpartition(":")[2], attributes)

    def end(name: str) -> None:
        nonlocal depth
        if depth <= _DEEPEST:
            builder.end(name.rpartition(":")[2])
        depth -= 1

    parser = expat.ParserCreate()
    parser.buffer_text = True
    parser.StartElementHandler, parser.EndElementHandler = begin, end
    parser.CharacterDataHandler = builder.data
    parser.Parse(_ENTITY.sub(character, text), True)
    return builder.close(), unknown


def marked_text(
    element: Element, citation: Callable[[Element], str | None], left_out: Container[str] = ()
) -> str:
    """Return the text of an element, with the citations in it marked.

    `citation` returns the key of an element that is one, `left_out` are tags that do not count.
    """
    key = citation(element)
    if key is not None:
        return mark(key, "".join(element.itertext()))
    parts = [without_marks(element.text or "")]
    for each in element:
        if each.tag not in left_out:
            parts.append(marked_text(each, citation, left_out))
        parts.append(without_marks(each.tail or ""))
    return "".join(parts)


def plain_text(element: Element) -> str:
    """Return the text of an element, without its markup."""
    return "".join(element.itertext()).strip()


def texts(element: Element, path: str) -> list[str]:
    """Return the texts of the elements at a path that are not blank."""
    return list(filter(None, map(plain_text, element.iterfind(path))))


def text(element: Element, *paths: str) -> str:
    """Return the first text at one of the paths that is not blank, else an empty one."""
    return next((found for path in paths for found in texts(element, path)), "")


def count(attribute: str | None) -> int:
    """Return a number of columns or rows that a cell spans, 1 where none is given."""
    return (
        min(int(attribute), 1000) if attribute and re.fullmatch(r"[1-9]\d{0,3}", attribute) else 1
    )
