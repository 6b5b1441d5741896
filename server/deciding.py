"""Decisions, with the names that people give to commands and pages, and how a store records them.

The writer applies them at once: see `stemma.graph.linking.decision_applier.DecisionApplier`.
"""

from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass, replace

from stemma.graph import Changes, Reader, Store, UnknownNameError
from stemma.graph.sqlite.writer import Writer
from stemma.schema import (
    Catalogue,
    ChangeKind,
    Confirm,
    EntityKind,
    Fact,
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
    one of them, one. A statement is confirmed also if it was rejected, or taken for one of another
    relation. Raises LookupError or DecisionError; DoubtfulError, unless it is forced, for a merge
    of entities of different kinds, and for a new name that another entity has.
    """
    match decision:
        case Merge(entities=names):
            ids = tuple(dict.fromkeys(_entity_or_concept(reader, name) for name in names))
            kinds = _kinds(reader, ids)
            if len(set(kinds.values())) > 1 and not force:
                listed = ", ".join(f"{id_} ({kind.value})" for id_, kind in kinds.items())
                raise DoubtfulError(f"these entities have different kinds: {listed}")
            if len(ids) < 2:
                raise DecisionError(f"these names mean the same entity already, {ids[0]}")
            return [replace(decision, entities=ids)]
        case Split(papers=titles):
            papers = tuple(_known(reader, title, PAPER) for title in titles)
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
    return _known(reader, name, ENTITY)


def _known(reader: Reader, name: str, wanted: str) -> str:
    """Return the id of a work; `wanted` is what it begins with."""
    found = reader.resolve(name)
    if not found.startswith(wanted):
        instead = "an entity" if wanted == ENTITY else "a paper"
        raise LookupError(f"{name!r} is {found}: give the name or the id of {instead} instead.")
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


def _on_statements(reader: Reader, decision: Reject | Confirm) -> list[Decision]:
    """Return decisions on what the subject states, and each paper that introduces it."""
    about, object_ = reader.resolve(decision.subject), _entity(reader, decision.entity)
    relation = decision.relation
    introductions = reader.statements([about], [RelationType.INTRODUCES]).get(about, [])
    papers = {about, *(each.subject for each in introductions if each.entity == about)}
    sayings = [
        statement
        for statements in reader.statements(sorted(papers)).values()
        for statement in statements
        if statement.entity == object_ and statement.subject in papers
    ]
    found = {saying.subject for saying in sayings if saying.relation is relation}
    if not found and isinstance(decision, Confirm):
        found = {*_papers_claiming(reader, papers, relation, object_)}
        if Fact(about, relation, object_) in Catalogue.shipped().facts:
            found.add(about)
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
    """Yield those of `works` (ids) that are papers, and say this, whatever it is taken for."""
    papers = [work for work in works if work.startswith(PAPER)]
    for extraction in reader.linked_extractions(papers):
        for claim in extraction.extraction.relations:
            if claim.type is relation and extraction.ids[claim.entity] == entity:
                yield extraction.extraction.paper.id


@dataclass(frozen=True, slots=True)
class Outcome:
    """The result of a decision: its number, what it changed, and what no longer applies since."""

    number: int
    decision: Decision
    changes: Changes
    unapplied: list[Problem]


def decide(store: Store, decision: Decision) -> Outcome:
    """Record a decision, and apply it.

    Raises DecisionError where it has no effect or the file cannot be used, StoreError where the
    store cannot be written; nothing is written then.
    """
    return _change(store, lambda writer: (writer.decide(decision), decision))


def undo(store: Store, number: int) -> Outcome:
    """Take a decision back; those after it move up by one. Raises as `decide` does."""
    return _change(store, lambda writer: (number, writer.undo(number)))


def apply(store: Store) -> list[Problem]:
    """Apply the file of decisions, and return which do not apply. Raises as `decide` does."""
    store.statistics()
    with store.writer() as writer:
        writer.commit()
    return [*unapplied(store).values()]


def _change(store: Store, step: Callable[[Writer], tuple[int, Decision]]) -> Outcome:
    store.statistics()  # There is a graph to decide about.
    before = unapplied(store)
    with store.writer() as writer:
        number, decision = step(writer)
        changes = writer.commit()
    since = [problem for each, problem in unapplied(store).items() if each not in before]
    return Outcome(number, decision, changes, since)


def unapplied(store: Store) -> dict[Decision, Problem]:
    """Return the decisions that do not apply to what a store holds now, or only in part."""
    reasons = store.unapplied()
    decisions = store.decisions.read() if reasons else ()
    path = str(store.decisions.path)
    return {
        decision: Problem(path, None, f"decision {number}, {decision}: {reasons[number]}")
        for number, decision in enumerate(decisions, start=1)
        if number in reasons
    }
