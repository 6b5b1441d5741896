"""Contradictions: what papers seem to say, and cannot, as far as the catalogue knows lineages.

No work builds on, or improves on, its descendants: a paper is misread that seems to state lineage
of what it introduces itself, or of the descendants of its contribution in the catalogue. So is one
that seems to introduce a concept which appeared years before: it uses it (see `dated`).

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


def verdict_rows(verdicts: Mapping[Claim, Verdict]) -> list[tuple[str, str, bool | str]]:
    """Return verdicts on the claims of a paper as JSON can hold them."""
    return [(*claim, verdicts[claim]) for claim in sorted(verdicts)]


def read_verdicts(rows: Iterable[tuple[str, str, bool | str]]) -> dict[Claim, Verdict]:
    """Return the verdicts that `verdict_rows` made rows of."""
    return {
        (RelationType(relation), name): RelationType(each) if isinstance(each, str) else each
        for relation, name, each in rows
    }


class Rules:
    """Judges what papers claim, by the catalogue's `facts` and by what people `decided`."""

    def __init__(
        self,
        facts: Iterable[Fact],
        claims_of: ClaimsOf,
        decided: Mapping[str, Mapping[Claim, bool]],
    ) -> None:
        self._claims_of, self._decided = lru_cache(maxsize=1)(claims_of), decided
        self._parents = defaultdict[str, set[str]](set)
        for fact in facts:
            self._parents[fact.subject].add(fact.entity)
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

    def _judge(self, names: PaperNames, ids: Mapping[str, str]) -> dict[Claim, Verdict]:
        """Return the verdicts on what a paper seems to say; `ids` are what its names mean."""
        paper, linked = names.paper, [(name, ids[name.name]) for name in names.names]
        decided = self._decided.get(paper, {})
        own = {
            entity
            for name, entity in linked
            if decided.get((RelationType.INTRODUCES, name.name), name.introduced)
        }
        return {**self._against_own(paper, linked, own), **self._known_before(paper, linked)}

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
        """Return which claims say that what a paper introduces (`own`) derives from itself, or from
        its descendants."""
        others = {
            name.name: entity
            for name, entity in linked
            if not name.introduced
            and (entity in own or not self._ancestors(entity).isdisjoint(own))
        }
        ids = {name.name: entity for name, entity in linked if entity in own or not name.is_known}
        return {
            (relation, name): False
            for (relation, name), contribution in self._claims(paper, others)
            if relation in LINEAGE_RELATIONS
            and (
                others[name] in own or ids.get(contribution or "") in self._ancestors(others[name])
            )
        }

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
            new = self._parents.get(left.pop(), set()) - found
            found |= new
            left += new
        return frozenset(found - {entity})
