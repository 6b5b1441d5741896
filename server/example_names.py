"""The names in example queries: for each role, names that give an example an answer."""

from collections.abc import Callable, Iterable, Sequence
from functools import partial

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
from stemma.schema.name import paper_id

_OFFERED = 20
"""Works of a graph from which a name is chosen."""

Names = Sequence[str] | None
Role = Callable[..., Names]
"""A method of `ExampleNames`, with the names in the file; None where the graph has none."""


class ExampleNames:
    """Names in a graph, by their roles in examples.

    The names in the file of an example are kept where this graph has them in that role.
    """

    def __init__(self, reader: Reader) -> None:
        self._reader = reader

    def any_graph(self) -> Names:
        """Return no names: an example without names suits every graph."""
        return ()

    def any_lineage(self) -> Names:
        """Return no names if the graph has lineage, which an example without names is about."""
        return () if self._reader.most_derived(1) else None

    def built_upon(self, name: str) -> Names:
        """Return the name of a work that others build on."""
        return self._name(
            [*self._called(name), *self._reader.most_derived(_OFFERED)],
            lambda id_: self._next(id_, LineageDirection.DESCENDANTS),
        )

    def derived(self, name: str) -> Names:
        """Return the name of a work that builds on others."""
        most = self._reader.most_derived(_OFFERED)
        children = (each for id_ in most for each in self._next(id_, LineageDirection.DESCENDANTS))
        return self._name(
            [*self._called(name), *children],
            lambda id_: self._next(id_, LineageDirection.ANCESTORS),
        )

    def related(self, child: str, parent: str) -> Names:
        """Return the names of a work and of one that it builds on, perhaps in several steps."""
        if self._called(child) and self._called(parent):
            return (child, parent)
        if derived := self.derived(child):
            above = self._next(self._called(derived[0])[0], LineageDirection.ANCESTORS)
            if named := self._name(above):
                return (*derived, *named)
        return None

    def stated(self, name: str, relation: RelationType) -> Names:
        """Return the name of an entity that papers have a relation to."""
        chosen = Selection(relations=(relation,), order=PageOrder.PAPERS, first=_OFFERED)
        offered = self._reader.ids(WorkType.ENTITY, chosen)
        stated = self._reader.statements(self._called(name), [relation], first=1)
        return (name,) if any(stated.values()) else self._name(offered)

    def paper(self, title: str, name: str) -> Names:
        """Return the title of a paper, and the name of what it introduces."""
        id_ = paper_id(title)
        papers = [id_] if self._reader.works([id_]) else []
        papers += self._reader.ids(WorkType.PAPER, Selection(first=_OFFERED))
        main = self._reader.contributions(papers)
        for paper in papers:
            if paper in main and (named := self._name([paper])):
                return (*named, self._reader.works([main[paper]])[main[paper]].name)
        return None

    def author(self, name: str) -> Names:
        """Return the name of an author of papers."""
        if self._reader.people_called(name):
            return (name,)
        papers = self._reader.ids(WorkType.PAPER, Selection(first=_OFFERED))
        authors = {each for own in self._reader.authors(papers).values() for each in own}
        people = self._reader.people(authors).values()
        most = min(people, key=lambda person: (-person.papers, person.id), default=None)
        return (most.name,) if most else None

    def _called(self, name: str) -> list[str]:
        """Return the work (id) with a name, if there is one alone."""
        try:
            return [self._reader.resolve(name)]
        except (UnknownNameError, AmbiguousNameError):
            return []

    def _next(self, id_: str, direction: LineageDirection) -> list[str]:
        return self._reader.neighbours([id_], direction).get(id_, [])

    def _name(
        self, ids: Iterable[str], suits: Callable[[str], object] = lambda id_: True
    ) -> tuple[str] | None:
        """Return the name of the first work (id) that suits and that its name leads to."""
        for work in self._reader.works([*ids]).values():
            if suits(work.id) and self._called(work.name) == [work.id]:
                return (work.name,)
        return None


def stated(relation: RelationType) -> Role:
    """Return the role of an entity that papers have a relation to."""
    return partial(ExampleNames.stated, relation=relation)
