"""What a build adds and removes: works and edges as they were before it first touched them.

Triggers note them in temporary tables of the connection that writes, which a transaction that fails
takes back as well. Works go after the edges between them.
"""

import sqlite3

from stemma.graph.history import Difference, sample
from stemma.graph.store import WorkType

_TABLES = """
CREATE TEMP TABLE touched_work (id TEXT PRIMARY KEY, type TEXT, name TEXT) WITHOUT ROWID;
CREATE TEMP TABLE touched_edge (child TEXT, parent TEXT, was INTEGER, PRIMARY KEY (child, parent))
    WITHOUT ROWID;
CREATE TEMP TRIGGER work_added AFTER INSERT ON main.work BEGIN
    INSERT OR IGNORE INTO touched_work VALUES (new.id, NULL, NULL);
END;
CREATE TEMP TRIGGER work_renamed BEFORE UPDATE OF name ON main.work WHEN old.name <> new.name BEGIN
    INSERT OR IGNORE INTO touched_work VALUES (old.id, old.type, old.name);
END;
CREATE TEMP TRIGGER work_removed BEFORE DELETE ON main.work BEGIN
    INSERT OR IGNORE INTO touched_work VALUES (old.id, old.type, old.name);
END;
CREATE TEMP TRIGGER edge_added AFTER INSERT ON main.edge BEGIN
    INSERT OR IGNORE INTO touched_edge SELECT c.id, p.id, 0 FROM work c, work p
    WHERE c.no = new.child AND p.no = new.parent;
END;
CREATE TEMP TRIGGER edge_removed AFTER DELETE ON main.edge BEGIN
    INSERT OR IGNORE INTO touched_edge SELECT c.id, p.id, 1 FROM work c, work p
    WHERE c.no = old.child AND p.no = old.parent;
END;
"""
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


class Touched:
    """Notes what is touched through a connection from now on."""

    def __init__(self, db: sqlite3.Connection) -> None:
        self._db = db
        db.executescript(_TABLES)  # Which would end a transaction: none is open yet.

    def differences(self) -> dict[str, Difference]:
        """Return how papers, entities and edges differ from what there was."""

        def works(type_: WorkType) -> Difference:
            added = self._db.execute(_WORKS_ADDED, [type_.value]).fetchall()
            return Difference(
                sample(added), sample(self._db.execute(_WORKS_REMOVED, [type_.value]).fetchall())
            )

        return {
            "papers": works(WorkType.PAPER),
            "entities": works(WorkType.ENTITY),
            "edges": Difference(
                sample(self._db.execute(_EDGES.format(""), [0]).fetchall()),
                sample(self._db.execute(_EDGES.format("NOT"), [1]).fetchall()),
            ),
        }
