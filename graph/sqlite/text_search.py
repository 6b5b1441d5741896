"""The full-text index of titles and abstracts: FTS5, which ranks papers by their words."""

import sqlite3
from collections.abc import Callable, Iterable, Sequence
from typing import Any

from stemma.graph.filters import EVERYTHING, WorkFilter
from stemma.graph.ranking import STATED, Topic, strengths
from stemma.graph.sqlite.paper_record import paper_in
from stemma.graph.sqlite.selection import paper_condition

_TITLE, _ABSTRACT = 4.0, 1.0
"""How much a word in a title counts, and one in an abstract."""
_MOST_PHRASES = 40
_STATED = """
SELECT DISTINCT id FROM statement JOIN work ON no = subject
WHERE entity IN (SELECT no FROM work WHERE id IN ({})) AND origin IS NOT NULL
"""
_ROW = "INSERT INTO text (rowid, title, abstract) VALUES (?, ?, ?)"
_REMOVAL = "INSERT INTO text (text, rowid, title, abstract) VALUES ('delete', ?, ?, ?)"


def put_text(db: sqlite3.Connection, number: int, title: str, abstract: str) -> None:
    """Add a paper to the index."""
    db.execute(_ROW, [number, title, abstract])


def remove_text(db: sqlite3.Connection, number: int) -> None:
    """Take a paper out of the index, while its record is still there: the index holds no texts."""
    for (record,) in db.execute("SELECT extraction FROM record WHERE paper = ?", [number]):
        paper = paper_in(record)
        db.execute(_REMOVAL, [number, paper.title, paper.abstract])


def about(
    rows: Callable[[str, Sequence[Any]], Iterable[Sequence[Any]]], topic: Topic, chosen: WorkFilter
) -> dict[str, float]:
    """Return the papers (ids) about a topic that pass a filter, with how much, from 0 to 1.

    `rows` queries the store.
    """
    condition, values = paper_condition(chosen) if chosen != EVERYTHING else ("TRUE", [])
    found: dict[str, float] = {}
    if topic.phrases:
        # bm25 is the less the better.
        texts = rows(
            f"SELECT id, -bm25(text, {_TITLE}, {_ABSTRACT}) FROM text JOIN work ON no = text.rowid "
            f"WHERE text MATCH ? AND {condition}",
            [" OR ".join(map(_quoted, topic.phrases[:_MOST_PHRASES])), *values],
        )
        found = strengths((id_, score) for id_, score in texts)
    if topic.entities:
        places = ",".join("?" * len(topic.entities))
        stated = rows(f"{_STATED.format(places)} AND {condition}", [*topic.entities, *values])
        for (id_,) in stated:
            found[id_] = max(STATED, found.get(id_, 0.0))
    return found


def _quoted(phrase: str) -> str:
    return '"{}"'.format(phrase.replace("\0", " ").replace('"', '""'))
