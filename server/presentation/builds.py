"""What builds changed, in words."""

from stemma.graph.history import Build
from stemma.schema.quantity import quantity

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
