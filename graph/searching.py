"""Searching: works by a part of their names, page by page, and those that look like a name; papers
that meet several criteria at once, and the entities that such papers name.
"""

import re
import sys
from collections import Counter, defaultdict
from collections.abc import Callable, Collection, Iterable, Sequence
from dataclasses import dataclass, replace
from typing import Any

from stemma.graph.reader import (
    AmbiguousNameError,
    Reader,
    UnknownAuthorError,
    UnknownNameError,
    Work,
    WorkType,
    meant_by,
    page_of,
    spellings,
)
from stemma.graph.selection import EVERYTHING, Criterion, FilterError, Page, PageOrder, Selection
from stemma.schema import Entity, EntityKind, Paper, RelationType, Statement
from stemma.schema.name import PAPER, is_id

MOST_CRITERIA = 10
"""Entities that the criteria of one question name."""
MOST_SOURCES = 500
"""Papers whose statements are read to find entities; more make an answer a truncated one."""
_MOST_NARROWER = 200
_OF_PAPERS = ("text", "since", "until", "organization", "venue", "order", "first", "after")


@dataclass(frozen=True, slots=True)
class EntityMatch:
    """An entity, and the statements by which papers name it, the surest first."""

    entity: Entity
    statements: tuple[Statement, ...]


def criteria_of(
    given: Sequence[Any], resolve: Callable[[str], str], beginning: str
) -> list[Criterion]:
    """Return what an interface was given as criteria, with names that `resolve` finds the ids of.

    Each has an `entity` and perhaps `others`, else what a `Criterion` has.

    Raises FilterError if they are about too many entities: "`all` names 12 entities; …".
    """
    names = [(criterion.entity, *(criterion.others or ())) for criterion in given]
    if (entities := sum(map(len, names))) > MOST_CRITERIA:
        raise FilterError(f"{beginning} {entities} entities; at most {MOST_CRITERIA} are allowed")
    return [
        Criterion(
            tuple(map(resolve, named)),
            tuple(criterion.relations or ()),
            criterion.excluded,
            criterion.include_narrower,
        )
        for criterion, named in zip(given, names, strict=True)
    ]


def papers_filter(
    reader: Reader, selection: Selection, criteria: Sequence[Criterion] = ()
) -> Selection:
    """Return what a reader chooses those selected papers by which meet all criteria.

    They have one of the selected relations, to the selected entity if there is one. Of authors of
    one name any is meant. Raises UnknownNameError where no author or work has a name of the
    selection, AmbiguousNameError where several works have.
    """
    if selection.order is PageOrder.PAPERS:
        raise FilterError("only entities are ordered by papers: give another order")
    if selection.entity:
        about = Criterion((reader.resolve(selection.entity),), selection.relations)
        criteria, selection = (*criteria, about), selection.changed(relations=())
    return Selection(
        **selection.given(_OF_PAPERS),
        relations=selection.relations,
        criteria=tuple(_with_narrower(reader, criterion) for criterion in criteria),
        authors=people_named(reader, selection.author) if selection.author else selection.authors,
        citing=() if selection.cites is None else papers_named(reader, selection.cites),
        cited_in=() if selection.cited_by is None else papers_named(reader, selection.cited_by),
    )


def people_named(reader: Reader, name: str) -> tuple[str, ...]:
    """Return the ids of the authors called `name`. Raises UnknownNameError where there is none."""
    if persons := reader.people_meant(name):
        return tuple(person.id for person in persons)
    raise UnknownAuthorError(name)


def papers_named(reader: Reader, name: str) -> tuple[str, ...]:
    """Return the id of the paper called `name`, or of those that introduce the entity."""
    id_ = reader.resolve(name)
    if id_.startswith(PAPER):
        return (id_,)
    return tuple(reader.papers_naming([id_], [RelationType.INTRODUCES])[id_]) or (id_,)


def meeting_statements(
    reader: Reader, papers: Collection[str], chosen: Selection
) -> dict[str, tuple[Statement, ...]]:
    """Return the statements by which each of these papers (ids) passes the filter."""
    stated = [criterion for criterion in chosen.criteria if not criterion.excluded]
    if not stated:
        return dict.fromkeys(papers, ())
    statements = reader.statements(papers, _all_relations(stated))
    return {
        paper: tuple(
            statement
            for statement in statements.get(paper, ())
            if any(criterion.is_met_by(statement) for criterion in stated)
        )
        for paper in papers
    }


