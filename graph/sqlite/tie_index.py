"""The ties of an index: what connects names, so that a change is linked with few of them."""

import json
import sqlite3
from bisect import insort
from collections import Counter, defaultdict
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping
from heapq import nsmallest

from stemma.graph.linking import Name, PaperNames
from stemma.graph.linking.scope import Certainly, Ids, LinkedGraph
from stemma.graph.linking.sense import TELLING_PAPERS
from stemma.graph.linking.ties import Tie, TieFinder, forms_beyond
from stemma.graph.sqlite.record_index import code_of
from stemma.schema import Catalogue, EntityKind, Fact, RelationType

_TABLES = """
    CREATE TABLE IF NOT EXISTS tie (
        code INTEGER NOT NULL, paper INTEGER NOT NULL, PRIMARY KEY (code, paper)
    ) WITHOUT ROWID;
    CREATE TABLE IF NOT EXISTS concept_form (
        concept INTEGER NOT NULL,
        form TEXT NOT NULL,
        linked INTEGER NOT NULL,
        certain INTEGER NOT NULL,
        PRIMARY KEY (concept, form)
    ) WITHOUT ROWID;
    CREATE TABLE IF NOT EXISTS telling (
        concept INTEGER NOT NULL, paper INTEGER NOT NULL, PRIMARY KEY (concept, paper)
    ) WITHOUT ROWID
"""
"""Ties by their codes; by concepts (codes of their ids), how many uses have the forms that the
catalogue lacks, of those linked and of those certain; and the first papers that are certain."""
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
_LAYOUT = 2
"""The number of the layout of what is kept here: what another one wrote is made again."""
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
        for table in _TABLES.split(";"):  # In the transaction: executescript would end that.
            db.execute(table)
        self._telling = _TellingPapers(db)
        self._forms: dict[str, Counter[tuple[str, str]]] = defaultdict(Counter)
        self._key = f"{_LAYOUT} {catalogue.fingerprint}"
        kept = db.execute("SELECT value FROM meta WHERE key = 'ties'").fetchone()
        papers = db.execute("SELECT 1 FROM paper LIMIT 1").fetchone()
        self.complete = papers is None or kept == (self._key,)

    def tied(self, tie: str) -> Iterable[str]:
        rows = self._db.execute(
            "SELECT id FROM tie JOIN work ON no = paper WHERE code = ?", [code_of(tie)]
        )
        return (id_ for (id_,) in rows)

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

    def certain_forms(self, concept: str) -> Mapping[str, int]:
        return self._forms_of(concept, "certain")

    def linked_forms(self, concept: str) -> Mapping[str, int]:
        return self._forms_of(concept, "linked")

    def _forms_of(self, concept: str, uses: str) -> Mapping[str, int]:
        return dict(
            self._db.execute(
                f"SELECT form, {uses} FROM concept_form WHERE concept = ? AND {uses} > 0",
                [code_of(concept)],
            )
        )

    def telling(self, concept: str) -> Collection[str]:
        return self._telling.of(concept)

    def has_concept(self, id_: str) -> bool:
        found = self._db.execute(
            "SELECT 1 FROM concept WHERE work = (SELECT no FROM work WHERE id = ?)", [id_]
        )
        return found.fetchone() is not None

    def concepts(self) -> Collection[str]:
        rows = self._db.execute("SELECT id FROM concept JOIN work ON no = work")
        return [id_ for (id_,) in rows]

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

    def clear(self, paper: str) -> None:
        """Take out the ties of a paper."""
        if self.complete:
            for names, ids in self.named([paper]).values():
                self._db.executemany(
                    "DELETE FROM tie WHERE code = ? AND paper = ?", self._rows(names, ids)
                )
                self._note(names, ids, -1)

    def put(self, names: PaperNames, ids: Ids) -> None:
        """Add the ties of a paper."""
        if self.complete:
            self._db.executemany("INSERT OR IGNORE INTO tie VALUES (?, ?)", self._rows(names, ids))
            self._note(names, ids, 1)

    def _note(self, names: PaperNames, ids: Ids, uses: int) -> None:
        """Note what concepts are called by one paper more, or less."""
        certainly = Certainly([names], self._catalogue)
        for concept, forms in certainly.forms.items():
            for form in forms.elements():
                self._forms[concept]["certain", form] += uses
        for concept in certainly.papers:
            (self._telling.add if uses > 0 else self._telling.remove)(concept, names.paper)
        for name in names.names:
            if linked := self._catalogue.concepts.get(ids[name.name]):
                for form in forms_beyond(linked, name):
                    self._forms[linked.id]["linked", form] += uses

    def finish(self) -> None:
        """Write all, or make it again if it is not complete."""
        if not self.complete:
            self.complete = True
            for table in ("tie", "concept_form", "telling"):
                self._db.execute(f"DELETE FROM {table}")
            rows = self._db.execute(
                "SELECT id, date_order, names FROM paper JOIN work ON no = work"
            ).fetchall()
            for row in rows:
                self.put(*read_names(*row))
        self._write_forms()
        self._telling.write(self._numbers, self.tied)
        self._db.execute(_META, [self._key])

    def _write_forms(self) -> None:
        for concept, changes in sorted(self._forms.items()):
            code = code_of(concept)
            for (kind, form), uses in sorted(changes.items()):
                self._db.execute(
                    "INSERT INTO concept_form VALUES (?, ?, ?, ?) ON CONFLICT DO UPDATE SET "
                    "linked = linked + excluded.linked, certain = certain + excluded.certain",
                    [code, form, *((uses, 0) if kind == "linked" else (0, uses))],
                )
            self._db.execute(
                "DELETE FROM concept_form WHERE concept = ? AND linked = 0 AND certain = 0", [code]
            )
        self._forms.clear()

    def _rows(self, names: PaperNames, ids: Ids) -> list[tuple[int, int]]:
        ties = self._finder.ties_of(names, ids).values()
        number = self._numbers[names.paper]
        return [(code_of(each), number) for each in sorted(frozenset().union(*ties))]


