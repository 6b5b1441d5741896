"""The reader of one commit, as far as it concerns the graph as a whole."""

import json
import sqlite3
from collections.abc import Callable, Hashable, Iterable, Iterator, Sequence
from functools import partial
from pathlib import Path
from threading import RLock
from typing import Any, TypeVar
from weakref import finalize

from stemma.graph.cache import Cache
from stemma.graph.changes import ChangesSince
from stemma.graph.history import Build, load
from stemma.graph.lineage_edge import Support
from stemma.graph.lineage_page import Place
from stemma.graph.linked_extraction import LinkedExtraction
from stemma.graph.linking import Claim, Verdict, read_verdicts
from stemma.graph.sqlite import change_log
from stemma.graph.sqlite.file import StoreFile, damaged
from stemma.graph.store import Reader, Statistics, Work, WorkType, read_unapplied
from stemma.schema import (
    Addition,
    Catalogue,
    Decision,
    EntityKind,
    PartialDate,
    RelationType,
    Statement,
)
from stemma.schema.batches import batched
from stemma.schema.catalogue import extended
from stemma.schema.decision_file import DecisionFile, DecisionText

BATCH = 500
"""Values that a query is asked for at once."""
_ENDED = sqlite3.connect(":memory:", check_same_thread=False)
_ENDED.close()
Row = tuple[Any, ...]
_Answer = TypeVar("_Answer")


class Memory:
    """What was read of a commit, for all who read that."""

    def __init__(self, commit: tuple[int, str]) -> None:
        self.commit = commit
        self.works = Cache[str, Work](8192)
        self.extractions = Cache[str, LinkedExtraction](512)
        self.dates = Cache[str, PartialDate | None](65536)
        self.statements = Cache[tuple[str, str, str], Statement](16384)
        self.naming = Cache[tuple[str, Hashable], tuple[str, ...]](1024)
        self.surest = Cache[tuple[str, Hashable], tuple[Statement, ...]](1024)
        self.searched = Cache[tuple[Hashable, ...], list[str]](256)
        self.places = Cache[Hashable, list[Place]](8)
        self.ends = Cache[tuple[str, Hashable], tuple[str, ...]](65536)
        self.supports = Cache[tuple[str, Hashable], tuple[tuple[str, list[Support]], ...]](65536)
        self._once: dict[str, Any] = {}
        self._reading = RLock()

    def once(self, what: str, read: Callable[[], _Answer]) -> _Answer:
        """Return what is read once for each commit, by its name."""
        if what not in self._once:
            with self._reading:  # Whoever needs the same waits for it.
                if what not in self._once:
                    self._once[what] = read()
        found: _Answer = self._once[what]
        return found


def once(read: Callable[[Any], _Answer]) -> property:
    """Make a property of a reader that is read once for each commit."""

    def get(reader: "CommitReader") -> _Answer:
        return reader.memory.once(read.__name__, partial(read, reader))

    get.__doc__ = read.__doc__
    return property(get)


