"""Questions that a graph can answer, with names of its own."""

from collections.abc import Iterator
from itertools import pairwise

from stemma.graph import LineageDirection, PageOrder, Reader, WorkFilter, WorkType
from stemma.schema import EntityKind, RelationType


def suggestions(reader: Reader) -> tuple[str, ...]:
    """Return questions of several forms that have an answer in this graph."""
    return tuple(dict.fromkeys(_suggestions(reader)))


def _suggestions(reader: Reader) -> Iterator[str]:
    for work in reader.works(list(reader.most_derived(1))).values():
        yield from (f"what builds on {work.name}?", f"lineage of {work.name}", "most built upon")
        children = reader.neighbours([work.id], LineageDirection.DESCENDANTS)[work.id][:1]
        for child in reader.works(children).values():
            yield f"how is {child.name} related to {work.name}?"
    for left, right in pairwise(_named(reader, RelationType.COMPARES_WITH, 2)):
        yield f"compare {left} and {right}"
    for name in _named(reader, RelationType.RUNS_ON, 1, EntityKind.HARDWARE):
        yield from (f"which papers run on {name}?", "most used hardware")
    for name in _named(reader, RelationType.INTRODUCES, 1):
        yield f"who introduced {name}?"
    for name in _named(reader, RelationType.USES, 1, EntityKind.TECHNIQUE):
        yield from (
            f"newest papers about {name}",
            f"which datasets are used in papers about {name}?",
        )


def _named(reader: Reader, relation: RelationType, first: int, *kinds: EntityKind) -> list[str]:
    """Return the names of the named works to which most papers have a relation."""
    chosen = WorkFilter(kinds=kinds, relations=(relation,), general=False)
    ids = reader.ids(WorkType.ENTITY, chosen, PageOrder.PAPERS, first)
    return [work.name for work in reader.works(ids).values()]
