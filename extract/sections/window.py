"""Windows: stretches of a section that the pipeline can read as it reads an abstract."""

from bisect import bisect_left, bisect_right
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from itertools import islice

from stemma.extract.sections.citing import Mark, marks
from stemma.extract.sentence import sentences
from stemma.schema import Field, FullText, Reference

LONGEST = 1500
"""Characters of a window, about those of a long abstract; a sentence may be longer."""


@dataclass(frozen=True, slots=True)
class Window:
    """A stretch of the section with this number, as it is read.

    `text` has names in place of citations, or nothing. `starts` are the offsets in `text` of what
    it is made of, `places` where each of these is in the section, with its length there; of
    what is copied the lengths are the same.
    """

    section: int
    kind: Field
    text: str
    starts: tuple[int, ...]
    places: tuple[tuple[int, int, bool], ...]

    def place(self, start: int, end: int) -> tuple[int, int]:
        """Return where characters of the window are in the section."""
        first = bisect_right(self.starts, start) - 1
        last = bisect_right(self.starts, end - 1) - 1
        begin, _, copied = self.places[first]
        if copied:
            begin += start - self.starts[first]
        at, length, copied = self.places[last]
        return begin, at + (end - self.starts[last] if copied else length)

    def is_copied(self, start: int, end: int) -> bool:
        """Return whether the section has these very characters in one place."""
        first = bisect_right(self.starts, start) - 1
        return self.places[first][2] and first == bisect_right(self.starts, end - 1) - 1


def windows(text: FullText, names: Mapping[Reference, str]) -> Iterator[Window]:
    """Yield the windows of all sections; `names` are what references are called there."""
    for number, section in enumerate(text.sections):
        if section.kind is Field.TABLE:
            continue
        found = marks(section.text, section.citations, names)
        start = end = 0
        for each in sentences(section.text):
            if end > start and each.end - start > LONGEST:
                yield _window(number, section.kind, section.text, start, end, found)
                start = each.start
            end = each.end
        if end > start:
            yield _window(number, section.kind, section.text, start, end, found)


def _window(
    number: int, kind: Field, text: str, start: int, end: int, all_marks: list[Mark]
) -> Window:
    parts, starts, places, length = list[str](), list[int](), list[tuple[int, int, bool]](), 0

    def add(part: str, at: int, size: int, copied: bool) -> None:
        nonlocal length
        if part:
            parts.append(part)
            starts.append(length)
            places.append((at, size, copied))
            length += len(part)

    at = start
    first = bisect_left(all_marks, start, key=lambda each: each.start)
    for mark in islice(all_marks, first, None):
        if mark.end > end:
            break
        if mark.start < at:
            continue
        add(text[at : mark.start], at, mark.start - at, True)
        add(_listed(mark.names), mark.start, mark.end - mark.start, False)
        at = mark.end
    add(text[at:end], at, end - at, True)
    return Window(number, kind, "".join(parts), tuple(starts), tuple(places))


def _listed(names: tuple[str, ...]) -> str:
    return " and ".join(filter(None, (", ".join(names[:-1]), *names[-1:])))
