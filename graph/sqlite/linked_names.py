"""The names of papers as linking finds them: by what they are filed under, and what they mean."""

import json
import sqlite3
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from functools import lru_cache
from itertools import groupby
from operator import attrgetter, itemgetter

import msgspec

from stemma.distribution import version
from stemma.graph.linking.naming import Name, NameUse, PaperNames, shared, way_of_use
from stemma.graph.linking.relinking import Filed, Ids, keys_of
from stemma.graph.linking.sense import dated
from stemma.graph.sqlite.paper_record import as_text, code_of, plain
from stemma.graph.sqlite.store_file import read_meta
from stemma.schema import Catalogue, EntityKind, Fact, RelationType

_USES = """
    SELECT way, way_of_use.name, entity.id, paper.date_order, paper.id
    FROM name_use JOIN way_of_use ON code = way
    JOIN work paper ON paper.no = paper JOIN work entity ON entity.no = entity
    WHERE {} ORDER BY 1, 3, 4, 5
"""
FACTS = """
    SELECT s.id, relation, e.id FROM statement JOIN work s ON s.no = subject
    JOIN work e ON e.no = entity WHERE origin IS NULL {}
"""
"""The facts of the catalogue: those of a subject, or all."""
_CONCEPTS = """
    SELECT id, EXISTS (SELECT 1 FROM name_use WHERE entity = work.no)
    FROM concept JOIN work ON no = work
"""
_RIVALS = """
    SELECT work.id FROM json_each(?1) CROSS JOIN work ON work.id = value
    UNION ALL SELECT work.id FROM json_each(?1) CROSS JOIN work
    ON work.id > value || '--' AND work.id < value || '-.'
"""
_PAPERS = "SELECT id, date_order, names FROM work JOIN paper ON work = no"
_FIELDS = attrgetter(*Name.__match_args__)
_KINDS = {kind.value: kind for kind in EntityKind}


