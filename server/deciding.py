"""Decisions, with the names that people give to commands and pages, and how a store records them.

The writer applies them at once: see `stemma.graph.linking.linked_entity.DecisionApplier`.
"""

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, replace

from stemma.graph import Changes, Reader, Store, UnknownNameError
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
    """A decision may be a mistake, and can be forced."""


def resolved(reader: Reader, decision: Decision, force: bool = False) -> list[Decision]:
    """Return a decision about works that are given by names as one about their ids.

    Of a statement that several papers make, or the catalogue, there is one for each; for the id of
    one of them, one. A statement is confirmed also if a paper makes it and the catalogue has turned
    it into another relation. Raises LookupError or DecisionError; DoubtfulError, unless it is
    forced, for a merge of entities of different kinds, and for a new name that another entity has.
    """
    match decision:
        case Merge(entities=names):
            ids = tuple(dict.fromkeys(_entity_or_concept(reader, name) for name in names))
            kinds = _kinds(reader, ids)
            if len(set(kinds.values())) > 1 and not force:
                listed = ", ".join(f"{id_} is {_a(kind)}" for id_, kind in kinds.items())
                raise DoubtfulError(f"these entities have different kinds: {listed}")
            if len(ids) < 2:
                raise DecisionError(f"these names mean the same entity already, {ids[0]}")
            return [replace(decision, entities=ids)]
        case Split(papers=titles):
            papers = tuple(_paper(reader, title) for title in titles)
            return [replace(decision, entity=_entity(reader, decision.entity), papers=papers)]
        case Rename(name=name):
            id_ = _entity(reader, decision.entity)
            others = [] if force else [each for each in reader.called(name) if each != id_]
            if others:
                raise DoubtfulError(
                    f"{name!r} is the name of {' and '.join(others)}: merge them if they are the "
                    "same"
                )
            return [replace(decision, entity=id_)]
        case ChangeKind():
            return [replace(decision, entity=_entity(reader, decision.entity))]
        case Reject() | Confirm():
            return _on_statements(reader, decision)


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
        ids = [name] if name in catalogue.concepts else [entity.id for entity in named]
        if len(ids) != 1:
            raise
        return ids[0]


def _kinds(reader: Reader, ids: Sequence[str]) -> dict[str, EntityKind]:
    """Return the kinds of entities, some of which may be in the catalogue alone."""
    works, concepts = reader.works(ids), Catalogue.shipped().concepts
    found = {id_: works.get(id_) or concepts[id_] for id_ in ids}
    return {id_: each.kind for id_, each in found.items() if not isinstance(each, Paper)}


def _a(kind: EntityKind) -> str:
    return kind.value if kind is EntityKind.HARDWARE else f"a {kind.value}"


def _paper(reader: Reader, title: str) -> str:
    found = reader.resolve(title)
    if not found.startswith(PAPER):
        raise LookupError(f"{title!r} is an entity, {found}; give the title or the id of a paper.")
    return found


def _on_statements(reader: Reader, decision: Reject | Confirm) -> list[Decision]:
    """Return decisions on what the subject states, and each paper that introduces it."""
    about, object_ = reader.resolve(decision.subject), _entity(reader, decision.entity)
    relation = decision.relation
    statements = reader.statements([about]).get(about, [])
    papers = {about} | {
        statement.subject
        for statement in statements
        if statement.relation is RelationType.INTRODUCES and statement.entity == about
    }
    sayings = [
        statement
        for statements in reader.statements(sorted(papers)).values()
        for statement in statements
        if statement.entity == object_ and statement.subject in papers
    ]
    found = {saying.subject for saying in sayings if saying.relation is relation}
    if not found and isinstance(decision, Confirm):
        found = {*_papers_claiming(reader, papers, relation, object_)}
    if decision.subject in found:
        found = {decision.subject}
    if not found:
        others = sorted({saying.relation.value for saying in sayings})
        instead = f"; its statements are {', '.join(others)}" if others else ""
        raise LookupError(
            f"No statement in this graph says that {about} {relation.value} {object_}{instead}."
        )
    return [replace(decision, subject=subject, entity=object_) for subject in sorted(found)]


def _papers_claiming(
    reader: Reader, works: Iterable[str], relation: RelationType, entity: str
) -> Iterator[str]:
    """Yield those of `works` (ids) that are papers, and say this but are taken to say another."""
    papers = [work for work in works if work.startswith(PAPER)]
    for extraction in reader.linked_extractions(papers):
        for claim in extraction.extraction.relations:
            if (
                claim.type is relation
                and extraction.ids[claim.entity] == entity
                and isinstance(extraction.verdict(claim), RelationType)
            ):
                yield extraction.extraction.paper.id


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
            str(store.decisions.path), None, f"decision {number}, {decisions[number - 1]}: {reason}"
        )
        for number, reason in reasons.items()
        if number <= len(decisions)
    ]
