"""What is kept of a full text: the sentences that are evidence."""

from bisect import bisect_right
from collections import defaultdict
from collections.abc import Iterable, Iterator
from dataclasses import replace
from operator import itemgetter

from stemma.extract.sections.features import Place
from stemma.schema import Citation, Evidence, Field, FullText, Mention, Section


class Kept:
    """The sentences that are kept of a text, in sections of their own."""

    def __init__(self, text: FullText, places: Iterable[Place]) -> None:
        by_section: dict[int, list[tuple[int, int]]] = defaultdict(list)
        for number, *span in places:
            by_section[number].append((span[0], span[1]))
        self._stretches = {
            number: _joined(sorted(spans)) for number, spans in sorted(by_section.items())
        }
        """By the number of a section, what is kept of it."""
        self._kinds = {number: text.sections[number].kind for number in self._stretches}
        sections, offsets = list[Section](), dict[int, list[int]]()
        for number, stretches in self._stretches.items():
            section = text.sections[number]
            parts, citations, length = list[str](), list[Citation](), 0
            offsets[number] = []
            for start, end in stretches:
                offsets[number].append(length)
                parts.append(section.text[start:end])
                citations += (
                    replace(each, start=each.start - start + length, end=each.end - start + length)
                    for each in section.citations
                    if start <= each.start and each.end <= end
                )
                length += end - start + 1
            sections.append(replace(section, text="\n".join(parts), citations=tuple(citations)))
        self.text = replace(text, sections=tuple(sections))
        self._offsets = {
            number: [start + offset for offset in offsets[number]]
            for number, start in zip(offsets, self.text.starts, strict=True)
        }
        """Where each stretch begins in the text of its kind."""

    def _span(self, place: Place) -> tuple[str, Field, int, int] | None:
        number, start, end = place
        stretches = self._stretches.get(number, [])
        at = bisect_right(stretches, start, key=itemgetter(0)) - 1
        if at < 0 or end > stretches[at][1]:
            return None
        kind, begin = self._kinds[number], self._offsets[number][at] + start - stretches[at][0]
        stop = begin + end - start
        return self.text.of_kind(kind)[begin:stop], kind, begin, stop

    def evidence(self, place: Place) -> Evidence:
        """Return a sentence that is kept."""
        span = self._span(place)
        assert span is not None
        return Evidence(*span)

    def mentions(self, places: Iterable[Place]) -> Iterator[Mention]:
        """Yield the mentions in what is kept."""
        for place in sorted(places):
            if span := self._span(place):
                yield Mention(*span)


def _joined(spans: Iterable[tuple[int, int]]) -> list[tuple[int, int]]:
    """Put stretches together that overlap."""
    joined: list[tuple[int, int]] = []
    for start, end in spans:
        if joined and start < joined[-1][1]:
            joined[-1] = (joined[-1][0], max(end, joined[-1][1]))
        else:
            joined.append((start, end))
    return joined
