"""Relinking: how the links of a graph change when some of its papers do.

The result is the same as linking all papers, but only those connected to the change are read.
"""

from collections import Counter, defaultdict
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from functools import cache
from itertools import islice

from stemma.graph.linking.cluster import clusters
from stemma.graph.linking.contradiction import ClaimsOf, FactsOf, by_subject, contradictions
from stemma.graph.linking.decision_applier import DecisionApplier, papers_of, references
from stemma.graph.linking.known_name import KnownNames
from stemma.graph.linking.linked_entity import known_entity, linked_entities
from stemma.graph.linking.links import Change, Claim, Verdict
from stemma.graph.linking.naming import Context, NameUse, PaperNames
from stemma.graph.linking.scope import LinkedGraph, Scope, UseKey
from stemma.graph.linking.sense import ConceptSenses, Elsewhere, Past, Sense, senses_of
from stemma.graph.linking.ties import Tie
from stemma.schema import Catalogue, Decision, Entity, Fact, RelationType
from stemma.schema.identifier import is_id
from stemma.schema.name import match_key

FactsAbout = Callable[[str], Iterable[Fact]]
"""Returns the catalogue's facts that have a concept (an id) at one end."""


def relink(
    graph: LinkedGraph,
    gone: Collection[str],
    new: Iterable[PaperNames],
    catalogue: Catalogue,
    context: Context,
    claims_of: ClaimsOf,
    decisions: Sequence[Decision] = (),
    decisions_before: Sequence[Decision] = (),
) -> Change:
    """Link the names of `new` papers, and again what their coming and going concerns.

    `gone` are the ids of papers that are removed, or replaced by new ones of the same id.
    `decisions` are what people decided, `decisions_before` those that were applied to `graph`. All
    that these refer to is linked again.
    """
    # Decisions are on single papers.
    scope = Scope(graph, gone, new, catalogue, apart=bool(decisions or decisions_before))
    return _Relinking(
        scope, catalogue, cache(context), claims_of, decisions, decisions_before
    ).change()


