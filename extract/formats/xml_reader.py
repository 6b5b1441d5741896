"""Readers of formats in XML."""

import re
from collections.abc import Callable, Container, Iterable, Iterator
from typing import ClassVar
from xml.etree.ElementTree import Element

from stemma.extract.formats.body import mark, without_marks
from stemma.extract.formats.document import Document
from stemma.extract.formats.draft import Draft
from stemma.extract.formats.reader import Options, Reader
from stemma.extract.formats.xml_stream import elements
from stemma.schema.paper import Paper
from stemma.schema.problem import Problem

_ROOT = re.compile(r"(?:<\?.*?\?>|<!--.*?-->|<!DOCTYPE[^\[>]*+(?:\[.*?\]\s*+)?>|\s++)*+<", re.S)


class XmlReader(Reader):
    """Reads the elements with some tags, each as a draft."""

    begins = "<"
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
        for each in self.all_drafts(elements(document, self.tags, options.max_record_size)):
            if isinstance(each, Problem):
                yield each
                continue
            if not options.full_text:
                each.body = None
            yield from each.read(document, options.year)

    def all_drafts(
        self, found: Iterable[tuple[int, Element] | Problem]
    ) -> Iterator[Draft | Problem]:
        """Make the drafts of a file's elements, and pass on what is wrong with others.

        Override this if an element describes the papers of others, or else `drafts`.
        """
        for each in found:
            if isinstance(each, Problem):
                yield each
            else:
                yield from self.drafts(*each)

    def drafts(self, line: int, element: Element) -> Iterator[Draft]:
        """Make drafts of an element: none, where it is no paper."""
        raise NotImplementedError


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
    """Return the texts of the elements at a path, those that say something."""
    return list(filter(None, map(plain_text, element.iterfind(path))))


def text(element: Element, path: str) -> str:
    """Return the text of the first element at a path that says something, else an empty one."""
    return next(iter(texts(element, path)), "")


def count(attribute: str | None) -> int:
    """Return a number of columns or rows that a cell spans, 1 where none is given."""
    return (
        min(int(attribute), 1000) if attribute and re.fullmatch(r"[1-9]\d{0,3}", attribute) else 1
    )
