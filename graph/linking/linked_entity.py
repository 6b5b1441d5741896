"""Linked entities: entities with all uses that refer to them."""

from collections import Counter, defaultdict
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field

from stemma.graph.linking.contradiction import Claim, Verdict
from stemma.graph.linking.naming import NameUse, best_kind, is_general, spelling
from stemma.graph.linking.sense import Sense
from stemma.schema import Catalogue, Entity, EntityKind, Fact
from stemma.schema.name import coined_entity_id, entity_id, first_free, match_key


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
        observed = [name for name in observed if not senses.get(match_key(name))]
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
        rivals = sum(claim >= _claim(sense, name) for claim in claims[plain_id]) - 1
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
    others = sorted(filter(None, forms), key=lambda name: (-forms[name], len(name), name))
    by_key = {match_key(form): form for form in reversed(others)}
    return sorted(by_key[key] for key in by_key.keys() - set(map(match_key, known)))


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