class _Relinking:
    def __init__(
        self,
        scope: Scope,
        catalogue: Catalogue,
        context: Context,
        claims_of: ClaimsOf,
        decisions: Sequence[Decision],
        decisions_before: Sequence[Decision],
    ) -> None:
        self._scope, self._catalogue, self._context = scope, catalogue, context
        self._claims_of, self._decisions = claims_of, decisions
        self._known = scope.known_names()
        both = {*decisions, *decisions_before}
        self._referred = set(self._referred_before(references(both)))
        self._decided_papers = {each for each in papers_of(both) if scope.paper(each)}
        scope.take_papers(self._decided_papers)
        scope.grow_to(self._referred)
        # Others compete for the ids of what is coined here, or mean what decisions refer to.
        while scope.grow_to(self._linked()):
            pass

    def _referred_before(self, names: Iterable[str]) -> Iterator[str]:
        """Yield the entities (ids) that `names` or ids in decisions may have referred to."""
        graph, former = self._scope.graph, self._scope.graph.former()
        for each in names:
            if not is_id(each):
                yield from graph.called(match_key(each))
                continue
            yield each
            if each in former:
                yield former[each]

    def _linked(self) -> set[str]:
        """Link all uses of the scope, and return the entities (ids) that must be whole in it."""
        uses = [self._scope.use(each) for each in sorted(self._scope.linked)]
        concepts, coined = senses_of(
            uses,
            self._known,
            self._context,
            ConceptSenses(self._certain),
            _PastOfScope(self._scope),
        )
        entities = list(linked_entities(concepts, coined, self._catalogue))
        self._decided = DecisionApplier(entities, self._catalogue, self._claims_of, self._has_names)
        self._decided.apply(self._decisions)
        self._referred |= self._decided.referred
        self._after = dict[UseKey, str]()
        for use, id_ in self._decided.meanings():
            key = _key_of(use)
            moves_all = use.papers > 1 and self._before(key) != id_
            self._after |= dict.fromkeys(self._scope.like(key) if moves_all else [key], id_)
        self._meaning = defaultdict(list)
        for key, id_ in self._after.items():
            self._meaning[id_].append(key)
        ids = {*(each.id for each in entities), *self._after.values()}
        return {*(ids - self._catalogue.concepts.keys()), *self._referred}

    def _has_names(self, paper: str) -> bool:
        found = self._scope.paper(paper)
        return bool(found and found.names)

    def _certain(self, concept: Entity) -> Elsewhere:
        """Return what is certain of a concept, also beyond the scope."""
        forms, papers = map(set, self._scope.certain(concept.id))
        for key in self._scope.keys(Tie.OWN.to(concept.id)):
            use = self._scope.use(key)
            if self._known.concept(use) == concept:
                forms.update(use.name.forms)
                papers.add(use.paper.paper)
        return Elsewhere(forms, papers)

    # What that changes.

    def change(self) -> Change:
        """Return what differs from what the graph held."""
        scope, decided = self._scope, self._decided
        moved = {
            key for key in self._after
            if key[0] not in scope.new and self._after[key] != self._before(key)
        }  # fmt: skip
        papers = {*scope.new, *(paper for paper, _ in moved)}
        concepts = self._concepts(moved)
        used = {id_ for id_ in concepts if self._is_used(id_)}
        gone, facts_before, facts = set[str](), set[Fact](), set[Fact]()
        ends: FactsAbout = self._facts_kept
        facts_of: FactsOf = self._facts_kept_of
        present = decided.entities(used)
        used_before = Tie.CONCEPT.ends(scope.graph.having(map(Tie.CONCEPT.to, concepts)))
        if self._referred or used != used_before:
            # Concepts come or go: what is broader and the facts between them may do so too.
            before = set(scope.graph.concepts())
            ties = map(Tie.CONCEPT.to, before.difference(concepts))
            elsewhere = Tie.CONCEPT.ends(scope.graph.having(ties))
            present = decided.entities(elsewhere | used)
            # What takes the place of a concept can be there for that alone, named by no paper.
            gone = {*before, *scope.graph.former().values()} - present.keys()
            facts_before, facts = set(scope.graph.facts()), set(decided.facts(present))
            ends, facts_of = _by_end(facts_before | facts), by_subject(facts)
        meant_before = {
            *(id_ for _, ids in scope.gone.values() for id_ in ids.values()),
            *(self._before(key) for key in self._after if key[0] not in scope.new),
        }
        coined_before = meant_before - self._catalogue.concepts.keys()
        judged = {
            *papers,
            *self._judged(moved, ends, _differing(facts_before, facts)),
            *self._decided_papers,
        }
        return Change(
            {each: scope.before[each] for each in sorted(judged - scope.new)},
            {each: self._ids(each) for each in sorted(papers)},
            self._described(concepts, present),
            gone | (coined_before - present.keys()),
            facts - facts_before,
            facts_before - facts,
            self._verdicts(judged, facts_of),
            decided.former(),
            decided.unapplied(present),
        )

    def _facts_kept(self, concept: str) -> Iterator[Fact]:
        """Yield the facts about a concept (id), where those between the same concepts stay."""
        has = self._scope.graph.has_concept
        for fact in self._catalogue.facts_about.get(concept, ()):
            if has(fact.subject) and has(fact.entity):
                yield fact

    def _facts_kept_of(self, concept: str) -> set[tuple[RelationType, str]]:
        return {
            (fact.relation, fact.entity)
            for fact in self._facts_kept(concept)
            if fact.subject == concept
        }

    def _before(self, key: UseKey) -> str:
        paper, name = key
        return self._scope.before[paper][name]

    def _now(self, key: UseKey) -> str:
        return self._after.get(key) or self._before(key)

    def _ids(self, paper: str) -> dict[str, str]:
        return {
            each.name: self._now((paper, each.name)) for each in self._scope.papers[paper].names
        }

    def _changed(self, moved: Collection[UseKey]) -> Iterator[UseKey]:
        """Yield the uses that mean another entity now, and those in new papers."""
        yield from moved
        yield from (key for key in self._after if key[0] in self._scope.new)

    def _concepts(self, moved: Collection[UseKey]) -> dict[str, Counter[str]]:
        """Return the concepts (ids) that gain or lose uses, with how many more have each form."""
        forms: dict[str, Counter[str]] = defaultdict(Counter)
        for names, ids in self._scope.gone.values():
            for name in names.names:
                forms[ids[name.name]].subtract(name.forms)
        for key in self._changed(moved):
            name = self._scope.name(key)
            forms[self._after[key]].update(name.forms)
            if key in moved:
                forms[self._before(key)].subtract(name.forms)
        return {id_: own for id_, own in forms.items() if id_ in self._catalogue.concepts}

    def _keys_of(self, concept: str) -> Iterator[UseKey]:
        """Yield all uses that mean a concept now."""
        yield from self._meaning.get(concept, ())
        for key in self._scope.keys(Tie.CONCEPT.to(concept)):
            if key not in self._after:
                yield key

    def _was_used(self, concept: str) -> bool:
        return self._scope.had(Tie.CONCEPT.to(concept))

    def _is_used(self, concept: str) -> bool:
        return any(True for _ in self._keys_of(concept))

    def _described(
        self, changed: Mapping[str, Counter[str]], present: Mapping[str, Entity]
    ) -> dict[str, Entity]:
        """Return the entities that are `present` and may be other than before."""
        graph, concepts = self._scope.graph, self._catalogue.concepts
        former, former_before = self._decided.former(), graph.former()
        elsewhere = {id_ for id_, _ in former.items() ^ former_before.items()}
        described = {}
        for id_, entity in present.items():
            if id_ not in concepts or id_ in self._referred:
                described[id_] = entity  # All its uses are in the scope.
                continue
            concept = concepts[id_]
            is_as_before = elsewhere.isdisjoint(concept.broader) and graph.has_concept(id_)
            if is_as_before and (id_ not in changed or self._adds_nothing(concept, changed[id_])):
                continue
            whole = concept
            if self._is_used(id_):
                forms = Counter(graph.linked_forms(id_))
                forms.update(changed.get(id_, ()))
                whole = known_entity(concept, +forms)
            described[id_] = self._decided.moved(whole)
        return described

    def _adds_nothing(self, concept: Entity, forms: Iterable[str]) -> bool:
        """Return whether a concept is called what it was called, whoever else uses `forms`."""
        own = set(map(match_key, (concept.name, *concept.aliases)))
        knows_all = own.issuperset(map(match_key, forms))
        return knows_all and self._was_used(concept.id) and self._is_used(concept.id)

    def _judged(
        self,
        moved: Collection[UseKey],
        facts_about: FactsAbout,
        differing: Collection[str],
    ) -> Iterator[str]:
        """Yield papers whose claims are judged by other facts, or other introductions.

        `facts_about` returns the facts that have an entity (an id) at one end, and `differing` are
        the entities whose facts, or those of their ancestors, differ.
        """
        entities = set(differing)
        introduced = {
            ids[name.name]
            for names, ids in self._scope.gone.values()
            for name in names.names
            if name.introduced
        }
        for key in self._changed(moved):
            if self._scope.name(key).introduced:
                introduced.add(self._after[key])
                if key in moved:
                    introduced.add(self._before(key))
        for paper in self._decided_papers:  # People may have decided what it introduces.
            for name in self._scope.papers[paper].names:
                if name.introduced or name.is_known:
                    introduced.add(self._now((paper, name.name)))
                    if paper not in self._scope.new:
                        introduced.add(self._before((paper, name.name)))
        for id_ in introduced:
            children = {fact.subject for fact in facts_about(id_)}
            if children and not self._is_introduced_twice(id_):
                entities |= children
        for id_ in entities:
            yield from (paper for paper, _ in self._keys_of(id_))

    def _is_introduced_twice(self, entity: str) -> bool:
        """Return whether two papers that are not linked again introduce an entity.

        One more or less makes no difference then.
        """
        if self._decided.verdicts or self._decided_papers:
            return False
        linked = {paper for paper, _ in self._after}
        tied = self._scope.graph.tied(Tie.INTRODUCER.to(entity))
        kept = (each for each in tied if each not in linked and each not in self._scope.gone)
        return len(list(islice(kept, 2))) == 2

    def _introducers(self, entity: str) -> set[str]:
        elsewhere = (
            key for key in self._scope.keys(Tie.INTRODUCER.to(entity)) if self._now(key) == entity
        )
        decided = self._decided.verdicts
        return {
            paper
            for paper, name in {*elsewhere, *self._meaning.get(entity, ())}
            if decided.get(paper, {}).get(
                (RelationType.INTRODUCES, name), self._scope.name((paper, name)).introduced
            )
        }

    def _verdicts(
        self, papers: Iterable[str], facts_of: FactsOf
    ) -> dict[str, dict[Claim, Verdict]]:
        linked = {
            id_: {name: self._now((id_, name.name)) for name in self._scope.papers[id_].names}
            for id_ in sorted(papers)
        }
        decided = self._decided.verdicts
        verdicts: dict[str, dict[Claim, Verdict]] = {id_: {} for id_ in linked}
        for paper, claim, verdict in contradictions(
            linked, facts_of, self._claims_of, decided, cache(self._introducers)
        ):
            verdicts[paper][claim] = verdict
        for paper in linked:
            verdicts[paper].update(decided.get(paper, {}))
        return verdicts