def entities_where(
    reader: Reader, criteria: Sequence[Criterion], selection: Selection = EVERYTHING
) -> Page[EntityMatch]:
    """Return the entities to which papers that meet all criteria have the selected relations.

    The selection chooses the papers as `papers_filter` does, and the entities by `kinds`, `general`
    and `broader`. Entities of most papers come first, then the surest; those of the criteria are
    left out. `after` is the id of an entity of the same answer. Raises BadCursorError where it is
    not.
    """
    of_papers = selection.changed(entity=None, relations=())
    chosen = papers_filter(reader, of_papers, criteria)
    sources = reader.ids(WorkType.PAPER, _oldest(chosen, MOST_SOURCES + 1))
    truncated, sources = len(sources) > MOST_SOURCES, sources[:MOST_SOURCES]
    named: dict[str, list[Statement]] = defaultdict(list)
    asked = {id_ for criterion in criteria for id_ in criterion.entities}
    for paper, statements in reader.statements(sources, selection.relations).items():
        for statement in statements:
            if statement.subject == paper and statement.entity not in asked:
                named[statement.entity].append(statement)
    if selection.broader is not None:
        # A concept need not be in the graph to have narrower ones there.
        top = selection.broader
        below = narrower_entities(reader, top if is_id(top) else reader.resolve(top), most=None)
        named = {id_: statements for id_, statements in named.items() if id_ in below}
    matches = [
        EntityMatch(
            work, tuple(sorted(named[work.id], key=lambda statement: -statement.confidence))
        )
        for work in reader.works(list(named)).values()
        if isinstance(work, Entity) and passes(work, selection)
    ]
    matches.sort(key=_most_papers)
    page = page_of(matches, selection.first, selection.after, lambda match: match.entity.id)
    return replace(page, truncated=truncated)


def _oldest(chosen: Selection, first: int) -> Selection:
    return chosen.changed(order=PageOrder.PUBLISHED, first=first, after=None)


def passes(work: Work, chosen: Selection) -> bool:
    """Return whether a work is an entity of such a kind, general or not; papers pass if all may."""
    if isinstance(work, Paper):
        return not chosen.kinds and chosen.general is None
    is_of_kind = not chosen.kinds or work.kind in chosen.kinds
    return is_of_kind and chosen.general in (None, work.general)


def used_together(
    reader: Reader, entity: str, relations: Collection[RelationType], first: int
) -> list[tuple[Entity, int]]:
    """Return the entities that papers relate to besides one, with the number of these papers.

    Those are papers with such a relation to both, of which the oldest are asked (MOST_SOURCES).
    """
    chosen = Selection(criteria=(Criterion((entity,), tuple(relations)),))
    sources = reader.ids(WorkType.PAPER, _oldest(chosen, MOST_SOURCES))
    named = reader.entities_named(sources, relations)
    papers = Counter(other for others in named.values() for other in others if other != entity)
    most = sorted(papers, key=lambda other: (-papers[other], other))[:first]
    return [
        (work, papers[work.id]) for work in reader.works(most).values() if isinstance(work, Entity)
    ]


def entities_meant(reader: Reader, work: Work) -> set[str]:
    """Return the entities (ids) that a question for papers about a work is about: the work; for a
    class and for hardware also the narrower ones, as an H100 is a GPU."""
    if not isinstance(work, Entity) or not (work.general or work.kind is EntityKind.HARDWARE):
        return {work.id}
    called = called_after(reader, spellings(work), (work.kind,))
    return {work.id} | called | narrower_entities(reader, work.id)


def called_after(
    reader: Reader, names: Iterable[str], kinds: tuple[EntityKind, ...] = ()
) -> set[str]:
    """Return the entities (ids) that are of a class by their names alone, as a humanoid robot is a
    robot, and a TPU v3-8 is a TPU."""
    names = [*dict.fromkeys(map(_singular, names))]
    said = "|".join(map(re.escape, names))
    pattern = re.compile(rf"(?:.* )?(?:{said})|(?:{said}) ?v?\d.*")
    alike = Selection(text=names[0], kinds=kinds, order=PageOrder.PAPERS, first=_MOST_NARROWER)
    entities = reader.page(WorkType.ENTITY, alike).items
    return {
        e.id
        for e in entities
        if any(pattern.fullmatch(_singular(spelling)) for spelling in spellings(e))
    }


