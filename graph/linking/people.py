"""People: which authors of papers are one person.

An ORCID, or the id that a registry gives, identifies a person however the name is written. Authors
of one name without either are one person where their papers share a co-author; where they share
none they stay apart, and so do authors whose ids differ.
"""

from collections import Counter, defaultdict
from collections.abc import Collection, Iterable, Iterator, Sequence
from dataclasses import dataclass
from functools import lru_cache
from typing import NamedTuple

from stemma.schema.name import AUTHOR, PAPER, first_free, plain, slug
from stemma.schema.paper import Author

key_of_name = lru_cache(maxsize=200_000)(slug)
"""What names are compared by."""
_MOST_AUTHORS = 100
"""Authors of a paper beyond which it says nothing to be one of them."""


@dataclass(frozen=True, slots=True)
class Person:
    """An author of one or more papers, which may have other spellings of the `name`.

    `ids` are those of registries (``openalex:A123``), `papers` counts the papers.
    """

    id: str
    name: str
    other_names: tuple[str, ...] = ()
    orcid: str | None = None
    ids: tuple[str, ...] = ()
    affiliations: tuple[str, ...] = ()
    papers: int = 1


def by_papers(person: Person) -> tuple[int, str]:
    """Order people by the number of their papers, the most first."""
    return (-person.papers, person.id)


def keys_of_person(person: Person) -> list[str]:
    """Return the keys by which a person is found: of names, in any spelling, and of ids."""
    names = {key_of_name(each) for each in (person.name, *person.other_names)}
    ids = {*person.ids, person.id.removeprefix(AUTHOR)}
    return sorted(names | ids | ({person.orcid} if person.orcid else set()))


def keys_asked(asked: str) -> list[str]:
    """Return the keys of people that `asked` means: a name, an id of ours or of a registry."""
    asked = asked.strip().removeprefix("https://orcid.org/")
    return list(dict.fromkeys((asked.removeprefix(AUTHOR), slug(asked))))


class Authorship(NamedTuple):
    """An author of a paper (an id), by the place among its authors, from 1."""

    paper: str
    place: int


def people(
    papers: Iterable[tuple[str, Sequence[Author]]], names: Collection[str] | None = None
) -> list[tuple[Person, list[Authorship]]]:
    """Return the authors of all papers (ids) as people, each with what they wrote, by their ids.

    With `names` (keys), those with these names alone: no others may share an id with them, and the
    papers are all that any of them wrote.
    """
    clusters = _AuthorshipClusters(sorted(papers), names)
    clusters.unite_by_ids()
    clusters.unite_by_coauthors()
    return sorted(_identified(clusters.members()), key=lambda each: each[0].id)


