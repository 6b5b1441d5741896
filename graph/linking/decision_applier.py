"""Applies people's decisions to the entities that linking found."""

from collections import defaultdict
from collections.abc import Callable, Collection, Container, Iterable, Iterator
from dataclasses import replace
from functools import cache

from stemma.graph.linking.contradiction import ClaimsOf, Rules, introduces
from stemma.graph.linking.linked_entity import LinkedEntity
from stemma.graph.linking.links import Claim, Links
from stemma.graph.linking.naming import NameUse, PaperNames
from stemma.schema import Catalogue, Entity, Fact, RelationType
from stemma.schema.decision import ChangeKind, Confirm, Decision, Merge, Reject, Rename, Split
from stemma.schema.name import PAPER, entity_id, first_free, is_id, match_key, paper_id


class DecisionApplier:
    """Applies decisions in order, each to what those before it left.

    A verdict on a statement is one on what the paper claims of the name that it gives the entity:
    it stays where that name comes to mean another entity.

    `entities` may be a part of those of a graph, if all that `decisions` refer to are among them,
    with all their uses; `has_paper` says whether a paper of the graph that names any has an id.
    """

    def __init__(
        self,
        entities: Iterable[LinkedEntity],
        catalogue: Catalogue,
        claims_of: ClaimsOf,
        has_paper: Callable[[str], bool],
    ) -> None:
        self._linked = {each.id: each for each in entities}
        self._catalogue, self._claims_of = catalogue, claims_of
        self._has_paper = has_paper
        self.referred = set[str]()
        """The entities (ids) that decisions referred to."""
        self._about: dict[int, LinkedEntity] = {}
        self._former: dict[str, str] = {}
        self._rejected_facts: set[Fact] = set()
        self.verdicts: dict[str, dict[Claim, bool]] = defaultdict(dict)
        """People's verdicts, by paper."""
        self._unapplied: dict[int, str] = {}
        self._verdict_by: dict[tuple[str, Claim] | Fact, tuple[int, bool]] = {}

    def apply(self, decisions: Iterable[Decision]) -> None:
        """Apply `decisions`, which are numbered from 1."""
        for number, decision in enumerate(decisions, start=1):
            try:
                self._apply(number, decision)
            except LookupError as reason:
                self._unapplied[number] = str(reason)

    def _apply(self, number: int, decision: Decision) -> None:
        match decision:
            case Merge(entities):
                self._merge(number, entities)
            case Split(entity, papers, name):
                self._split(self._found(number, entity), papers, name)
            case Rename(entity, name):
                self._found(number, entity).rename(name)
            case ChangeKind(entity, kind):
                self._found(number, entity).change_kind(kind)
            case Reject(subject, relation, entity):
                self._set_verdict(number, subject, relation, self._found(number, entity), False)
            case Confirm(subject, relation, entity):
                self._set_verdict(number, subject, relation, self._found(number, entity), True)

    def _merge(self, number: int, references: Iterable[str]) -> None:
        found: list[LinkedEntity] = []
        missing = []
        for reference in references:
            try:
                linked = self._found(number, reference)
            except LookupError as reason:
                missing.append(str(reason))
            else:
                if linked not in found:
                    found.append(linked)
        for other in found[1:]:
            found[0].merge(other)
            self._former[other.id] = found[0].id
            del self._linked[other.id]
        if found:
            self._about[number] = found[0]
        if missing:
            raise LookupError("; ".join(missing))

    def _split(self, linked: LinkedEntity, papers: Iterable[str], name: str | None) -> None:
        ids = list(map(_paper_of, papers))
        naming = {id_ for each in linked.named_in(ids) for id_ in each.ids}
        if naming:
            new = linked.split_off(naming, self._new_id(linked, ids[0], name), name)
            self._linked[new.id] = new
        if others := [each for each in ids if each not in naming]:
            raise LookupError(f"{linked.id} is not named in {', '.join(others)}")

    def _new_id(self, linked: LinkedEntity, paper: str, name: str | None) -> str:
        """Return an id that depends only on the decision, whatever else will have the name."""
        plain_id = entity_id(name) if name else linked.id.partition("--")[0]
        taken = (self._linked, self._former, self._catalogue.concepts)
        wanted = f"{plain_id}--{paper.removeprefix(PAPER)}"
        return first_free(wanted, lambda id_: any(id_ in each for each in taken))

    def _set_verdict(
        self, number: int, subject: str, relation: RelationType, entity: LinkedEntity, verdict: bool
    ) -> None:
        paper = _paper_of(subject)
        if self._has_paper(paper):
            names = [each.name for each in entity.named_in({paper})]
            claims = {(relation, each.name) for each in names}
            if relation is RelationType.USES and not verdict:
                # A paper uses what it only seems to introduce.
                claims |= {(RelationType.INTRODUCES, each.name) for each in names if each.is_known}
            claims &= self._claims_of(paper).keys() if names else set()
            if not claims:
                raise LookupError(f"{paper} does not state {relation.value} about {entity.id}")
            self.verdicts[paper].update(dict.fromkeys(claims, verdict))
            self._override(number, verdict, ((paper, claim) for claim in claims))
            return
        if subject.startswith(PAPER):
            raise LookupError(f"there is no paper {subject}")
        child = self._found(number, subject)
        facts = {
            fact
            for fact in self._catalogue.facts
            if fact.relation is relation
            and fact.subject in {each.id for each in child.concepts}
            and fact.entity in {each.id for each in entity.concepts}
        }
        if not facts:
            raise LookupError(
                f"the catalogue does not state that {child.id} {relation.words} {entity.id}"
            )
        self._override(number, verdict, facts)
        if verdict:
            self._rejected_facts -= facts
        else:
            self._rejected_facts |= facts

    def _override(
        self, number: int, verdict: bool, stated: Iterable[tuple[str, Claim] | Fact]
    ) -> None:
        """Note which earlier decisions on the same statements said the opposite."""
        for each in stated:
            earlier, before = self._verdict_by.get(each, (number, verdict))
            if before is not verdict:
                self._unapplied[earlier] = f"decision {number} overrides it"
            self._verdict_by[each] = (number, verdict)

    # Which entity a decision is about.

    def _found(self, number: int, reference: str) -> LinkedEntity:
        """Return what an id or a name means. Raises LookupError where that is nothing, or several.

        The first that is asked for under the number of a decision is what it is about.
        """
        linked = self._by_id(reference) if is_id(reference) else self._by_name(reference)
        self.referred.add(linked.id)
        self._about.setdefault(number, linked)
        return linked

    def _by_id(self, id_: str) -> LinkedEntity:
        id_ = self._now(id_)
        if linked := self._linked.get(id_):
            return linked
        if concept := self._catalogue.concepts.get(id_):
            linked = self._linked[id_] = LinkedEntity(concept.id, (), concept)
            return linked
        senses = sorted(each for each in self._linked if each.startswith(f"{id_}--"))
        if senses:
            raise LookupError(f"{id_} is ambiguous; give one of these ids: {', '.join(senses)}")
        raise LookupError(f"there is no entity {id_}")

    def _by_name(self, name: str) -> LinkedEntity:
        key = match_key(name)
        by_name = [each for each in self._linked.values() if match_key(each.entity.name) == key]
        found = by_name or [
            each for each in self._linked.values() if key in map(match_key, each.entity.aliases)
        ]
        ids = sorted(each.id for each in found or self._catalogue.by_key.get(key, ()))
        if len(ids) > 1:
            raise LookupError(f"{name!r} is ambiguous; give one of these ids: {', '.join(ids)}")
        if not ids:
            raise LookupError(f"there is no entity called {name!r}")
        return self._by_id(ids[0])

    def _now(self, id_: str) -> str:
        while id_ in self._former:
            id_ = self._former[id_]
        return id_

    # The outcome.

    def links(self, papers: Collection[PaperNames]) -> Links:
        """Return the links of a whole graph after all decisions."""
        ids: dict[str, dict[str, str]] = defaultdict(dict)
        for use, entity in self.meanings():
            for id_ in use.ids:
                ids[id_][use.name.name] = entity
        entities = self.entities()
        facts = self.facts(entities)
        rules = Rules(facts, self._claims_of, self.verdicts, cache(self.introducers))
        verdicts = rules.verdicts_on(papers, ids)
        return Links(ids, entities, facts, verdicts, self.former(), self.unapplied(entities))

    def introducers(self, entity: str, others: Iterable[NameUse] = ()) -> set[str]:
        """Return the papers (ids) that introduce an entity; `others` are further uses of it."""
        uses = self._linked[entity].members if entity in self._linked else ()
        return {
            paper
            for use in (*uses, *others)
            for paper in use.ids
            if introduces(paper, use.name, self.verdicts)
        }

    def meanings(self) -> Iterator[tuple[NameUse, str]]:
        """Yield the uses of names with the entities (ids) that they mean."""
        for linked in self._linked.values():
            for use in linked.members:
                yield use, linked.id

    def entities(self, elsewhere: Iterable[str] = ()) -> dict[str, Entity]:
        """Return the entities that papers mention by id, in order, with all that is broader.

        `elsewhere` are concepts (ids) that other papers mention.
        """
        entities = {id_: each.entity for id_, each in self._linked.items() if each.members}
        wider = [broader for each in entities.values() for broader in each.broader]
        wider += elsewhere
        while wider:
            id_ = self._now(wider.pop())
            if id_ in entities:
                continue
            if decided := self._linked.get(id_):
                entities[id_] = decided.entity
            elif concept := self._catalogue.concepts.get(id_):
                entities[id_] = concept
            else:
                continue
            wider += entities[id_].broader
        return {id_: self.moved(each) for id_, each in sorted(entities.items())}

    def moved(self, entity: Entity) -> Entity:
        """Return an entity with what is broader than it now."""
        if self._former.keys().isdisjoint(entity.broader):
            return entity
        broader = {self._now(each) for each in entity.broader} - {entity.id}
        return replace(entity, broader=tuple(sorted(broader)))

    def facts(self, entities: Container[str]) -> list[Fact]:
        """Return the catalogue's facts between `entities`."""
        facts = {
            Fact(self._now(fact.subject), fact.relation, self._now(fact.entity))
            for fact in self._catalogue.facts
            if fact not in self._rejected_facts
        }
        return sorted(
            each
            for each in facts
            if each.subject in entities and each.entity in entities and each.subject != each.entity
        )

    def former(self) -> dict[str, str]:
        """Return the ids that no longer exist, with what took their place."""
        return {id_: self._now(id_) for id_ in sorted(self._former)}

    def unapplied(self, entities: Container[str]) -> dict[int, str]:
        """Return why decisions (numbers) do not apply, or only in part, if there are `entities`."""
        missing = {
            number: f"no paper in the graph mentions {linked.id}"
            for number, linked in self._about.items()
            if self._now(linked.id) not in entities
        }
        return {**missing, **self._unapplied}


def references(decisions: Iterable[Decision]) -> set[str]:
    """Return the ids and names by which decisions refer to entities; some may be of papers."""
    found = set[str]()
    for each in decisions:
        match each:
            case Merge(entities):
                found.update(entities)
            case Reject(subject, _, entity) | Confirm(subject, _, entity):
                found.update((subject, entity))
            case _:
                found.add(each.entity)
    return found


def papers_of(decisions: Iterable[Decision]) -> set[str]:
    """Return the papers (ids) that decisions name, or may name."""
    found = set[str]()
    for each in decisions:
        match each:
            case Split(_, papers):
                found.update(map(_paper_of, papers))
            case Reject(subject) | Confirm(subject):
                found.add(_paper_of(subject))
    return found


def _paper_of(reference: str) -> str:
    """Return the id of the paper that an id or a title refers to."""
    return reference if is_id(reference) else paper_id(reference)
