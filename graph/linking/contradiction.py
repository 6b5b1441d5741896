"""Contradictions: what papers seem to say, and cannot, as far as the catalogue knows lineages.

No work builds on, or improves on, its descendants. A paper that seems to say so is misread:

- it states no lineage of what it introduces itself, or of the descendants of its contribution in
  the catalogue;
- a descendant, in the catalogue, of a contribution that this paper alone introduces, in its title,
  is of the same paper: "On top of Holm we built Kelp" introduces Kelp;
- a paper that introduces nothing, names an entity in its title, and says about itself what
  the catalogue says about that entity, introduces it: paper and entity are one work;
- a paper that seems to introduce a concept which appeared years before uses it (see `dated`).

Decisions take precedence over the catalogue.
"""

from collections import defaultdict
from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from functools import cache, lru_cache

from stemma.graph.linking.naming import Name, PaperNames
from stemma.schema import LINEAGE_RELATIONS, Fact, RelationType

Claim = tuple[RelationType, str]
"""What one paper states: a relation to one of its names."""

Verdict = bool | RelationType
"""Whether a claim is true, or what the paper states of that name in its place."""

ClaimsOf = Callable[[str], Mapping[Claim, str | None]]
"""Returns what a paper states, by its id: its claims, and for those of lineage the name of the
contribution that they are about (None for the paper as a whole). Asked of few papers."""

_Linked = Sequence[tuple[Name, str]]
"""The names of a paper, with the entities (ids) that they mean."""

Introducers = Callable[[str], Collection[str]]
"""Returns all papers that introduce an entity, both by their ids."""


def verdict_rows(verdicts: Mapping[Claim, Verdict]) -> list[tuple[str, str, bool | str]]:
    """Return verdicts on the claims of a paper as JSON can hold them."""
    return [(*claim, verdicts[claim]) for claim in sorted(verdicts)]


def read_verdicts(rows: Iterable[tuple[str, str, bool | str]]) -> dict[Claim, Verdict]:
    """Return the verdicts that `verdict_rows` made rows of."""
    return {
        (RelationType(relation), name): RelationType(each) if isinstance(each, str) else each
        for relation, name, each in rows
    }


def introduces(paper: str, name: Name, decided: Mapping[str, Mapping[Claim, bool]]) -> bool:
    """Return whether a paper (id) introduces the entity of a name, by verdict or as read."""
    own = decided.get(paper)
    return (
        own.get((RelationType.INTRODUCES, name.name), name.introduced) if own else name.introduced
    )


