"""Analysis of a graph's lineage as a whole: influence, long lines of descent, communities, years.

networkx does the work, on the edges of lineage from child to parent. The order in which papers
were added does not change the result.
"""

import sys
from collections import defaultdict
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from functools import cached_property
from itertools import islice
from operator import itemgetter
from threading import Lock
from typing import TYPE_CHECKING, Any
from weakref import WeakKeyDictionary

from stemma.graph.reader import Reader, WorkType
from stemma.graph.selection import EVERYTHING, LineageDirection, Selection
from stemma.schema import Entity, EntityKind
from stemma.schema.batches import batched
from stemma.schema.name import ENTITY

if TYPE_CHECKING:
    import networkx as nx

_SEED = 0
_DAMPING = 0.85
_TOLERANCE = 1e-6
_MOST_STEPS = 100
_BATCH = 1000
_NAMED_BY = 3
"""The number of works after which a community is named, and that are listed for a year."""


@dataclass(frozen=True, slots=True)
class Influence:
    """How much of all lineage leads to a work: its PageRank, a `share` of 1 over all works.

    An edge passes on as much of a child's share as its confidence is of that of all the child's
    edges. `children` derive from the work directly, `descendants` in any number of steps.
    """

    work: str
    share: float
    children: int
    descendants: int


@dataclass(frozen=True, slots=True)
class LineOfDescent:
    """Works each of which derives from the one before, the oldest first.

    A step is several works where these derive from each other in a circle.
    """

    steps: tuple[tuple[str, ...], ...]


@dataclass(frozen=True, slots=True)
class Community:
    """Works with more lineage among them than with others, the most influential first."""

    works: tuple[str, ...]

    @property
    def named_by(self) -> tuple[str, ...]:
        """The most influential works (ids), which stand for the community."""
        return self.works[:_NAMED_BY]


@dataclass(frozen=True, slots=True)
class YearOfResearch:
    """Figures of a year.

    `papers` appeared, `entities` were first introduced, `edges` lead from these to what they derive
    from. `new` are the most influential of the entities from which others derive, `built_on` the
    works that most of the edges lead to, by the sum of their confidences.
    """

    year: int
    papers: int
    entities: int
    edges: int
    new: tuple[str, ...]
    built_on: tuple[str, ...]


class Analysis:
    """What the lineage of a graph as a whole looks like; works are ids.

    All that it needs is read when it is made.
    """

    def __init__(self, reader: Reader, include_catalogue: bool = True) -> None:
        ids = batched(reader.ids(WorkType.ENTITY, Selection(first=sys.maxsize)), _BATCH)
        every = (work for some in ids for work in reader.works(some).values())
        self._kinds = {e.id: (e.kind, e.general) for e in every if isinstance(e, Entity)}
        self.lineage = lineage_graph(reader, self._kinds, include_catalogue)
        self._dates = reader.published([*self._kinds, *self.lineage])
        by_year = reader.papers_by_year()
        self._papers = {year: papers for year, papers in by_year.items() if year is not None}
        self._finding = Lock()
        self._lines, self._more_lines = list[LineOfDescent](), self._find_lines()

    @cached_property
    def shares(self) -> dict[str, float]:
        """The PageRank of each work that has a part in lineage; they sum to 1."""
        return page_rank(self.lineage)

    def most_influential(self, works: Iterable[str]) -> list[str]:
        """Return works by their influence, then by id."""
        return sorted(works, key=lambda work: (-self.shares.get(work, 0.0), work))

    def children(self, work: str) -> int:
        """Count the works that derive from a work directly."""
        return len(self.lineage.pred.get(work, ()))

    def ranked(self, chosen: Selection = EVERYTHING) -> list[str]:
        """Return the works that have a part in lineage, the most influential first.

        Of works from which others derive, named works come before general terms; then comes the
        rest. Works are selected by `kinds`, `general`, and the years when they were published.
        """
        works = (
            work
            for work in self.lineage
            if (not chosen.kinds or self._kind(work)[0] in chosen.kinds)
            and chosen.general in (None, self._kind(work)[1])
            and chosen.is_of_years(self._dates.get(work))
        )
        return sorted(
            self.most_influential(works),
            key=lambda work: (not self.children(work), self._kind(work)[1]),
        )

    def _kind(self, work: str) -> tuple[EntityKind | None, bool]:
        return self._kinds.get(work, (None, False))

    def influential(self, chosen: Selection = EVERYTHING) -> list[Influence]:
        """Return the works from which most of the others descend, in the order of `ranked`."""
        import networkx as nx  # noqa: PLC0415 - slow to load

        return [
            Influence(
                work, self.shares[work], self.children(work), len(nx.ancestors(self.lineage, work))
            )
            for work in self.ranked(chosen)[: chosen.first]
        ]

    def lines_of_descent(self, first: int = 10) -> list[LineOfDescent]:
        """Return the longest lines of descent, of which no two share a work."""
        with self._finding:
            self._lines += islice(self._more_lines, max(first - len(self._lines), 0))
        return self._lines[:first]

    def _find_lines(self) -> Iterator[LineOfDescent]:
        import networkx as nx  # noqa: PLC0415 - slow to load

        # Works that derive from each other are one step; most are on their own.
        components = sorted(nx.strongly_connected_components(self.lineage), key=min)
        circles = nx.condensation(self.lineage, components)
        order = list(nx.lexicographical_topological_sort(circles))
        # Of the longest line up to each step: its length, and the step before, which is younger.
        longest: dict[int, tuple[int, int | None]] = {}
        changed = set(order)
        while changed or longest:
            for number in filter(changed.__contains__, order):
                lines = ((longest[before][0] + 1, before) for before in circles.pred[number])
                longest[number] = max(lines, key=itemgetter(0), default=(1, None))
            step: int | None = max(longest, key=lambda number: longest[number][0])
            line: list[int] = []
            while step is not None:
                line.append(step)
                _, step = longest.pop(step)
            if len(line) < 2:
                return
            members = circles.nodes(data="members")
            yield LineOfDescent(tuple(tuple(sorted(members[number])) for number in line))
            changed = nx.descendants(circles, line[-1]).difference(line)
            circles.remove_nodes_from(line)

    def communities(self, first: int = 10) -> list[Community]:
        """Return the largest communities, by the Louvain method with a fixed seed."""
        with self._finding:
            return self._communities[:first]

    @cached_property
    def _communities(self) -> list[Community]:
        import networkx as nx  # noqa: PLC0415 - slow to load

        works = list(self.lineage)
        # Numbers have the same hashes everywhere, and so the same order in sets.
        numbers = {work: number for number, work in enumerate(works)}
        graph: nx.Graph[int] = nx.Graph()
        graph.add_nodes_from(numbers.values())
        for child, parent, edge in self.lineage.edges(data=True):
            graph.add_edge(numbers[child], numbers[parent], **edge)
        parts = nx.community.louvain_communities(graph, weight="confidence", seed=_SEED)
        communities = [self.most_influential(works[number] for number in part) for part in parts]
        communities.sort(key=lambda members: (-len(members), members))
        return [Community(tuple(members)) for members in communities]

    def years(self) -> list[YearOfResearch]:
        """Return the years of which there are papers with dates, the first one first."""
        works: dict[int, list[str]] = defaultdict(list)
        for work, date in sorted(self._dates.items()):
            if date.year is not None:
                works[date.year].append(work)
        return [self._year(year, papers, works[year]) for year, papers in self._papers.items()]

    def _year(self, year: int, papers: int, works: list[str]) -> YearOfResearch:
        entities = [work for work in works if work.startswith(ENTITY)]
        derived = [work for work in works if work in self.lineage]
        continued = [work for work in entities if self.children(work)]
        edges: list[tuple[str, str, float]]
        edges = list(self.lineage.out_edges(derived, data="confidence"))
        leading: dict[str, float] = defaultdict(float)
        for _, parent, confidence in edges:
            leading[parent] += confidence
        built_on = sorted(leading, key=lambda work: (-leading[work], work))
        new, most = self.most_influential(continued)[:_NAMED_BY], tuple(built_on[:_NAMED_BY])
        return YearOfResearch(year, papers, len(entities), len(edges), tuple(new), most)


