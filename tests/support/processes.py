"""Processes as Linux reports them."""

from pathlib import Path


def descendants(process: int) -> set[int]:
    """The processes that one has started, and that those have."""
    parents = {}
    for path in Path("/proc").glob("[0-9]*"):
        try:
            stat = (path / "stat").read_text()
        except OSError:
            continue
        state, parent = stat.rpartition(")")[2].split()[:2]
        if state != "Z":
            parents[int(path.name)] = int(parent)
    found = {process}
    while more := {each for each, parent in parents.items() if parent in found} - found:
        found |= more
    return found - {process}
