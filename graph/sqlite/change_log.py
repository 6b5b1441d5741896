"""The logs of a store: what each commit changed, for projections, and what each build, for people.

A projection of the graph asks for what changed since its own state, which is named by a text such
as ``12-9f86d081884c7d65``: the number of a commit, and a digest of all commits until then, by which
a state of another store is told apart from one of this.

Triggers note what is touched in temporary tables of the connection that writes, which a transaction
that fails takes back as well. Works go after the edges between them.
"""

import sqlite3
from collections.abc import Sequence
from datetime import UTC, datetime
from hashlib import blake2b

from stemma.graph.history import (
    LATEST,
    MOST_LISTED,
    Build,
    Changes,
    ChangesSince,
    Difference,
    Sample,
    dump,
)
from stemma.graph.reader import WorkType
from stemma.graph.sqlite.store_file import latest_commit

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

_SINCE = """
SELECT id, EXISTS (SELECT 1 FROM work WHERE work.id = change.id)
OR EXISTS (SELECT 1 FROM person WHERE person.id = change.id) FROM change WHERE last_commit > ?
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


def record(db: sqlite3.Connection, is_first: bool, content: bytes) -> int:
    """Record what was touched since `watch`, within the transaction that makes a commit, and return
    its number. Nothing was watched in the first.

    `content` says what was written, so that the states of graphs that differ have other names.
    Where the log would grow beyond a share of the graph, its oldest commits are forgotten.
    """
    before, mark = latest_commit(db)
    commit = before + 1
    mark = blake2b(f"{mark} {commit} ".encode() + content, digest_size=8).hexdigest()
    if not is_first:
        db.execute("INSERT OR REPLACE INTO change SELECT id, ? FROM touched", [commit])
    db.execute("INSERT INTO commits VALUES (?, ?)", [commit, mark])
    ((works,),) = db.execute("SELECT COUNT(*) FROM work")
    for (oldest,) in db.execute(
        "SELECT last_commit FROM change ORDER BY last_commit DESC LIMIT 1 OFFSET ?",
        [max(_LEAST, int(_SHARE * works))],
    ).fetchall():
        db.execute("DELETE FROM change WHERE last_commit <= ?", [oldest])
        db.execute("DELETE FROM commits WHERE number < ?", [oldest])
    return commit


def changed_since(db: sqlite3.Connection, state: str | None) -> ChangesSince:
    """Return what changed since a state: everything, if it is None or not one of this store."""
    commits = {f"{no}-{mark}": no for no, mark in db.execute("SELECT * FROM commits ORDER BY 1")}
    *_, now = commits
    if state not in commits:
        return ChangesSince(now)
    rows = db.execute(_SINCE, [commits[state]]).fetchall()
    return ChangesSince(
        now,
        frozenset(id_ for id_, is_there in rows if is_there),
        frozenset(id_ for id_, is_there in rows if not is_there),
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
        told = number, self._started, _now(), generation, self._initial
        build = Build(*told, papers, entities, edges, len(self._updated))
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
            things = self._db.execute(query, [value]).fetchall()
            return Sample(len(things), tuple(things[:MOST_LISTED]))

        works = [
            Difference(sampled(_WORKS_ADDED, type_), sampled(_WORKS_REMOVED, type_))
            for type_ in WorkType
        ]
        edges = Difference(sampled(_EDGES.format(""), 0), sampled(_EDGES.format("NOT"), 1))
        return [*works, edges]


def _now() -> str:
    return datetime.now(UTC).strftime("%Y-%m-%dT%H:%M:%SZ")
