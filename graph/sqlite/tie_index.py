"""The ties of an index: what connects names, so that a change is linked with few of them."""

import json
import sqlite3
from collections.abc import Collection, Iterable, Iterator, Mapping
from functools import cached_property

from stemma.graph.linking import Name, PaperNames
from stemma.graph.linking.scope import Ids, LinkedGraph
from stemma.graph.linking.ties import TieFinder
from stemma.graph.sqlite.record_index import code_of
from stemma.schema import Catalogue, EntityKind, Fact, RelationType

_TABLE = """
    CREATE TABLE IF NOT EXISTS tie (
        code INTEGER NOT NULL, paper INTEGER NOT NULL, PRIMARY KEY (code, paper)
    ) WITHOUT ROWID
"""
FACTS = """
    SELECT s.id, relation, e.id FROM statement JOIN work s ON s.no = subject
    JOIN work e ON e.no = entity WHERE parts = '' {}
"""
"""The facts of the catalogue: those of a subject, or all."""
_OF_CATALOGUE = """
    AND s.no IN (
        SELECT work FROM concept UNION SELECT no FROM work WHERE id IN (
            SELECT json_each.value FROM meta, json_each(meta.value) WHERE meta.key = 'former'
        )
    )
"""
"""What is in the catalogue, or was merged with what is: facts are about these alone."""
_META = "INSERT OR REPLACE INTO meta VALUES ('ties', ?)"
_KINDS = {kind.value: kind for kind in EntityKind}
_AT_ONCE = 500


class TieIndex(LinkedGraph):
    """Keeps the ties of the names in an index, which depend on a catalogue.

    `numbers` are those of works by their ids. `complete` is false where the index was written
    without ties, or with another catalogue: then they are made again.
    """

    def __init__(
        self, db: sqlite3.Connection, numbers: Mapping[str, int], catalogue: Catalogue
    ) -> None:
        self._db, self._numbers, self._catalogue = db, numbers, catalogue
        self._finder = TieFinder(catalogue)
        db.execute(_TABLE)
        kept = db.execute("SELECT value FROM meta WHERE key = 'ties'").fetchone()
        papers = db.execute("SELECT 1 FROM paper LIMIT 1").fetchone()
        self.complete = papers is None or kept == (catalogue.fingerprint,)

    def tied(self, tie: str) -> Iterable[str]:
        return [
            id_
            for (id_,) in self._db.execute(
                "SELECT id FROM tie JOIN work ON no = paper WHERE code = ? ORDER BY id",
                [code_of(tie)],
            )
        ]

    def named(self, papers: Collection[str]) -> Mapping[str, tuple[PaperNames, Ids]]:
        found, waiting = {}, sorted(papers)
        for start in range(0, len(waiting), _AT_ONCE):
            some = waiting[start : start + _AT_ONCE]
            for id_, date, stored in self._db.execute(
                "SELECT id, date_order, names FROM work JOIN paper ON work = no "
                f"WHERE id IN ({','.join('?' * len(some))})",
                some,
            ):
                found[id_] = read_names(id_, date, stored)
        return found

    def concepts(self) -> Collection[str]:
        return self._concepts

    def facts(self) -> Collection[Fact]:
        return set(read_facts(self._db.execute(FACTS.format(_OF_CATALOGUE))))

    def former(self) -> Mapping[str, str]:
        row = self._db.execute("SELECT value FROM meta WHERE key = 'former'").fetchone()
        former: dict[str, str] = json.loads(row[0]) if row else {}
        return former

    def called(self, key: str) -> Collection[str]:
        rows = self._db.execute(
            "SELECT DISTINCT id FROM spelling JOIN work ON work = no "
            "WHERE key = ? AND type = 'entity'",
            [key],
        )
        return [id_ for (id_,) in rows]

    def has(self, tie: str) -> bool:
        found = self._db.execute("SELECT 1 FROM tie WHERE code = ? LIMIT 1", [code_of(tie)])
        return found.fetchone() is not None

    @cached_property
    def _concepts(self) -> frozenset[str]:
        rows = self._db.execute("SELECT id FROM concept JOIN work ON no = work")
        return frozenset(id_ for (id_,) in rows)

    def clear(self, paper: str) -> None:
        """Take out the ties of a paper."""
        if self.complete:
            for names, ids in self.named([paper]).values():
                self._db.executemany(
                    "DELETE FROM tie WHERE code = ? AND paper = ?", self._rows(names, ids)
                )

    def put(self, names: PaperNames, ids: Ids) -> None:
        """Add the ties of a paper."""
        if self.complete:
            self._db.executemany("INSERT OR IGNORE INTO tie VALUES (?, ?)", self._rows(names, ids))

    def finish(self) -> None:
        """Make all ties again, if they are not complete."""
        if not self.complete:
            self.complete = True
            self._db.execute("DELETE FROM tie")
            rows = self._db.execute(
                "SELECT id, date_order, names FROM paper JOIN work ON no = work"
            ).fetchall()
            for row in rows:
                self.put(*read_names(*row))
        self._db.execute(_META, [self._catalogue.fingerprint])

    def _rows(self, names: PaperNames, ids: Ids) -> list[tuple[int, int]]:
        ties = self._finder.ties_of(names, ids).values()
        number = self._numbers[names.paper]
        return [(code_of(each), number) for each in sorted(frozenset().union(*ties))]


def read_facts(rows: Iterable[tuple[str, str, str]]) -> Iterator[Fact]:
    """Read the facts in rows of `FACTS`."""
    for subject, relation, entity in rows:
        yield Fact(subject, RelationType(relation), entity)


def read_names(id_: str, date: str, stored: str) -> tuple[PaperNames, dict[str, str]]:
    """Read what linking needs of a paper from a row of the index, and the ids of its names."""
    names, ids = [], {}
    for name, kind, concept, forms, introduced, titled, entity in json.loads(stored):
        names.append(Name(name, _KINDS[kind], concept, tuple(forms), introduced, titled))
        ids[name] = entity
    year, month, day = map(int, date.split("-"))
    return PaperNames(id_, (year, month, day), tuple(names)), ids


def read_ids(stored: str) -> dict[str, str]:
    """Read the ids of a paper's names from a row of the index."""
    return {name: entity for name, *_, entity in json.loads(stored)}