class NameIndex:
    """Keeps the names of papers in a store, filed as a catalogue has it, and what they mean.

    Relinking asks for these as they are before a change. `numbers` are those of works by their ids.
    Names that another version wrote, or that another catalogue files otherwise, are filed anew;
    `is_kept` is false then.
    """

    def __init__(
        self, db: sqlite3.Connection, numbers: Mapping[str, int], catalogue: Catalogue
    ) -> None:
        self._db, self._numbers, self._catalogue = db, numbers, catalogue
        self._codes = dict[tuple[Name, str | None], int]()
        self._left = set[tuple[int]]()
        """Ways (codes) of papers that were taken out."""
        linked = read_meta(db, "catalogue"), read_meta(db, "linked_by")
        self.is_kept = linked == (catalogue.fingerprint, version())
        if not self.is_kept:
            for table in ("way_of_use", "filed", "name_use"):
                db.execute(f"DELETE FROM {table}")
            for _, (names, ids) in self.all_papers():
                self.put(names, ids)

    # What there is.

    def all_papers(self) -> Iterator[tuple[str, tuple[PaperNames, dict[str, str]]]]:
        """Yield all papers (ids), with their names as they were read, and what these mean."""
        for id_, date, stored in self._db.execute(f"{_PAPERS} ORDER BY id").fetchall():
            yield id_, read_names(id_, date, stored)

    def uses(self, keys: Collection[Filed]) -> Iterator[NameUse]:
        """Yield the uses that are filed under any of some keys (see `keys_of`).

        Papers that use a name in the same way and mean the same are one use: all of them.
        """
        return self._uses(
            "way IN (SELECT way FROM filed WHERE key IN (SELECT value FROM json_each(?)))",
            list(map(_code_of_key, keys)),
        )

    def meaning(self, entities: Collection[str]) -> Iterator[NameUse]:
        """Yield the uses that mean any of some entities (ids)."""
        meant = "SELECT no FROM work WHERE id IN (SELECT value FROM json_each(?))"
        return self._uses(f"entity IN ({meant})", list(entities))

    def _uses(self, condition: str, values: Sequence[int | str]) -> Iterator[NameUse]:
        rows = self._db.execute(_USES.format(condition), [json.dumps(values)]) if values else ()
        for (_, stored, entity), using in groupby(rows, itemgetter(0, 1, 2)):
            papers = [(read_date(date), paper) for *_, date, paper in using]
            yield NameUse(_read_name(*json.loads(stored)), papers, meant=entity)

    def papers(self, ids: Collection[str]) -> dict[str, tuple[PaperNames, Ids]]:
        """Return the `dated` names of those of these papers that are there, with what they mean."""
        rows = self._db.execute(
            f"{_PAPERS} WHERE id IN (SELECT value FROM json_each(?))", [json.dumps(list(ids))]
        )
        read = (read_names(*row) for row in rows)
        return {names.paper: (dated(names, self._catalogue), ids) for names, ids in read}

    def rivals(self, slugs: Collection[str]) -> list[str]:
        """Return the entities (ids) that have, or may compete for, any of some ids (slugs)."""
        return [id_ for (id_,) in self._db.execute(_RIVALS, [json.dumps(list(slugs))])]

    def called(self, keys: Iterable[str]) -> list[str]:
        """Return the entities (ids) that have a name or an alias of any of these match keys."""
        rows = self._db.execute(
            "SELECT DISTINCT id FROM spelling JOIN work ON work = no "
            "WHERE key IN (SELECT value FROM json_each(?)) AND type = 'entity'",
            [json.dumps(list(keys))],
        )
        return [id_ for (id_,) in rows]

    def concepts(self) -> dict[str, bool]:
        """Return the entities (ids) of the catalogue, and whether a use means them."""
        return {id_: bool(is_used) for id_, is_used in self._db.execute(_CONCEPTS)}

    def facts(self) -> set[Fact]:
        """Return the catalogue's facts."""
        return set(read_facts(self._db.execute(FACTS.format(""))))

    def former(self) -> dict[str, str]:
        """Return the ids that decisions took away, with what took their place."""
        return dict(read_meta(self._db, "former", ()))

    def referred(self) -> set[str]:
        """Return names and ids of what decisions referred to or split off."""
        return set(read_meta(self._db, "referred", ()))

    # What is written.

    def put(self, names: PaperNames, ids: Ids) -> None:
        """Add the names of a paper, with what they mean."""
        paper, number = (names.published, names.paper), self._numbers[names.paper]
        uses = [
            NameUse(way_of_use(name, names.paper)[0], [paper])
            for name in dated(names, self._catalogue).names
        ]
        self._db.executemany(
            "INSERT INTO name_use VALUES (?, ?, ?)",
            [(self._code_of(use), number, self._numbers[ids[use.name.name]]) for use in uses],
        )

    def clear(self, paper: str) -> None:
        """Take out the names of a paper."""
        number = [self._numbers[paper]]
        self._left |= set(self._db.execute("SELECT way FROM name_use WHERE paper = ?", number))
        self._db.execute("DELETE FROM name_use WHERE paper = ?", number)

    def finish(self) -> None:
        """Take out ways of use that are no paper's any more."""
        unused = "code = ? AND NOT EXISTS (SELECT 1 FROM name_use WHERE way = code)"
        self._db.executemany(f"DELETE FROM way_of_use WHERE {unused}", sorted(self._left))

    def _code_of(self, use: NameUse) -> int:
        """Return the number of a way to use a name, which is written if it is not there."""
        way = (use.name, use.introducer)
        if way not in self._codes:
            stored = as_text(_FIELDS(use.name))
            code = self._codes[way] = code_of(f"{stored} {use.introducer}")
            added = self._db.execute(
                "INSERT OR IGNORE INTO way_of_use VALUES (?, ?)", [code, stored]
            )
            if added.rowcount > 0:
                self._db.executemany(
                    "INSERT INTO filed VALUES (?, ?)",
                    [(_code_of_key(key), code) for key in sorted(keys_of(use, self._catalogue))],
                )
        return self._codes[way]


def _code_of_key(key: Filed) -> int:
    """Return the number under which what has a key is filed."""
    return code_of(" ".join(key))


def read_facts(rows: Iterable[tuple[str, str, str]]) -> Iterator[Fact]:
    """Read the facts in rows of `FACTS`."""
    for subject, relation, entity in rows:
        yield Fact(subject, RelationType(relation), entity)


def read_names(id_: str, date: str, stored: bytes) -> tuple[PaperNames, dict[str, str]]:
    """Read what linking needs of a paper from a row of the index, and the ids of its names."""
    names, ids = [], {}
    for *fields, entity in msgspec.json.decode(plain(stored)):
        names.append(_read_name(*fields))
        ids[names[-1].name] = entity
    return PaperNames(id_, read_date(date), tuple(names)), ids


def _read_name(name: str, kind: str, concept: str | None, forms: list[str], *flags: bool) -> Name:
    return shared(Name(name, _KINDS[kind], concept, tuple(forms), *flags))


@lru_cache(maxsize=8192)
def read_date(order: str) -> tuple[int, int, int]:
    """Read the date of a paper from a row of the index."""
    year, month, day = map(int, order.split("-"))
    return year, month, day


def read_ids(stored: bytes) -> dict[str, str]:
    """Read the ids of a paper's names from a row of the index."""
    return {name: entity for name, *_, entity in msgspec.json.decode(plain(stored))}
