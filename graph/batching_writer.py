"""What all writers share: changes are buffered until they are committed."""

from abc import ABC, abstractmethod
from collections.abc import Callable, Collection, Iterable, Mapping
from dataclasses import dataclass, replace
from hashlib import blake2b

from stemma.graph.derivation import lineage_claims
from stemma.graph.extraction_buffer import ExtractionBuffer
from stemma.graph.linked_extraction import canonical, encodable
from stemma.graph.linking import Change, Claim, PaperNames, Verdict, names_of
from stemma.graph.linking.homonym import content_words
from stemma.graph.store import Changes, Relinked, StoredPaper
from stemma.schema import Decision, Extraction, Paper
from stemma.schema.decision_file import DecisionFile, DecisionText
from stemma.schema.interchange import dump


@dataclass(frozen=True, slots=True)
class Pending:
    """A paper that waits for the commit."""

    place: int
    names: PaperNames
    extractor: str
    digest: bytes


MOST_CHANGED = 0.1
"""The share of changed papers beyond which it is faster to link all papers again."""


class BatchingWriter(ABC):
    """Buffers papers to add, change and drop, and files that were read.

    `_digests`: of each paper that the graph holds the digest of what was read in it, and the
    extractor. Subclasses set it at the start, and after each commit.
    """

    _digests: Mapping[str, tuple[bytes, str]]

    def __init__(self, decisions: DecisionFile) -> None:
        self._decision_file = decisions
        self._reset()

    def _reset(self) -> None:
        """Begin with an empty buffer."""
        self._buffer = ExtractionBuffer()
        self._pending: dict[str, Pending] = {}
        self._dropped: set[str] = set()
        self._marks = set[tuple[str, str, str]]()
        self._decided: DecisionText | None = None

    @abstractmethod
    def _stored_papers(self, ids: Collection[str]) -> dict[str, Paper]:
        """Return papers as the graph holds them."""

    @abstractmethod
    def _stored_extraction(self, id_: str) -> Extraction:
        """Return what was read in a paper that the graph holds."""

    @abstractmethod
    def _stored_text(self, id_: str) -> str:
        """Return title and abstract of a paper that the graph holds."""

    def _packed(self, record: bytes) -> bytes:
        """Return the record of a paper, given in the interchange format, as it is stored."""
        return b""

    def close(self) -> None:
        """Drop what was not committed."""
        self._buffer.close()

    def stored(self, ids: Collection[str]) -> dict[str, StoredPaper]:
        stored = [id_ for id_ in ids if id_ not in self._pending and self._holds(id_)]
        papers = self._stored_papers(stored) if stored else {}
        found = {}
        for id_ in ids:
            if waiting := self._pending.get(id_):
                found[id_] = StoredPaper(self._buffer.get(waiting.place).paper, waiting.extractor)
            elif id_ in papers:
                found[id_] = StoredPaper(papers[id_], self._digests[id_][1])
        return found

    def _holds(self, id_: str) -> bool:
        return id_ in self._digests and id_ not in self._dropped

    def put(self, extractions: Iterable[Extraction], extractor: str) -> None:
        for extraction in extractions:
            self._put(canonical(extraction), extractor)

    def _put(self, extraction: Extraction, extractor: str) -> None:
        id_ = extraction.paper.id
        try:
            record = dump(extraction).encode()
        except UnicodeEncodeError:
            extraction = encodable(extraction)
            record = dump(extraction).encode()
        digest = blake2b(record, digest_size=16).digest()
        self._dropped.discard(id_)
        if self._digests.get(id_) == (digest, extractor):
            self._pending.pop(id_, None)
            return
        place = self._buffer.put(extraction, self._packed(record))
        self._pending[id_] = Pending(place, names_of(extraction), extractor, digest)

    def update(self, papers: Iterable[Paper]) -> None:
        for paper in papers:
            extraction, extractor = self.extraction(paper.id)
            held = extraction.paper
            texts = (held.title, held.abstract, held.full_text)
            if texts != (paper.title, paper.abstract, paper.full_text):
                raise ValueError(
                    f"the text of {paper.id} differs from the stored paper; extract it again"
                )
            self._put(canonical(replace(extraction, paper=paper)), extractor)

    def extraction(self, id_: str) -> tuple[Extraction, str]:
        """Return what was read in a paper that the graph holds, and by which extractor."""
        if waiting := self._pending.get(id_):
            return self._buffer.get(waiting.place), waiting.extractor
        if not self._holds(id_):
            raise LookupError(f"the graph does not contain {id_}")
        return self._stored_extraction(id_), self._digests[id_][1]

    def drop(self, ids: Collection[str]) -> None:
        for id_ in ids:
            self._pending.pop(id_, None)
            if id_ in self._digests:
                self._dropped.add(id_)

    def mark_read(self, file: str, sha256: str, reading: str) -> None:
        """Remember that a file was read completely."""
        self._marks.add((file, sha256, reading))

    def _forget_marks(self, already_read: Callable[[str], Iterable[tuple[str, str]]]) -> None:
        """Drop the marks that the graph has, of which `already_read` returns those of a reading."""
        for reading in {mark[2] for mark in self._marks}:
            for file, sha256 in already_read(reading):
                self._marks.discard((file, sha256, reading))

    def decide(self, decision: Decision) -> int:
        """Add a decision, and return its number."""
        self._decided = self._decisions().appended(decision)
        return len(self._decided.decisions)

    def undo(self, number: int) -> Decision:
        """Undo a decision, and return it."""
        before = self._decisions()
        self._decided = before.without(number)
        return before.decisions[number - 1]

    def _decisions(self) -> DecisionText:
        """Return what people decided, and what was decided here."""
        return self._decided or self._decision_file.text()

    def _changes(self) -> Changes:
        """Return the changes in the buffer."""
        return Changes(
            added=sorted(id_ for id_ in self._pending if id_ not in self._digests),
            updated=sorted(id_ for id_ in self._pending if id_ in self._digests),
            removed=sorted(self._dropped),
        )

    def _changes_few(self) -> bool:
        """Return whether it is faster to link only what changes and what is connected to it."""
        return len(self._pending) + len(self._dropped) <= MOST_CHANGED * len(self._digests)

    def _context(self, id_: str) -> frozenset[str]:
        """Return the words of a paper, as linking needs them."""
        if waiting := self._pending.get(id_):
            paper = self._buffer.get(waiting.place).paper
            return content_words(f"{paper.title} {paper.abstract}")
        return content_words(self._stored_text(id_))

    def _stated(self, id_: str) -> dict[Claim, str | None]:
        """Return what a paper states, as linking needs it."""
        return stated_in(self.extraction(id_)[0])


def stated_in(extraction: Extraction) -> dict[Claim, str | None]:
    """Return the claims of a paper; those of lineage with the name of their contribution."""
    claims: dict[Claim, str | None] = {
        (each.type, each.entity): None for each in extraction.relations
    }
    for each, contribution in lineage_claims(extraction):
        claims[each.type, each.entity] = contribution.name if contribution else None
    return claims


def relinked(change: Change) -> list[Relinked]:
    """Return the names of papers that mean another entity now."""
    return [Relinked(*each) for each in change.relinked()]


def judged_otherwise(change: Change, before: Mapping[str, Mapping[Claim, Verdict]]) -> list[str]:
    """Return the papers that the graph keeps with other verdicts than `before`."""
    return [
        id_
        for id_, verdicts in sorted(change.verdicts.items())
        if id_ in change.before and verdicts != before.get(id_, {})
    ]


def rewritten(changes: Changes) -> list[str]:
    """Return the papers that are as they were, but mean other entities or are judged otherwise."""
    return sorted({*changes.decided, *(each.paper for each in changes.relinked)})
