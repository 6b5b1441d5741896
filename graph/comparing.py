"""All that is known of one work, and two works side by side: what they share, what only one of them
has, how they are related."""

from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from enum import StrEnum

from stemma.graph.edge import LineageEdge, place_of
from stemma.graph.path import Path, find_path
from stemma.graph.reader import Reader, Work, expect_works
from stemma.graph.selection import LineageDirection
from stemma.schema import Entity, EntityKind, Paper, PartialDate, RelationType, Statement


class Aspect(StrEnum):
    """An aspect in which two works are compared."""

    HARDWARE = "hardware"
    FRAMEWORKS = "frameworks"
    TECHNIQUES = "techniques"
    MODELS = "models"
    DATASETS = "datasets"
    BASELINES = "baselines"


_KINDS = {
    EntityKind.HARDWARE: Aspect.HARDWARE,
    EntityKind.FRAMEWORK: Aspect.FRAMEWORKS,
    EntityKind.TECHNIQUE: Aspect.TECHNIQUES,
    EntityKind.MODEL: Aspect.MODELS,
    EntityKind.DATASET: Aspect.DATASETS,
}


@dataclass(frozen=True, slots=True)
class Profile:
    """A work, and what papers and the catalogue say of it.

    `papers` speak for it: those that introduce an entity; a paper speaks for itself. `aspects` are
    what they name. `statements` have it as subject or entity, the surest first. `parents` and
    `children` are the edges of its lineage, one step each way, which a comparison does without; a
    paper has those of its main contribution.
    """

    work: Work
    published: PartialDate | None
    papers: tuple[Paper, ...]
    aspects: Mapping[Aspect, tuple[Entity, ...]]
    statements: tuple[Statement, ...]
    parents: tuple[LineageEdge, ...] = ()
    children: tuple[LineageEdge, ...] = ()


@dataclass(frozen=True, slots=True)
class SharedAndOwn:
    """What two works have in common, and what only one of them has."""

    shared: Sequence[Entity]
    left: Sequence[Entity]
    right: Sequence[Entity]

    def __bool__(self) -> bool:
        return bool(self.shared or self.left or self.right)


@dataclass(frozen=True, slots=True)
class SideBySide:
    """`statements` are what the papers of either side say of the other, the surest first.

    `lineage` is the way from the left to the right over lineage, if there is one. `compared_by` are
    papers that compare with both.
    """

    left: Profile
    right: Profile
    aspects: Mapping[Aspect, SharedAndOwn]
    lineage: Path
    statements: tuple[Statement, ...]
    compared_by: tuple[Paper, ...]


def profile(reader: Reader, work_id: str) -> Profile:
    """Return all that is known of a work. Raises UnknownNameError where no work has the id."""
    (known,) = _profiles(reader, [work_id])
    root = reader.contributions([work_id]).get(work_id, work_id)
    parents, children = (
        reader.lineage_edges([root], direction).get(root, [])
        for direction in (LineageDirection.ANCESTORS, LineageDirection.DESCENDANTS)
    )
    return replace(known, parents=tuple(parents), children=tuple(children))


def _profiles(reader: Reader, ids: Sequence[str]) -> list[Profile]:
    """Return what is known of works, without the edges of their lineage."""
    works, about, dates = expect_works(reader, ids), reader.statements(ids), reader.published(ids)
    papers = {id_: _speaking_papers(reader, works[id_], about[id_]) for id_ in ids}
    stated = reader.statements({paper.id for own in papers.values() for paper in own})
    return [
        Profile(
            works[id_],
            dates.get(id_),
            papers[id_],
            aspects_of(
                reader,
                [
                    statement
                    for paper in papers[id_]
                    for statement in stated[paper.id]
                    if statement.entity != id_
                ],
            ),
            tuple(about[id_]),
        )
        for id_ in ids
    ]


def compare(reader: Reader, left: str, right: str) -> SideBySide:
    """Put two works (ids) side by side. Raises UnknownNameError where no work has an id."""
    sides = _profiles(reader, [left, right])
    direct = {
        statement.key: statement
        for one, other in (sides, sides[::-1])
        for statement in other.statements
        if statement.entity == other.work.id
        and statement.subject in {one.work.id, *(paper.id for paper in one.papers)}
    }
    comparing = [
        {
            statement.subject
            for statement in side.statements
            if statement.relation is RelationType.COMPARES_WITH
        }
        for side in sides
    ]
    return SideBySide(
        sides[0],
        sides[1],
        {
            aspect: _shared_and_own(*(set(side.aspects[aspect]) for side in sides))
            for aspect in Aspect
        },
        find_path(reader, left, right, comparisons=False),
        tuple(sorted(direct.values(), key=place_of)),
        _as_papers(reader, sorted(comparing[0] & comparing[1])),
    )


def aspects_of(
    reader: Reader, statements: Collection[Statement]
) -> dict[Aspect, tuple[Entity, ...]]:
    """Return what statements name, by aspect and name; own contributions are no means of a work."""
    works = reader.works(sorted({statement.entity for statement in statements}))
    named: dict[Aspect, set[Entity]] = {aspect: set() for aspect in Aspect}
    for statement in statements:
        entity = works.get(statement.entity)
        if isinstance(entity, Entity) and statement.relation is not RelationType.INTRODUCES:
            named[_KINDS[entity.kind]].add(entity)
            if statement.relation is RelationType.COMPARES_WITH:
                named[Aspect.BASELINES].add(entity)
    return {aspect: _by_name(entities) for aspect, entities in named.items()}


def _speaking_papers(reader: Reader, work: Work, stated: Iterable[Statement]) -> tuple[Paper, ...]:
    """Return the papers of a work: those that introduce it, or the paper itself."""
    if isinstance(work, Paper):
        return (work,)
    introducing = [
        statement.subject for statement in stated if statement.relation is RelationType.INTRODUCES
    ]
    return _as_papers(reader, introducing)


def _as_papers(reader: Reader, ids: Collection[str]) -> tuple[Paper, ...]:
    return tuple(work for work in reader.works(ids).values() if isinstance(work, Paper))


def _shared_and_own(left: set[Entity], right: set[Entity]) -> SharedAndOwn:
    return SharedAndOwn(_by_name(left & right), _by_name(left - right), _by_name(right - left))


def _by_name(entities: Iterable[Entity]) -> tuple[Entity, ...]:
    return tuple(sorted(entities, key=lambda entity: (entity.name.casefold(), entity.id)))
