"""The reader of one commit: works and their names, pages of works, authors and citations."""

import json
import sys
import zlib
from collections.abc import Callable, Collection, Hashable, Iterable, Iterator, Sequence
from contextlib import contextmanager
from sys import intern
from typing import Any, TypeVar

from stemma.graph.cache import Cache
from stemma.graph.filters import EVERYTHING, WorkFilter
from stemma.graph.linked_extraction import LinkedExtraction
from stemma.graph.linking.keys import code_of
from stemma.graph.linking.people import Person, by_papers, keys_asked
from stemma.graph.nearest import Spelling, lengths
from stemma.graph.ranking import RankedPaper, Topic, ranked
from stemma.graph.selection import PageOrder
from stemma.graph.sqlite.commit_reader import CommitReader
from stemma.graph.sqlite.file import damaged
from stemma.graph.sqlite.linked_names import read_ids
from stemma.graph.sqlite.name_search import NameSearch
from stemma.graph.sqlite.paper_record import paper_in, texts, unpacked
from stemma.graph.sqlite.record_index import read_person
from stemma.graph.sqlite.selection import count_query, page_query, year_query
from stemma.graph.sqlite.text_search import about
from stemma.graph.store import BadCursorError, Page, Work, WorkType, cut_page, grouped
from stemma.graph.wording import wordings
from stemma.schema import Entity, EntityKind, Paper, PartialDate, RelationType
from stemma.schema.name import match_key
from stemma.schema.partial_date import UNDATED

_MOST_REMEMBERED = 4000
"""Works of an answer to a search that is kept for the next time."""
_Answer = TypeVar("_Answer")


