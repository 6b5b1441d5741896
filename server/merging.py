"""Merging: records of one paper, perhaps from several files, become one."""

import pickle
from collections import Counter
from collections.abc import Iterable, Iterator
from dataclasses import replace

from stemma.graph.buffer import Buffer
from stemma.graph.identity import Identities
from stemma.schema import Paper
from stemma.schema.paper import merge

_CHANGED = "files were changed while they were being read: repeat the extraction"


class PaperMerger:
    """Finds out which records are of one paper; what is known of the papers is on disk.

    All records are added first, and then merged, when each is read again in the same order.
    """

    def __init__(self) -> None:
        self._identities, self._buffer = Identities(), Buffer()
        self._places: dict[str, int] = {}
        self._joined: dict[str, str] = {}
        self.ids: list[str] = []
        """Those of the records, in their order."""
        self._hashes: list[int] = []  # of the ids that the records have by themselves

    def __len__(self) -> int:
        return len(self._places)

    def add(self, record: Paper) -> list[str]:
        """Add a record, and return the papers (ids) that turned out to be the same one."""
        merged, others = self._identities.merge(record, self._stored)
        paper = replace(merged, abstract="", references=(), full_text=None)
        if others or self._stored(paper.id) != paper:
            self._places[paper.id] = self._buffer.put(pickle.dumps(paper))
        for other in others:
            self._joined[other] = paper.id
            del self._places[other]
        self.ids.append(paper.id)
        self._hashes.append(hash(record.id))
        return others

    def merged(self, records: Iterable[Paper]) -> Iterator[Paper]:
        """Yield the papers of which these are all records, each as soon as it is whole.

        Raises OSError where they are not the same records: a file was changed in between.
        """
        self._buffer.close()
        left = Counter(map(self._current, self.ids))
        waiting: dict[str, Paper] = {}
        added = zip(self.ids, self._hashes, strict=True)
        for each in records:
            id_, own_hash = next(added, (each.id, None))
            if own_hash != hash(each.id):
                raise OSError(_CHANGED)
            id_ = self._current(id_)
            own = replace(each, id=id_)
            paper = merge([waiting.pop(id_), own]) if id_ in waiting else own
            left[id_] -= 1
            if left[id_] > 0:
                waiting[id_] = paper
            else:
                yield paper
        if next(added, None):
            raise OSError(_CHANGED)

    def _current(self, id_: str) -> str:
        """Return the id of the paper that one turned out to be."""
        while id_ not in self._places and id_ in self._joined:
            id_ = self._joined[id_]
        return id_

    def _stored(self, id_: str) -> Paper | None:
        place = self._places.get(id_)
        paper: Paper | None = None if place is None else pickle.loads(self._buffer.get(place))
        return paper
