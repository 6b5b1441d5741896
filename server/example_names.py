"""The names in example queries: those in the files, or names of a graph that has not got them."""

from collections.abc import Callable, Iterable, Iterator, Sequence
from itertools import chain

from stemma.graph import (
    AmbiguousNameError,
    LineageDirection,
    PageOrder,
    Reader,
    Selection,
    UnknownNameError,
    WorkType,
)
from stemma.schema import RelationType

_OFFERED = 1000
"""Works of a graph that may be in a role."""

Role = Callable[[Reader], Iterable[Sequence[str]]]
"""Returns what a graph has in a role: works (ids) that an example may be about, the best first."""


def any_graph(reader: Reader) -> Iterator[Sequence[str]]:
    """Yield no works once: an example without names suits every graph."""
    yield ()


def any_lineage(reader: Reader) -> Iterator[Sequence[str]]:
    """Yield no works once if the graph has lineage, which an example without names is about."""
    if reader.most_derived(1):
        yield ()


def built_upon(reader: Reader) -> Iterator[Sequence[str]]:
    """Yield works that others build on."""
    return ((id_,) for id_ in reader.most_derived(_OFFERED))


def related(reader: Reader) -> Iterator[Sequence[str]]:
    """Yield works, each with one that it builds on."""
    most = list(reader.most_derived(_OFFERED))
    children = reader.neighbours(most, LineageDirection.DESCENDANTS)
    return ((child, parent) for parent in most for child in children.get(parent, []))


def derived(reader: Reader) -> Iterator[Sequence[str]]:
    """Yield works that build on others."""
    return ((child,) for child, _ in related(reader))


def paper(reader: Reader) -> Iterator[Sequence[str]]:
    """Yield papers, each with what it introduces."""
    papers = reader.ids(WorkType.PAPER, Selection(first=_OFFERED))
    main = reader.contributions(papers)
    return ((id_, main[id_]) for id_ in papers if id_ in main)


def stated(relation: RelationType) -> Role:
    """Return the role of an entity that papers have a relation to."""
    chosen = Selection(relations=(relation,), order=PageOrder.PAPERS, first=_OFFERED)
    return lambda reader: ((id_,) for id_ in reader.ids(WorkType.ENTITY, chosen))


def author(reader: Reader) -> Iterator[Sequence[str]]:
    """Yield authors, those of most papers first."""
    papers = reader.ids(WorkType.PAPER, Selection(first=_OFFERED))
    authors = {id_ for own in reader.authors(papers).values() for id_ in own}
    people = reader.people(authors).values()
    return ((e.id,) for e in sorted(people, key=lambda person: (-person.papers, person.id)))


def names_for(reader: Reader, role: Role, own: Sequence[str]) -> Sequence[str] | None:
    """Return `own` names where a graph has them in a role, else others; None if it has none."""
    offered = list(role(reader))
    if offered and {_meaning(reader, name) for name in own} <= {*chain(*offered)}:
        return own
    for ids in offered:
        named = {**reader.works(ids), **reader.people(ids)}
        if all(_meaning(reader, named[id_].name) == id_ for id_ in ids):
            return [named[id_].name for id_ in ids]
    return None


def _meaning(reader: Reader, name: str) -> str | None:
    """Return the work or the author (id) with a name; None where several works have it."""
    try:
        return reader.resolve(name)
    except UnknownNameError:
        return next((person.id for person in reader.people_called(name)), None)
    except AmbiguousNameError:
        return None
