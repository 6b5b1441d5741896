"""Questions that a graph can answer, with names of its own."""

from collections.abc import Iterator
from dataclasses import replace
from itertools import combinations, islice

from stemma.graph import (
    LineageDirection,
    LineageFilter,
    PageOrder,
    Reader,
    WorkFilter,
    WorkType,
    trace,
)
from stemma.schema import Entity, EntityKind, RelationType

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
    introduced = _entities(reader, (), RelationType.INTRODUCES)
    yield from _on_lineage(reader, introduced)
    for work in _entities(reader, (EntityKind.HARDWARE,), RelationType.RUNS_ON)[:1]:
        yield f"which papers run on {work.name}?"
    compared = _entities(reader, _RIVALS, RelationType.COMPARES_WITH)
    for work in compared[:1]:
        yield f"what compares with {work.name}?"
    for left, right in combinations(compared, 2):
        if left.kind is right.kind:
            yield f"compare {left.name} and {right.name}"
            break
    for work in introduced[:1]:
        yield f"who introduced {work.name}?"
    for work in introduced:
        own = reader.papers_naming([work.id], [RelationType.INTRODUCES])[work.id]
        if any(reader.statement_rows(each, _COMPARED, 1) for each in own):
            yield f"baselines of {work.name}"
            break
    for work in _entities(reader, (EntityKind.TECHNIQUE,), RelationType.USES):
        users = {each.subject for each in reader.statement_rows(work.id, _USED, _MOST_PAPERS)}
        if any(
            each.kind is EntityKind.TECHNIQUE and each.entity != work.id
            for user in sorted(users)
            for each in reader.statement_rows(user, _USED, _MOST_STATEMENTS)
        ):
            yield f"techniques used with {work.name}"
            yield f"what is {work.name}?"
            break


def _on_lineage(reader: Reader, introduced: list[Entity]) -> Iterator[str]:
    # One after the other: the first has an answer, mostly, and hubs have many neighbours.
    for work in introduced:
        if reader.neighbours([work.id], LineageDirection.DESCENDANTS)[work.id]:
            yield f"what builds on {work.name}?"
            yield f"timeline of {work.name}"
            break
    for work in introduced:
        ancestors = LineageDirection.ANCESTORS
        nearest = trace(reader, work.id, ancestors, max_depth=1, filter=_SURE, first=1)
        if nearest.nodes:
            yield f"what does {work.name} build on?"
            yield f"how is {work.name} related to {nearest.nodes[0].work.name}?"
            break


def _entities(
    reader: Reader, kinds: tuple[EntityKind, ...], relation: RelationType
) -> list[Entity]:
    """Return the entities that most papers name, of those with such a relation.

    General terms, such as GPU, count only where there is no named work.
    """
    for general in (False, True):
        alike = WorkFilter(kinds=kinds, general=general)
        most = reader.page(WorkType.ENTITY, alike, PageOrder.PAPERS, first=_LOOKED_AT)
        related = (work for work in most.works if reader.statement_rows(work.id, [relation], 1))
        found = list(islice(related, _WANTED))
        if len(found) < _WANTED and most.has_next:
            # Of a large graph this asks for each entity.
            chosen = replace(alike, relations=(relation,))
            page = reader.page(WorkType.ENTITY, chosen, PageOrder.PAPERS, first=_WANTED)
            found = list(page.works)
        if found:
            return [work for work in found if isinstance(work, Entity)]
    return []
