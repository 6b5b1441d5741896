"""Works of a graph of which it can answer a question of some sort.

Shared by the questions that it suggests and by the example queries.
"""

from dataclasses import replace
from functools import cached_property
from itertools import islice

from stemma.graph import (
    LineageDirection,
    LineageFilter,
    PageOrder,
    Reader,
    Work,
    WorkFilter,
    WorkType,
    trace,
)
from stemma.graph.filters import WHOLE_LINEAGE
from stemma.graph.selection import Selection
from stemma.graph.statement_page import StatementRow
from stemma.schema import Entity, EntityKind, RelationType

SURE = LineageFilter(min_confidence=0.7)
USED = (RelationType.USES, RelationType.BUILDS_ON)
COMPARED = (RelationType.COMPARES_WITH,)
_WANTED = 12
_LOOKED_AT = 300
"""Of the entities that most papers name."""
_MOST_PAPERS, _MOST_STATEMENTS = 20, 100
"""Papers of an entity, and statements of a paper, in which an answer is looked for."""
_RIVALS = (EntityKind.FRAMEWORK, EntityKind.TECHNIQUE, EntityKind.MODEL)


class Answerable:
    """Finds such works in a graph; each list is computed when it is first used."""

    def __init__(self, reader: Reader) -> None:
        self._reader = reader

    @cached_property
    def introduced(self) -> list[Entity]:
        """What papers introduce."""
        return self._entities((), RelationType.INTRODUCES)

    @cached_property
    def hardware(self) -> list[Entity]:
        """What papers run on."""
        return self._entities((EntityKind.HARDWARE,), RelationType.RUNS_ON)

    @cached_property
    def compared(self) -> list[Entity]:
        """What papers compare with."""
        return self._entities(_RIVALS, RelationType.COMPARES_WITH)

    @cached_property
    def techniques(self) -> list[Entity]:
        """Techniques that papers use."""
        return self._entities((EntityKind.TECHNIQUE,), RelationType.USES)

    @cached_property
    def datasets(self) -> list[Entity]:
        """Data on which papers are evaluated."""
        return self._entities((EntityKind.DATASET,), RelationType.EVALUATED_ON)

    def has_children(self, work: Work, filter: LineageFilter = WHOLE_LINEAGE) -> bool:
        """Return whether anything builds on a work."""
        found = self._reader.neighbours([work.id], LineageDirection.DESCENDANTS, filter)
        return bool(found.get(work.id))

    def nearest_ancestor(self, work: Work, filter: LineageFilter = SURE) -> Work | None:
        """Return a work that another directly builds on, if there is one."""
        ancestors = LineageDirection.ANCESTORS
        nearest = trace(
            self._reader,
            work.id,
            Selection(
                direction=ancestors,
                max_depth=1,
                relations=filter.relations,
                min_confidence=filter.min_confidence,
                include_catalogue=filter.include_catalogue,
                first=1,
            ),
        )
        return nearest.nodes[0].work if nearest.nodes else None

    def introducing(self, work: Work) -> list[str]:
        """Return the papers (ids) that introduce a work."""
        papers = self._reader.papers_naming([work.id], [RelationType.INTRODUCES])
        return papers.get(work.id, [])

    def stated(self, paper: str, *relations: RelationType) -> list[StatementRow]:
        """Return what a paper (an id) states, the surest first; not all, where it is much."""
        rows = self._reader.statement_rows(paper, relations, _MOST_STATEMENTS)
        return [row for row in rows if row.subject == paper]

    def has(self, work: Work, *relations: RelationType) -> bool:
        """Return whether a work is in a statement with one of these relations."""
        return bool(self._reader.statement_rows(work.id, relations, 1))

    def is_used_with_another(self, technique: Work) -> bool:
        """Return whether papers use another technique beside one."""
        rows = self._reader.statement_rows(technique.id, USED, _MOST_PAPERS)
        return any(
            each.kind is EntityKind.TECHNIQUE and each.entity != technique.id
            for user in sorted({row.subject for row in rows})
            for each in self._reader.statement_rows(user, USED, _MOST_STATEMENTS)
        )

    def _entities(self, kinds: tuple[EntityKind, ...], relation: RelationType) -> list[Entity]:
        """Return the entities that most papers name, of those with such a relation.

        General terms, such as GPU, count only where there is no named work.
        """
        for general in (False, True):
            alike = WorkFilter(kinds=kinds, general=general)
            ids = self._reader.ids(WorkType.ENTITY, alike, PageOrder.PAPERS, _LOOKED_AT + 1)
            most = self._reader.works(ids[:_LOOKED_AT])
            found = list(
                islice((each for each in most.values() if self.has(each, relation)), _WANTED)
            )
            if len(found) < _WANTED and len(ids) > _LOOKED_AT:
                # Of a large graph this asks for each entity.
                chosen = replace(alike, relations=(relation,))
                ids = self._reader.ids(WorkType.ENTITY, chosen, PageOrder.PAPERS, _WANTED)
                found = list(self._reader.works(ids).values())
            if found:
                return [work for work in found if isinstance(work, Entity)]
        return []
