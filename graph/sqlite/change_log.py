"""The change log: which works and people each commit to a store changed, and which are gone.

A projection of the graph asks it for what changed since its own state, which is named by a text
such as ``12-9f86d081884c7d65``: the number of a commit, and a digest of all commits until then, by
which a state of another store is told apart from one of this.
"""

import json
import sqlite3
from collections.abc import Collection, Mapping
from hashlib import blake2b

from stemma.graph.changes import ChangesSince

# Within a trigger, "OR IGNORE" would give way to what the statement outside says of conflicts.
_TOUCH = "INSERT INTO touched {} ON CONFLICT DO NOTHING"
_OF_WORK = _TOUCH.format("SELECT id FROM work WHERE no = {}")
_NEW, _OLD = _TOUCH.format("VALUES (new.id)"), _TOUCH.format("VALUES (old.id)")
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
    ("paper", "AFTER INSERT", "", _OF_WORK.format("new.work")),
    ("paper", "AFTER UPDATE", "", _OF_WORK.format("new.work")),
    ("person", "AFTER INSERT", "", _NEW),
    ("person", "AFTER UPDATE", "", _NEW),
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

_LEAST = 2000
_SHARE = 0.05
"""Ids that the log holds, as a share of the works of the graph, but at least so many."""


def watch(db: sqlite3.Connection) -> None:
    """Note from now on, on this connection, what is touched, for `touched`."""
    db.execute("CREATE TEMP TABLE IF NOT EXISTS touched (id TEXT PRIMARY KEY) WITHOUT ROWID")
    db.execute("DELETE FROM touched")
    for number, (table, when, condition, statement) in enumerate(_TOUCHING):
        db.execute(
            f"CREATE TEMP TRIGGER IF NOT EXISTS touch_{number} {when} ON main.{table} {condition} "
            f"BEGIN {statement}; END"
        )


def touched(db: sqlite3.Connection) -> set[str]:
    """Return the ids of the works and people that were touched since `watch`, gone or not."""
    return {id_ for (id_,) in db.execute("SELECT id FROM touched")}


def record(
    db: sqlite3.Connection,
    commit: int,
    changed_ids: Collection[str] | None,
    gone_with_successor: Mapping[str, str | None],
    content: bytes = b"",
) -> None:
    """Record a commit, within the transaction that makes it.

    `changed_ids` are of works and people that are there; None where the commit wrote everything.
    `content` is a digest of what was written, so that equal ids with other contents differ. Where
    the log would grow beyond a share of the graph, its oldest commits are forgotten.
    """
    ((works,),) = db.execute("SELECT COUNT(*) FROM work")
    most = max(_LEAST, int(_SHARE * works))
    if changed_ids is not None and len(changed_ids) + len(gone_with_successor) > most:
        changed_ids = None
    before = db.execute("SELECT mark FROM change_commit ORDER BY no DESC LIMIT 1").fetchone()
    ids = None if changed_ids is None else sorted(changed_ids)
    told = json.dumps([before and before[0], commit, ids, sorted(gone_with_successor)])
    mark = blake2b(told.encode() + content, digest_size=8).hexdigest()
    if ids is None:  # The log reaches back to here.
        db.execute("DELETE FROM change_commit")
        db.execute("DELETE FROM change")
    db.execute("INSERT INTO change_commit VALUES (?, ?)", [commit, mark])
    db.executemany(
        "INSERT OR REPLACE INTO change VALUES (?, ?, 0, NULL)",
        [(id_, commit) for id_ in ids or ()],
    )
    db.executemany(
        "INSERT OR REPLACE INTO change VALUES (?, ?, 1, ?)",
        [(id_, commit, successor) for id_, successor in sorted(gone_with_successor.items())],
    )
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