class _AuthorshipClusters:
    """Authorships, by their numbers, and which of them are one person's."""

    def __init__(
        self, papers: Iterable[tuple[str, Sequence[Author]]], wanted: Collection[str] | None
    ) -> None:
        self._places: list[Authorship] = []
        self._authors: list[Author] = []
        self._names: list[str] = []
        self._ids: list[tuple[str, ...]] = []
        self._coauthors: dict[str, list[str]] = {}
        for paper, authors in papers:
            ids = [tuple(each for each in (a.orcid, a.id) if each) for a in authors]
            all_ids = [each for own in ids for each in own]
            # Where two authors of a paper have one id, it is a mistake.
            if len(set(all_ids)) < len(all_ids):
                counts = Counter(all_ids)
                ids = [tuple(each for each in own if counts[each] == 1) for own in ids]
            names = [key_of_name(author.name) for author in authors]
            if 1 < len(names) <= _MOST_AUTHORS:
                self._coauthors[paper] = names
            for place, (author, own, name) in enumerate(zip(authors, ids, names, strict=True), 1):
                if wanted is not None and name not in wanted:
                    continue
                self._places.append(Authorship(paper, place))
                self._authors.append(author)
                self._names.append(name)
                self._ids.append(own)
        self._clusters = list(range(len(self._places)))
        self._members = {number: [number] for number in self._clusters}

    def _unite(self, numbers: Iterable[int]) -> None:
        first, *others = sorted({self._clusters[number] for number in numbers})
        for other in others:
            for each in self._members[other]:
                self._clusters[each] = first
            self._members[first] += self._members.pop(other)

    def unite_by_ids(self) -> None:
        """Make one of all who have one id."""
        by_id: dict[str, list[int]] = defaultdict(list)
        for number, ids in enumerate(self._ids):
            for each in ids:
                by_id[each].append(number)
        for numbers in by_id.values():
            self._unite(numbers)
        # One person cannot be two authors of a paper: such ids are mistakes.
        for numbers in list(self._members.values()):
            if len({self._places[number].paper for number in numbers}) < len(numbers):
                for one in numbers:
                    self._clusters[one], self._members[one], self._ids[one] = one, [one], ()

    def unite_by_coauthors(self) -> None:
        """Make one of those of one name who share a co-author, if their ids do not differ."""
        by_name: dict[str, list[int]] = defaultdict(list)
        for number, name in enumerate(self._names):
            by_name[name].append(number)
        for name in sorted(by_name):
            if len({self._clusters[each] for each in by_name[name]}) > 1:
                self._unite_namesakes(name, by_name[name])

    def _unite_namesakes(self, name: str, numbers: list[int]) -> None:
        linked = self._linked(name, numbers)
        for component in _components(linked):
            if not self._differ(component):
                self._unite(component)
                continue
            # Those without ids belong to the one of whom they share a co-author, if that is one.
            known = {each for each in component if self._is_identified(each)}
            joining = {each: linked[each] & known for each in component - known}
            for each, own in sorted(joining.items()):
                if len(own) == 1 and not self._differ({each, *own}):
                    self._unite((each, *own))

    def _linked(self, name: str, numbers: list[int]) -> dict[int, set[int]]:
        """Return the clusters of one name, each with those that share a co-author with it."""
        by_coauthor: dict[str, set[int]] = defaultdict(set)
        linked: dict[int, set[int]] = {self._clusters[number]: set() for number in numbers}
        for number in numbers:
            for coauthor in self._coauthors.get(self._places[number].paper, ()):
                if coauthor != name:
                    by_coauthor[coauthor].add(self._clusters[number])
        for clusters in by_coauthor.values():
            for one in clusters:
                linked[one] |= clusters - {one}
        return linked

    def _is_identified(self, cluster: int) -> bool:
        return any(self._ids[each] for each in self._members[cluster])

    def _differ(self, clusters: Iterable[int]) -> bool:
        """Return whether clusters cannot be one person, who has one id and writes a paper once."""
        papers = set[str]()
        by_registry: dict[str, str] = {}
        for cluster in {self._clusters[cluster] for cluster in clusters}:
            own = self._members[cluster]
            ids = {each for number in own for each in self._ids[number]}
            for each in ids:
                registry = each.rpartition(":")[0]
                if by_registry.setdefault(registry, each) not in ids:
                    return True
            written = {self._places[number].paper for number in own}
            if papers & written:
                return True
            papers |= written
        return False

    def members(self) -> Iterator[list[tuple[Authorship, Author]]]:
        """Yield the authorships of each person, in the order of papers."""
        for numbers in self._members.values():
            yield [(self._places[number], self._authors[number]) for number in sorted(numbers)]


def _components(linked: dict[int, set[int]]) -> Iterator[set[int]]:
    """Yield the connected sets of two or more."""
    left = dict(linked)
    for start in sorted(linked):
        if start not in left:
            continue
        component, waiting = set[int](), [start]
        while waiting:
            each = waiting.pop()
            if each in left:
                component.add(each)
                waiting += left.pop(each)
        if len(component) > 1:
            yield component


def _identified(
    clusters: Iterable[list[tuple[Authorship, Author]]],
) -> Iterator[tuple[Person, list[Authorship]]]:
    """Choose an id for each person: by the name, and what distinguishes namesakes."""
    by_id: dict[str, list[tuple[str, list[tuple[Authorship, Author]]]]] = defaultdict(list)
    for members in clusters:
        name = _usual([plain(author.name) for _, author in members])
        by_id[AUTHOR + key_of_name(name)].append((name, members))
    taken = set[str]()
    for short, namesakes in by_id.items():
        for name, members in sorted(namesakes, key=lambda each: each[1][0][0]):
            wanted = short if len(namesakes) == 1 else f"{short}--{_distinction(members)}"
            id_ = first_free(wanted, taken.__contains__)
            taken.add(id_)
            yield _person(id_, name, members), [place for place, _ in members]


def _usual(names: Sequence[str]) -> str:
    """Return the most frequent spelling; of equals the longest."""
    counts = Counter(names)
    return max(counts, key=lambda each: (counts[each], len(each), each))


def _distinction(members: Sequence[tuple[Authorship, Author]]) -> str:
    """Return what distinguishes an author from others of the name: an id, else the first paper."""
    orcids = [author.orcid for _, author in members if author.orcid]
    ids = [author.id for _, author in members if author.id]
    if orcids or ids:
        return slug(min(orcids or ids))
    return members[0][0].paper.removeprefix(PAPER)


def _person(id_: str, name: str, members: Sequence[tuple[Authorship, Author]]) -> Person:
    authors = [author for _, author in members]
    return Person(
        id_,
        name,
        tuple(sorted({plain(author.name) for author in authors} - {name})),
        min((author.orcid for author in authors if author.orcid), default=None),
        tuple(sorted({author.id for author in authors if author.id})),
        tuple(sorted({author.affiliation for author in authors if author.affiliation})),
        len({place.paper for place, _ in members}),
    )
