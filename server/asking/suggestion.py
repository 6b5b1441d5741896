"""Questions that a graph can answer, with names of its own."""

from collections.abc import Iterator
from itertools import islice

from stemma.graph import (
    LineageDirection,
    LineageFilter,
    PageOrder,
    Reader,
    WorkFilter,
    WorkType,
    trace,
)
from stemma.schema import EntityKind, RelationType

_WANTED = 12
_LOOKED_AT = 300
"""Of the entities that most papers name."""
_USED = (RelationType.USES, RelationType.BUILDS_ON)
_COMPARED = (RelationType.COMPARES_WITH,)
_MOST_PAPERS, _MOST_STATEMENTS = 20, 100
"""Papers of an entity, and statements of a paper, in which an answer is looked for."""
_SURE = LineageFilter(min_confidence=0.7)
_RIVALS = (EntityKind.FRAMEWORK, EntityKind.TECHNIQUE, EntityKind.MODEL)


def suggestions(reader: Reader) -> tuple[str, ...]:
    """Return a question of each sort that has an answer in this graph."""
    return tuple(dict.fromkeys(_suggestions(reader)))


def about(name: str) -> tuple[str, ...]:
    """Return what may be asked of one work."""
    return (f"what is {name}?", f"what builds on {name}?", f"what does {name} build on?")


def _suggestions(reader: Reader) -> Iterator[str]:
    introduced = _names(reader, (), RelationType.INTRODUCES)
    # One after the other: the first has an answer, mostly, and hubs have many neighbours.
    for id_, name in introduced.items():
        if reader.neighbours([id_], LineageDirection.DESCENDANTS)[id_]:
            yield f"what builds on {name}?"
            yield f"timeline of {name}"
            break
    for id_, name in introduced.items():
        nearest = trace(reader, id_, LineageDirection.ANCESTORS, max_depth=1, filter=_SURE, first=1)
        if nearest.nodes:
            yield f"what does {name} build on?"
            yield f"how is {name} related to {nearest.nodes[0].work.name}?"
            break
    for name in list(_names(reader, (EntityKind.HARDWARE,), RelationType.RUNS_ON).values())[:1]:
        yield f"which papers run on {name}?"
    compared = list(_names(reader, _RIVALS, RelationType.COMPARES_WITH).values())
    for name in compared[:1]:
        yield f"what compares with {name}?"
    if len(compared) > 1:
        yield f"compare {compared[0]} and {compared[1]}"
    for name in list(introduced.values())[:1]:
        yield f"who introduced {name}?"
    for id_, name in introduced.items():
        own = reader.statement_rows(id_, [RelationType.INTRODUCES], _MOST_PAPERS)
        if any(reader.statement_rows(each.subject, _COMPARED, 1) for each in own):
            yield f"baselines of {name}"
            break
    used = _names(reader, (EntityKind.TECHNIQUE,), RelationType.USES)
    for id_, name in used.items():
        users = {each.subject for each in reader.statement_rows(id_, _USED, _MOST_PAPERS)}
        if any(
            each.kind is EntityKind.TECHNIQUE and each.entity != id_
            for user in sorted(users)
            for each in reader.statement_rows(user, _USED, _MOST_STATEMENTS)
        ):
            yield f"techniques used with {name}"
            yield f"what is {name}?"
            break


def _names(reader: Reader, kinds: tuple[EntityKind, ...], relation: RelationType) -> dict[str, str]:
    """Return the names of the entities that most papers name, of those with such a relation."""
    most = reader.page(WorkType.ENTITY, WorkFilter(kinds=kinds), PageOrder.PAPERS, first=_LOOKED_AT)
    related = (work for work in most.works if reader.statement_rows(work.id, [relation], 1))
    found = list(islice(related, _WANTED))
    if len(found) < _WANTED and most.has_next:
        # Of a large graph this asks for each entity.
        chosen = WorkFilter(kinds=kinds, relations=(relation,))
        page = reader.page(WorkType.ENTITY, chosen, PageOrder.PAPERS, first=_WANTED)
        found = list(page.works)
    return {work.id: work.name for work in found}
