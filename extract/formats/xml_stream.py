"""Streams of XML: the elements that are records, one in memory at a time.

Nothing that a file declares is fetched or expanded: expat gets no external entities, and of
the entities that a file declares itself only those of HTML are known. A file that is not
well-formed is read on from the next record.
"""

import re
from collections.abc import Iterable, Iterator
from html.entities import html5
from typing import Any
from xml.etree.ElementTree import Element, TreeBuilder
from xml.parsers import expat

from stemma.extract.formats.compression import DamagedError
from stemma.extract.formats.document import Document
from stemma.schema.problem import Problem
from stemma.schema.text_line import too_long

_DEEPEST = 200
"""Levels of a record that are distinguished; below, there is only text."""
_MOST_FAULTS = 1000
_MOST_ENTITIES = 1000
_RESTART = b'<?xml version="1.0" encoding="%s"?><!DOCTYPE r SYSTEM "x"><r>'
_ENCODING = re.compile(rb"""<\?xml[^>]*encoding=["']([A-Za-z0-9._-]+)["']""")


def elements(
    document: Document, tags: Iterable[str], longest: int
) -> Iterator[tuple[int, Element] | Problem]:
    """Yield each element whose tag is among `tags`, with its line, or what is wrong there.

    Tags have no prefix of a namespace. Those within another of them are a part of it.
    """
    stream = _Stream(document.name, frozenset(tags), longest)
    empty = True
    try:
        for chunk in document.chunks():
            empty = False
            yield from stream.feed(chunk)
            if stream.faults > _MOST_FAULTS:
                yield Problem(
                    document.name, None, "too many problems; the rest of the file was not read"
                )
                return
    except DamagedError as error:
        yield Problem(document.name, None, f"{error}; the text before it was read")
        return
    if empty:
        yield Problem(document.name, None, "the file is empty")
    else:
        yield from stream.end()


def elements_in(
    data: bytes, tags: Iterable[str], longest: int
) -> Iterator[tuple[int, Element] | Problem]:
    """Yield the elements of a text in memory, as `elements` does."""
    stream = _Stream("", frozenset(tags), longest)
    yield from stream.feed(data)
    yield from stream.end()


