"""What builds changed, in words and as JSON."""

from typing import Any

from stemma.graph.added_edges import AddedEdges
from stemma.graph.history import Build, Difference
from stemma.schema.quantity import quantity
from stemma.server.presentation.data import edge_json

_NOUNS = {
    "papers": ("paper", "papers"),
    "entities": ("entity", "entities"),
    "edges": ("lineage edge", "lineage edges"),
}


def counted(build: Build) -> str:
    """Return in words how much a build changed."""
    parts = []
    for verb in ("added", "removed"):
        numbers = [
            quantity(count, *nouns)
            for name, nouns in _NOUNS.items()
            if (count := getattr(getattr(build, name), verb).count)
        ]
        if numbers:
            parts.append(f"{_enumerated(numbers)} {verb}")
    if build.updated:
        parts.append(f"{quantity(build.updated, 'paper')} updated")
    return "; ".join(parts)


def _enumerated(parts: list[str]) -> str:
    *others, last = parts
    return f"{', '.join(others)} and {last}" if others else last


def build_json(build: Build, edges: AddedEdges, first: int) -> dict[str, Any]:
    """Return a build with what it changed; `first` things of each kind."""

    def works(difference: Difference) -> dict[str, Any]:
        return {
            verb: {
                "count": listed.count,
                "some": [{"id": id_, "name": name} for id_, name in listed.some[:first]],
            }
            for verb, listed in (("added", difference.added), ("removed", difference.removed))
        }

    added, removed = build.edges.added, build.edges.removed
    return {
        "number": build.number,
        "started": build.started,
        "finished": build.finished,
        "generation": build.generation,
        "papers": {**works(build.papers), "updated": build.updated},
        "entities": works(build.entities),
        "edges": {
            "added": {
                "count": added.count,
                "some": [
                    edge_json(edges.by_ends[ends], edges.works)
                    for ends in added.some[:first]
                    if ends in edges.by_ends
                ],
            },
            "removed": {
                "count": removed.count,
                "some": [
                    {"child": child, "parent": parent} for child, parent in removed.some[:first]
                ],
            },
        },
    }
