"""The ties of an index: what connects names, so that a change is linked with few of them."""

import json
import sqlite3
from bisect import insort
from collections import Counter, defaultdict
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping
from dataclasses import dataclass
from heapq import nsmallest
from typing import NamedTuple

import orjson

from stemma.graph.linking import Name, PaperNames, dated
from stemma.graph.linking.known_name import certain_concept
from stemma.graph.linking.scope import Ids, LinkedGraph
from stemma.graph.linking.sense import TELLING_PAPERS
from stemma.graph.linking.ties import (
    Tie,
    TieFinder,
    code_of,
    code_of_use,
    forms_beyond,
    is_by_name,
)
from stemma.graph.sqlite.paper_record import plain
from stemma.schema import Catalogue, EntityKind, Fact, RelationType
from stemma.schema.partial_date import UNDATED

_TABLES = """
    CREATE TABLE IF NOT EXISTS tie (
        code INTEGER NOT NULL,
        spare INTEGER NOT NULL,
        paper INTEGER NOT NULL,
        PRIMARY KEY (code, spare, paper)
    ) WITHOUT ROWID;
    CREATE TABLE IF NOT EXISTS naming (
        code INTEGER PRIMARY KEY, papers INTEGER NOT NULL, first INTEGER NOT NULL
    );
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
"""Ties by their codes. Where papers use a name in the same way and mean the same (`naming`), the
first of them stands for all, and the rows of the others are `spare`. By concepts (codes of their
ids), how many uses, of those linked and of those certain, have the forms that the catalogue lacks;
and the first papers that certainly name it."""
FACTS = """
    SELECT s.id, relation, e.id FROM statement JOIN work s ON s.no = subject
    JOIN work e ON e.no = entity WHERE origin IS NULL {}
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
"""The number of the layout of what is kept here: what another one wrote is rebuilt."""
_Age = tuple[tuple[int, int, int], str]
"""Orders papers by their dates, then by their ids."""
_KINDS = {kind.value: kind for kind in EntityKind}
_AT_ONCE = 500
_MOST_REMEMBERED = 100_000


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
        self._key = f"{_LAYOUT} {catalogue.fingerprint}"
        kept = db.execute("SELECT value FROM meta WHERE key = 'ties'").fetchone()
        papers = db.execute("SELECT 1 FROM paper LIMIT 1").fetchone()
        self.complete = papers is None or kept == (self._key,)
        if not self.complete:
            for name in ("tie", "naming", "concept_form", "telling"):
                db.execute(f"DROP TABLE IF EXISTS {name}")
        for table in _TABLES.split(";"):  # In the transaction: executescript would end that.
            db.execute(table)
        self._telling = _TellingPapers(db)
        self._namings = _Namings(db)
        self._forms: Counter[tuple[str, str, str]] = Counter()
        self._found: dict[tuple[Name, str], _Kept] = {}

    def tied(self, tie: str) -> Iterable[str]:
        rows = self._db.execute(
            "SELECT id FROM tie JOIN work ON no = paper WHERE code = ?", [code_of(tie)]
        )
        return (id_ for (id_,) in rows)

    def standing_for(self, tie: str) -> Iterable[str]:
        rows = self._db.execute(
            "SELECT id FROM tie JOIN work ON no = paper WHERE code = ? AND spare = 0",
            [code_of(tie)],
        )
        return (id_ for (id_,) in rows)

    def uses_like(self, paper: PaperNames, name: Name, id_: str) -> int:
        return self._namings.papers_of(code_of_use(name, id_), self._numbers[paper.paper])

    def named(self, papers: Collection[str]) -> Mapping[str, tuple[PaperNames, Ids]]:
        found, waiting = {}, sorted(papers)
        for start in range(0, len(waiting), _AT_ONCE):
            some = waiting[start : start + _AT_ONCE]
            for id_, date, stored in self._db.execute(
                "SELECT id, date_order, names FROM work JOIN paper ON work = no "
                f"WHERE id IN ({','.join('?' * len(some))})",
                some,
            ):
                names, ids = read_names(id_, date, stored)
                found[id_] = dated(names, self._catalogue), ids
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

    def having(self, ties: Iterable[str]) -> set[str]:
        codes = {code_of(tie): tie for tie in ties}
        rows = self._db.execute(
            "SELECT value FROM json_each(?) WHERE EXISTS (SELECT 1 FROM tie WHERE code = value)",
            [json.dumps(list(codes))],
        )
        return {codes[code] for (code,) in rows}

    def clear(self, paper: str) -> None:
        """Take out the ties of a paper."""
        if self.complete:
            number, codes = self._numbers[paper], set[int]()
            for names, ids in self.named([paper]).values():
                for name in names.names:
                    kept = self._kept_of(names, name, ids[name.name])
                    codes.update(kept.codes)
                    if kept.naming is not None:
                        self._namings.remove(kept.naming, number, name, ids[name.name])
                    if kept.certain:
                        self._telling.remove(kept.certain, paper)
                    for form in kept.forms:
                        self._forms[form] -= 1
            self._db.executemany(
                "DELETE FROM tie WHERE code = ? AND spare IN (0, 1) AND paper = ?",
                [(code, number) for code in codes],
            )

    def put(self, names: PaperNames, ids: Ids) -> None:
        """Add the ties of a paper."""
        if self.complete:
            names = dated(names, self._catalogue)
            number, age = self._numbers[names.paper], (names.published, names.paper)
            spare: dict[int, bool] = {}
            for name in names.names:
                kept = self._kept_of(names, name, ids[name.name])
                stands = kept.naming is None or self._namings.add(kept.naming, number, age)
                for code in kept.codes:
                    spare[code] = spare.get(code, True) and not stands
                if kept.certain:
                    self._telling.add(kept.certain, names.paper)
                for form in kept.forms:
                    self._forms[form] += 1
            self._db.executemany(
                "INSERT OR IGNORE INTO tie VALUES (?, ?, ?)",
                [(code, spare[code], number) for code in sorted(spare)],
            )

    def _kept_of(self, paper: PaperNames, name: Name, id_: str) -> "_Kept":
        """Return what is kept of a name, which means `id_`; often that of many papers."""
        found = self._found.get((name, id_))
        if found is None:
            if len(self._found) >= _MOST_REMEMBERED:
                self._found.clear()
            found = self._find(paper, name, id_)
            if not name.introduced:
                self._found[name, id_] = found
        return found

    def _find(self, paper: PaperNames, name: Name, id_: str) -> "_Kept":
        certain, linked = certain_concept(name, self._catalogue), self._catalogue.concepts.get(id_)
        forms = (
            [("certain", certain.id, form) for form in forms_beyond(certain, name.forms)]
            if certain
            else []
        )
        if linked:
            forms += [("linked", id_, form) for form in forms_beyond(linked, name.forms)]
        return _Kept(
            tuple(map(code_of, self._finder.find(paper, name, id_))),
            None if name.introduced else code_of_use(name, id_),
            certain.id if certain else None,
            tuple(forms),
        )

    def finish(self) -> None:
        """Write all, or make it again if it is not complete."""
        if not self.complete:
            self.complete = True
            rows = self._db.execute(
                "SELECT id, date_order, names FROM paper JOIN work ON no = work"
            ).fetchall()
            for row in rows:
                self.put(*read_names(*row))
        self._find_first()
        self._namings.write()
        self._write_forms()
        self._telling.write(self._numbers, self.tied)
        self._db.execute(_META, [self._key])

    def _find_first(self) -> None:
        """Make the first remaining paper stand for those whose first one is gone."""
        for naming, (name, id_) in self._namings.without_first():
            ties = self._finder.find(PaperNames("", UNDATED, (name,)), name, id_)
            papers = self.named(set(self.tied(min(ties, key=_is_of_many)))).values()
            age, number = min(
                ((each.published, each.paper), self._numbers[each.paper])
                for each, ids in papers
                for other in each.names
                if not other.introduced and code_of_use(other, ids[other.name]) == naming
            )
            self._namings.set_first(naming, number, age)
            self._db.executemany(
                "UPDATE OR REPLACE tie SET spare = 0 WHERE code = ? AND spare = 1 AND paper = ?",
                [(code_of(tie), number) for tie in ties],
            )

    def _write_forms(self) -> None:
        for (kind, concept, form), uses in sorted(self._forms.items()):
            self._db.execute(
                "INSERT INTO concept_form VALUES (?, ?, ?, ?) ON CONFLICT DO UPDATE SET "
                "linked = linked + excluded.linked, certain = certain + excluded.certain",
                [code_of(concept), form, *((uses, 0) if kind == "linked" else (0, uses))],
            )
        self._db.executemany(
            "DELETE FROM concept_form WHERE concept = ? AND linked = 0 AND certain = 0",
            [(code_of(concept),) for concept in {concept for _, concept, _ in self._forms}],
        )
        self._forms.clear()


