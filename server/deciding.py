"""Decisions made from names, as people give them to commands and pages; and recorded in a store.

They take effect at once.
"""

from collections.abc import Iterable, Iterator
from dataclasses import dataclass

from stemma.graph import AmbiguousNameError, Changes, Reader, Store, UnknownNameError
from stemma.schema import (
    Catalogue,
    ChangeKind,
    Confirm,
    EntityKind,
    Merge,
    Paper,
    Problem,
    Reject,
    RelationType,
    Rename,
    Split,
)
from stemma.schema.decision import Decision, DecisionError
from stemma.schema.name import ENTITY, PAPER, match_key


class DoubtfulError(DecisionError):
    """A decision may be a mistake, and can be forced; `same` are works to merge instead."""

    def __init__(self, message: str, same: tuple[str, ...] = ()) -> None:
        super().__init__(message)
        self.same = same


class StatementMissingError(LookupError):
    """None of `subjects` (a work, and papers that introduce it) has this relation to `entity`."""

    def __init__(
        self, message: str, subjects: frozenset[str], relation: RelationType, entity: str
    ) -> None:
        super().__init__(message)
        self.subjects, self.relation, self.entity = subjects, relation, entity


def merge(reader: Reader, names: list[str], note: str | None, force: bool = False) -> Merge:
    """Merge entities into the first of them. Raises LookupError or DecisionError.

    DoubtfulError is raised for entities of different kinds, unless it is forced.
    """
    ids = list(dict.fromkeys(_entity_or_concept(reader, each) for each in names))
    kinds = _kinds(reader, ids)
    if len(set(kinds.values())) > 1 and not force:
        listed = ", ".join(f"{id_} is {_a(kind)}" for id_, kind in kinds.items())
        raise DoubtfulError(f"these entities have different kinds: {listed}")
    if len(ids) < 2:
        raise DecisionError(f"these names mean the same entity already, {ids[0]}")
    return Merge(tuple(ids), note)


def split(
    reader: Reader, entity: str, papers: list[str], name: str | None, note: str | None
) -> Split:
    """Split an entity. Raises LookupError or DecisionError."""
    return Split(
        _entity(reader, entity), tuple(_paper(reader, each) for each in papers), name, note
    )


def rename(reader: Reader, entity: str, name: str, note: str | None, force: bool = False) -> Rename:
    """Rename an entity. Raises LookupError or DecisionError.

    DoubtfulError is raised where another entity has the name, unless it is forced.
    """
    id_ = _entity(reader, entity)
    others = [] if force else [each for each in _named(reader, name) if each != id_]
    if others:
        raise DoubtfulError(f"{name!r} is the name of {' and '.join(others)}", (others[0], id_))
    return Rename(id_, name, note)


def change_kind(reader: Reader, entity: str, kind: EntityKind, note: str | None) -> ChangeKind:
    """Change the kind of an entity. Raises LookupError or DecisionError."""
    return ChangeKind(_entity(reader, entity), kind, note)


def reject(
    reader: Reader, subject: str, relation: RelationType, entity: str, note: str | None
) -> Reject:
    """Reject a statement. Raises LookupError or DecisionError."""
    return Reject(*_statement(reader, subject, relation, entity), note)


def confirm(
    reader: Reader, subject: str, relation: RelationType, entity: str, note: str | None
) -> Confirm:
    """Confirm a statement. Raises LookupError or DecisionError.

    That may also be what a paper says and the catalogue has turned into another relation.
    """
    return Confirm(*_statement(reader, subject, relation, entity, also_changed=True), note)


def _entity(reader: Reader, name: str) -> str:
    found = reader.resolve(name)
    if not found.startswith(ENTITY):
        raise LookupError(f"{name!r} is a paper, {found}; this decision needs an entity.")
    return found


def _entity_or_concept(reader: Reader, name: str) -> str:
    """Return an entity's id, or that of a concept that no paper here calls by its name."""
    try:
        return _entity(reader, name)
    except UnknownNameError:
        catalogue = Catalogue.shipped()
        named = catalogue.by_key.get(match_key(name), ())
        ids = [name] if name in catalogue.concepts else [each.id for each in named]
        if len(ids) != 1:
            raise
        return ids[0]


