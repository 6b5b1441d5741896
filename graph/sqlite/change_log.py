"""The logs of a store: what each commit changed, for projections, and what each build, for people.

A projection of the graph asks for what changed since its own state, which is named by a text such
as ``12-9f86d081884c7d65``: the number of a commit, and a digest of all commits until then, by which
a state of another store is told apart from one of this.

Triggers note what is touched in temporary tables of the connection that writes, which a transaction
that fails takes back as well. Works go after the edges between them.
"""

import json
import sqlite3
from collections.abc import Mapping, Sequence
from datetime import UTC, datetime
from hashlib import blake2b

from stemma.graph.history import (
    LATEST,
    Build,
    Changes,
    ChangesSince,
    Difference,
    Sample,
    dump,
    sample,
)
from stemma.graph.reader import WorkType

_TABLES = (
    "touched (id TEXT PRIMARY KEY)",
    "touched_work (id TEXT PRIMARY KEY, type TEXT, name TEXT)",
    "touched_edge (child TEXT, parent TEXT, was INTEGER, PRIMARY KEY (child, parent))",
)
"""What a commit touched, and what a build touched first, with what it was: works that were not
there have no type and no name, and edges were there or not."""
# Within a trigger, "OR IGNORE" would give way to what the statement outside says of conflicts.
_TOUCH = "INSERT INTO touched{} ON CONFLICT DO NOTHING"
_OF_WORK = _TOUCH.format(" SELECT id FROM work WHERE no = {}")
_NEW, _OLD = _TOUCH.format(" VALUES (new.id)"), _TOUCH.format(" VALUES (old.id)")
_WAS = _TOUCH.format("_work VALUES (old.id, old.type, old.name)")
_EDGE = _TOUCH.format(
    "_edge SELECT c.id, p.id, {1} FROM work c, work p WHERE c.no = {0}.child AND p.no = {0}.parent"
)
_TOUCHING = (
    ("work", "AFTER INSERT", "", _NEW),
    ("work", "BEFORE DELETE", "", _OLD),
    (
        "work",
        "AFTER UPDATE",
        "WHEN (old.name, old.kind, old.general, old.details, old.published, old.papers)"
        " IS NOT (new.name, new.kind, new.general, new.details, new.published, new.papers)",
        _NEW,
    ),
    ("work", "AFTER INSERT", "", _TOUCH.format("_work VALUES (new.id, NULL, NULL)")),
    ("work", "BEFORE UPDATE OF name", "WHEN old.name <> new.name", _WAS),
    ("work", "BEFORE DELETE", "", _WAS),
    ("edge", "AFTER INSERT", "", _EDGE.format("new", 0)),
    ("edge", "AFTER DELETE", "", _EDGE.format("old", 1)),
    ("paper", "AFTER INSERT", "", _OF_WORK.format("new.work")),
    ("paper", "AFTER UPDATE", "", _OF_WORK.format("new.work")),
    ("person", "AFTER INSERT", "", _NEW),
    ("person", "BEFORE DELETE", "", _OLD),
    *(
        (table, when, condition.format(row), _OF_WORK.format(f"{row}.{column}"))
        for table, column, condition in (
            ("statement", "subject", ""),
            # What papers compare with is a baseline.
            ("statement", "entity", "WHEN {}.relation = 'COMPARES_WITH'"),
            ("derivation", "child", ""),
            ("broader", "narrower", ""),
            ("concept", "work", ""),
            ("authorship", "paper", ""),
            ("citation", "citing", ""),
        )
        for when, row in (("AFTER INSERT", "new"), ("BEFORE DELETE", "old"))
    ),
)
"""Table, event, condition, and what it touches: relationships belong to the work that has them."""

_LOG = """
INSERT OR REPLACE INTO change
SELECT seen.id, ?1, is_gone, CASE WHEN is_gone THEN (
    SELECT value FROM json_each(?2) WHERE key = seen.id
) END FROM (
    SELECT id, NOT EXISTS (SELECT 1 FROM work WHERE work.id = touched.id)
    AND NOT EXISTS (SELECT 1 FROM person WHERE person.id = touched.id) AS is_gone FROM touched
) seen
"""
_LEAST = 2000
_SHARE = 0.05
"""Ids that the log holds, as a share of the works of the graph, but at least so many."""


