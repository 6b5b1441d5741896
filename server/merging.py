"""Merging: readings of one paper, perhaps from several files, become one."""

from collections import Counter
from collections.abc import Iterable, Iterator
from dataclasses import replace

from stemma.graph.extraction_buffer import ExtractionBuffer
from stemma.graph.identity import Identities
from stemma.schema import Extraction, Paper
from stemma.schema.paper import merge


class Works:
    """Which papers readings are of; what is known of them is on disk.

    All readings are added first, and then merged, when each is read again in the same order.
    """

    def __init__(self) -> None:
        self._identities, self._buffer = Identities(), ExtractionBuffer()
        self._places: dict[str, int] = {}
        self._joined: dict[str, str] = {}
        self.ids: list[str] = []
        """Those of the readings, in their order."""

    def __len__(self) -> int:
        return len(self._places)

    def add(self, own: Paper) -> list[str]:
        """Add a reading, and return the papers that turned out to be the one that it is of."""
        id_, *others = self._identities.identify(own, self._held)
        readings = [each for one in (id_, *others) if (each := self._held(one))]
        paper = replace(merge([*readings, own]), id=id_, abstract="", references=(), full_text=None)
        for each in (*readings, own):
            self._identities.note(id_, each)
        if readings != [paper]:
            self._places[id_] = self._buffer.put(Extraction(paper))
        for other in others:
            self._joined[other] = id_
            del self._places[other]
        self.ids.append(id_)
        return others

    def merged(self, readings: Iterable[Paper]) -> Iterator[Paper]:
        """Yield the papers of which these are all readings, each as soon as it is whole."""
        self._buffer.close()
        readings_left = Counter(map(self._current, self.ids))
        waiting: dict[str, Paper] = {}
        ids = iter(self.ids)
        for each in readings:
            id_ = self._current(next(ids, each.id))
            own = replace(each, id=id_)
            paper = merge([waiting.pop(id_), own]) if id_ in waiting else own
            readings_left[id_] -= 1
            if readings_left[id_] > 0:
                waiting[id_] = paper
            else:
                yield paper

    def _current(self, id_: str) -> str:
        """Return the id of the paper that one turned out to be."""
        while id_ not in self._places and id_ in self._joined:
            id_ = self._joined[id_]
        return id_

    def _held(self, id_: str) -> Paper | None:
        place = self._places.get(id_)
        return None if place is None else self._buffer.get(place).paper
