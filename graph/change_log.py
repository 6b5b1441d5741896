"""The log of changes: what each commit changed in a store, for what is kept up to date beside it.

It says of each id when it last changed or went, and forgets the oldest commits where it would grow
beyond a share of the graph: whoever has not followed since then has to begin anew.
"""

import sqlite3
from collections.abc import Collection, Mapping
from typing import NamedTuple

_TABLES = (
    """
    CREATE TABLE IF NOT EXISTS change (
        id TEXT PRIMARY KEY, commit_number INTEGER NOT NULL, gone INTEGER NOT NULL, successor TEXT
    ) WITHOUT ROWID
    """,
    "CREATE TABLE IF NOT EXISTS change_begin (commit_number INTEGER NOT NULL)",
)
_LEAST = 2000
_SHARE = 0.05
"""Ids that are kept, as a share of the works of the graph, but at least so many."""


class Changed(NamedTuple):
    """Ids of papers, entities and people that changed, and those that are gone with what took
    their place, if anything did."""

    ids: set[str]
    gone: dict[str, str | None]


def record(
    db: sqlite3.Connection, commit: int, changed: Collection[str], gone: Mapping[str, str | None]
) -> None:
    """Note what a commit, which is being made, changes."""
    for table in _TABLES:
        db.execute(table)
    if not db.execute("SELECT 1 FROM change_begin").fetchone():
        db.execute("INSERT INTO change_begin VALUES (?)", [commit - 1])
    ((works,),) = db.execute("SELECT COUNT(*) FROM work")
    most = max(_LEAST, int(_SHARE * works))
    if len(changed) + len(gone) > most:
        db.execute("DELETE FROM change")
        db.execute("UPDATE change_begin SET commit_number = ?", [commit])
        return
    rows = [
        *((id_, commit, 0, None) for id_ in sorted(set(changed).difference(gone))),
        *((id_, commit, 1, successor) for id_, successor in sorted(gone.items())),
    ]
    db.executemany("INSERT OR REPLACE INTO change VALUES (?, ?, ?, ?)", rows)
    ((held,),) = db.execute("SELECT COUNT(*) FROM change")
    if held > most:
        ((oldest,),) = db.execute(
            "SELECT commit_number FROM change ORDER BY commit_number LIMIT 1 OFFSET ?",
            [held - most - 1],
        )
        db.execute("DELETE FROM change WHERE commit_number <= ?", [oldest])
        db.execute("UPDATE change_begin SET commit_number = ?", [oldest])


def changed_since(db: sqlite3.Connection, commit: int) -> Changed | None:
    """Return what changed after a commit, None where the log does not reach back to it."""
    begin = db.execute("SELECT commit_number FROM change_begin").fetchone()
    if begin is None or commit < begin[0]:
        return None
    changed = Changed(set(), {})
    for id_, gone, successor in db.execute(
        "SELECT id, gone, successor FROM change WHERE commit_number > ?", [commit]
    ):
        if gone:
            changed.gone[id_] = successor
        else:
            changed.ids.add(id_)
    return changed
