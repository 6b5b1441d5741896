"""All that is known of one work, and two works side by side: what they share, what only one of them
has, how they are related."""

from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass
from enum import StrEnum

from stemma.graph.edge import LineageEdge
from stemma.graph.path import Path, find_path
from stemma.graph.selection import LineageDirection
from stemma.graph.store import Reader, Work, expect_works
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
        """Return columns of entities: of the left work, shared, of the right work."""
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


@dataclass(frozen=True, slots=True)
class Testimony:
    """What is said by the `papers` of a work, which are those that introduce an entity.

    `own` are their statements but for those on the work itself; `about` are all statements with
    the work as subject or entity, the surest first.
    """

    papers: tuple[Paper, ...]
    own: tuple[Statement, ...]
    about: tuple[Statement, ...]


def testimonies(reader: Reader, works: Mapping[str, Work]) -> dict[str, Testimony]:
    """Return the testimonies of the papers of works, by the ids of the works."""
    about = reader.statements(works)
    papers = {id_: _speaking_papers(reader, work, about[id_]) for id_, work in works.items()}
    stated = reader.statements({paper.id for own in papers.values() for paper in own})
    return {
        id_: Testimony(
            papers[id_],
            tuple(each for paper in papers[id_] for each in stated[paper.id] if each.entity != id_),
            tuple(about[id_]),
        )
        for id_ in works
    }


def compare(reader: Reader, left: str, right: str) -> SideBySide:
    """Put two works (ids) side by side. Raises UnknownNameError where no work has an id."""
    works = expect_works(reader, [left, right])
    said, dates = testimonies(reader, works), reader.published([left, right])
    direct = {
        statement.key: statement
        for one, other in ((left, right), (right, left))
        for statement in (*said[one].own, *said[one].about)
        if statement.entity == other
        and statement.subject in {one, *(paper.id for paper in said[one].papers)}
    }
    aspects = [aspects_of(reader, said[each].own) for each in (left, right)]
    compared = [
        {each.subject for each in said[id_].about if each.relation is RelationType.COMPARES_WITH}
        for id_ in (left, right)
    ]
    return SideBySide(
        Side(works[left], dates.get(left), said[left].papers),
        Side(works[right], dates.get(right), said[right].papers),
        {each: _shared_and_own(*(set(own[each]) for own in aspects)) for each in Aspect},
        find_path(reader, left, right, comparisons=False),
        tuple(sorted(direct.values(), key=lambda each: (-each.confidence, each.key))),
        _as_papers(reader, sorted(compared[0] & compared[1])),
    )


def aspects_of(
    reader: Reader, statements: Collection[Statement]
) -> dict[Aspect, tuple[Entity, ...]]:
    """Return what statements name, by aspect and name; own contributions are no means of a work."""
    works = reader.works(sorted({each.entity for each in statements}))
    named: dict[Aspect, set[Entity]] = {aspect: set() for aspect in Aspect}
    for each in statements:
        entity = works.get(each.entity)
        if isinstance(entity, Entity) and each.relation is not RelationType.INTRODUCES:
            named[_KINDS[entity.kind]].add(entity)
            if each.relation is RelationType.COMPARES_WITH:
                named[Aspect.BASELINES].add(entity)
    return {aspect: _by_name(found) for aspect, found in named.items()}


def _speaking_papers(reader: Reader, work: Work, stated: Iterable[Statement]) -> tuple[Paper, ...]:
    """Return the papers of a work: those that introduce it, or the paper itself."""
    if isinstance(work, Paper):
        return (work,)
    introducing = [each.subject for each in stated if each.relation is RelationType.INTRODUCES]
    return _as_papers(reader, introducing)


def _as_papers(reader: Reader, ids: Collection[str]) -> tuple[Paper, ...]:
    return tuple(work for work in reader.works(ids).values() if isinstance(work, Paper))


def _shared_and_own(left: set[Entity], right: set[Entity]) -> SharedAndOwn:
    return SharedAndOwn(_by_name(left & right), _by_name(left - right), _by_name(right - left))


def _by_name(entities: Iterable[Entity]) -> tuple[Entity, ...]:
    return tuple(sorted(entities, key=lambda each: (each.name.casefold(), each.id)))


@dataclass(frozen=True, slots=True)
class Profile:
    """A work, and what papers and the catalogue say of it.

    `papers` speak for it: those that introduce an entity; a paper speaks for itself. `aspects` are
    what they name. `parents` and `children` are the edges of its lineage, one step each way; a
    paper has those of its main contribution. `statements` have it as subject or entity, the surest
    first.
    """

    work: Work
    published: PartialDate | None
    papers: tuple[Paper, ...]
    aspects: Mapping[Aspect, tuple[Entity, ...]]
    parents: tuple[LineageEdge, ...]
    children: tuple[LineageEdge, ...]
    statements: tuple[Statement, ...]


def profile(reader: Reader, work_id: str) -> Profile:
    """Return all that is known of a work. Raises UnknownNameError where no work has the id."""
    works = expect_works(reader, [work_id])
    said = testimonies(reader, works)[work_id]
    root = reader.contributions([work_id]).get(work_id, work_id)
    parents, children = (
        reader.lineage_edges([root], direction).get(root, [])
        for direction in (LineageDirection.ANCESTORS, LineageDirection.DESCENDANTS)
    )
    return Profile(
        works[work_id],
        reader.published([work_id]).get(work_id),
        said.papers,
        aspects_of(reader, said.own),
        tuple(parents),
        tuple(children),
        said.about,
    )