def _singular(name: str) -> str:
    return name.casefold().replace("-", " ").removesuffix("s")


def _most_papers(match: EntityMatch) -> tuple[int, float, str]:
    papers = {statement.subject for statement in match.statements}
    return (-len(papers), -match.statements[0].confidence, match.entity.id)


def _with_narrower(reader: Reader, criterion: Criterion) -> Criterion:
    """Return a criterion with the ids of the cases of its entities, if these count."""
    targets = set(criterion.entities)
    for entity in criterion.entities if criterion.include_narrower else ():
        targets |= narrower_entities(reader, entity)
    return replace(criterion, entities=tuple(sorted(targets)), include_narrower=False)


def narrower_entities(
    reader: Reader, entity: str, most: int | None = _MOST_NARROWER - 1
) -> set[str]:
    """Return the ids of the narrower entities of one (an id), of very many the nearest."""
    narrower = set[str]()
    frontier = [entity]
    while frontier and (most is None or len(narrower) < most):
        below = {id_ for ids in reader.narrower(frontier).values() for id_ in ids} - narrower
        frontier = sorted(below)[: most - len(narrower) if most is not None else None]
        narrower.update(frontier)
    return narrower


def _all_relations(criteria: Iterable[Criterion]) -> tuple[RelationType, ...]:
    """Return the relations that any criterion asks for; none for all of them."""
    asked = [
        criterion.relations
        for criterion in criteria
        if not all(entity.startswith(PAPER) for entity in criterion.entities)
    ]
    if not all(asked):
        return ()
    either = {relation for relations in asked for relation in relations}
    return tuple(relation for relation in RelationType if relation in either)


def papers_page(reader: Reader, selection: Selection) -> Page[Work]:
    """Return a page of selected papers, by default the oldest first.

    Raises BadCursorError where `after` is no paper.
    """
    ordered = selection.changed(order=selection.order or PageOrder.PUBLISHED)
    return reader.page(WorkType.PAPER, papers_filter(reader, ordered))


def search(reader: Reader, text: str, selection: Selection = EVERYTHING) -> Page[Work]:
    """Return a page of works whose names, aliases or titles match `text`, the best first.

    Where none does, of those whose names are spelt much like it. The selection has the `kinds`,
    whether they are `general`, `first` and `after`, which is the id of a work of the same answer;
    raises BadCursorError if it is invalid.
    """
    if not text.strip():
        raise FilterError("the text is empty: give words of a name or a title")
    ids = reader.matching(text, selection.changed(first=sys.maxsize, after=None))
    if not ids and not selection.kinds and selection.general is None:
        ids = sorted(reader.called(text))  # By an identifier.
    alike = not ids
    if alike:
        near = nearest_works(reader, text)
        ids = [work.id for work in near if passes(work, selection)]
    page = page_of(ids, selection.first, selection.after)
    works = tuple(reader.works(page.items).values())
    return Page(works, page.total, page.has_next, page.has_previous, alike=alike)


def nearest_works(reader: Reader, name: str) -> list[Work]:
    """Return the works that `name` may mean, the likeliest first."""
    try:
        return list(reader.works([reader.resolve(name)]).values())
    except AmbiguousNameError as error:
        return list(error.candidates)
    except UnknownNameError as error:
        return works_called(reader, error.nearest)


def meaning(reader: Reader, name: str) -> tuple[str, tuple[Work, ...]]:
    """Return the work (an id) that a name means, and the others of this name. Raises: `resolve`."""
    called = {} if is_id(name) else reader.called(name)
    meant = meant_by(name, called, reader) if called else reader.resolve(name)
    return meant, namesakes(reader, called, meant)


def namesakes(reader: Reader, called: Iterable[str], meant: str) -> tuple[Work, ...]:
    """Return the others of the works (ids) `called` by a name that is taken to mean `meant`."""
    return tuple(reader.works(sorted({*called} - {meant})).values())


def works_called(reader: Reader, names: Iterable[str]) -> list[Work]:
    """Return the works with these names, each once."""
    ids: dict[str, None] = {}
    for name in names:
        try:
            ids[reader.resolve(name)] = None
        except AmbiguousNameError as error:
            ids |= dict.fromkeys(candidate.id for candidate in error.candidates)
        except UnknownNameError:
            continue
    return list(reader.works(ids).values())
