"""Relinking: how the links of a graph change when some of its papers do.

It comes to what linking all papers would, and reads no more of them than hangs together with the
change.
"""

from collections import defaultdict
from collections.abc import Collection, Iterable, Iterator, Mapping
from functools import cache

from stemma.graph.linking.contradiction import ClaimsOf, contradictions
from stemma.graph.linking.linked_entity import coined_entities, forms_of, known_entity
from stemma.graph.linking.links import Change, Claim, Verdict
from stemma.graph.linking.naming import Context, NameUse, PaperNames
from stemma.graph.linking.scope import LinkedGraph, Scope, UseKey
from stemma.graph.linking.sense import ConceptSenses, Sense, senses_of
from stemma.graph.linking.ties import Tie, slug_of
from stemma.schema import Catalogue, Entity, Fact
from stemma.schema.name import match_key


def relink(
    graph: LinkedGraph,
    gone: Collection[str],
    new: Iterable[PaperNames],
    catalogue: Catalogue,
    context: Context,
    claims_of: ClaimsOf,
) -> Change:
    """Link the names of `new` papers, and again what their coming and going concerns.

    `gone` are the ids of papers that are removed, or replaced by new ones of the same id. People
    have decided nothing.
    """
    return _Relinking(Scope(graph, gone, new, catalogue), catalogue, cache(context)).change(
        claims_of
    )


