"""What a push notes of the graph as a whole, in the node ``:StemmaPush``."""

import json
from collections.abc import Mapping
from typing import Any

from stemma.graph.history import dump
from stemma.graph.store import Reader, Statistics
from stemma.schema import EntityKind, RelationType

FORMAT = 6
"""Of the graph in Neo4j; another one is pushed again as a whole."""


def push_note(reader: Reader, state: str) -> dict[str, Any]:
    """Return the properties of the note on a graph that was pushed whole, in a `state` of it."""
    counted = reader.statistics()
    counts = {
        "papers": counted.papers,
        "entities": counted.entities,
        "statements": counted.statements,
        "lineage_edges": counted.lineage_edges,
        "by_kind": dict(counted.by_kind),
        "by_relation": dict(counted.by_relation),
    }
    return {
        "format": FORMAT,
        "state": state,
        "generation": reader.generation,
        "catalogue": reader.catalogue,
        "decisions": counted.decisions,
        "statistics": json.dumps(counts),
        "former": json.dumps(dict(reader.former)),
        "unapplied": json.dumps(reader.unapplied()),
        "builds": dump(reader.builds()),
    }


def statistics_in(note: Mapping[str, Any]) -> Statistics:
    """Read what a note says of the size of the graph."""
    counts = json.loads(note["statistics"])
    return Statistics(
        counts["papers"],
        counts["entities"],
        counts["statements"],
        counts["lineage_edges"],
        str(note["generation"]),
        {kind: counts["by_kind"].get(kind, 0) for kind in EntityKind},
        {relation: counts["by_relation"].get(relation, 0) for relation in RelationType},
        note["decisions"],
    )
