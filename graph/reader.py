"""The reader protocol: what every graph can be asked, and what its readers do alike."""

from __future__ import annotations

import fnmatch
from collections.abc import Callable, Collection, Hashable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from enum import StrEnum
from typing import TYPE_CHECKING, Any, Protocol, TypeVar

from stemma.graph.edge import LineageEdge, StatementPlace, edge_confidence, lineage_edge, place_of
from stemma.graph.history import Build, ChangesSince
from stemma.graph.identity import keys_in
from stemma.graph.linking.people import Person, by_papers, keys_asked, keys_of_person
from stemma.graph.matching import RankedPaper, Spelling, Topic, Wording, nearest, ranked, sought
from stemma.graph.selection import (
    EDGES,
    EVERYTHING,
    Item,
    LineageDirection,
    Page,
    Selection,
    StatementKey,
)
from stemma.schema import Entity, EntityKind, Paper, PartialDate, RelationType, Statement
from stemma.schema.name import ENTITY, is_id, match_key, plain, slug
from stemma.schema.namespace import DATA

if TYPE_CHECKING:
    from stemma.graph.lineage import LineagePage, Place
    from stemma.graph.linked_extraction import LinkedExtraction
    from stemma.graph.sqlite.rdf_projection import RdfCache

Work = Paper | Entity


class WorkType(StrEnum):
    """The two types of works."""

    PAPER = "paper"
    ENTITY = "entity"


def page_of(
    listed: Sequence[Item], first: int, after: str | None, id_of: Callable[[Item], str] = str
) -> Page[Item]:
    """Return the page of the first items that are listed `after` one of them (its id).

    Raises BadCursorError where there is none with this id.
    """
    try:
        begin = list(map(id_of, listed)).index(after) + 1 if after is not None else 0
    except ValueError:
        raise BadCursorError(str(after)) from None
    end = begin + first
    return Page(tuple(listed[begin:end]), len(listed), end < len(listed), begin > 0)


@dataclass(frozen=True, slots=True)
class Statistics:
    """The size of a graph. `by_kind` counts entities, `by_relation` statements.

    `decisions` are people's.
    """

    papers: int
    entities: int
    statements: int
    lineage_edges: int
    generation: str
    by_kind: Mapping[EntityKind, int]
    by_relation: Mapping[RelationType, int]
    decisions: int


class UnknownNameError(LookupError):
    """No work has this name or id; `nearest` are names that look like it."""

    nobody = "Nothing"

    def __init__(self, name: str, nearest: Sequence[str] = ()) -> None:
        self.name, self.nearest = name, tuple(nearest)
        hint = f" Did you mean {', '.join(nearest)}?" if nearest else ""
        super().__init__(f"{self.nobody} in this graph is called {name!r}.{hint}")


class UnknownAuthorError(UnknownNameError):
    """No author has this name or id."""

    nobody = "No author"


class BadCursorError(ValueError):
    """The cursor from which a page is requested is invalid."""

    def __init__(self, cursor: str) -> None:
        self.cursor = cursor
        super().__init__(
            f"{cursor!r} is not a valid cursor here. Use one from a result of the same query, or "
            "start at the first page."
        )


class AmbiguousNameError(LookupError):
    """Several works have this name; `candidates` lists them."""

    def __init__(self, name: str, candidates: Sequence[Work]) -> None:
        self.name, self.candidates = name, tuple(candidates)
        listed = "; ".join(f"{work.id} ({work.name}, {kind_of(work)})" for work in candidates)
        super().__init__(f"{name!r} is the name of several works. Give one of these ids: {listed}")


def kind_of(work: Work) -> str:
    """Return the kind of a work."""
    return "paper" if isinstance(work, Paper) else work.kind.value


def spellings(work: Work) -> Sequence[str]:
    """Return the name of a work, and its aliases."""
    return (work.name,) if isinstance(work, Paper) else (work.name, *work.aliases)


_PREVAILS = 10
"""A work that so many papers name, and so many times more than any other, is what is meant."""


def meant_by(name: str, papers: Mapping[str, int], reader: Reader) -> str:
    """Return the work (id) that a name means, of those that have it, with the papers on each.

    Raises AmbiguousNameError where none of several prevails.
    """
    first, *others = sorted(papers, key=lambda id_: (-papers[id_], id_))
    if others and papers[first] < _PREVAILS * max(papers[others[0]], 1):
        raise AmbiguousNameError(name, list(reader.works(sorted(papers)).values()))
    return first