class _PastOfScope(Past):
    """What the graph knows of the uses in a scope that does not take them apart."""

    def __init__(self, scope: Scope) -> None:
        self._scope = scope

    def kept(
        self, gathered: Sequence[Sequence[NameUse]], known: KnownNames
    ) -> Sequence[Sequence[NameUse]]:
        if self._scope.is_apart or self._scope.products_changed:
            return ()
        held = [use for cluster in gathered for use in cluster if not self._is_new(use)]
        if any(use.cited in self._scope.new for use in held):
            return ()
        before = set(map(frozenset, clusters(held, known)))
        return [
            cluster
            for cluster in gathered
            if frozenset(use for use in cluster if not self._is_new(use)) in before
        ]

    def _is_new(self, use: NameUse) -> bool:
        return use.paper.paper in self._scope.new

    def sense(self, use: NameUse, senses: Sequence[Sense]) -> Sense | None:
        meant = self.meaning(use)
        for each in senses:
            if each.concept and each.concept.id in self._scope.concepts_changed:
                return None
            if not (each.concept or each.is_settled):
                return None
        return next((each for each in senses if self._id_of(each) == meant), None)

    def _id_of(self, sense: Sense) -> str | None:
        return sense.concept.id if sense.concept else self.meaning(sense.first)

    def meaning(self, use: NameUse) -> str | None:
        return None if self._is_new(use) else self._scope.before[use.paper.paper][use.name.name]

    def apart(self, use: NameUse) -> Iterable[NameUse]:
        return self._scope.each_like(use) if use.papers > 1 else [use]


def _key_of(use: NameUse) -> UseKey:
    return (use.paper.paper, use.name.name)


def _by_end(facts: Iterable[Fact]) -> FactsAbout:
    """Return what finds facts by either of the two concepts."""
    found: dict[str, set[Fact]] = defaultdict(set)
    for fact in facts:
        found[fact.subject].add(fact)
        found[fact.entity].add(fact)
    return lambda concept: found.get(concept, ())


def _differing(before: Collection[Fact], after: Collection[Fact]) -> set[str]:
    """Return the entities whose facts, or those of their ancestors, differ."""
    entities = {fact.subject for fact in set(before) ^ set(after)}
    while (
        more := {fact.subject for fact in (*before, *after) if fact.entity in entities} - entities
    ):
        entities |= more
    return entities
