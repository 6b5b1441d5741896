"""Paths: how two works are related, step by step."""

from collections import defaultdict
from collections.abc import Callable, Collection, Iterable, Mapping
from dataclasses import dataclass
from functools import cache
from itertools import pairwise
from math import log

from stemma.graph.edge import LineageEdge, lineage_edge
from stemma.graph.reader import Reader, expect_works
from stemma.graph.selection import EVERYTHING, LineageDirection, Selection
from stemma.schema import RelationType, Statement
from stemma.schema.name import PAPER

LONGEST_PATH = 12
_MOST_VISITED = 50_000
_MOST_COMPARED = 2_000
"""Works that a search looks at before it gives up; comparisons are dearer to follow."""

Neighbours = Callable[[Collection[str]], Mapping[str, Collection[str]]]


@dataclass(frozen=True, slots=True)
class Path:
    """A way between two works (ids): `edges` in order from `start` to `goal`, if there is one.

    Where a paper was asked for that introduces something, its main contribution is the end.
    """

    start: str
    goal: str
    edges: tuple[LineageEdge, ...]

    @property
    def works(self) -> list[str]:
        """The ids of the works on the way, in order."""
        ids = [self.start]
        for edge in self.edges:
            ids.append(edge.parent if edge.child == ids[-1] else edge.child)
        return ids


def find_path(
    reader: Reader,
    start: str,
    goal: str,
    max_length: int = 6,
    selection: Selection = EVERYTHING,
    comparisons: bool = True,
) -> Path:
    """Return the shortest way between two works (ids).

    Lineage is followed in either direction; of ways with equally many steps the surest is
    returned, by the product of the confidences. Where no lineage leads from one to the other,
    `comparisons` lets the way lead over works that a paper compares with as well: such an edge
    has COMPARES_WITH for its only relation. A paper that introduces something stands for its main
    contribution. The way has `max_length` steps at most. Raises UnknownNameError where no work
    has an id, ValueError where `max_length` makes no sense.
    """
    if not 1 <= max_length <= LONGEST_PATH:
        raise ValueError(
            f"the length of a path must be between 1 and {LONGEST_PATH}, not {max_length}"
        )
    main = reader.contributions([start, goal])
    start, goal = main.get(start, start), main.get(goal, goal)
    expect_works(reader, [start, goal])

    def over_lineage(ids: Collection[str]) -> dict[str, set[str]]:
        near = [reader.neighbours(ids, direction, selection) for direction in LineageDirection]
        return {id_: {end for ends in near for end in ends.get(id_, ())} for id_ in ids}

    compared: dict[tuple[str, str], dict[str, Statement]] = defaultdict(dict)

    def over_comparisons(ids: Collection[str]) -> dict[str, set[str]]:
        near = over_lineage(ids)
        for statement, child in _comparisons(reader, ids, selection.min_confidence):
            parent = statement.entity
            compared[child, parent][statement.subject] = statement
            for one, other in ((child, parent), (parent, child)):
                if one in near and one != other:
                    near[one].add(other)
        return near

    steps = _shortest(start, goal, over_lineage, max_length, _MOST_VISITED)
    if not steps and comparisons:
        steps = _shortest(start, goal, over_comparisons, max_length, _MOST_COMPARED)
    dates = reader.published({id_ for pair in compared for id_ in pair})
    edges = {
        frozenset(pair): lineage_edge(*pair, stated.values(), dates)
        for pair, stated in compared.items()
    }
    edges |= _lineage_edges(reader, steps, selection)
    return Path(start, goal, _surest(start, steps, edges))


def _lineage_edges(
    reader: Reader, steps: Iterable[tuple[str, str]], selection: Selection
) -> dict[frozenset[str], LineageEdge]:
    # Works have few parents, if many children: edges are found from the child.
    ids = sorted({id_ for pair in steps for id_ in pair})
    by_child = reader.lineage_edges(ids, LineageDirection.ANCESTORS, selection)
    edges: dict[frozenset[str], LineageEdge] = {}
    for edge in (edge for edges in by_child.values() for edge in edges):
        pair = frozenset((edge.child, edge.parent))
        # Where two works derive from each other, the surer of both edges is taken.
        if pair not in edges or edges[pair].confidence < edge.confidence:
            edges[pair] = edge
    return edges


def _comparisons(
    reader: Reader, ids: Collection[str], min_confidence: float
) -> list[tuple[Statement, str]]:
    """Return the comparisons with these works, each with the contribution compared."""
    introduced = reader.statements(ids, (RelationType.INTRODUCES,))
    papers = {statement.subject for statements in introduced.values() for statement in statements}
    papers |= {id_ for id_ in ids if id_.startswith(PAPER)}
    stated = reader.statements({*ids, *papers}, (RelationType.COMPARES_WITH,))
    distinct = {
        statement.key: statement for statements in stated.values() for statement in statements
    }
    sure = [statement for statement in distinct.values() if statement.confidence >= min_confidence]
    main = reader.contributions({statement.subject for statement in sure})
    return [(statement, main.get(statement.subject, statement.subject)) for statement in sure]


def _shortest(
    start: str, goal: str, around: Neighbours, max_length: int, most_visited: int
) -> set[tuple[str, str]]:
    """Return the steps (pairs from `start` towards `goal`) of all shortest ways.

    The smaller of both frontiers is widened, a whole level at a time.
    """
    if start == goal:
        return set()
    seen: tuple[dict[str, set[str]], ...] = ({start: set()}, {goal: set()})
    frontiers = [{start}, {goal}]
    for _ in range(max_length):
        side = len(frontiers[0]) > len(frontiers[1])
        reached = defaultdict[str, set[str]](set)
        for id_, ends in around(sorted(frontiers[side])).items():
            for end in ends:
                if end not in seen[side]:
                    reached[end].add(id_)
        seen[side].update(reached)
        frontiers[side] = set(reached)
        if met := reached.keys() & seen[not side].keys():
            back = {(a, b) for b, a in _steps(met, seen[0])}
            return back | set(_steps(met, seen[1]))
        if not reached or sum(map(len, seen)) > most_visited:
            break
    return set()


def _steps(ends: Iterable[str], towards: Mapping[str, set[str]]) -> Iterable[tuple[str, str]]:
    """Yield the steps of all ways from `ends` to where a search began."""
    waiting, done = list(ends), set(ends)
    while waiting:
        id_ = waiting.pop()
        for near in towards[id_]:
            yield id_, near
            if near not in done:
                done.add(near)
                waiting.append(near)


def _surest(
    start: str, steps: set[tuple[str, str]], edges: Mapping[frozenset[str], LineageEdge]
) -> tuple[LineageEdge, ...]:
    """Return the edges of the way from `start` of which all steps together are the surest."""
    onwards: dict[str, list[str]] = defaultdict(list)
    for one, other in steps:
        onwards[one].append(other)

    def cost(one: str, other: str) -> float:
        return -log(max(edges[frozenset((one, other))].confidence, 1e-6))

    @cache
    def rest(of: str) -> tuple[float, list[str]]:
        # Ways are short (LONGEST_PATH), so this goes no deeper than that.
        return min(
            ((rest(near)[0] + cost(of, near), [of, *rest(near)[1]]) for near in onwards[of]),
            default=(0.0, [of]),
        )

    return tuple(edges[frozenset(pair)] for pair in pairwise(rest(start)[1]))
