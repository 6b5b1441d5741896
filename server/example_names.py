"""The names in example queries: for each role, a name that gives an example an answer."""

from collections.abc import Callable, Iterable, Sequence

from stemma.graph import (
    AmbiguousNameError,
    LineageDirection,
    LineageFilter,
    PageOrder,
    Reader,
    UnknownNameError,
    Work,
    WorkFilter,
    WorkType,
    trace,
)
from stemma.graph.filters import WHOLE_LINEAGE
from stemma.graph.selection import Selection
from stemma.schema import Direction, Entity, Paper, RelationType
from stemma.schema.identifier import paper_id
from stemma.server.answerable import COMPARED, SURE, USED, Answerable
from stemma.server.asking import ask

_STATED = LineageFilter(include_catalogue=False)
_STATED_SURELY = LineageFilter(min_confidence=0.7, include_catalogue=False)
_STATED_AT_ALL = LineageFilter(min_confidence=0.3, include_catalogue=False)
"""As the example on ancestors asks."""
_FURTHEST, _MOST_ANCESTORS = 5, 200
_MOST_PAPERS, _MOST_STATEMENTS = 20, 20
_SHORTEST_WORD = 4
_EVEN_CHANCE = 0.5

Check = Callable[[Work], object]


class ExampleNames:
    """Finds names in a graph, one method for each role.

    Given are the names in the example: they are kept where they have an answer in this graph. None
    is returned where nothing has.
    """

    def __init__(self, reader: Reader) -> None:
        self._reader = reader
        self._graph = Answerable(reader)

    # Roles of no name: whether there is an answer.

    def nothing(self) -> Sequence[str]:
        """Any graph answers."""
        return ()

    def factors(self) -> Sequence[str] | None:
        """A paper states a factor by which it is better."""
        for work in self._graph.compared:
            found = self._reader.statements([work.id], COMPARED, first=_MOST_STATEMENTS)
            results = (each.comparison for each in found.get(work.id, ()))
            if any(
                each and each.factor is not None and each.direction is Direction.BETTER
                for each in results
            ):
                return ()
        return None

    def any_hardware(self) -> Sequence[str] | None:
        """A paper runs on something."""
        return () if self._graph.hardware else None

    def any_lineage(self) -> Sequence[str] | None:
        """A work derives from another."""
        return () if self._reader.most_derived(1) else None

    def probable_ancestors(self) -> Sequence[str] | None:
        """A paper probably builds on something."""
        builds_on = RelationType.BUILDS_ON
        for work in self._ancestors():
            rows = self._reader.statement_rows(work.id, [builds_on], _MOST_STATEMENTS)
            if any(self._is_probable(row.subject, row.confidence) for row in rows):
                return ()
        return None

    def extended_papers(self) -> Sequence[str] | None:
        """A paper builds on what an earlier one introduced."""
        for work in self._graph.introduced:
            introducing = self._reader.works(self._graph.introducing(work)).values()
            for row in self._reader.statement_rows(
                work.id, [RelationType.BUILDS_ON], _MOST_STATEMENTS
            ):
                if self._is_paper(row.subject) and any(
                    each.id != row.subject
                    and isinstance(each, Paper)
                    and not (
                        each.published and row.published and each.published.is_after(row.published)
                    )
                    for each in introducing
                ):
                    return ()
        return None

    # Roles of names.

    def built_upon(self, name: str) -> Sequence[str] | None:
        """A work that others build on."""
        return self._chosen(
            self._named(name),
            self._ancestors(),
            lambda work: self._graph.has_children(work, _STATED),
            self._graph.has_children,
        )

    def built_upon_by_papers(self, name: str) -> Sequence[str] | None:
        """A work that others build on, as papers state."""
        return self._chosen(
            self._named(name),
            self._ancestors(),
            lambda work: self._graph.has_children(work, _STATED),
        )

    def derived(self, name: str) -> Sequence[str] | None:
        """A work with ancestors."""
        return self._chosen(
            self._named(name),
            self._descendants(),
            self._graph.nearest_ancestor,
            lambda work: self._graph.nearest_ancestor(work, WHOLE_LINEAGE),
        )

    def derived_as_stated(self, name: str) -> Sequence[str] | None:
        """A work with ancestors, as papers state."""
        return self._chosen(
            self._named(name),
            self._descendants(_STATED_AT_ALL),
            lambda work: self._graph.nearest_ancestor(work, _STATED_SURELY),
            lambda work: self._graph.nearest_ancestor(work, _STATED_AT_ALL),
        )

    def related(self, name: str, ancestor: str) -> Sequence[str] | None:
        """A work, and one that it derives from."""
        for work, other in zip(self._named(name), self._named(ancestor), strict=False):
            found = trace(
                self._reader,
                work.id,
                Selection(
                    direction=LineageDirection.ANCESTORS,
                    max_depth=_FURTHEST,
                    first=_MOST_ANCESTORS,
                ),
            )
            if other.id in {node.work.id for node in found.nodes}:
                return (work.name, other.name)
        for chosen in (SURE, WHOLE_LINEAGE):
            for work in self._descendants():
                nearest = self._graph.nearest_ancestor(work, chosen)
                if nearest and self._is_unique(work) and self._is_unique(nearest):
                    return (work.name, nearest.name)
        return None

    def comparable(self, left: str, right: str) -> Sequence[str] | None:
        """Two works of which the paper of one says something of the other."""
        for one, other in zip(self._named(left), self._named(right), strict=False):
            if other.id in self._objects(one) or one.id in self._objects(other):
                return (one.name, other.name)
        for work in self._graph.introduced:
            rivals = self._reader.works(self._objects(work, *COMPARED))
            alike = sorted(rivals.values(), key=lambda rival: not _are_alike(work, rival))
            for rival in alike:
                if rival.id != work.id and self._is_unique(work) and self._is_unique(rival):
                    return (work.name, rival.name)
        return None

    def hardware_since(self, name: str, year: str) -> Sequence[str] | None:
        """Hardware, and a year since which papers run on it."""
        # Mostly called by an alias: H100 rather than NVIDIA H100.
        called = [(name, each) for each in self._named(name)]
        called += [(each.name, each) for each in self._graph.hardware if self._is_unique(each)]
        for own, work in called:
            newest = self._newest(
                WorkFilter(relations=(RelationType.RUNS_ON,), entity=work.id, year_from=1)
            )
            if newest:
                return (own, str(min(int(year), newest)))
        return None

    def hardware_asked_for(self, name: str, year: str) -> Sequence[str] | None:
        """The same, for a question in English."""
        found = self.hardware_since(name, year)
        if found and ask(self._reader, "which papers run on {} since {}?".format(*found)).works:
            return found
        return None

    def baseline(self, name: str) -> Sequence[str] | None:
        """A work that papers compare with."""
        return self._chosen(
            self._named(name),
            self._graph.compared,
            lambda work: self._graph.has(work, *COMPARED),
        )

    def technique_with_others(self, name: str) -> Sequence[str] | None:
        """A technique that papers use beside others."""
        return self._chosen(
            self._named(name), self._graph.techniques, self._graph.is_used_with_another
        )

    def used(self, name: str) -> Sequence[str] | None:
        """A work that papers introduce and others use, or any other."""
        return self._chosen(
            self._named(name),
            [*self._graph.introduced, *self._graph.techniques, *self._any(WorkType.ENTITY)],
            lambda work: self._graph.has(work, *USED),
            lambda work: True,
        )

    def known_by_names(self, name: str) -> Sequence[str] | None:
        """A work with several names, or any other."""
        return self._chosen(
            self._named(name),
            [*self._graph.introduced, *self._any(WorkType.ENTITY)],
            lambda work: isinstance(work, Entity) and work.aliases,
            lambda work: True,
        )

    def paper(self, title: str, name: str) -> Sequence[str] | None:
        """The title of a paper that introduces something, and what that is."""
        asked = (RelationType.RUNS_ON, *COMPARED)
        own = self._reader.works([paper_id(title)]).values()
        pairs = [
            *((each, work) for each in own for work in self._named(name)),
            *(
                (each, work)
                for work in self._graph.introduced
                for each in self._reader.works(self._graph.introducing(work)).values()
            ),
        ]
        best: Sequence[str] | None = None
        for paper, work in pairs:
            stated = {row.relation for row in self._graph.stated(paper.id)}
            if RelationType.INTRODUCES not in stated or not self._is_unique(paper):
                continue
            if stated.issuperset(asked):
                return (paper.name, work.name)
            best = best or (paper.name, work.name)
        return best

    def main_contribution(self, name: str) -> Sequence[str] | None:
        """What a paper mainly introduces."""

        def is_main(work: Work) -> bool:
            papers = self._graph.introducing(work)
            return work.id in self._reader.contributions(papers).values()

        return self._chosen(self._named(name), self._graph.introduced, is_main)

    def dataset(self, name: str) -> Sequence[str] | None:
        """Data on which papers are evaluated."""

        def is_asked(work: Work) -> bool:
            parts = self._reader.works(self._reader.narrower([work.id]).get(work.id, []))
            evaluated_on = RelationType.EVALUATED_ON
            return any(self._graph.has(each, evaluated_on) for each in (work, *parts.values()))

        return self._chosen(self._named(name), self._graph.datasets, is_asked)

    def year(self, year: str) -> Sequence[str] | None:
        """A year in which papers introduced something."""
        introducing = (RelationType.INTRODUCES,)
        own = WorkFilter(relations=introducing, year_from=int(year), year_to=int(year))
        if self._newest(own):
            return (year,)
        newest = self._newest(WorkFilter(relations=introducing, year_from=1))
        return (str(newest),) if newest else None

    def author(self, name: str) -> Sequence[str] | None:
        """An author of papers."""
        if any(each.name == name for each in self._reader.people_called(name)):
            return (name,)
        papers = [each for work in self._graph.introduced for each in self._graph.introducing(work)]
        papers += [each.id for each in self._any(WorkType.PAPER)]
        authors = self._reader.authors(papers[:_MOST_PAPERS])
        people = self._reader.people({each for own in authors.values() for each in own})
        most = min(people.values(), key=lambda each: (-each.papers, each.id), default=None)
        return (most.name,) if most else None

    def word(self, word: str) -> Sequence[str] | None:
        """A word in names."""
        if self._reader.matching(word, first=1):
            return (word,)
        named = [*self._graph.introduced, *self._any(WorkType.ENTITY), *self._any(WorkType.PAPER)]
        words = (part for work in named for part in work.name.split() if part.isalnum())
        for each in words:
            if len(each) >= _SHORTEST_WORD and self._reader.matching(each, first=1):
                return (each,)
        return None

    # What they are chosen from.

    def _chosen(
        self, own: Iterable[Work], offered: Iterable[Work], *checks: Check
    ) -> Sequence[str] | None:
        """Return the name of the first work that passes: its own any check, others the first."""
        for work in own:
            if self._is_unique(work) and any(check(work) for check in checks):
                return (work.name,)
        for check in checks:
            for work in offered:
                if check(work) and self._is_unique(work):
                    return (work.name,)
        return None

    def _named(self, name: str) -> list[Work]:
        """Return the work with a name, if there is one."""
        try:
            return list(self._reader.works([self._reader.resolve(name)]).values())
        except (UnknownNameError, AmbiguousNameError):
            return []

    def _ancestors(self) -> list[Work]:
        """Return works that may have descendants: also those that no paper here introduces."""
        derived = self._reader.works(list(self._reader.most_derived(_MOST_PAPERS)))
        return [*self._graph.introduced, *derived.values()]

    def _descendants(self, filter: LineageFilter = WHOLE_LINEAGE) -> list[Work]:
        """Return works that may have ancestors: also children of one that others build on."""
        downwards = LineageDirection.DESCENDANTS
        for work in self._ancestors():
            children = self._reader.neighbours([work.id], downwards, filter).get(work.id)
            if children:
                derived = self._reader.works(children[:_MOST_PAPERS]).values()
                return [
                    *self._graph.introduced,
                    *(each for each in derived if isinstance(each, Entity)),
                ]
        return [*self._graph.introduced]

    def _any(self, type: WorkType) -> Sequence[Work]:
        order = PageOrder.PAPERS if type is WorkType.ENTITY else PageOrder.NAME
        return self._reader.page(type, order=order, first=_MOST_PAPERS).works

    def _objects(self, work: Work, *relations: RelationType) -> list[str]:
        """Return what the papers that introduce a work state something of."""
        papers = self._graph.introducing(work)
        return [row.entity for each in papers for row in self._graph.stated(each, *relations)]

    def _newest(self, chosen: WorkFilter) -> int | None:
        """Return the last year of the papers that pass."""
        page = self._reader.page(WorkType.PAPER, chosen, PageOrder.NEWEST, first=1)
        dates = [each.published for each in page.works if isinstance(each, Paper)]
        return next((date.year for date in dates if date), None)

    def _is_paper(self, id_: str) -> bool:
        return any(isinstance(each, Paper) for each in self._reader.works([id_]).values())

    def _is_probable(self, subject: str, confidence: float) -> bool:
        return confidence >= _EVEN_CHANCE and self._is_paper(subject)

    def _is_unique(self, work: Work) -> bool:
        """Return whether the name of a work leads to it."""
        try:
            return self._reader.resolve(work.name) == work.id
        except (UnknownNameError, AmbiguousNameError):
            return False


def _are_alike(one: Work, other: Work) -> bool:
    return isinstance(one, Entity) and isinstance(other, Entity) and one.kind is other.kind
