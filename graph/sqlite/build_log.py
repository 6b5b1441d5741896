"""The log of builds: what each build added and removed, by what it touched first.

Triggers note works and edges, as they were before a build first touched them, in temporary tables
of the connection that writes, which a transaction that fails takes back as well. Works go after the
edges between them.
"""

import sqlite3
from collections.abc import Sequence
from datetime import UTC, datetime

from stemma.graph.changes import Changes
from stemma.graph.history import LATEST, Build, Difference, Sample, dump, sample
from stemma.graph.store import WorkType

# Within a trigger, "OR IGNORE" would give way to what the statement outside says of conflicts.
_WATCH = (
    "CREATE TEMP TABLE IF NOT EXISTS touched_work (id TEXT PRIMARY KEY, type TEXT, name TEXT) "
    "WITHOUT ROWID",
    "CREATE TEMP TABLE IF NOT EXISTS touched_edge "
    "(child TEXT, parent TEXT, was INTEGER, PRIMARY KEY (child, parent)) WITHOUT ROWID",
    *(
        f"CREATE TEMP TRIGGER IF NOT EXISTS {name} {event} BEGIN "
        f"INSERT INTO touched_work VALUES ({values}) ON CONFLICT DO NOTHING; END"
        for name, event, values in (
            ("work_added", "AFTER INSERT ON main.work", "new.id, NULL, NULL"),
            (
                "work_renamed",
                "BEFORE UPDATE OF name ON main.work WHEN old.name <> new.name",
                "old.id, old.type, old.name",
            ),
            ("work_removed", "BEFORE DELETE ON main.work", "old.id, old.type, old.name"),
        )
    ),
    *(
        f"CREATE TEMP TRIGGER IF NOT EXISTS {name} AFTER {event} ON main.edge BEGIN "
        f"INSERT INTO touched_edge SELECT c.id, p.id, {was} FROM work c, work p "
        f"WHERE c.no = {row}.child AND p.no = {row}.parent ON CONFLICT DO NOTHING; END"
        for name, event, was, row in (
            ("edge_added", "INSERT", 0, "new"),
            ("edge_removed", "DELETE", 1, "old"),
        )
    ),
)
_WORKS_ADDED = """
SELECT w.id, w.name FROM touched_work t JOIN work w ON w.id = t.id
WHERE t.type IS NULL AND w.type = ? ORDER BY w.id
"""
_WORKS_REMOVED = """
SELECT t.id, t.name FROM touched_work t WHERE t.type = ?
AND NOT EXISTS (SELECT 1 FROM work w WHERE w.id = t.id) ORDER BY t.id
"""
_EDGES = """
SELECT t.child, t.parent FROM touched_edge t WHERE was = ? AND {} EXISTS (
    SELECT 1 FROM edge WHERE child = (SELECT no FROM work WHERE id = t.child)
    AND parent = (SELECT no FROM work WHERE id = t.parent)
) ORDER BY t.child, t.parent
"""


class BuildLog:
    """Keeps the record of one build, which is written again with each of its commits.

    `initial` where the graph was empty before: nothing is noted then, as everything is new.
    """

    def __init__(self, db: sqlite3.Connection, initial: bool) -> None:
        self._db, self._initial = db, initial
        self._started = _now()
        self._number: int | None = None
        self._added, self._updated = set[str](), set[str]()

    def watch(self) -> None:
        """Note from now on what is touched, if a transaction that failed took that back."""
        for statement in () if self._initial else _WATCH:
            self._db.execute(statement)

    def record(self, changes: Changes, generation: str) -> None:
        """Write what this build has changed until now, with the changes of its latest commit."""
        self._added.update(changes.added)
        self._updated |= set(changes.updated) - self._added
        ((last,),) = self._db.execute("SELECT COALESCE(MAX(number), 0) FROM build")
        number = self._number or last + 1
        papers, entities, edges = self._differences()
        build = Build(
            number,
            self._started,
            _now(),
            generation,
            self._initial,
            papers,
            entities,
            edges,
            len(self._updated),
        )
        self._db.execute("DELETE FROM build WHERE number = ?", [number])
        if build:
            self._number = number
            self._db.execute("INSERT INTO build VALUES (?, ?)", [number, dump([build])])
            self._db.execute("DELETE FROM build WHERE number <= ?", [number - LATEST])

    def _differences(self) -> Sequence[Difference]:
        """Return how papers, entities and edges differ from what there was."""
        if self._initial:
            count = "SELECT COALESCE(SUM(number), 0) FROM count WHERE what = ?"
            counts = [self._db.execute(count, [what]).fetchone() for what in _COUNTED]
            return [Difference(Sample(number)) for (number,) in counts]

        def sampled(query: str, value: str | int) -> Sample:
            return sample(self._db.execute(query, [value]).fetchall())

        works = [
            Difference(sampled(_WORKS_ADDED, each), sampled(_WORKS_REMOVED, each))
            for each in WorkType
        ]
        edges = Difference(sampled(_EDGES.format(""), 0), sampled(_EDGES.format("NOT"), 1))
        return [*works, edges]


_COUNTED = (*WorkType, "edge")


def _now() -> str:
    return datetime.now(UTC).strftime("%Y-%m-%dT%H:%M:%SZ")