_made: WeakKeyDictionary[Any, dict[bool, Analysis]] = WeakKeyDictionary()
"""The analyses of graphs that are being read: a graph does not change as long as it is."""
_making = Lock()


def analyse(reader: Reader, include_catalogue: bool = True) -> Analysis:
    """Return the analysis of a graph, made once as long as it is being read."""
    with _making:  # Whoever needs the same waits for it.
        # The readers of one commit of a file share what they remember.
        made = _made.setdefault(getattr(reader, "memory", reader), {})
        if include_catalogue not in made:
            made[include_catalogue] = Analysis(reader, include_catalogue)
        return made[include_catalogue]


def page_rank(lineage: "nx.DiGraph[str]") -> dict[str, float]:
    """Return the PageRank of each work, by the confidence of edges; they sum to 1.

    networkx computes the same by scipy, which alone would add 140 MB to an installation.
    Works without parents pass their share on to all (Page et al., 1999).
    """
    import numpy as np  # noqa: PLC0415 - slow to load

    works = {work: number for number, work in enumerate(lineage)}
    if not works:
        return {}
    edges: list[tuple[str, str, float]] = list(lineage.edges(data="confidence"))
    child = np.array([works[child] for child, _, _ in edges], np.intp)
    parent = np.array([works[parent] for _, parent, _ in edges], np.intp)
    weight = np.array([confidence for _, _, confidence in edges], np.float64)
    given = np.bincount(child, weight, len(works))
    weight /= np.where(given > 0, given, 1)[child]
    shares = np.full(len(works), 1 / len(works))
    for _ in range(_MOST_STEPS):
        before = shares
        shares = np.bincount(parent, before[child] * weight, len(works))
        shares += before[given == 0].sum() / len(works)
        shares = _DAMPING * shares + (1 - _DAMPING) / len(works)
        if np.abs(shares - before).sum() < _TOLERANCE * len(works):
            break
    return dict(zip(works, shares.tolist(), strict=True))


def lineage_graph(
    reader: Reader, entities: Iterable[str], include_catalogue: bool = True
) -> "nx.DiGraph[str]":
    """Return the works that have a part in the lineage of entities (ids): edges lead from child to
    parent, and have their `confidence`.
    """
    import networkx as nx  # noqa: PLC0415 - slow to load

    chosen = Selection(include_catalogue=include_catalogue)
    edges = sorted(
        (edge.child, edge.parent, edge.confidence)
        for parents in batched(entities, _BATCH)  # A parent is always an entity.
        for edges in reader.lineage_edges(parents, LineageDirection.DESCENDANTS, chosen).values()
        for edge in edges
    )
    graph: nx.DiGraph[str] = nx.DiGraph()
    graph.add_nodes_from(sorted({end for child, parent, _ in edges for end in (child, parent)}))
    graph.add_weighted_edges_from(edges, weight="confidence")
    return graph