class WorkReader(CommitReader):
    """Reads works, their names, and what is beside them."""

    def works(self, ids: Collection[str]) -> dict[str, Work]:
        found = {id_: work for id_ in ids if (work := self.memory.works.get(id_))}
        missing = [id_ for id_ in ids if id_ not in found]
        for id_, *rest in self.rows_in(
            "SELECT id, type, name, kind, general, details FROM work WHERE id IN ({})", missing
        ):
            found[id_] = self._work(id_, *rest)
        return {id_: found[id_] for id_ in ids if id_ in found}

    def _work(
        self,
        id_: str,
        type_: str,
        name: str,
        kind: str | None,
        general: int | None,
        details: str | None,
    ) -> Work:
        work = self.memory.works.get(id_)
        if work is None:
            if type_ == WorkType.PAPER:
                work = self._paper(id_)
            else:
                aliases, broader, year = json.loads(details or "[[],[],null]")
                kind_ = EntityKind(kind or "")
                work = Entity(id_, name, kind_, tuple(aliases), tuple(broader), bool(general), year)
            self.memory.works[id_] = work
        return work

    def _paper(self, id_: str) -> Paper:
        linked = self.memory.extractions.get(id_)
        if linked:
            return linked.extraction.paper
        ((record,),) = self.rows(
            "SELECT extraction FROM work JOIN record ON paper = no WHERE id = ?", [id_]
        )
        with self._record_of(id_):
            return paper_in(record)

    @contextmanager
    def _record_of(self, id_: str) -> Iterator[None]:
        """Report that the record of a paper is damaged, if it is."""
        try:
            yield
        except (ValueError, KeyError, TypeError, zlib.error) as error:
            raise damaged(self.path, f"the record of {id_}: {error!r}") from error

    def reading(self, paper: str) -> LinkedExtraction:
        """Return what was read in a paper, and what it is linked to."""
        if found := self.memory.extractions.get(paper):
            return found
        for linked in self.linked_extractions([paper]):
            self.memory.extractions[paper] = linked
            return linked
        raise damaged(self.path, f"there is no record of {paper}")

    def linked_extractions(self, ids: Collection[str]) -> Iterator[LinkedExtraction]:
        for id_, extractor, names, record in self.rows_in(
            """
            SELECT id, extractor, names, extraction FROM work
            JOIN paper ON paper.work = no JOIN record ON record.paper = no
            WHERE id IN ({}) ORDER BY id
            """,
            ids,
        ):
            with self._record_of(id_):
                extraction, linked = unpacked(record), read_ids(names)
            yield LinkedExtraction(extraction, extractor, linked, self.verdicts.get(id_, {}))

    def texts(self, paper: str) -> str:
        """Return title and abstract of a paper, if the graph holds it."""
        for (record,) in self.rows(
            "SELECT extraction FROM work JOIN record ON paper = no WHERE id = ?", [paper]
        ):
            return texts(record)
        return ""

    def digest_of(self, paper: str) -> tuple[bytes, str] | None:
        """Return the digest of what was read in a paper, and the extractor; None if it is not
        there."""
        query = "SELECT digest, extractor FROM work JOIN paper ON work = no WHERE id = ?"
        for digest, extractor in self.rows(query, [paper]):
            return digest, extractor
        return None

    def known_as(self, key: str) -> list[str]:
        """Return the papers (ids) that go by a DOI, an arXiv id or a title, in order."""
        query = "SELECT id FROM identifier JOIN work ON no = paper WHERE code = ? ORDER BY id"
        return [id_ for (id_,) in self.rows(query, [code_of(key)])]

    # Names.

    def _papers_with(self, keys: Collection[str]) -> Iterable[Sequence[Any]]:
        codes = {code_of(key): key for key in keys}
        for id_, code in self.rows_in(
            "SELECT id, code FROM identifier JOIN work ON no = paper WHERE code IN ({}) "
            "ORDER BY id",
            sorted(codes),
        ):
            yield id_, codes[code]

    def _named(self, keys: Sequence[str]) -> Iterable[Sequence[Any]]:
        return self.rows_in(
            "SELECT key, rank, id, papers FROM spelling JOIN work ON work = no "
            "WHERE key IN ({}) ORDER BY key, rank, id",
            keys,
        )

    def _senses(self, id_: str) -> list[str]:
        query = "SELECT id FROM work WHERE id > ? AND id < ? ORDER BY id"
        return [sense for (sense,) in self.rows(query, [f"{id_}--", f"{id_}--~"])]

    def _spellings(self, name: str) -> list[Spelling]:
        query = """
            SELECT key, rank, name, papers FROM spelling JOIN work ON work = no
            WHERE length(key) BETWEEN ? AND ? OR instr(key, ?) > 0
        """
        return [
            (key, rank, shown, papers)
            for key, rank, shown, papers in self.rows(query, [*lengths(name), match_key(name)])
        ]

    def matching(
        self,
        text: str,
        kinds: Collection[EntityKind] = (),
        general: bool | None = None,
        first: int = sys.maxsize,
    ) -> list[str]:
        words = [match_key(word.lower()) for word in text.split() if any(map(str.isalnum, word))]
        if not words or first < 1:
            return []
        asked = (match_key(text), tuple(words), tuple(kinds), first, general)
        found = self.memory.searched.get(asked)
        if found is None:
            names = NameSearch(self.rows)
            others = wordings(text)
            numbers = names.search(match_key(text), words, kinds, first, general, others)
            ids: dict[int, str] = dict(
                self.rows_in("SELECT no, id FROM work WHERE no IN ({})", numbers)
            )
            found = [ids[number] for number in numbers]
            if len(found) <= _MOST_REMEMBERED:
                self.memory.searched[asked] = found
        return found

    # Pages.

    def ranked(
        self, topics: Sequence[Topic], filter: WorkFilter = EVERYTHING, first: int = 100
    ) -> list[RankedPaper]:
        matches = [about(self.rows, topic, filter) for topic in topics]
        return ranked(topics, matches, self._papers, first)

    def page(
        self,
        type: WorkType,
        filter: WorkFilter = EVERYTHING,
        order: PageOrder = PageOrder.NAME,
        after: str | None = None,
        first: int = 20,
        before: str | None = None,
        backward: bool = False,
    ) -> Page:
        """Return the first, or the last, works between those with the ids `after` and `before`."""
        for cursor in (after, before):
            if cursor is not None and not self.rows("SELECT 1 FROM work WHERE id = ?", [cursor]):
                raise BadCursorError(cursor)
        ((total,),) = self.rows(*count_query(type, filter))
        many = self._are_many(total, first)
        rows = self.rows(*page_query(type, filter, order, after, before, first + 1, backward, many))
        works = [self._work(*row) for row in rows[:first]]
        return cut_page(works, int(total), len(rows) > first, after, before, backward)

    def ids(
        self,
        type: WorkType,
        filter: WorkFilter = EVERYTHING,
        order: PageOrder = PageOrder.NAME,
        first: int = 20,
    ) -> list[str]:
        many = type is WorkType.PAPER and self._are_many(
            self.rows(*count_query(type, filter))[0][0], first
        )
        rows = self.rows(*page_query(type, filter, order, None, None, first, False, many))
        return [id_ for id_, *_ in rows]

    def _are_many(self, total: int, first: int) -> bool:
        """Return whether it is faster to look at papers one after the other than to sort all."""
        # As many are looked at for each that passes as there are papers for each of these.
        return bool(total * total > self._papers * (first + 1))

    def papers_by_year(self, filter: WorkFilter = EVERYTHING) -> dict[int | None, int]:
        undated, *_ = UNDATED
        rows = self.rows(*year_query(filter))
        return {None if year == undated else year: papers for year, papers in rows}

    # What is beside works.

    def entities_named(
        self, papers: Collection[str], relations: Collection[RelationType] = ()
    ) -> dict[str, list[str]]:
        return self._stated("subject", "entity", "MAX(confidence) DESC", papers, relations)

    def papers_naming(
        self, entities: Collection[str], relations: Collection[RelationType] = ()
    ) -> dict[str, list[str]]:
        def read(ids: list[str]) -> dict[str, list[str]]:
            return self._stated("entity", "subject", "far.date_order", ids, relations)

        return self._remembered(self.memory.naming, entities, tuple(relations), read)

    def _remembered(
        self,
        memory: Cache[tuple[str, Hashable], tuple[_Answer, ...]],
        ids: Collection[str],
        question: Hashable,
        read: Callable[[list[str]], dict[str, list[_Answer]]],
    ) -> dict[str, list[_Answer]]:
        """Answer a question of works by what was answered before, and read the rest at once."""

        def read_all(
            keys: list[tuple[str, Hashable]],
        ) -> dict[tuple[str, Hashable], tuple[_Answer, ...]]:
            answered = read([id_ for id_, _ in keys])
            return {(id_, question): tuple(answers) for id_, answers in answered.items()}

        found = memory.get_many([(id_, question) for id_ in ids], read_all)
        return {id_: list(answers) for (id_, _), answers in found.items()}

    def _stated(
        self,
        near: str,
        far: str,
        order: str,
        ids: Collection[str],
        relations: Collection[RelationType],
    ) -> dict[str, list[str]]:
        related = f"AND relation IN ({','.join('?' * len(relations))})" if relations else ""
        rows = self.rows_in(
            f"""
            SELECT near.id, far.id FROM work near JOIN statement ON statement.{near} = near.no
            JOIN work far ON far.no = statement.{far}
            WHERE near.id IN ({{}}) AND origin IS NOT NULL {related}
            GROUP BY near.id, far.id ORDER BY {order}, far.id
            """,
            ids,
            *relations,
        )
        # The same papers come again and again.
        return grouped(ids, ((id_, intern(other)) for id_, other in rows))

    def narrower(self, ids: Collection[str]) -> dict[str, list[str]]:
        query = """
            SELECT wide.id, narrow.id FROM work wide JOIN broader b ON b.broader = wide.no
            JOIN work narrow ON narrow.no = b.narrower WHERE wide.id IN ({}) ORDER BY narrow.id
        """
        return grouped(ids, self.rows_in(query, ids))

    def contributions(self, papers: Collection[str]) -> dict[str, str]:
        query = """
            SELECT p.id, e.id FROM work p JOIN paper ON paper.work = p.no
            JOIN work e ON e.no = contribution WHERE p.id IN ({})
        """
        return dict(self.rows_in(query, papers))

    def published(self, ids: Collection[str]) -> dict[str, PartialDate]:
        def read(ids: list[str]) -> dict[str, PartialDate | None]:
            rows = self.rows_in("SELECT id, published FROM work WHERE id IN ({})", ids)
            return {id_: PartialDate.parse(date) if date else None for id_, date in rows}

        # Each row that is read lets other threads go first: a lineage asks of hundreds of works.
        dates = self.memory.dates.get_many(ids, read)
        return {id_: date for id_, date in dates.items() if date}

    # Authors and citations.

    def people(self, ids: Collection[str]) -> dict[str, Person]:
        rows = self.rows_in(
            "SELECT id, name, orcid, details, papers FROM person WHERE id IN ({})", ids
        )
        found = {person.id: person for person in (read_person(*row) for row in rows)}
        return {id_: found[id_] for id_ in ids if id_ in found}

    def people_called(self, name: str) -> list[Person]:
        rows = self.rows_in(
            """
            SELECT DISTINCT id, name, orcid, details, papers FROM person_name
            JOIN person ON person = no WHERE key IN ({})
            """,
            keys_asked(name),
        )
        return sorted((read_person(*row) for row in rows), key=by_papers)

    def authors(self, papers: Collection[str]) -> dict[str, list[str]]:
        query = """
            SELECT w.id, p.id FROM work w JOIN authorship a ON a.paper = w.no
            JOIN person p ON p.no = a.person WHERE w.id IN ({}) ORDER BY w.id, place
        """
        return grouped(papers, self.rows_in(query, papers))

    def written_by(self, people: Collection[str]) -> dict[str, list[str]]:
        query = """
            SELECT p.id, w.id FROM person p JOIN authorship a ON a.person = p.no
            JOIN work w ON w.no = a.paper WHERE p.id IN ({}) ORDER BY w.date_order, w.id
        """
        return grouped(people, self.rows_in(query, people))

    def cites(self, papers: Collection[str]) -> dict[str, list[str]]:
        return self._citations("citing", "cited", papers)

    def cited_by(self, papers: Collection[str]) -> dict[str, list[str]]:
        return self._citations("cited", "citing", papers)

    def _citations(self, near: str, far: str, papers: Collection[str]) -> dict[str, list[str]]:
        query = f"""
            SELECT near.id, far.id FROM work near JOIN citation ON {near} = near.no
            JOIN work far ON far.no = {far}
            WHERE near.id IN ({{}}) ORDER BY far.date_order, far.id
        """
        return grouped(papers, self.rows_in(query, papers))