class _Stream:
    def __init__(self, name: str, tags: frozenset[str], longest: int) -> None:
        self._name, self._tags, self._longest = name, tags, longest
        self._start = re.compile(
            rb"<(?:[\w.-]+:)?(?:" + b"|".join(map(re.escape, map(str.encode, tags))) + rb")[\s>/]"
        )
        self._found: list[tuple[int, Element] | Problem] = []
        self._lines, self._encoding = 0, b"utf-8"
        self._restarted, self.faults = False, 0
        self._seeking, self._tail = False, b""
        self._declared: set[str] = set()
        self._unread = ""
        """An entity of the file's own within the record."""
        self._begin_parser()

    def _begin_parser(self) -> None:
        parser = expat.ParserCreate()
        parser.buffer_text = True
        parser.StartElementHandler = self._open
        parser.EndElementHandler = self._close
        parser.CharacterDataHandler = self._characters
        parser.DefaultHandler = self._other
        parser.EntityDeclHandler = self._declare
        parser.SetParamEntityParsing(expat.XML_PARAM_ENTITY_PARSING_NEVER)
        parser.UseForeignDTD(True)  # so entities that are not declared are no mistake
        self._parser, self._fed = parser, 0
        self._builder: TreeBuilder | None = None
        self._depth = self._size = self._line = 0
        self._is_too_long = False

    def feed(self, data: bytes) -> Iterator[tuple[int, Element] | Problem]:
        if not self._fed and not self._restarted and (found := _ENCODING.match(data[:200])):
            self._encoding = found[1]
        if self._seeking:
            data = self._tail + data
        while data:
            if self._seeking:
                found = self._start.search(data)
                if not found:
                    self._lines += data[:-64].count(b"\n")
                    self._tail = data[-64:]
                    return
                self._lines += data.count(b"\n", 0, found.start())
                data = data[found.start() :]
                self._restart()
            data = self._parse(data)
            yield from self._found
            self._found.clear()

    def end(self) -> Iterator[tuple[int, Element] | Problem]:
        if self._seeking:
            return
        try:
            self._parser.Parse(b"", True)
        except expat.ExpatError as error:
            if not self._restarted or self._builder:
                yield self._fault(error)
        yield from self._found

    def _parse(self, data: bytes) -> bytes:
        """Parse, up to a mistake; return what follows that."""
        before = self._fed
        try:
            self._fed += len(data)
            self._parser.Parse(data, False)
        except (expat.ExpatError, ValueError, LookupError) as error:
            if not self._restarted or self._depth:
                self._found.append(self._fault(error))
            self.faults += 1
            at = self._parser.ErrorByteIndex - before
            at = min(max(at, 0), len(data) - 1)
            if self._builder is not None:
                # The record may lack nothing but its end: the next begins after where it began.
                at = max(at - 1, 0)
            self._lines += max(self._parser.ErrorLineNumber - 1, 0)
            self._seeking, self._tail = True, b""
            return data[at + 1 :]
        return b""

    def _restart(self) -> None:
        self._restarted, self._seeking = True, False
        try:
            self._begin_parser()
            self._parser.Parse(_RESTART % self._encoding, False)
        except (expat.ExpatError, ValueError, LookupError):  # an encoding that is not known
            self._encoding = b"utf-8"
            self._begin_parser()
            self._parser.Parse(_RESTART % self._encoding, False)
        self._fed = len(_RESTART % self._encoding)

    def _fault(self, error: Exception) -> Problem:
        code = getattr(error, "code", None)
        reason = expat.ErrorString(code) if code else str(error)
        line = self._lines + getattr(error, "lineno", 1)
        return Problem(
            self._name, line, f"not well-formed XML: {reason}", skipped=self._builder is not None
        )

    def _open(self, name: str, attributes: dict[str, Any]) -> None:
        tag = name.rpartition(":")[2]
        if not self._depth:
            if tag not in self._tags:
                return
            self._builder = TreeBuilder()
            self._line = self._lines + self._parser.CurrentLineNumber
            self._size, self._is_too_long = 0, False
        self._depth += 1
        self._size += len(tag) + sum(map(len, attributes.values()))
        if self._depth <= _DEEPEST and self._fits():
            self._builder.start(tag, attributes)  # type: ignore[union-attr]

    def _close(self, name: str) -> None:
        if not self._depth:
            return
        self._depth -= 1
        if self._is_too_long:
            if not self._depth:
                reason = too_long(self._longest)
                self._found.append(Problem(self._name, self._line, reason, skipped=True))
                self._builder = None
            return
        if self._depth < _DEEPEST:
            self._builder.end(name.rpartition(":")[2])  # type: ignore[union-attr]
        if not self._depth and self._unread:
            reason = f"entities that a file declares, such as {self._unread!r:.60}, are left out"
            self._found.append(Problem(self._name, self._line, reason))
            self._unread = ""
        if not self._depth:
            self._found.append((self._line, self._builder.close()))  # type: ignore[union-attr]
            self._builder = None

    def _characters(self, text: str) -> None:
        if self._depth:
            self._size += len(text)
            if self._fits():
                self._builder.data(text)  # type: ignore[union-attr]

    def _other(self, text: str) -> None:
        """Read an entity that is not one of XML's own: those of HTML are known."""
        if self._depth and text.startswith("&") and text.endswith(";"):
            self._characters(html5.get(text[1:], ""))
            if text[1:] not in html5 and text[1:-1] in self._declared:
                self._unread = text

    def _declare(self, name: str, *_: object) -> None:
        if len(self._declared) < _MOST_ENTITIES:
            self._declared.add(name)

    def _fits(self) -> bool:
        if self._size > self._longest and not self._is_too_long:
            self._is_too_long = True
            self._builder = TreeBuilder()  # lets go of what was held
        return not self._is_too_long
