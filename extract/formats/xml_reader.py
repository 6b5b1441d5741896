"""Readers of formats in XML."""

import re
from collections.abc import Callable, Container, Iterable, Iterator
from typing import ClassVar, NamedTuple
from xml.etree.ElementTree import Element

from stemma.extract.formats.body import mark, without_marks
from stemma.extract.formats.document import Document
from stemma.extract.formats.draft import Draft, author
from stemma.extract.formats.person_name import name_of_parts
from stemma.extract.formats.reader import Options, Reader
from stemma.extract.formats.xml_stream import elements
from stemma.schema.paper import Author, Paper
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
        for found in elements(document, self.tags, options.max_record_size):
            if isinstance(found, Problem):
                yield found
                continue
            for draft in self.drafts(*found):
                yield from draft.read(document, options)

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
    """Return the texts of the elements at a path that are not blank."""
    return list(filter(None, map(plain_text, element.iterfind(path))))


def text(element: Element, *paths: str) -> str:
    """Return the first text at one of the paths that is not blank, else an empty one."""
    return next((found for path in paths for found in texts(element, path)), "")


class Names(NamedTuple):
    """The paths from the element of an author to the parts of the name, ORCID and places of work.

    `whole` is the name in one text, of bodies or of persons; `given` may be `initials` alone.
    """

    given: str
    family: str
    suffix: str
    whole: str
    orcid: str = "orcid"
    places: str = "affiliation"
    initials: str = "initials"


def authors(elements: Iterable[Element], names: Names) -> list[Author]:
    """Return the authors whose names are in elements, without those that have none."""
    found = []
    for each in elements:
        given = text(each, names.given, names.initials)
        parts = name_of_parts(given, text(each, names.family), text(each, names.suffix))
        if name := text(each, names.whole) or parts:
            found.append(
                author(name, text(each, names.orcid), "; ".join(texts(each, names.places)))
            )
    return found


def count(attribute: str | None) -> int:
    """Return a number of columns or rows that a cell spans, 1 where none is given."""
    return (
        min(int(attribute), 1000) if attribute and re.fullmatch(r"[1-9]\d{0,3}", attribute) else 1
    )
