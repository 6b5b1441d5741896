"""Questions that a graph can answer, with names of its own."""

from collections.abc import Iterator

from stemma.graph import LineageDirection, PageOrder, Reader, Selection, WorkType
from stemma.schema import EntityKind, RelationType

_OF_ENTITIES = (
    (EntityKind.HARDWARE, RelationType.RUNS_ON, "which papers run on {}?", "most used hardware"),
    (EntityKind.TECHNIQUE, RelationType.INTRODUCES, "who introduced {}?", "what is {}?"),
    (EntityKind.TECHNIQUE, RelationType.USES, "newest papers about {}", "who works on {}?"),
)


def suggestions(reader: Reader) -> tuple[str, ...]:
    """Return questions of several forms that have an answer in this graph."""
    return tuple(dict.fromkeys(_suggestions(reader)))


def _suggestions(reader: Reader) -> Iterator[str]:
    for work in reader.works(list(reader.most_derived(1))).values():
        yield from (f"what builds on {work.name}?", f"lineage of {work.name}", "most built upon")
        children = reader.neighbours([work.id], LineageDirection.DESCENDANTS)[work.id][:1]
        for child in reader.works(children).values():
            yield f"how is {child.name} related to {work.name}?"
            yield f"compare {child.name} and {work.name}"
    for kind, relation, *questions in _OF_ENTITIES:
        named = Selection(kinds=(kind,), relations=(relation,), general=False)
        ids = reader.ids(WorkType.ENTITY, named.changed(order=PageOrder.PAPERS, first=1))
        for work in reader.works(ids).values():
            yield from (each.format(work.name) for each in questions)