class _TellingPapers:
    """The first papers (ids) that certainly are about a concept, by concept (id)."""

    def __init__(self, db: sqlite3.Connection) -> None:
        self._db = db
        self._before: dict[str, dict[str, int]] = {}
        self._now: dict[str, list[str]] = {}
        self._lost: dict[str, set[str]] = defaultdict(set)

    def of(self, concept: str) -> list[str]:
        """Return those of a concept, in order."""
        if concept not in self._now:
            rows = self._db.execute(
                "SELECT id, no FROM telling JOIN work ON no = paper WHERE concept = ? ORDER BY id",
                [code_of(concept)],
            )
            self._before[concept] = dict(rows)
            self._now[concept] = list(self._before[concept])
        return self._now[concept]

    def add(self, concept: str, paper: str) -> None:
        """Note that a paper is certain of a concept."""
        known = self.of(concept)
        self._lost[concept].discard(paper)
        if len(known) < TELLING_PAPERS or paper < known[-1]:
            if paper not in known:
                insort(known, paper)
            del known[TELLING_PAPERS:]

    def remove(self, concept: str, paper: str) -> None:
        """Note that a paper is not any more, or is about to be written again."""
        if paper in self.of(concept):
            self._lost[concept].add(paper)

    def write(self, numbers: Mapping[str, int], tied: Callable[[str], Iterable[str]]) -> None:
        """Write what differs; `tied` returns the papers that have a tie."""
        for concept in sorted(self._now):
            if self._lost[concept]:
                papers = tied(Tie.CERTAIN.to(concept))
                self._now[concept] = nsmallest(TELLING_PAPERS, papers)
            before, now, code = self._before[concept], set(self._now[concept]), code_of(concept)
            self._db.executemany(
                "DELETE FROM telling WHERE concept = ? AND paper = ?",
                [(code, number) for each, number in before.items() if each not in now],
            )
            self._db.executemany(
                "INSERT INTO telling VALUES (?, ?)",
                [(code, numbers[each]) for each in sorted(now.difference(before))],
            )
        self._before, self._now = {}, {}
        self._lost.clear()


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