def grouped(ids: Iterable[str], pairs: Iterable[Sequence[str]]) -> dict[str, list[str]]:
    """Return for each id, in order, what it is paired with."""
    paired: dict[str, list[str]] = {id_: [] for id_ in ids}
    for id_, other in pairs:
        paired[id_].append(other)
    return paired


_Key = TypeVar("_Key", bound=Hashable)
_Value = TypeVar("_Value")
_UNKNOWN: Any = object()


class Cache(dict[_Key, _Value]):
    """Remembers at most `most` things: where there is no room for one more, it forgets all."""

    def __init__(self, most: int) -> None:
        super().__init__()
        self._most = most

    def __setitem__(self, key: _Key, value: _Value) -> None:
        if len(self) >= self._most:
            self.clear()
        super().__setitem__(key, value)

    def get_many(
        self, keys: Iterable[_Key], read: Callable[[list[_Key]], Mapping[_Key, _Value]]
    ) -> dict[_Key, _Value]:
        """Return the values of `keys`, in their order: `read` those that are not known, at once.

        What it has no value for is left out.
        """
        # Another thread may forget all at any time: each known value is looked up once.
        known = {key: self.get(key, _UNKNOWN) for key in keys}
        missing = [key for key, value in known.items() if value is _UNKNOWN]
        for key, value in read(missing).items() if missing else ():
            self[key] = known[key] = value
        return {key: value for key, value in known.items() if value is not _UNKNOWN}


Support = dict[str, dict[str, list[Statement]]]
"""The statements behind the edges of works, by the ids of the works and of the far ends."""


def _statements_of(support: Support) -> Iterator[Statement]:
    return (
        statement for ends in support.values() for stated in ends.values() for statement in stated
    )


