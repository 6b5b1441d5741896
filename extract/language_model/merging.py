"""Merging: what a language model proposes, added to what was found without it."""

from collections import Counter
from collections.abc import Callable, Iterable, Sequence
from dataclasses import replace

from stemma.extract.language_model.confidences import Confidences
from stemma.extract.language_model.proposal import Proposal
from stemma.schema import (
    Entity,
    Extraction,
    FoundEntity,
    FoundRelation,
    Mention,
    RelationType,
)
from stemma.schema.name import match_key

_MOST_EVIDENCE = 3
_WEAK = (RelationType.MENTIONS, RelationType.USES)
"""What is said where nothing else is."""


class Merging:
    """Adds proposals to one extraction: nothing that was found without them is changed.

    Only MENTIONS give way to a relation that says more.
    """

    def __init__(
        self,
        extraction: Extraction,
        confidences: Confidences,
        origin: str,
        known: Callable[[str], Sequence[Entity]],
    ) -> None:
        self._extraction = extraction
        self._confidences, self._origin, self._known = confidences, origin, known
        self._entities = {each.name: each for each in extraction.entities}
        self._relations = {(each.type, each.entity): each for each in extraction.relations}
        self._owners: dict[str, str] = {}
        for entity in extraction.entities:
            for form in (entity.name, *(each.text for each in entity.mentions)):
                self._owners.setdefault(match_key(form), entity.name)
        self.added = 0
        self.dropped: Counter[str] = Counter()

    def add(self, proposals: Iterable[Proposal]) -> None:
        """Add what is new; relations that say most come first, whatever their order."""
        order = list(RelationType)
        for each in sorted(proposals, key=lambda each: order.index(each.relation)):
            self._add(each)

    def result(self, extractor: str) -> Extraction:
        """Return the extraction with what was added."""
        stronger = {name for type_, name in self._relations if type_ is not RelationType.MENTIONS}
        relations = tuple(
            each
            for each in self._relations.values()
            if each.type is not RelationType.MENTIONS or each.entity not in stronger
        )
        related = {each.entity for each in relations}
        entities = (
            each
            for each in self._entities.values()
            if each.name in related or each in self._extraction.entities
        )
        return replace(
            self._extraction, entities=tuple(entities), relations=relations, extractor=extractor
        )

    def _add(self, proposal: Proposal) -> None:
        name = self._named(proposal)
        if name is None:
            self.dropped["part of another name"] += 1
            return
        had = {type_ for type_, entity in self._relations if entity == name}
        own = RelationType.INTRODUCES
        more = had - {RelationType.MENTIONS}
        if proposal.relation in had or (more and proposal.relation in _WEAK):
            self.dropped["known already"] += 1
        elif own in had or (more and proposal.relation is own):
            self.dropped["contradicts what is known"] += 1
        else:
            self._relations[proposal.relation, name] = FoundRelation(
                proposal.relation,
                name,
                self._confidences.of(proposal.relation),
                proposal.evidence[:_MOST_EVIDENCE],
                self._origin,
            )
            self.added += 1

    def _named(self, proposal: Proposal) -> str | None:
        """Return the name under which the paper has this entity, perhaps from now on."""
        for form in (proposal.name, *(each.text for each in proposal.mentions)):
            if owner := self._owners.get(match_key(form)):
                return owner
        taken = [each for entity in self._entities.values() for each in entity.mentions]
        free = tuple(
            each for each in proposal.mentions if not any(_overlap(each, other) for other in taken)
        )
        if not free:
            return None
        name = proposal.name if any(each.text == proposal.name for each in free) else free[0].text
        concepts = [each for each in self._known(match_key(name)) if each.kind is proposal.kind]
        concept = concepts[0].id if len(concepts) == 1 else None
        self._entities[name] = FoundEntity(name, proposal.kind, concept, free)
        for each in (name, *(mention.text for mention in free)):
            self._owners.setdefault(match_key(each), name)
        return name


def _overlap(one: Mention, other: Mention) -> bool:
    return one.field is other.field and one.start < other.end and other.start < one.end