class _Relinking:
    def __init__(self, scope: Scope, catalogue: Catalogue, context: Context) -> None:
        self._scope, self._catalogue, self._context = scope, catalogue, context
        self._known = scope.known_names()
        self._entities: dict[str, Entity] = {}
        self._after = self._linked()
        while scope.grow(Tie.SLUG.to(slug_of(each)) for each in self._entities):
            # Others compete for the ids of what is coined here.
            self._after = self._linked()

    def _linked(self) -> dict[UseKey, str]:
        """Link all uses of the scope."""
        uses = [self._scope.use(each) for each in sorted(self._scope.linked)]
        concepts, coined = senses_of(uses, self._known, self._context, ConceptSenses(self._certain))
        meant = [sense for sense in coined if sense.members]
        ids = {_key_of(each): sense.concept.id for sense in concepts if sense.concept
               for each in sense.members}  # fmt: skip
        self._entities = {}
        for entity, sense in zip(coined_entities(meant, self._catalogue), meant, strict=True):
            self._entities[entity.id] = entity
            ids |= {_key_of(each): entity.id for each in sense.members}
        return ids

    def _certain(self, concept: Entity) -> Iterator[NameUse]:
        """Yield the uses beyond the scope that certainly are a concept."""
        sense = Sense(concept)
        for key in self._scope.keys(Tie.CERTAIN.to(concept.id)):
            use = self._scope.use(key)
            if self._known.concept(use) == concept and sense.is_certain(use):
                yield use

    # What that changes.

    def change(self, claims_of: ClaimsOf) -> Change:
        """Return what differs from what the graph held."""
        scope = self._scope
        moved = {
            key for key in self._after
            if key[0] not in scope.new and self._after[key] != self._before(key)
        }  # fmt: skip
        papers = {*scope.new, *(paper for paper, _ in moved)}
        concepts = self._concepts(moved)
        present = self._present(concepts)
        facts_before, facts = (
            self._catalogue.facts_between(set(each)) for each in (scope.concepts(), present)
        )
        meant_before = {
            *(id_ for _, ids in scope.gone.values() for id_ in ids.values()),
            *(self._before(key) for key in self._after if key[0] not in scope.new),
        }
        coined_before = meant_before - self._catalogue.concepts.keys()
        judged = papers | set(self._judged(moved, facts_before, facts))
        return Change(
            {each: scope.before[each] for each in sorted(judged - scope.new)},
            {each: self._ids(each) for each in sorted(papers)},
            {**self._entities, **self._described(concepts, present)},
            {*(coined_before - self._entities.keys()), *(set(scope.concepts()) - present)},
            facts,
            facts_before,
            self._verdicts(judged, facts, claims_of),
        )

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

    def _concepts(self, moved: Collection[UseKey]) -> dict[str, set[str]]:
        """Return the concepts (ids) that gain or lose uses, with the forms of these."""
        forms: dict[str, set[str]] = defaultdict(set)
        for names, ids in self._scope.gone.values():
            for name in names.names:
                forms[ids[name.name]].update(name.forms)
        for key in self._changed(moved):
            name = self._scope.name(key)
            for id_ in (self._after[key], *([self._before(key)] if key in moved else ())):
                forms[id_].update(name.forms)
        return {id_: own for id_, own in forms.items() if id_ in self._catalogue.concepts}

    def _keys_of(self, concept: str) -> Iterator[UseKey]:
        """Yield all uses that mean a concept now."""
        yield from (key for key, id_ in self._after.items() if id_ == concept)
        for key in self._scope.keys(Tie.CONCEPT.to(concept)):
            if key not in self._after:
                yield key

    def _present(self, changed: Iterable[str]) -> set[str]:
        """Return the concepts that papers mention now, with all that is broader."""
        present = set(self._scope.concepts())
        came = {id_ for id_ in changed if not self._was_used(id_) and self._is_used(id_)}
        went = {id_ for id_ in changed if self._was_used(id_) and not self._is_used(id_)}
        if not (came or went):
            return present
        used = {id_ for id_ in present if self._was_used(id_)}
        return self._catalogue.broader_closure((used | came) - went)

    def _was_used(self, concept: str) -> bool:
        return self._scope.had(Tie.CONCEPT.to(concept))

    def _is_used(self, concept: str) -> bool:
        return any(True for _ in self._keys_of(concept))

    def _described(
        self, changed: Mapping[str, Collection[str]], present: Collection[str]
    ) -> dict[str, Entity]:
        """Return the concepts that are present and may be other than before."""
        concepts, before = self._catalogue.concepts, set(self._scope.concepts())
        entities = {id_: concepts[id_] for id_ in present if id_ not in before}
        for id_, forms in changed.items():
            if id_ not in present:
                continue
            concept = concepts[id_]
            own = set(map(match_key, (concept.name, *concept.aliases)))
            knows_all = own.issuperset(map(match_key, forms))
            if knows_all and self._was_used(id_) and self._is_used(id_):
                continue  # Whoever else uses it adds nothing to it.
            uses = list(map(self._scope.use, self._keys_of(id_)))
            entities[id_] = known_entity(concept, forms_of(uses)) if uses else concept
        return entities

    def _judged(
        self, moved: Collection[UseKey], before: Collection[Fact], after: Collection[Fact]
    ) -> Iterator[str]:
        """Yield papers whose claims are judged by other facts, or other introductions."""
        entities = _differing(before, after)
        children: dict[str, set[str]] = defaultdict(set)
        for fact in self._catalogue.facts:
            children[fact.entity].add(fact.subject)
            children[fact.subject].add(fact.subject)
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
        for id_ in introduced:
            entities |= children.get(id_, set())
        for id_ in entities:
            yield from (paper for paper, _ in self._keys_of(id_))

    def _introducers(self, entity: str) -> set[str]:
        return {
            *(
                paper
                for paper, name in self._scope.keys(Tie.INTRODUCER.to(entity))
                if self._now((paper, name)) == entity
            ),
            *(
                key[0]
                for key, id_ in self._after.items()
                if id_ == entity and self._scope.name(key).introduced
            ),
        }

    def _verdicts(
        self, papers: Iterable[str], facts: Iterable[Fact], claims_of: ClaimsOf
    ) -> dict[str, dict[Claim, Verdict]]:
        linked = {
            id_: {name: self._now((id_, name.name)) for name in self._scope.papers[id_].names}
            for id_ in sorted(papers)
        }
        verdicts: dict[str, dict[Claim, Verdict]] = {id_: {} for id_ in linked}
        for paper, claim, verdict in contradictions(
            linked, facts, claims_of, {}, cache(self._introducers)
        ):
            verdicts[paper][claim] = verdict
        return verdicts


def _key_of(use: NameUse) -> UseKey:
    return (use.paper.paper, use.name.name)


def _differing(before: Collection[Fact], after: Collection[Fact]) -> set[str]:
    """Return the entities whose facts, or those of their ancestors, differ."""
    entities = {fact.subject for fact in set(before) ^ set(after)}
    while (
        more := {fact.subject for fact in (*before, *after) if fact.entity in entities} - entities
    ):
        entities |= more
    return entities
