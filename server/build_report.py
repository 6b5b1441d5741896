"""What a build or a load did: it accounts for every record that was read."""

from collections import Counter
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field, fields

from stemma.graph import Changes
from stemma.schema import Paper, Problem
from stemma.schema.quantity import quantity

_MOST_OF_A_KIND = 10_000
"""Problems of one kind in one file, archive or folder that are kept; the others are counted."""


@dataclass(slots=True, repr=False)
class BuildReport:
    """The report of a build: numbers of records, of changes and of problems.

    `files_empty` counts those of `files_known` from which no paper could be read, `files_skipped`
    names those in folders that are in no format that is read, and bibliographies,
    PDFs and further main files of LaTeX source. `papers` counts each paper as often as it was
    read, `extracted` those whose texts were read by the extractor.
    """

    files: int = 0
    files_known: int = 0
    files_empty: int = 0
    files_skipped: list[str] = field(default_factory=list)
    papers: int = 0
    extracted: int = 0
    problems: list[Problem] = field(default_factory=list)
    changes: Changes = field(default_factory=Changes)
    _kinds: Counter[tuple[str, str]] = field(default_factory=Counter)
    _unreadable: int = 0
    _seen: set[int] = field(default_factory=set)  # hashes of ids, which are smaller
    _failed: set[str] = field(default_factory=set)
    _titles: set[int] = field(default_factory=set)  # of those that have nothing but a title

    def __repr__(self) -> str:
        return f"<{self.account().rstrip('.')}, {quantity(self.faults, 'problem')}>"

    def account(self, store: str = "") -> str:
        """Summarise in one line what became of all records, in a `store` if it is named."""
        there = f" into {store}" if store else ""
        if not self.files and self.files_known:
            empty = f", {self.files_empty:,} of which could not be read" if self.files_empty else ""
            known = f"{quantity(self.files_known, 'file')} already read{there}{empty}"
            return f"Nothing new: {known} (--again reads all again)."
        counts = [f"{quantity(len(self.added), 'paper')} added", f"{len(self.updated):,} updated"]
        counts += [f"{self.unchanged:,} unchanged"] if self.unchanged else []
        return self._account(there, counts)

    def account_of_extraction(self) -> str:
        """Summarise in one line what became of all records that were extracted, but not stored."""
        return self._account("", [f"{quantity(self.extracted, 'paper')} extracted"])

    def _account(self, where: str, counts: list[str]) -> str:
        known = f" ({self.files_known:,} already known)" if self.files_known else ""
        counts += [quantity(self.duplicates, "duplicate")] if self.duplicates else []
        counts += [f"{self.skipped:,} could not be read"] if self.skipped else []
        read = f"{quantity(self.records, 'record')} read from {quantity(self.files, 'file')}"
        return f"{read}{known}{where}: {', '.join(counts)}."

    @property
    def records(self) -> int:
        """All records: each is added, updated, unchanged, a duplicate, or skipped."""
        return self.papers + self._unreadable

    @property
    def added(self) -> set[str]:
        """The papers (ids) that the store did not hold."""
        return {*self.changes.added} - {*self.changes.removed}

    @property
    def updated(self) -> set[str]:
        """The papers (ids) of which the store held something else."""
        return {*self.changes.updated} - {*self.changes.added} - {*self.changes.removed}

    @property
    def duplicates(self) -> int:
        """Records of papers that were read before, in this build."""
        return self.papers - len(self._seen)

    @property
    def skipped(self) -> int:
        """Records that could not be read, or of which nothing could be extracted."""
        return self._unreadable + len(self._lost)

    @property
    def unchanged(self) -> int:
        """Papers that the store already held unchanged."""
        return len(self._seen) - len(self.added) - len(self.updated) - len(self._lost)

    @property
    def _lost(self) -> set[str]:
        return self._failed - self.added - self.updated

    @property
    def faults(self) -> int:
        """How many problems there were so far, of all kinds."""
        return self._kinds.total()

    @property
    def more_problems(self) -> Mapping[tuple[str, str], int]:
        """How many problems are not among `problems`, by file and kind: a file may have many."""
        return {
            kind: count - _MOST_OF_A_KIND
            for kind, count in self._kinds.items()
            if count > _MOST_OF_A_KIND
        }

    @property
    def without_abstract(self) -> int:
        """Papers that have nothing but a title."""
        return len(self._titles)

    def count(self, paper: Paper) -> None:
        """Note that a record of a paper was read, and what is known of the paper by then."""
        id_ = hash(paper.id)
        self.papers += 1
        self._seen.add(id_)
        if paper.abstract or paper.full_text:
            self._titles.discard(id_)
        else:
            self._titles.add(id_)

    def joined(self, papers: Iterable[str]) -> None:
        """Note that papers (ids) turned out to be others."""
        joined = set(map(hash, papers))
        self._seen -= joined
        self._titles -= joined

    def note_problem(self, problem: Problem, paper: str | None = None) -> None:
        """Note what went wrong, with a record or with a `paper` (an id) that had been read."""
        if paper:
            self._failed.add(paper)
        else:
            self._unreadable += problem.skipped
        kind = (problem.file.partition("/")[0], problem.kind)  # that of an archive, for its files
        self._kinds[kind] += 1
        if self._kinds[kind] <= _MOST_OF_A_KIND:
            self.problems.append(problem)

    def note_changes(self, changes: Changes) -> None:
        """Add the changes of one commit."""
        for kind in fields(Changes):
            getattr(self.changes, kind.name).extend(getattr(changes, kind.name))
