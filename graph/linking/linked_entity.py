"""Linked entities: entities with all uses that refer to them; and how decisions are applied."""

from collections import Counter, defaultdict
from collections.abc import Callable, Collection, Container, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import cache

from stemma.graph.linking.contradiction import Claim, ClaimsOf, Rules, Verdict, introduces
from stemma.graph.linking.naming import NameUse, PaperNames, best_kind, is_general, spelling
from stemma.graph.linking.sense import Sense
from stemma.schema import Catalogue, Entity, EntityKind, Fact, RelationType
from stemma.schema.decision import ChangeKind, Confirm, Decision, Merge, Reject, Rename, Split
from stemma.schema.name import (
    PAPER,
    coined_entity_id,
    entity_id,
    first_free,
    is_id,
    match_key,
    paper_id,
)


class LinkedEntity:
    """An entity with an id, the uses that refer to it, and the concepts of the catalogue it is.

    What a paper calls it is no alias if the catalogue knows only something else by this name: a
    paper on MLLMs may say "LLMs" for short.
    """

    entity: Entity

    def __init__(
        self,
        id_: str,
        members: Iterable[NameUse],
        catalogue: Catalogue,
        concept: Entity | None = None,
        name: str | None = None,
    ) -> None:
        self.id, self._catalogue = id_, catalogue
        self.members = list(members)
        self.concepts = [concept] if concept else []
        self._name = name
        self._kind: EntityKind | None = None
        self._other_names: set[str] = set()
        self._describe()

    def merge(self, other: "LinkedEntity") -> None:
        """Merge `other` into this entity."""
        self._name = self.entity.name
        self._kind = self._kind or other._kind
        self._other_names |= {other.entity.name, *other._other_names}
        self.members += other.members
        self.concepts += other.concepts
        self._describe()

    def split_off(self, papers: Collection[str], id_: str, name: str | None) -> "LinkedEntity":
        """Split off, as an entity with a new id, what the names in `papers` refer to."""
        left, self.members = self.named_in(papers), self.named_in(papers, others=True)
        if self.members or self.concepts:
            self._describe()
        return LinkedEntity(id_, left, self._catalogue, name=name)

    def rename(self, name: str) -> None:
        """Set the name; the one before becomes an alias."""
        self._other_names.add(self.entity.name)
        self._name = name
        self._describe()

    def change_kind(self, kind: EntityKind) -> None:
        """Set the kind of the entity."""
        self._kind = kind
        self._describe()

    def named_in(self, papers: Collection[str], *, others: bool = False) -> list[NameUse]:
        """Return the uses of the names of the entity in `papers` (ids), or in all `others`."""
        uses = []
        for use in self.members:
            if some := [paper for paper in use.papers if (paper[1] in papers) is not others]:
                uses.append(use.of(some))
        return uses

    def _describe(self) -> None:
        concept = self.concepts[0] if self.concepts else None
        given = preferred_name(self.members) if self.members else ""
        name = self._name or (concept.name if concept else given or self.entity.name)
        kind = self._kind or (concept.kind if concept else best_kind(self.members))
        known = self._other_names.union(
            *((concept.name, *concept.aliases) for concept in self.concepts)
        )
        observed = other_names(self.members, (name, *known))
        senses = self._catalogue.by_key
        observed = [each for each in observed if not senses.get(match_key(each))]
        wider = {broader for concept in self.concepts for broader in concept.broader}
        self.entity = Entity(
            self.id,
            name,
            kind,
            tuple(sorted({*known, *observed} - {name})),
            tuple(sorted(wider - {self.id})),
            concept.general if concept else is_general(name, kind, self.members),
            min((concept.year for concept in self.concepts if concept.year), default=None),
        )


def linked_entities(
    concepts: Iterable[Sense], coined: Iterable[Sense], catalogue: Catalogue
) -> Iterator[LinkedEntity]:
    """Yield the entities of senses that any name means.

    The id of a coined one is the slug of the name where it is in no catalogue, and nothing else has
    as good a claim to it; else that of the paper which introduces it is added, or its kind.
    """
    for sense in concepts:
        if sense.concept and sense.members:
            yield LinkedEntity(sense.concept.id, sense.members, catalogue, sense.concept)
    meant = sorted((sense for sense in coined if sense.members), key=lambda sense: sense.first.age)
    named = [(sense, preferred_name(sense.members)) for sense in meant]
    claims = defaultdict[str, list[int]](list)
    for sense, name in named:
        claims[entity_id(name)].append(_claim(sense, name))
    taken = set[str]()
    for sense, name in named:
        plain_id = entity_id(name)
        rivals = sum(each >= _claim(sense, name) for each in claims[plain_id]) - 1
        if rivals or plain_id in catalogue.concepts:
            kind = best_kind(sense.members).value
            plain_id = coined_entity_id(
                name, sense.first.papers[0][1] if sense.introducers else kind
            )
        # One paper's names may differ in what slugs leave out.
        id_ = first_free(plain_id, taken.__contains__)
        taken.add(id_)
        yield LinkedEntity(id_, sense.members, catalogue)


def _claim(sense: Sense, name: str) -> int:
    """Return how good the claim of a sense to the plain id is.

    A general term that is older than what was introduced by its name has the best claim, what else
    is meant by the name of something introduced the worst.
    """
    if not sense.namesakes:
        return 1
    return 2 if is_general(name, best_kind(sense.members), sense.members) else 0


