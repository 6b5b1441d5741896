"""How people's decisions are applied to linked entities."""

from collections import defaultdict
from collections.abc import Callable, Collection, Container, Iterable, Iterator
from dataclasses import replace

from stemma.graph.linking.contradiction import Claim, ClaimsOf, Rules
from stemma.graph.linking.linked_entity import LinkedEntity, Links
from stemma.graph.linking.naming import NameUse, PaperNames
from stemma.schema import Catalogue, Entity, Fact, RelationType
from stemma.schema.decision import ChangeKind, Confirm, Decision, Merge, Reject, Rename, Split
from stemma.schema.name import PAPER, entity_id, first_free, is_id, match_key, paper_id


class DecisionApplier:
    """Applies decisions in order, each to what those before it left.

    A verdict on a statement is one on what the paper claims of the name that it gives the entity:
    it stays where that name comes to mean another entity.

    `entities` may be a part of those of a graph, if all that `decisions` refer to are among them,
    with all their uses; `has_paper` says whether a paper of the graph has an id.
    """

    def __init__(
        self,
        entities: Iterable[LinkedEntity],
        catalogue: Catalogue,
        claims_of: ClaimsOf,
        has_paper: Callable[[str], bool],
    ) -> None:
        self._linked = {entity.id: entity for entity in entities}
        self._catalogue, self._claims_of = catalogue, claims_of
        self._has_paper = has_paper
        self.referred = set[str]()
        """What decisions refer to or split off: names and ids, as they give them and as found."""
        self._about: dict[int, LinkedEntity] = {}
        self._former: dict[str, str] = {}
        self.verdicts: dict[str, dict[Claim, bool]] = defaultdict(dict)
        """People's verdicts, by paper."""
        self._unapplied: dict[int, str] = {}
        self._said: dict[object, tuple[int, object]] = {}
        """The last word on claims, facts, names and kinds, with the number of the decision."""

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
                linked = self._found(number, entity)
                del self._about[number]  # Perhaps no other paper names it.
                self._split(linked, papers, name)
            case Rename(entity, name):
                linked = self._found(number, entity)
                linked.rename(name)
                self._say(number, name, [(Rename, linked.id)])
            case ChangeKind(entity, kind):
                linked = self._found(number, entity)
                linked.change_kind(kind)
                self._say(number, kind, [(ChangeKind, linked.id)])
            case Reject(subject, relation, entity) | Confirm(subject, relation, entity):
                linked, verdict = self._found(number, entity), isinstance(decision, Confirm)
                self._set_verdict(number, subject, relation, linked, verdict)

    def _merge(self, number: int, references: Iterable[str]) -> None:
        merged, missing = dict[LinkedEntity, None](), list[str]()
        for reference in references:
            try:
                merged[self._found(number, reference)] = None
            except LookupError as reason:
                missing.append(str(reason))
        entities = [*merged]
        if len(entities) == 1 and not missing:
            missing.append(f"all of them are {entities[0].id} already")
        for other in entities[1:]:
            entities[0].merge(other)
            self._former[other.id] = entities[0].id
            del self._linked[other.id]
        if missing:
            raise LookupError("; ".join(missing))

    def _split(self, linked: LinkedEntity, papers: Iterable[str], name: str | None) -> None:
        ids = list(map(_paper_of, papers))
        naming = {id_ for use in linked.named_in(ids) for id_ in use.ids}
        if naming:
            new = linked.split_off(naming, self._new_id(linked, ids[0], name), name)
            self._linked[new.id] = new
            self.referred.add(new.id)
        if others := [id_ for id_ in ids if id_ not in naming]:
            raise LookupError(f"{linked.id} is not named in {', '.join(others)}")

    def _new_id(self, linked: LinkedEntity, paper: str, name: str | None) -> str:
        """Return an id that depends only on the decision, whatever else will have the name."""
        plain_id = entity_id(name) if name else linked.id.partition("--")[0]
        taken = (self._linked, self._former, self._catalogue.concepts)
        wanted = f"{plain_id}--{paper.removeprefix(PAPER)}"
        return first_free(wanted, lambda id_: any(id_ in ids for ids in taken))

    def _set_verdict(
        self, number: int, subject: str, relation: RelationType, entity: LinkedEntity, verdict: bool
    ) -> None:
        paper = _paper_of(subject)
        if self._has_paper(paper):
            names = [use.name for use in entity.named_in({paper})]
            claims = {(relation, name.name) for name in names}
            if relation is RelationType.USES and not verdict:
                # A paper uses what it only seems to introduce.
                claims |= {(RelationType.INTRODUCES, name.name) for name in names if name.is_known}
            claims &= self._claims_of(paper).keys() if names else set()
            if not claims:
                raise LookupError(f"{paper} does not state {relation.value} about {entity.id}")
            self.verdicts[paper].update(dict.fromkeys(claims, verdict))
            self._say(number, verdict, [(paper, claim) for claim in claims])
            return
        if subject.startswith(PAPER):
            raise LookupError(f"there is no paper {subject}")
        child = self._found(number, subject)
        facts = {
            fact
            for fact in self._catalogue.facts
            if fact.relation is relation
            and fact.subject in {concept.id for concept in child.concepts}
            and fact.entity in {concept.id for concept in entity.concepts}
        }
        if not facts:
            raise LookupError(
                f"the catalogue does not state that {child.id} {relation.words} {entity.id}"
            )
        self._say(number, verdict, facts)

    def _say(self, number: int, value: object, subjects: Collection[object]) -> None:
        """Note what a decision says of subjects, and which earlier ones said something else.

        Raises LookupError where an earlier one said the same.
        """
        said = [self._said.get(subject, (number, None)) for subject in subjects]
        for earlier, before in said:
            if earlier != number and before != value:
                self._unapplied[earlier] = f"decision {number} overrides it"
        self._said.update(dict.fromkeys(subjects, (number, value)))
        if all(before == value for _, before in said):
            raise LookupError(f"decision {said[0][0]} says so already")

    # Which entity a decision is about.

    def _found(self, number: int, reference: str) -> LinkedEntity:
        """Return what an id or a name means. Raises LookupError where that is nothing, or several.

        The first that is asked for under the number of a decision is what it is about.
        """
        self.referred.add(reference)
        linked = self._by_id(reference) if is_id(reference) else self._by_name(reference)
        self.referred.add(linked.id)
        self._about.setdefault(number, linked)
        return linked

    def _by_id(self, id_: str) -> LinkedEntity:
        id_ = self._now(id_)
        if linked := self._linked.get(id_):
            return linked
        if concept := self._catalogue.concepts.get(id_):
            linked = self._linked[id_] = LinkedEntity(concept.id, (), self._catalogue, concept)
            return linked
        senses = sorted(sense for sense in self._linked if sense.startswith(f"{id_}--"))
        if senses:
            raise LookupError(f"{id_} is ambiguous; give one of these ids: {', '.join(senses)}")
        raise LookupError(f"there is no entity {id_}")

    def _by_name(self, name: str) -> LinkedEntity:
        key = match_key(name)
        linked = [linked_entity.entity for linked_entity in self._linked.values()]
        named = [entity for entity in linked if match_key(entity.name) == key]
        named = named or [entity for entity in linked if key in map(match_key, entity.aliases)]
        ids = sorted(entity.id for entity in named or self._catalogue.by_key.get(key, ()))
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
        rules = Rules(facts, self._claims_of, self.verdicts)
        verdicts = rules.verdicts_on(papers, ids)
        decided = self.former(), self.unapplied(entities), self.referred
        return Links(ids, entities, facts, verdicts, *decided)

    def meanings(self) -> Iterator[tuple[NameUse, str]]:
        """Yield the uses of names with the entities (ids) that they mean."""
        for linked in self._linked.values():
            for use in linked.members:
                yield use, linked.id

    def entities(self, elsewhere: Iterable[str] = ()) -> dict[str, Entity]:
        """Return the entities that papers mention by id, in order, with all that is broader.

        `elsewhere` are concepts (ids) that other papers mention.
        """
        entities = {id_: entity.entity for id_, entity in self._linked.items() if entity.members}
        wider = [broader for entity in entities.values() for broader in entity.broader]
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
        return {id_: self.moved(entity) for id_, entity in sorted(entities.items())}

    def moved(self, entity: Entity) -> Entity:
        """Return an entity with what is broader than it now."""
        if self._former.keys().isdisjoint(entity.broader):
            return entity
        broader = {self._now(id_) for id_ in entity.broader} - {entity.id}
        return replace(entity, broader=tuple(sorted(broader)))

    def facts(self, entities: Container[str]) -> list[Fact]:
        """Return the catalogue's facts between `entities`."""
        facts = {
            Fact(self._now(fact.subject), fact.relation, self._now(fact.entity))
            for fact in self._catalogue.facts
            if self._said.get(fact, (0, True))[1]
        }
        return sorted(
            fact
            for fact in facts
            if fact.subject in entities and fact.entity in entities and fact.subject != fact.entity
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


def _paper_of(reference: str) -> str:
    """Return the id of the paper that an id or a title refers to."""
    return reference if is_id(reference) else paper_id(reference)