def watch(db: sqlite3.Connection) -> None:
    """Note from now on, on this connection, what is touched, for `record` and `BuildLog`."""
    for table in _TABLES:
        db.execute(f"CREATE TEMP TABLE IF NOT EXISTS {table} WITHOUT ROWID")
    db.execute("DELETE FROM touched")
    for number, (table, when, condition, statement) in enumerate(_TOUCHING):
        db.execute(
            f"CREATE TEMP TRIGGER IF NOT EXISTS touch_{number} {when} ON main.{table} {condition} "
            f"BEGIN {statement}; END"
        )


def record(
    db: sqlite3.Connection, commit: int, former: Mapping[str, str] | None, content: bytes
) -> None:
    """Record what was touched since `watch`, within the transaction that makes a commit.

    `former` ids have successors; it is None where the commit wrote everything. `content` says what
    was written, so that the states of graphs that differ have other names. Where the log would
    grow beyond a share of the graph, its oldest commits are forgotten.
    """
    before = db.execute("SELECT mark FROM change_commit ORDER BY no DESC LIMIT 1").fetchone()
    mark = blake2b(f"{before} {commit} ".encode() + content, digest_size=8).hexdigest()
    ((works,),) = db.execute("SELECT COUNT(*) FROM work")
    most = max(_LEAST, int(_SHARE * works))
    if former is not None:
        touched = db.execute(_LOG, [commit, json.dumps(former)]).rowcount
        if touched > most:  # The log reaches back to here.
            db.execute("DELETE FROM change_commit")
            db.execute("DELETE FROM change WHERE last_commit < ? OR NOT is_gone", [commit])
    db.execute("INSERT INTO change_commit VALUES (?, ?)", [commit, mark])
    for (oldest,) in db.execute(
        "SELECT last_commit FROM change ORDER BY last_commit DESC LIMIT 1 OFFSET ?", [most]
    ).fetchall():
        db.execute("DELETE FROM change WHERE last_commit <= ?", [oldest])
        db.execute("DELETE FROM change_commit WHERE no < ?", [oldest])


def present_state(db: sqlite3.Connection) -> str:
    """Return the name of the state of the graph."""
    ((number, mark),) = db.execute("SELECT no, mark FROM change_commit ORDER BY no DESC LIMIT 1")
    return f"{number}-{mark}"


def changed_since(db: sqlite3.Connection, state: str | None) -> ChangesSince:
    """Return what changed since a state: everything, if it is None or not one of this store."""
    now = present_state(db)
    commits = [f"{no}-{mark}" for no, mark in db.execute("SELECT * FROM change_commit ORDER BY no")]
    known = state in commits
    rows = db.execute(
        "SELECT id, is_gone, successor FROM change WHERE last_commit > ?",
        [int(state.partition("-")[0]) if state and known else 0],
    ).fetchall()
    return ChangesSince(
        now,
        frozenset(id_ for id_, is_gone, _ in rows if not is_gone) if known else None,
        {id_: successor for id_, is_gone, successor in rows if is_gone},
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
            counts = [self._db.execute(count, [what]).fetchone() for what in (*WorkType, "edge")]
            return [Difference(Sample(number)) for (number,) in counts]

        def sampled(query: str, value: str | int) -> Sample:
            return sample(self._db.execute(query, [value]).fetchall())

        works = [
            Difference(sampled(_WORKS_ADDED, each), sampled(_WORKS_REMOVED, each))
            for each in WorkType
        ]
        edges = Difference(sampled(_EDGES.format(""), 0), sampled(_EDGES.format("NOT"), 1))
        return [*works, edges]


def _now() -> str:
    return datetime.now(UTC).strftime("%Y-%m-%dT%H:%M:%SZ")