class Reader(Protocol):
    """Reads a graph, in batches of ids. All orders are stable; unknown ids are left out."""

    @property
    def base(self) -> str:
        """What the IRIs of the data begin with."""
        return DATA

    @property
    def dataset(self) -> RdfCache | None:
        """The graph as RDF; None where the store keeps none."""
        return None

    @property
    def generation(self) -> str:
        """The name of the state of the graph: it is another one whenever the graph has changed."""

    @property
    def catalogue(self) -> str:
        """The fingerprint of the catalogue that the graph was linked with."""

    def builds(self) -> list[Build]:
        """Return the latest builds with their changes, the oldest first."""

    @property
    def former(self) -> Mapping[str, str]:
        """The present ids, by the former ids of the same works."""

    def changed_since(self, state: str | None) -> ChangesSince:
        """Return what changed since a state that it named: everything, if that is not known."""
        return ChangesSince(self.generation)

    def linked_extractions(self, ids: Collection[str]) -> Iterator[LinkedExtraction]:
        """Yield the linked extractions of papers (ids), where the store keeps them."""
        return iter(())

    def works(self, ids: Collection[str]) -> dict[str, Work]:
        """Return the works with these ids."""

    def resolve(self, name: str) -> str:
        """Return the id of the work with this id, former id, name, alias or title.

        Raises UnknownNameError, or AmbiguousNameError where no work of a name prevails.
        """
        if is_id(name):
            return self._resolve_id(name)
        if called := self.called(name):
            return meant_by(name, called, self)
        raise UnknownNameError(name, nearest(name, self._spellings(name)))

    def _resolve_id(self, id_: str) -> str:
        if self.works([id_]):
            return id_
        if (now := self.former.get(id_)) and self.works([now]):
            return now
        senses = self._senses(id_) if id_.startswith(ENTITY) else ()
        if not senses:
            name = id_.partition("/")[2].replace("-", " ")
            raise UnknownNameError(id_, nearest(name, self._spellings(name)))
        return meant_by(id_, dict.fromkeys(senses, 0), self)

    def called(self, name: str) -> dict[str, int]:
        """Return the works (ids) that a name means, with the number of papers on each: those with
        this name, or else alias, or else title."""
        return self.all_called([name])[name]

    def all_called(
        self, names: Collection[str], with_aliases: bool = False
    ) -> dict[str, dict[str, int]]:
        """Return, for each name, the works that it means, as `called` does, or those too that have
        it as an alias; for an identifier that nothing is called by, the papers with this."""
        # A final s is part of the name (l40s) before it is a plural (a100s).
        keys = {name: (match_key(plain(name).upper()), match_key(name)) for name in names}
        ranked: dict[str, list[Sequence[Any]]] = {}
        for row in self._named(sorted({key for either in keys.values() for key in either})):
            ranked.setdefault(row[0], []).append(row)
        called = {}
        for name, either in keys.items():
            rows = next((ranked[key] for key in either if key in ranked), [])
            last = max(rows[0][1], with_aliases) if rows else 0
            called[name] = {id_: papers for _, rank, id_, papers in rows if rank <= last}
        identifiers = {name: keys_in(name) for name, works in called.items() if not works}
        asked = {key for keys_ in identifiers.values() for key in keys_}
        for id_, key in self._papers_with(asked) if asked else ():
            for name, keys_of_name in identifiers.items():
                called[name] |= {id_: 0} if key in keys_of_name else {}
        return called

    def _named(self, keys: Sequence[str]) -> Iterable[Sequence[Any]]:
        """Yield key, rank (0 for a name, 1 for an alias, 2 for a title), id and number of papers of
        the works with some match keys, those of the best rank first."""

    def _papers_with(self, keys: Collection[str]) -> Iterable[Sequence[Any]]:
        """Yield the papers (ids) that have some identifiers, each with the identifier."""

    def _senses(self, id_: str) -> Sequence[str]:
        """Return the entities (ids) that share the beginning of their id."""

    def _spellings(self, name: str) -> Iterable[Spelling]:
        """Return the names whose keys contain that of `name`, or are about as long."""

    def matching(self, text: str, chosen: Selection = EVERYTHING) -> list[str]:
        """Return the ids of the first works whose names, aliases or titles match, the best first.

        Where `kinds` or `general` are selected, entities alone.
        """
        ways = sought(text)
        return self._matching(match_key(text), ways, chosen) if ways and chosen.first > 0 else []

    def _matching(self, key: str, ways: Sequence[Wording], chosen: Selection) -> list[str]:
        """Return the answer of `matching` for a text with a match key, and how names word it."""

    def ranked(self, topics: Sequence[Topic], chosen: Selection = EVERYTHING) -> list[RankedPaper]:
        """Return the papers that are most about some topics, of those that pass, the best first."""
        matches = [self._about(topic, chosen) for topic in topics]
        return ranked(matches, self.statistics().papers, chosen.first)

    def vectors(self, chosen: Selection = EVERYTHING) -> Mapping[str, bytes]:
        """Return the vectors of the papers (ids) that pass, as the sentence encoder packs them;
        none where the store keeps none."""
        return {}

    def _about(self, topic: Topic, chosen: Selection) -> Mapping[str, float]:
        """Return the papers (ids) about a topic that pass, with how much, from 0 to 1."""

    def statements(
        self,
        of: Collection[str],
        relations: Collection[RelationType] = (),
        first: int | None = None,
    ) -> dict[str, list[Statement]]:
        """Return, for each work, the statements with it as subject or entity, in the order of
        `place_of`.

        At most `first` for each, if it is given.
        """

    def statement_page(
        self, chosen: Selection, after: StatementKey | None = None
    ) -> Page[Statement]:
        """Return the first statements of the graph that pass, in the order of `place_of`.

        `after` is what the last of the page before is unique by; raises BadCursorError where there
        is no such statement.
        """
        last = self._stated(after) if after else None
        if after and not last:
            raise BadCursorError(" ".join(after))
        first, key = chosen.first, place_of(last) if last else None
        total, statements = self._selected(chosen, key, first + 1)
        return Page(tuple(statements[:first]), total, len(statements) > first, bool(after))

    def _stated(self, key: StatementKey) -> Statement | None:
        """Return the statement that is unique by this."""
        return self._whole([key]).get(key)

    def _selected(
        self, chosen: Selection, after: StatementPlace | None, most: int
    ) -> tuple[int, Sequence[Statement]]:
        """Count the statements that pass, and return the first `after` a place."""

    def entities_named(
        self, papers: Collection[str], relations: Collection[RelationType] = ()
    ) -> dict[str, list[str]]:
        """Return, for each paper, the ids of the entities of its statements, the surest first."""
        return self._beside("entities_named", papers, relations)

    def papers_naming(
        self, entities: Collection[str], relations: Collection[RelationType] = ()
    ) -> dict[str, list[str]]:
        """Return, for each entity, the ids of the papers with statements on it, oldest first."""
        return self._beside("papers_naming", entities, relations)

    def narrower(self, ids: Collection[str]) -> dict[str, list[str]]:
        """Return, for each entity, the ids of those that have it as a broader one."""
        return self._beside("narrower", ids)

    def _beside(
        self, what: str, ids: Collection[str], relations: Collection[RelationType] = ()
    ) -> dict[str, list[str]]:
        """Return what is beside works or people: the method of this name says what and in which
        order, for entities and papers that name each other by statements of some relations."""

    def lineage_edges(
        self,
        ids: Collection[str],
        direction: LineageDirection,
        selection: Selection = EVERYTHING,
        within: Collection[str] | None = None,
    ) -> dict[str, list[LineageEdge]]:
        """Return, for each work, the edges to its children (descendants) or parents (ancestors),
        those that are `within` some works alone, if these are given.

        An edge's relations, statements and confidence are those of the selected statements.
        Ordered by the id at the far end. Raises FilterError where a relation is none of lineage.
        """
        supported = self._supported(ids, direction, selection, within)
        dates = self.published({*supported, *(end for ends in supported.values() for end in ends)})
        whole = self._whole(statement.key for statement in _statements_of(supported))
        downwards = direction is LineageDirection.DESCENDANTS
        edges: dict[str, list[LineageEdge]] = {id_: [] for id_ in supported}
        for id_, ends in supported.items():
            for end, stated in ends.items():
                child, parent = (end, id_) if downwards else (id_, end)
                # In Neo4j, others may have removed all of an edge meanwhile.
                if statements := [
                    whole[statement.key] for statement in stated if statement.key in whole
                ]:
                    edges[id_].append(lineage_edge(child, parent, statements, dates))
        return edges

    def neighbours(
        self, ids: Collection[str], direction: LineageDirection, selection: Selection = EVERYTHING
    ) -> dict[str, list[str]]:
        """Return the far ends of what `lineage_edges` returns, without fetching any evidence."""
        supported = self._supported(ids, direction, selection)
        return {id_: list(ends) for id_, ends in supported.items()}

    def edge_confidences(
        self, ids: Collection[str], direction: LineageDirection, selection: Selection = EVERYTHING
    ) -> dict[str, dict[str, float]]:
        """Return the far ends of what `lineage_edges` returns, with the confidence of each edge."""
        supported = self._supported(ids, direction, selection)
        return {
            id_: {end: edge_confidence(stated) for end, stated in ends.items()}
            for id_, ends in supported.items()
        }

    def _supported(
        self,
        ids: Collection[str],
        direction: LineageDirection,
        selection: Selection,
        within: Collection[str] | None = None,
    ) -> Support:
        """Return the selected part of the answer of `_support`.

        With `as_of`, only statements of papers that are dated, and were not published certainly
        after it, count; facts of the catalogue are as old as the work that derives.
        """
        relations, as_of = selection.lineage_relations, selection.as_of
        supported = self._support(ids, direction, within)
        if within is not None:
            supported = {
                id_: {end: stated for end, stated in ends.items() if end in within}
                for id_, ends in supported.items()
            }
        if not selection.given(EDGES):
            return supported
        subjects = {statement.subject for statement in _statements_of(supported)} if as_of else ()
        dates = self.published(subjects)

        def passes(statement: Statement) -> bool:
            return (
                statement.confidence >= selection.min_confidence
                and statement.relation in relations
                and (selection.include_catalogue or not statement.subject.startswith(ENTITY))
                and (
                    as_of is None
                    or (statement.subject in dates and not dates[statement.subject].is_after(as_of))
                )
            )

        return {
            id_: {
                end: passing
                for end, stated in ends.items()
                if (passing := [*filter(passes, stated)])
            }
            for id_, ends in supported.items()
        }

    def _support(
        self, ids: Collection[str], direction: LineageDirection, within: Collection[str] | None
    ) -> Support:
        """Return, for each work, the far ends of its edges in order, with the statements that
        support each, without what `_whole` adds; ends that are not `within` some works may lack."""

    def _whole(self, keys: Iterable[StatementKey]) -> Mapping[StatementKey, Statement]:
        """Return statements that the graph has, with their evidence."""

    def lineage_page(
        self, of: str, selection: Selection, after: Place | None
    ) -> LineagePage | None:
        """Return the works of the lineage of a work (an id) that follow a place, of all kinds and
        years.

        None where going step by step, by `neighbours`, is as fast, and where no work has the id.
        """
        return None

    def most_derived(self, first: int) -> dict[str, int]:
        """Return the named works (not general terms) that most others derive from directly, with
        the number of these, the greatest first."""

    def contributions(self, papers: Collection[str]) -> dict[str, str]:
        """Return the main contribution (an entity's id) of each paper that introduces any."""

    def people(self, ids: Collection[str]) -> dict[str, Person]:
        """Return the authors with these ids, by id."""

    def people_called(self, name: str) -> list[Person]:
        """Return the authors with this name in any spelling, id or ORCID, of most papers first."""
        people = {person.id: person for _, person in self._people_with(keys_asked(name))}
        return sorted(people.values(), key=by_papers)

    def _people_with(self, keys: Collection[str]) -> Iterable[tuple[str, Person]]:
        """Yield the authors with some keys of names and ids, each with the key."""

    def people_surnamed(self, surname: str) -> list[Person]:
        """Return the authors whose names end with this one, of most papers first."""

    def people_meant(self, name: str) -> list[Person]:
        """Return the authors that a name means, of most papers first: those of this name or id,
        else all of this surname, else those whose forenames begin so ("A. Quill", "Quill, Ada")."""
        name = " ".join(reversed(name.split(",", 1)))
        words = slug(name).split("-")
        return (
            self.people_called(name)
            or self.people_surnamed(name)
            or [
                person
                for person in self.people_surnamed(words[-1])
                if fnmatch.filter(keys_of_person(person), "*-".join(words))
            ]
        )

    def authors(self, papers: Collection[str]) -> dict[str, list[str]]:
        """Return, for each paper, the people (ids) who are its authors, in their order."""
        return self._beside("authors", papers)

    def written_by(self, people: Collection[str]) -> dict[str, list[str]]:
        """Return, for each person, the papers (ids) that they wrote, oldest first."""
        return self._beside("written_by", people)

    def cites(self, papers: Collection[str]) -> dict[str, list[str]]:
        """Return, for each paper, the papers (ids) in its list of references, oldest first."""
        return self._beside("cites", papers)

    def cited_by(self, papers: Collection[str]) -> dict[str, list[str]]:
        """Return, for each paper, the papers (ids) that cite it, oldest first."""
        return self._beside("cited_by", papers)

    def published(self, ids: Collection[str]) -> dict[str, PartialDate]:
        """Return when works were published.

        An entity is published with the first paper that introduces it, or in the year that the
        catalogue has for it, if that is earlier.
        """

    def page(
        self, type: WorkType, chosen: Selection = EVERYTHING, before: str | None = None
    ) -> Page[Work]:
        """Return the first selected works (see `WORKS`) after the one with the id `after`, or the
        last ones `before` one.

        They are in order in both cases, by name if none is given. Raises BadCursorError where no
        work has the id.
        """
        first, cursor = chosen.first, chosen.after if before is None else before
        if cursor is not None and not self.works([cursor]):
            raise BadCursorError(cursor)
        ids = self._ids(type, chosen, before, first + 1)
        works, goes_on = tuple(self.works(ids[:first]).values()), len(ids) > first
        total = self.count(type, chosen)
        if before is None:
            return Page(works, total, goes_on, chosen.after is not None)
        return Page(works[::-1], total, has_next=True, has_previous=goes_on)

    def count(self, type: WorkType, chosen: Selection = EVERYTHING) -> int:
        """Count the works that pass."""

    def ids(self, type: WorkType, chosen: Selection = EVERYTHING) -> list[str]:
        """Return the ids of the works of a page."""
        return self._ids(type, chosen, None, chosen.first)

    def _ids(self, type: WorkType, chosen: Selection, before: str | None, most: int) -> list[str]:
        """Return the ids of the first works of a page; `before` a work, the last comes first."""

    def papers_by_year(self, chosen: Selection = EVERYTHING) -> dict[int | None, int]:
        """Return how many papers of each year pass, the first year first; None is for papers
        without a year, and comes last."""

    def statistics(self) -> Statistics:
        """Count what the graph holds."""

    def unapplied(self) -> dict[int, str]:
        """Return why decisions, by their numbers, do not apply, or only in part."""


def expect_works(reader: Reader, ids: Collection[str]) -> dict[str, Work]:
    """Return the works with these ids. Raises UnknownNameError where there is none with one."""
    works = reader.works(ids)
    for id_ in ids:
        if id_ not in works:
            raise UnknownNameError(id_, ())
    return works
