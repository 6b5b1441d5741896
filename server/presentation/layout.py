"""Where the works of a lineage stand in a picture: in columns by depth, with few crossings."""

from collections.abc import Iterable, Mapping, Sequence
from statistics import fmean

_SWEEPS = 8


def columns(depths: Mapping[str, int], edges: Iterable[tuple[str, str]]) -> list[list[str]]:
    """Return the works of each depth from 0 on, in order from top to bottom.

    Each work is drawn towards the middle of those that it is tied to in the other columns, back
    and forth a few times (the barycentre heuristic of Sugiyama, Tagawa and Toda 1981); the order
    given breaks ties, so the same lineage has the same picture.
    """
    layers: list[list[str]] = [[] for _ in range(max(depths.values(), default=0) + 1)]
    for work, depth in depths.items():
        layers[depth].append(work)
    near: dict[str, list[str]] = {work: [] for work in depths}
    for one, other in edges:
        if one in near and other in near:
            near[one].append(other)
            near[other].append(one)
    for sweep in range(_SWEEPS):
        order = range(1, len(layers)) if sweep % 2 == 0 else range(len(layers) - 2, -1, -1)
        for depth in order:
            towards = depth - 1 if sweep % 2 == 0 else depth + 1
            places = heights(layers)
            layers[depth].sort(
                key=lambda work, towards=towards, places=places: _middle(  # type: ignore[misc]
                    work, [each for each in near[work] if depths[each] == towards], places
                )
            )
    return layers


def heights(layers: Sequence[Sequence[str]]) -> dict[str, float]:
    """Return how high each work stands, in rows; columns are centred beside the longest."""
    longest = max(map(len, layers), default=0)
    return {
        work: (longest - len(layer)) / 2 + row for layer in layers for row, work in enumerate(layer)
    }


def _middle(work: str, near: Sequence[str], places: Mapping[str, float]) -> float:
    return fmean(places[each] for each in near) if near else places[work]