class Rules:
    """Judges what papers claim, by the catalogue's `facts` and by what people `decided`."""

    def __init__(
        self,
        facts: Iterable[Fact],
        claims_of: ClaimsOf,
        decided: Mapping[str, Mapping[Claim, bool]],
        introducers: Introducers,
    ) -> None:
        self._claims_of = lru_cache(maxsize=1)(claims_of)
        self._decided, self._introducers = decided, introducers
        self._facts = defaultdict[str, set[tuple[RelationType, str]]](set)
        for fact in facts:
            self._facts[fact.subject].add((fact.relation, fact.entity))
        self._ancestors = cache(self._find_ancestors)

    def verdicts_on(
        self, papers: Iterable[PaperNames], ids: Mapping[str, Mapping[str, str]]
    ) -> dict[str, dict[Claim, Verdict]]:
        """Return by paper the verdicts on its claims: people's, and on what it cannot say.

        `ids` are the entities that names mean, by paper and name.
        """
        return {
            paper.paper: {
                **self._judge(paper, ids.get(paper.paper, {})),
                **self._decided.get(paper.paper, {}),
            }
            for paper in papers
        }

    def _facts_of(self, entity: str) -> Collection[tuple[RelationType, str]]:
        return self._facts.get(entity, ())

    def _judge(self, names: PaperNames, ids: Mapping[str, str]) -> dict[Claim, Verdict]:
        """Return the verdicts on what a paper seems to say; `ids` are what its names mean."""
        paper, linked = names.paper, [(name, ids[name.name]) for name in names.names]
        own = {entity for name, entity in linked if introduces(paper, name, self._decided)}
        return {
            **(self._against_own(paper, linked, own) if own else self._own_by_facts(paper, linked)),
            **self._known_before(paper, linked),
        }

    def _known_before(self, paper: str, linked: _Linked) -> dict[Claim, Verdict]:
        """Return that a paper uses what it seems to introduce, but others introduced before it."""
        known = {name.name for name, _ in linked if name.is_known}
        claims = [claim for claim, _ in self._claims(paper, known)]
        others = {name for relation, name in claims if relation is not RelationType.INTRODUCES}
        return {
            (relation, name): False if name in others else RelationType.USES
            for relation, name in claims
            if relation is RelationType.INTRODUCES
        }

    def _against_own(
        self, paper: str, linked: _Linked, own: Collection[str]
    ) -> dict[Claim, Verdict]:
        others = {
            name.name: entity
            for name, entity in linked
            if not name.introduced
            and (entity in own or not self._ancestors(entity).isdisjoint(own))
        }
        ids = {name.name: entity for name, entity in linked if entity in own or not name.is_known}
        verdicts: dict[Claim, Verdict] = {}
        presented: set[str] = set()
        for (relation, name), contribution in self._claims(paper, others):
            entity, child = others[name], ids.get(contribution or "")
            if relation not in LINEAGE_RELATIONS:
                continue
            if entity in own or child in self._ancestors(entity):
                verdicts[relation, name] = False
                if name not in presented and child and self._presents(paper, linked, child, entity):
                    verdicts[relation, name] = RelationType.INTRODUCES
                    presented.add(name)
        return verdicts

    def _presents(self, paper: str, linked: _Linked, child: str, entity: str) -> bool:
        """Return whether a paper with `child` in its title presents its descendant `entity`."""
        return (
            child in {parent for _, parent in self._facts_of(entity)}
            and self._introducers(child) == {paper}
            and not self._introducers(entity)
            and any(name.titled for name, each in linked if each == child)
        )

    def _own_by_facts(self, paper: str, linked: _Linked) -> dict[Claim, Verdict]:
        """Find in the title an entity with the facts that the paper states of itself."""
        titled = {
            entity
            for name, entity in linked
            if name.titled
            and not name.introduced
            and self._facts_of(entity)
            and not self._introducers(entity)
        } - {entity for name, entity in linked if name.is_known}
        parents = {parent for each in titled for _, parent in self._facts_of(each)}
        if parents.isdisjoint(entity for _, entity in linked):
            return {}
        ids = {name.name: entity for name, entity in linked}
        claims = self._claims(paper, ids)
        stated = {(relation, ids[name]) for (relation, name), _ in claims}
        of_lineage = {entity for relation, entity in stated if relation in LINEAGE_RELATIONS}
        same = [each for each in titled - of_lineage if stated.intersection(self._facts_of(each))]
        if len(same) != 1:
            return {}
        verdicts: dict[Claim, Verdict] = {}
        for (relation, name), _ in claims:
            if ids[name] == same[0]:
                verdicts[relation, name] = RelationType.INTRODUCES if not verdicts else False
        return verdicts

    def _claims(self, paper: str, names: Collection[str]) -> list[tuple[Claim, str | None]]:
        """Return what a paper states of some of its names, except for what people rejected."""
        if not names:
            return []
        decided = self._decided.get(paper, {})
        return sorted(
            (claim, contribution)
            for claim, contribution in self._claims_of(paper).items()
            if claim[1] in names and decided.get(claim, True)
        )

    def _find_ancestors(self, entity: str) -> frozenset[str]:
        """Return the ancestors of an entity, by the catalogue."""
        found: set[str] = set()
        left = [entity]
        while left:
            new = {parent for _, parent in self._facts_of(left.pop())} - found
            found |= new
            left += new
        return frozenset(found - {entity})