class CommitReader(Reader):
    """Reads what concerns the graph as a whole, as it was after one commit.

    `connection` is in a transaction, and is given back by `give` at the end, or when nobody has the
    reader any more.
    """

    def __init__(
        self,
        connection: sqlite3.Connection,
        memory: Memory,
        file: StoreFile,
        give: Callable[[sqlite3.Connection], object] = id,
    ) -> None:
        self._db, self.memory, self._file = connection, memory, file
        self._give_back = finalize(self, give, connection)
        self.path = file.path

    def end(self) -> None:
        """End the transaction: nothing can be read any more."""
        self._db = _ENDED
        self._give_back()

    @property
    def cache(self) -> Path:
        """The folder for what is made from the graph, and can be made again."""
        return self._file.cache

    @property
    def decisions(self) -> DecisionFile:
        """People's decisions, in a file beside the graph."""
        return self._file.decisions

    @property
    def generation(self) -> str:
        """The number of the commit."""
        return f"{self.memory.commit[0]:06}"

    @once
    def base(self) -> str:
        """What the IRIs of the data begin with."""
        return self._meta("base")

    @once
    def former(self) -> dict[str, str]:
        """What took the place of ids that no longer exist."""
        former: dict[str, str] = self._meta_json("former", {})
        return former

    def builds(self) -> list[Build]:
        records = self.rows("SELECT record FROM build ORDER BY number")
        try:
            return load("".join(record for (record,) in records))
        except ValueError as error:
            raise damaged(self.path, f"its list of builds: {error}") from error

    @property
    def state(self) -> str:
        """What the log of changes calls this commit."""
        return change_log.present_state(self._db)

    def changed_since(self, state: str | None) -> ChangesSince:
        return change_log.changed_since(self._db, state)

    def statistics(self) -> Statistics:
        counts: dict[str, dict[str, int]] = {each: {} for each in (*WorkType, "statement", "edge")}
        for what, name, number in self.rows("SELECT what, name, number FROM count"):
            counts[what][name] = number
        papers, entities, statements, edges = counts.values()
        return Statistics(
            sum(papers.values()),
            sum(entities.values()),
            sum(statements.values()),
            sum(edges.values()),
            self.generation,
            {kind: entities.get(kind, 0) for kind in EntityKind},
            {relation: statements.get(relation, 0) for relation in RelationType},
            len(self._meta_json("decision_tables", [])),
        )

    @once
    def _papers(self) -> int:
        return self.statistics().papers

    # The file.

    def copy_to(self, other: sqlite3.Connection) -> None:
        """Copy the whole file as this reader sees it."""
        self._db.backup(other)

    def rows(self, query: str, parameters: Sequence[Any] = ()) -> list[Row]:
        """Query the file."""
        return self._db.execute(query, parameters).fetchall()

    def rows_in(self, query: str, values: Iterable[Any], *more: Any) -> Iterator[Row]:
        """Query the file for many values: `query` has ``{}`` in place of their list."""
        for batch in batched(dict.fromkeys(values), BATCH):
            yield from self.rows(query.format(",".join("?" * len(batch))), [*batch, *more])

    def _meta(self, key: str) -> str:
        return "".join(
            value for (value,) in self.rows("SELECT value FROM meta WHERE key = ?", [key])
        )

    def _meta_json(self, key: str, default: Any) -> Any:
        return json.loads(self._meta(key) or json.dumps(default))

    # People's decisions, and the catalogue.

    @property
    def decision_file(self) -> str:
        """The fingerprint of the file of decisions that this graph was made with."""
        return self._meta("decision_file")

    @property
    def decision_file_replaced(self) -> str | None:
        """The fingerprint of the file before, if the graph was written in order to change it."""
        replaced: str | None = self._meta_json("decision_file_replaced", None)
        return replaced

    def decided(self) -> tuple[Decision, ...]:
        """Return the decisions that this graph was made with."""
        tables = self._meta_json("decision_tables", [])
        return DecisionText(str(self.path), "\n".join(tables).encode()).decisions

    def unapplied(self) -> dict[int, str]:
        """Return why decisions, by their numbers, do not apply, or only in part."""
        return read_unapplied(self._meta("unapplied") or "{}")

    @once
    def verdicts(self) -> dict[str, dict[Claim, Verdict]]:
        """By paper, how its claims are judged."""
        stored = self._meta_json("verdicts", {})
        return {paper: read_verdicts(claims) for paper, claims in stored.items()}

    def additions(self) -> list[Addition]:
        """Return what was added to the catalogue that this generation was linked with."""
        return [Addition.from_json(each) for each in self._meta_json("additions", [])]

    def extended_catalogue(self) -> Catalogue | None:
        """Return the shipped catalogue with what was added to it, None where nothing was."""
        additions = self.additions()
        return extended(Catalogue.shipped(), additions)[0] if additions else None

    @property
    def catalogue(self) -> str:
        return self._meta("catalogue")

    # What a writer needs.

    @property
    def linked_by(self) -> str:
        """The version of Stemma that linked all papers."""
        return self._meta("linked_by")

    def all_ids(self, type_: WorkType) -> list[str]:
        """Return the ids of all works of a type, in order."""
        query = "SELECT id FROM work WHERE type = ? ORDER BY id"
        return [id_ for (id_,) in self.rows(query, [type_.value])]

    def already_read(self, reading: str) -> frozenset[tuple[str, str]]:
        """Return (file, sha256) of the files that were read whole in this way."""
        return frozenset(
            (file, sha256)
            for file, sha256 in self.rows(
                "SELECT file, sha256 FROM reading WHERE reading = ?", [reading]
            )
        )
