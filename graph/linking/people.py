"""People: which authors of papers are one person.

An ORCID, or the id that a registry gives, identifies a person however the name is written. Authors
of one name without either are one person where their papers share a co-author; where they share
none they stay apart, and so do authors whose ids differ.
"""

from collections import Counter, defaultdict
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from functools import lru_cache
from itertools import chain
from operator import attrgetter
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
    names = {key_of_name(name) for name in (person.name, *person.other_names)}
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
    signatures = [*_signatures(sorted(papers), names)]
    _join_by_ids(signatures)
    by_name = _grouped(signatures, lambda signature: [signature.name])
    for name in sorted(by_name):
        _join_by_coauthors(name, by_name[name])
    return sorted(_identified(_firsts(signatures)), key=lambda person: person[0].id)


@dataclass(eq=False, slots=True)
class _Signature:
    """An author as one paper names them: the key of the name, ids, and keys of all its authors.

    `cluster` has all signatures of one person, in the order of papers, which share this list.
    """

    place: Authorship
    author: Author
    name: str
    ids: Collection[str]
    coauthors: Sequence[str]
    cluster: list["_Signature"] = field(init=False)

    def __post_init__(self) -> None:
        self.cluster = [self]


def _signatures(
    papers: Iterable[tuple[str, Sequence[Author]]], wanted: Collection[str] | None
) -> Iterator[_Signature]:
    """Yield the signatures of papers; if names (keys) are wanted, with these alone."""
    for paper, authors in papers:
        ids = [{id_ for id_ in (author.orcid, author.id) if id_} for author in authors]
        counts = Counter(chain.from_iterable(ids))
        names = [key_of_name(author.name) for author in authors]
        coauthors = names if len(names) <= _MOST_AUTHORS else ()
        for place, (author, name, given) in enumerate(zip(authors, names, ids, strict=True), 1):
            if wanted is None or name in wanted:
                # Where two authors of a paper have one id, it is a mistake.
                own = {id_ for id_ in given if counts[id_] == 1}
                yield _Signature(Authorship(paper, place), author, name, own, coauthors)


def _grouped(
    signatures: Iterable[_Signature], keys: Callable[[_Signature], Iterable[str]]
) -> dict[str, list[_Signature]]:
    groups = defaultdict[str, list[_Signature]](list)
    for signature in signatures:
        for key in keys(signature):
            groups[key].append(signature)
    return groups


def _firsts(signatures: Iterable[_Signature]) -> list[_Signature]:
    """Return the first signature of each of their clusters, in the order of papers."""
    firsts = {signature.cluster[0] for signature in signatures}
    return sorted(firsts, key=attrgetter("place"))


def _join(signatures: Iterable[_Signature]) -> None:
    """Make one cluster of those that the signatures are in."""
    firsts = _firsts(signatures)
    if len(firsts) > 1:
        members = chain.from_iterable(first.cluster for first in firsts)
        cluster = sorted(members, key=attrgetter("place"))
        for signature in cluster:
            signature.cluster = cluster


def _join_by_ids(signatures: Sequence[_Signature]) -> None:
    """Join all that have one id."""
    for same in _grouped(signatures, attrgetter("ids")).values():
        _join(same)
    # One person cannot be two authors of a paper: such ids are mistakes.
    for first in _firsts(signatures):
        if len({signature.place.paper for signature in first.cluster}) < len(first.cluster):
            for signature in first.cluster:
                signature.cluster, signature.ids = [signature], ()


def _join_by_coauthors(name: str, namesakes: Sequence[_Signature]) -> None:
    """Join those of one name (a key) who share a co-author, if their ids do not differ."""
    linked = {first: {first} for first in _firsts(namesakes)}
    if len(linked) == 1:
        return
    for coauthor, signatures in _grouped(namesakes, attrgetter("coauthors")).items():
        firsts = _firsts(signatures) if coauthor != name else ()
        for first in firsts:
            linked[first].update(firsts)
    left = set(linked)
    while left:
        component = _connected(left.pop(), linked)
        left -= component
        if not _differ(component):
            _join(component)
            continue
        # Those without ids belong to the one of whom they share a co-author, if that is one.
        identified = {first for first in component if any(map(attrgetter("ids"), first.cluster))}
        for first in _firsts(component - identified):
            near = linked[first] & identified
            if len(near) == 1 and not _differ({first, *near}):
                _join({first, *near})


def _connected(
    start: _Signature, linked: Mapping[_Signature, Collection[_Signature]]
) -> set[_Signature]:
    component, waiting = set[_Signature](), {start}
    while waiting:
        component |= waiting
        waiting = {other for first in waiting for other in linked[first]} - component
    return component


def _differ(signatures: Iterable[_Signature]) -> bool:
    """Return whether clusters cannot be one person, who has one id and writes a paper once."""
    papers, by_registry = set[str](), dict[str, str]()
    for first in _firsts(signatures):
        ids = {id_ for signature in first.cluster for id_ in signature.ids}
        for id_ in sorted(ids):
            if by_registry.setdefault(id_.rpartition(":")[0], id_) not in ids:
                return True
        written = {signature.place.paper for signature in first.cluster}
        if papers & written:
            return True
        papers |= written
    return False


def _identified(firsts: Iterable[_Signature]) -> Iterator[tuple[Person, list[Authorship]]]:
    """Yield the people of clusters, each with an id: the name, and what distinguishes namesakes."""
    by_id = defaultdict[str, list[tuple[str, list[_Signature]]]](list)
    for first in firsts:
        name = _usual([plain(signature.author.name) for signature in first.cluster])
        by_id[AUTHOR + key_of_name(name)].append((name, first.cluster))
    taken = set[str]()
    for short, namesakes in by_id.items():
        for name, cluster in namesakes:
            wanted = short if len(namesakes) == 1 else f"{short}--{_distinction(cluster)}"
            id_ = first_free(wanted, taken.__contains__)
            taken.add(id_)
            authors = [signature.author for signature in cluster]
            person = Person(
                id_,
                name,
                tuple(sorted({plain(author.name) for author in authors} - {name})),
                min((author.orcid for author in authors if author.orcid), default=None),
                tuple(sorted({author.id for author in authors if author.id})),
                tuple(sorted({author.affiliation for author in authors if author.affiliation})),
                len({signature.place.paper for signature in cluster}),
            )
            yield person, [signature.place for signature in cluster]


def _usual(names: Sequence[str]) -> str:
    """Return the most frequent spelling; of equals the longest."""
    counts = Counter(names)
    return max(counts, key=lambda name: (counts[name], len(name), name))


def _distinction(cluster: Sequence[_Signature]) -> str:
    """Return what distinguishes an author from others of the name: an id, else the first paper."""
    orcids = [signature.author.orcid for signature in cluster if signature.author.orcid]
    ids = [signature.author.id for signature in cluster if signature.author.id]
    if orcids or ids:
        return slug(min(orcids or ids))
    return cluster[0].place.paper.removeprefix(PAPER)
