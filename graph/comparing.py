"""Two works side by side: what they share, what only one of them has, how they are related."""

from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass
from enum import StrEnum

from stemma.graph.path import Path, find_path
from stemma.graph.store import Reader, Work, expect_works
from stemma.schema import Entity, EntityKind, Paper, PartialDate, RelationType, Statement


class Aspect(StrEnum):
    """In what respect two works are compared."""

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
class Side:
    """A compared work, when it was published, and its papers.

    Of an entity these are the papers that introduce it: what they name is its hardware and so on.
    """

    work: Work
    published: PartialDate | None
    papers: tuple[Paper, ...]


@dataclass(frozen=True, slots=True)
class SharedAndOwn:
    """What two works have in common, and what only one of them has."""

    shared: Sequence[Entity]
    left: Sequence[Entity]
    right: Sequence[Entity]

    def columns(self) -> tuple[Sequence[Entity], ...]:
        """Return them as a table shows them, with what is shared between the others."""
        return (self.left, self.shared, self.right)

    def __bool__(self) -> bool:
        return bool(self.shared or self.left or self.right)


@dataclass(frozen=True, slots=True)
class SideBySide:
    """`statements` are what the papers of either side say of the other, the surest first.

    `lineage` is the way from the left to the right over lineage, if there is one. `compared_by` are
    papers that compare with both.
    """

    left: Side
    right: Side
    aspects: Mapping[Aspect, SharedAndOwn]
    lineage: Path
    statements: tuple[Statement, ...]
    compared_by: tuple[Paper, ...]


def compare(reader: Reader, left: str, right: str) -> SideBySide:
    """Put two works (ids) side by side. Raises UnknownNameError where no work has an id."""
    works = expect_works(reader, [left, right])
    stated = reader.statements([left, right])
    papers = {each: speaking_papers(reader, works[each], stated[each]) for each in works}
    statements = reader.statements({paper.id for own in papers.values() for paper in own})
    own = {
        each: [
            statement
            for paper in papers[each]
            for statement in statements[paper.id]
            if statement.entity != each
        ]
        for each in works
    }
    entities = _entities(reader, own.values())
    dates = reader.published([left, right])
    direct = {
        statement.key: statement
        for one, other in ((left, right), (right, left))
        for statement in (*own[one], *stated[one])
        if statement.entity == other
        and statement.subject in {one, *(paper.id for paper in papers[one])}
    }
    return SideBySide(
        Side(works[left], dates.get(left), papers[left]),
        Side(works[right], dates.get(right), papers[right]),
        {
            aspect: _shared_and_own(
                _named(own[left], entities, aspect), _named(own[right], entities, aspect)
            )
            for aspect in Aspect
        },
        find_path(reader, left, right, comparisons=False),
        tuple(sorted(direct.values(), key=lambda each: (-each.confidence, each.key))),
        _compared_by(reader, stated[left], stated[right]),
    )


def aspects_of(
    reader: Reader, statements: Collection[Statement]
) -> dict[Aspect, tuple[Entity, ...]]:
    """Return what statements name, by aspect and name."""
    entities = _entities(reader, [statements])
    return {aspect: _by_name(_named(statements, entities, aspect)) for aspect in Aspect}


def speaking_papers(reader: Reader, work: Work, stated: Iterable[Statement]) -> tuple[Paper, ...]:
    """Return the papers of a work: those that introduce it, or the paper itself."""
    if isinstance(work, Paper):
        return (work,)
    introducing = [each.subject for each in stated if each.relation is RelationType.INTRODUCES]
    return _as_papers(reader, introducing)


def _compared_by(
    reader: Reader, left: Iterable[Statement], right: Iterable[Statement]
) -> tuple[Paper, ...]:
    """Return the papers that compare with both."""
    comparing = [
        {each.subject for each in own if each.relation is RelationType.COMPARES_WITH}
        for own in (left, right)
    ]
    return _as_papers(reader, sorted(comparing[0] & comparing[1]))


def _as_papers(reader: Reader, ids: Collection[str]) -> tuple[Paper, ...]:
    return tuple(work for work in reader.works(ids).values() if isinstance(work, Paper))


def _entities(reader: Reader, own: Iterable[Iterable[Statement]]) -> dict[str, Entity]:
    ids = {each.entity for statements in own for each in statements}
    return {
        id_: work for id_, work in reader.works(sorted(ids)).items() if isinstance(work, Entity)
    }


def _named(
    statements: Iterable[Statement], entities: Mapping[str, Entity], aspect: Aspect
) -> set[Entity]:
    """Return what statements name in an aspect; a work's own contributions are not its means."""
    return {
        entities[each.entity]
        for each in statements
        if each.entity in entities
        and each.relation is not RelationType.INTRODUCES
        and (
            each.relation is RelationType.COMPARES_WITH
            if aspect is Aspect.BASELINES
            else _KINDS[entities[each.entity].kind] is aspect
        )
    }


def _shared_and_own(left: set[Entity], right: set[Entity]) -> SharedAndOwn:
    return SharedAndOwn(_by_name(left & right), _by_name(left - right), _by_name(right - left))


def _by_name(entities: Iterable[Entity]) -> tuple[Entity, ...]:
    return tuple(sorted(entities, key=lambda each: (each.name.casefold(), each.id)))