class _Kept(NamedTuple):
    """What is kept of a name: codes of ties and of how it is used, the concept (an id) that it
    certainly is, and its forms as they are counted."""

    codes: tuple[int, ...]
    naming: int | None
    certain: str | None
    forms: tuple[tuple[str, str, str], ...]


@dataclass(slots=True)
class _Naming:
    """Uses that are the same: the number of papers, and the first of them, with its age."""

    papers: int
    first: int
    age: _Age | None


class _Namings:
    """How many papers use names in the same ways (codes), and which are the first."""

    def __init__(self, db: sqlite3.Connection) -> None:
        self._db = db
        self._is_empty = db.execute("SELECT 1 FROM naming LIMIT 1").fetchone() is None
        self._found: dict[int, _Naming] = {}
        self._lost: dict[int, tuple[int, _Age, Name, str]] = {}

    def papers_of(self, naming: int, first: int) -> int:
        """Return how many papers use a name in this way, 0 if the number is not of the first."""
        rows = self._db.execute(
            "SELECT papers FROM naming WHERE code = ? AND first = ?", [naming, first]
        )
        return sum(papers for (papers,) in rows)

    def _of(self, naming: int) -> _Naming:
        if naming not in self._found:
            row = None
            if not self._is_empty:
                row = self._db.execute(
                    "SELECT naming.papers, first, date_order, id "
                    "FROM naming JOIN work ON no = first WHERE code = ?",
                    [naming],
                ).fetchone()
            self._found[naming] = (
                _Naming(row[0], row[1], (read_date(row[2]), row[3])) if row else _Naming(0, 0, None)
            )
        return self._found[naming]

    def add(self, naming: int, paper: int, age: _Age) -> bool:
        """Note one paper more. Return whether it stands for the others now."""
        found = self._of(naming)
        found.papers += 1
        if (lost := self._lost.get(naming)) and lost[0] == paper and age <= lost[1]:
            del self._lost[naming]
        if found.age is None or age <= found.age:
            found.first, found.age = paper, age
            return True
        return False

    def remove(self, naming: int, paper: int, name: Name, id_: str) -> None:
        """Note that a paper does not any more, or is about to be written again."""
        found = self._of(naming)
        found.papers -= 1
        if found.first == paper and found.age is not None:
            self._lost[naming] = (paper, found.age, name, id_)
            found.age = None

    def without_first(self) -> list[tuple[int, tuple[Name, str]]]:
        """Return those whose first paper is gone, with the name and what it means (an id)."""
        return [
            (naming, (name, id_))
            for naming, (_, _, name, id_) in self._lost.items()
            if self._found[naming].papers
        ]

    def set_first(self, naming: int, paper: int, age: _Age) -> None:
        """Set the paper that stands for the others."""
        self._found[naming].first, self._found[naming].age = paper, age

    def write(self) -> None:
        """Write what was noted."""
        self._db.executemany(
            "INSERT OR REPLACE INTO naming VALUES (?, ?, ?)",
            [
                (naming, each.papers, each.first)
                for naming, each in sorted(self._found.items())
                if each.papers
            ],
        )
        self._db.executemany(
            "DELETE FROM naming WHERE code = ?",
            [(naming,) for naming, each in sorted(self._found.items()) if not each.papers],
        )
        self._found.clear()
        self._lost.clear()
        self._is_empty = False


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


def read_names(id_: str, date: str, stored: bytes) -> tuple[PaperNames, dict[str, str]]:
    """Read what linking needs of a paper from a row of the index, and the ids of its names."""
    names, ids = [], {}
    for name, kind, concept, forms, introduced, titled, entity in orjson.loads(plain(stored)):
        names.append(Name(name, _KINDS[kind], concept, tuple(forms), introduced, titled))
        ids[name] = entity
    return PaperNames(id_, read_date(date), tuple(names)), ids


def read_date(order: str) -> tuple[int, int, int]:
    """Read the date of a paper from a row of the index."""
    year, month, day = map(int, order.split("-"))
    return year, month, day


def _is_of_many(tie: str) -> bool:
    return not is_by_name(tie)


def read_ids(stored: bytes) -> dict[str, str]:
    """Read the ids of a paper's names from a row of the index."""
    return {name: entity for name, *_, entity in orjson.loads(plain(stored))}
