"""Processes as Linux reports them, and what keeps one busy."""

import os
from pathlib import Path

ENDLESS = "SELECT (COUNT(*) AS ?n) { ?a ?b ?c . ?d ?e ?f . ?g ?h ?i FILTER (?a != ?g) }"
"""A query in SPARQL that has no end."""


def descendants(process: int) -> set[int]:
    """The processes that one has started, and that those have."""
    parents = {}
    for path in Path("/proc").glob("[0-9]*"):
        if fields := _fields(int(path.name)):
            state, parent = fields[:2]
            if state != "Z":
                parents[int(path.name)] = int(parent)
    family = {process}
    while more := {each for each, parent in parents.items() if parent in family} - family:
        family |= more
    return family - {process}


def processor_seconds(process: int) -> float:
    """How long a process has been at work; 0 if it is no more."""
    user, system = _fields(process)[11:13] or (0, 0)
    return (int(user) + int(system)) / os.sysconf("SC_CLK_TCK")


def _fields(process: int) -> list[str]:
    try:
        return Path(f"/proc/{process}/stat").read_text().rpartition(")")[2].split()
    except OSError:
        return []