def _kinds(reader: Reader, ids: list[str]) -> dict[str, EntityKind]:
    """Return the kinds of entities, some of which may be in the catalogue alone."""
    works, concepts = reader.works(ids), Catalogue.shipped().concepts
    found = {id_: works.get(id_) or concepts[id_] for id_ in ids}
    return {id_: each.kind for id_, each in found.items() if not isinstance(each, Paper)}


def _a(kind: EntityKind) -> str:
    return kind.value if kind is EntityKind.HARDWARE else f"a {kind.value}"


def _named(reader: Reader, name: str) -> list[str]:
    """Return the ids of the works that have this name."""
    try:
        return [reader.resolve(name)]
    except AmbiguousNameError as error:
        return [each.id for each in error.candidates]
    except UnknownNameError:
        return []


def _paper(reader: Reader, title: str) -> str:
    found = reader.resolve(title)
    if not found.startswith(PAPER):
        raise LookupError(f"{title!r} is an entity, {found}; give the title or the id of a paper.")
    return found


def _statement(
    reader: Reader, subject: str, relation: RelationType, entity: str, also_changed: bool = False
) -> tuple[str, RelationType, str]:
    """Return the statement of a paper, or of a paper that introduces the subject.

    It may be `also_changed`: what the paper says and is not believed, but taken for another one.
    """
    about, object_ = reader.resolve(subject), _entity(reader, entity)
    statements = reader.statements([about]).get(about, [])
    papers = {
        each.subject
        for each in statements
        if each.relation is RelationType.INTRODUCES and each.entity == about
    }
    sayings = [
        each
        for one in reader.statements([about, *papers]).values()
        for each in one
        if each.entity == object_ and each.subject in {about, *papers}
    ]
    found = sorted({each.subject for each in sayings if each.relation is relation})
    if not found and also_changed:
        found = sorted(set(_papers_claiming(reader, {about, *papers}, relation, object_)))
    if len(found) > 1:
        raise LookupError(
            f"Several papers have this statement; give one of these ids: {', '.join(found)}."
        )
    if not found:
        others = sorted({each.relation.value for each in sayings})
        instead = f"; its statements are {', '.join(others)}" if others else ""
        raise StatementMissingError(
            f"No statement in this graph says that {about} {relation.value} {object_}{instead}.",
            frozenset({about, *papers}),
            relation,
            object_,
        )
    return found[0], relation, object_


def _papers_claiming(
    reader: Reader, works: Iterable[str], relation: RelationType, entity: str
) -> Iterator[str]:
    """Yield those of `works` (ids) that are papers, and say this but are taken to say another."""
    papers = [each for each in works if each.startswith(PAPER)]
    for found in reader.linked_extractions(papers):
        for claim in found.extraction.relations:
            if (
                claim.type is relation
                and found.ids[claim.entity] == entity
                and isinstance(found.verdict(claim), RelationType)
            ):
                yield found.extraction.paper.id


@dataclass(frozen=True, slots=True)
class Outcome:
    """The result of a decision: its number, what it changed, and why it does not apply, if so."""

    number: int
    decision: Decision
    changes: Changes
    unapplied: str | None = None


def decide(store: Store, decision: Decision) -> Outcome:
    """Record a decision, and apply it.

    Raises DecisionError where the file cannot be used, StoreError where the store cannot be
    written; nothing is written then.
    """
    store.statistics()  # There is a graph to decide about.
    with store.writer() as writer:
        number = writer.decide(decision)
        changes = writer.commit()
    return Outcome(number, decision, changes, store.unapplied().get(number))


def undo(store: Store, number: int) -> Outcome:
    """Take a decision back; those after it move up by one. Raises as `decide` does."""
    store.statistics()
    with store.writer() as writer:
        decision = writer.undo(number)
        changes = writer.commit()
    return Outcome(number, decision, changes)


def unapplied(store: Store) -> list[Problem]:
    """Return the decisions that do not apply to what a store holds now, or only in part."""
    reasons = store.unapplied()
    decisions = store.decisions.read() if reasons else ()
    return [
        Problem(
            str(store.decisions.path),
            None,
            f"decision {number}, {decisions[number - 1]}: {reason}",
        )
        for number, reason in reasons.items()
        if number <= len(decisions)
    ]
