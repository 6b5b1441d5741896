"""Where works are in a picture: in columns from older to later, with few crossings."""

from collections import defaultdict
from collections.abc import Hashable, Iterable, Mapping, Sequence
from math import ceil, sqrt
from statistics import fmean

_SWEEPS = 8
_LEAST_ROWS = 12
"""How high a column may be at any rate; in pictures of many works it may be higher."""


def steps_within(bands: Mapping[str, Hashable], edges: Iterable[tuple[str, str]]) -> dict[str, int]:
    """Return how many works of its own band each work derives from, one after the other.

    `edges` lead from child to parent. Where works derive from each other in a circle, one edge of
    it does not count: that which leads back.
    """
    parents: dict[str, list[str]] = {work: [] for work in bands}
    for child, parent in edges:
        if child in bands and parent in bands and bands[child] == bands[parent]:
            parents[child].append(parent)
    steps: dict[str, int] = {}
    for work in bands:
        path = [(work, iter(parents[work]))]
        entered = {work}
        while path and work not in steps:
            current, rest = path[-1]
            further = (each for each in rest if each not in steps and each not in entered)
            if (unknown := next(further, None)) is not None:
                entered.add(unknown)
                path.append((unknown, iter(parents[unknown])))
                continue
            known = (steps[each] for each in parents[current] if each in steps)
            steps[current] = 1 + max(known, default=-1)
            path.pop()
    return steps


def columns(layers: Mapping[str, int], edges: Iterable[tuple[str, str]]) -> list[list[str]]:
    """Return the works of each layer from 0 on, in order from top to bottom.

    Each work moves towards the middle of those that it is connected to on one side, back and
    forth a few times (the barycentre heuristic of Sugiyama, Tagawa and Toda 1981); the order given
    breaks ties, so the same works have the same picture.
    """
    ordered: list[list[str]] = [[] for _ in range(max(layers.values(), default=0) + 1)]
    for work, layer in layers.items():
        ordered[layer].append(work)
    near: dict[str, list[str]] = defaultdict(list)
    for one, other in edges:
        if one in layers and other in layers:
            near[one].append(other)
            near[other].append(one)
    before = {w: [e for e in near[w] if layers[e] < layers[w]] for w in layers}
    behind = {w: [e for e in near[w] if layers[e] > layers[w]] for w in layers}
    for sweep in range(_SWEEPS):
        forwards = sweep % 2 == 0
        tied = before if forwards else behind
        places = heights(ordered)
        for column in ordered if forwards else reversed(ordered):
            middles = {
                work: fmean(places[each] for each in tied[work]) if tied[work] else places[work]
                for work in column
            }
            column.sort(key=middles.__getitem__)
            places |= _heights(column, max(map(len, ordered)))
    return ordered


def wrapped(layers: Sequence[Sequence[str]]) -> list[list[list[str]]]:
    """Return the columns of each layer: one, or several where it is too long for one."""
    rows = max(_LEAST_ROWS, ceil(1.5 * sqrt(sum(map(len, layers)))))
    found = []
    for layer in layers:
        # Columns of one layer are of much the same length.
        length = ceil(len(layer) / ceil(len(layer) / rows)) if layer else 1
        found.append([list(layer[i : i + length]) for i in range(0, len(layer), length)])
    return found


def heights(layers: Sequence[Sequence[str]]) -> dict[str, float]:
    """Return the row of each work; columns are centred beside the longest."""
    longest = max(map(len, layers), default=0)
    return {work: row for layer in layers for work, row in _heights(layer, longest).items()}


def _heights(layer: Sequence[str], longest: int) -> dict[str, float]:
    return {work: (longest - len(layer)) / 2 + row for row, work in enumerate(layer)}