def preferred_name(uses: Sequence[NameUse]) -> str:
    """Return the name that most papers give.

    Of equals the introducing papers' one, then the shortest, then the first by letters.
    """
    if len(uses) == 1:
        return spelling(uses[0].name.name)
    counts: Counter[str] = Counter()
    introduced: Counter[str] = Counter()
    for use in uses:
        name = spelling(use.name.name)
        counts[name] += len(use.papers)
        introduced[name] += use.name.introduced
    return min(counts, key=lambda name: (-counts[name], -introduced[name], len(name), name))


def other_names(uses: Iterable[NameUse], known: Iterable[str]) -> list[str]:
    """Return the names besides the `known` ones, each in the spelling that most papers give."""
    forms: Counter[str] = Counter()
    for use in uses:
        for form in use.name.forms:
            forms[form] += len(use.papers)
    seen = {match_key(name) for name in known}
    others = []
    for form in sorted(forms, key=lambda each: (-forms[each], len(each), each)):
        if form and match_key(form) not in seen:
            seen.add(match_key(form))
            others.append(form)
    return sorted(others)


@dataclass(frozen=True, slots=True)
class Links:
    """The outcome: entity ids by paper and name, and the entities by id, in order.

    `facts` are the catalogue's between these entities. `verdicts` say by paper which of its claims
    are true, and which are not, by people's decisions or the catalogue. The rest is what decisions
    come to: `former` maps ids that no longer exist to what took their place; `unapplied` gives the
    reason why the decision of a number does not apply, or only in part; `referred` are
    names and ids of what decisions refer to or split off.

    Where a graph has changed, it is what may differ: papers in which a name means another entity,
    or whose claims are judged otherwise; entities that are new or described otherwise, and the ids
    of those `gone`. All facts are there.
    """

    ids: Mapping[str, Mapping[str, str]]
    entities: Mapping[str, Entity]
    facts: Sequence[Fact]
    verdicts: Mapping[str, Mapping[Claim, Verdict]] = field(default_factory=dict)
    former: Mapping[str, str] = field(default_factory=dict)
    unapplied: Mapping[int, str] = field(default_factory=dict)
    referred: Collection[str] = ()
    gone: Collection[str] = ()


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
        self._verdict_by: dict[tuple[str, Claim] | Fact, tuple[int, bool]] = {}
        """The verdicts on claims and facts, each with the number of the decision."""

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
        entities: list[LinkedEntity] = []
        missing = []
        for reference in references:
            try:
                linked = self._found(number, reference)
            except LookupError as reason:
                missing.append(str(reason))
            else:
                if linked not in entities:
                    entities.append(linked)
        for other in entities[1:]:
            entities[0].merge(other)
            self._former[other.id] = entities[0].id
            del self._linked[other.id]
        if entities:
            self._about[number] = entities[0]
        if missing:
            raise LookupError("; ".join(missing))

    def _split(self, linked: LinkedEntity, papers: Iterable[str], name: str | None) -> None:
        ids = list(map(_paper_of, papers))
        naming = {id_ for use in linked.named_in(ids) for id_ in use.ids}
        if naming:
            new = linked.split_off(naming, self._new_id(linked, ids[0], name), name)
            self._linked[new.id] = new
            self.referred.add(new.id)
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
            names = [use.name for use in entity.named_in({paper})]
            claims = {(relation, name.name) for name in names}
            if relation is RelationType.USES and not verdict:
                # A paper uses what it only seems to introduce.
                claims |= {(RelationType.INTRODUCES, name.name) for name in names if name.is_known}
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
            and fact.subject in {concept.id for concept in child.concepts}
            and fact.entity in {concept.id for concept in entity.concepts}
        }
        if not facts:
            raise LookupError(
                f"the catalogue does not state that {child.id} {relation.words} {entity.id}"
            )
        self._override(number, verdict, facts)

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
        senses = sorted(each for each in self._linked if each.startswith(f"{id_}--"))
        if senses:
            raise LookupError(f"{id_} is ambiguous; give one of these ids: {', '.join(senses)}")
        raise LookupError(f"there is no entity {id_}")

    def _by_name(self, name: str) -> LinkedEntity:
        key = match_key(name)
        by_name = [
            entity for entity in self._linked.values() if match_key(entity.entity.name) == key
        ]
        entities = by_name or [
            entity
            for entity in self._linked.values()
            if key in map(match_key, entity.entity.aliases)
        ]
        ids = sorted(entity.id for entity in entities or self._catalogue.by_key.get(key, ()))
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
        decided = self.former(), self.unapplied(entities), self.referred
        return Links(ids, entities, facts, verdicts, *decided)

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
        broader = {self._now(each) for each in entity.broader} - {entity.id}
        return replace(entity, broader=tuple(sorted(broader)))

    def facts(self, entities: Container[str]) -> list[Fact]:
        """Return the catalogue's facts between `entities`."""
        facts = {
            Fact(self._now(fact.subject), fact.relation, self._now(fact.entity))
            for fact in self._catalogue.facts
            if self._verdict_by.get(fact, (0, True))[1]
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


def papers_of(decisions: Iterable[Decision]) -> set[str]:
    """Return the papers (ids) that decisions name, or may name."""
    found = set[str]()
    for decision in decisions:
        match decision:
            case Split(_, papers):
                found.update(map(_paper_of, papers))
            case Reject(subject) | Confirm(subject):
                found.add(_paper_of(subject))
    return found


def _paper_of(reference: str) -> str:
    """Return the id of the paper that an id or a title refers to."""
    return reference if is_id(reference) else paper_id(reference)
